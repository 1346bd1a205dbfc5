import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { BrokerLeaderboard, BrokerOverview, RebateTrend } from "@bourse/api";
import {
  bookFamily,
  createReportsPlatform,
  type Family,
  type ReportsPlatform,
  TODAY,
  USDT,
  walletAddress,
  YESTERDAY,
} from "./testing/reports-platform.ts";

const TIERS = [
  { level: 1, label: "Bronze", rebate_rate: "0.2", min_fee_30d: "0.00" },
  { level: 2, label: "Silver", rebate_rate: "0.25", min_fee_30d: "2000.00" },
  { level: 3, label: "Gold", rebate_rate: "0.3", min_fee_30d: "10000.00" },
  { level: 4, label: "Platinum", rebate_rate: "0.35", min_fee_30d: "50000.00" },
  { level: 5, label: "Diamond", rebate_rate: "0.4", min_fee_30d: "200000.00" },
];

const ROUTES = [
  ...["/overview", "/downlines", "/rebate-records", "/leaderboard", "/rebate-trend", "/share-income", "/performance"],
  ...["/rebate-records/export", "/what-if?customer_rebate_ratio=0.1"],
];

describe("where a broker stands", () => {
  let platform: ReportsPlatform;
  let family: Family;
  before(async () => {
    platform = await createReportsPlatform();
    family = await bookFamily(platform);
    await platform.books.kol({ rate: 0.2, status: "frozen", wallet: walletAddress(4) });
    await platform.books.kol({ rate: 0.4, level: 5, wallet: walletAddress(5) });
    await platform.books.kol({ rate: 0.45, level: 9, wallet: walletAddress(6) });
  });
  after(() => platform.close());

  it("T11: the overview of a KOL holds every figure of its records", async () => {
    const overview = await platform.read<BrokerOverview>(1, "/overview");
    // 100 × 40 % = 40, 10 to the customer, 30 left; the sub-KOL's own 50: 20, 15, 5; the KOL's own 10: 4, 4, 0;
    // today 7.000001: floor6(2.8000004), floor6(0.7000001), the rest.
    assert.deepEqual(overview, {
      broker_id: family.kol.id,
      wallet_address: walletAddress(1),
      nickname: "Ada",
      level: 3,
      rebate_rate: "0.4",
      parent_broker: null,
      total_invited: 2,
      total_volume: "0",
      total_fee: "167.000001",
      total_rebate: "37.10",
      current_level_label: "Gold",
      next_level_label: "Platinum",
      traded_volume: "334000.002",
      total_nominal_rebate: "66.80",
      total_customer_rebate: "29.70",
      total_share: "0.00",
      share_income: "6.00",
      fee_30d: "167.000001",
      next_level_min_fee: "50000.00",
      tiers: TIERS,
    });
  });

  it("BRK-15: a sub-KOL has no level, no next one, and its parent's wallet", async () => {
    const overview = await platform.read<BrokerOverview>(2, "/overview");
    assert.equal(overview.level, null);
    assert.equal(overview.current_level_label, "Sub-KOL");
    assert.equal(overview.next_level_label, null);
    assert.equal(overview.next_level_min_fee, null);
    assert.deepEqual(overview.tiers, []);
    assert.equal(overview.parent_broker, walletAddress(1));
    assert.equal(overview.rebate_rate, "0.3");
    // 100 × 30 % = 30, 10 to the customer, (30 − 10) × 30 % = 6 to the parent.
    assert.deepEqual(
      [overview.total_fee, overview.total_nominal_rebate, overview.total_customer_rebate, overview.total_share],
      ["100.00", "30.00", "10.00", "6.00"],
    );
    assert.deepEqual([overview.total_rebate, overview.share_income, overview.total_invited], ["14.00", "0.00", 1]);
  });

  it("interface 2.6: a broker without downlines has zeros, the highest tier no next one", async () => {
    const overview = await platform.read<BrokerOverview>(5, "/overview");
    assert.deepEqual([overview.total_invited, overview.total_fee, overview.total_rebate], [0, "0.00", "0.00"]);
    assert.deepEqual([overview.current_level_label, overview.next_level_label], ["Diamond", null]);
    assert.equal(overview.nickname, null);
  });

  it("BRK-6: a level that is not configured is called by its number", async () => {
    const overview = await platform.read<BrokerOverview>(6, "/overview");
    assert.deepEqual([overview.current_level_label, overview.next_level_label], ["Level 9", null]);
    const { books } = platform;
    const tiers = await books.db.selectFrom("broker_tier").selectAll().execute();
    await books.db.deleteFrom("broker_tier").execute();
    try {
      const without = await platform.read<BrokerOverview>(1, "/overview");
      assert.deepEqual([without.current_level_label, without.next_level_label], ["Level 3", null]);
      assert.deepEqual([without.tiers, without.next_level_min_fee], [[], null]);
    } finally {
      await books.db.insertInto("broker_tier").values(tiers).execute();
    }
  });

  it("BRK-6: fees of 30 days leave older ones out", async () => {
    const kol = await platform.books.kol({ rate: 0.2, wallet: walletAddress(7) });
    const customer = await platform.books.customer(kol, { ratio: 0 });
    // The 30 days that end today begin on 3 May.
    for (const day of ["2026-05-02", "2026-05-03"]) {
      await platform.books.fee(day, customer, kol.termsVersion, 11n * USDT);
      await platform.settle(day, "closed");
    }
    const overview = await platform.read<BrokerOverview>(7, "/overview");
    assert.deepEqual([overview.total_fee, overview.fee_30d, overview.total_rebate], ["22.00", "11.00", "4.40"]);
    const trend = await platform.read<RebateTrend>(7, "/rebate-trend");
    assert.deepEqual([trend[0]?.date, trend[0]?.total_fee, trend[1]?.total_fee], ["2026-05-03", "11.00", "0.00"]);
  });

  it("interface 4.2: the trend has 30 days up to today, with zeros where nothing was", async () => {
    const trend = await platform.read<RebateTrend>(1, "/rebate-trend");
    assert.equal(trend.length, 30);
    assert.deepEqual([trend[0]?.date, trend[28]?.date, trend[29]?.date], ["2026-05-03", YESTERDAY, TODAY]);
    const { date: _first, ...nothing } = trend[0] ?? assert.fail("there is no first day");
    assert.deepEqual(new Set(Object.values(nothing)), new Set(["0.00"]));
    assert.deepEqual(trend.slice(28), [
      {
        date: YESTERDAY,
        total_fee: "160.00",
        total_nominal_rebate: "64.00",
        total_kol_net_rebate: "35.00",
        share_income: "6.00",
        traded_volume: "320000.00",
      },
      {
        date: TODAY,
        total_fee: "7.000001",
        total_nominal_rebate: "2.80",
        total_kol_net_rebate: "2.10",
        share_income: "0.00",
        traded_volume: "14000.002",
      },
    ]);
  });

  it("interface 2.10: the leaderboard ranks by net rebate and counts downlines", async () => {
    const { total, leaderboard } = await platform.read<BrokerLeaderboard>(5, "/leaderboard");
    assert.equal(total, 3);
    assert.deepEqual(
      leaderboard.map(({ wallet_address }) => wallet_address),
      [walletAddress(1), walletAddress(2), walletAddress(7)],
    );
    assert.deepEqual(leaderboard[0], {
      rank: 1,
      broker_id: family.kol.id,
      wallet_address: walletAddress(1),
      nickname: "Ada",
      level: 3,
      rebate_rate: "0.4",
      total_fee: "167.000001",
      total_nominal_rebate: "66.80",
      total_kol_net_rebate: "37.10",
      downline_count: 2,
      traded_volume: "334000.002",
    });
    assert.deepEqual([leaderboard[1]?.rank, leaderboard[1]?.level, leaderboard[1]?.downline_count], [2, null, 1]);
    const second = await platform.read<BrokerLeaderboard>(5, "/leaderboard?limit=1&offset=1");
    assert.deepEqual(second, { total: 3, leaderboard: leaderboard.slice(1, 2) });
    assert.deepEqual(await platform.read(5, "/leaderboard?offset=3"), { total: 3, leaderboard: [] });
  });

  it("interface 2.10: equal net rebates are ranked by fees, then by id", async () => {
    const { books } = platform;
    const rivals = [await books.kol({ rate: 0.2 }), await books.kol({ rate: 0.2 }), await books.kol({ rate: 0.2 })];
    rivals.sort((a, b) => (a.id < b.id ? -1 : 1));
    // 10 × 20 % or 20 × (20 − 10) %: 2 for each; the one with the lowest id has the lowest fees.
    for (const [place, rival] of rivals.entries()) {
      const customer = await books.customer(rival, { ratio: place === 0 ? 0 : 0.1 });
      await books.fee("2026-04-01", customer, rival.termsVersion, (place === 0 ? 10n : 20n) * USDT);
    }
    await platform.settle("2026-04-01", "closed");
    // One at a time: pages must have the same order as the rows on them.
    const pages = [3, 4, 5].map((offset) =>
      platform.read<BrokerLeaderboard>(5, `/leaderboard?limit=1&offset=${offset}`),
    );
    const leaderboard = (await Promise.all(pages)).flatMap((page) => page.leaderboard);
    assert.deepEqual(
      leaderboard.map(({ rank, broker_id, total_kol_net_rebate }) => [rank, broker_id, total_kol_net_rebate]),
      [rivals[1], rivals[2], rivals[0]].map((rival, place) => [4 + place, rival?.id, "2.00"]),
    );
  });

  it("WIRE-2: a limit above the most is cut, below the least or malformed refused", async () => {
    const { leaderboard } = await platform.read<BrokerLeaderboard>(5, "/leaderboard?limit=100000");
    assert.equal(leaderboard.length, 6);
    for (const query of [
      "limit=0",
      "limit=-1",
      "limit=x",
      "limit=1.5",
      "limit=",
      "offset=-1",
      "offset=1e3",
      "limit=1&limit=2",
    ]) {
      await platform.assertRefused(5, `/leaderboard?${query}`, 400, "INVALID_FIELD");
    }
    assert.equal((await platform.ask(5, "/leaderboard?page=x&sort=y")).statusCode, 200, "unknown names are ignored");
  });

  it("BRK-15: who is no active broker is no broker, whatever the parameters are", async () => {
    for (const wallet of [4, 30]) {
      for (const route of ROUTES) await platform.assertRefused(wallet, route, 404, "NOT_A_BROKER", "not a broker");
      await platform.assertRefused(wallet, "/leaderboard?limit=0", 404, "NOT_A_BROKER");
      await platform.assertRefused(wallet, "/rebate-records?period=never", 404, "NOT_A_BROKER");
      assert.deepEqual(await platform.read(wallet, "/my-rebate"), []);
      assert.deepEqual(await platform.read(wallet, "/affiliate-records"), []);
    }
  });

  it("interface 4.2: sub-kol-stats is gone", async () => {
    await platform.assertRefused(1, "/sub-kol-stats", 404, "NOT_FOUND");
  });
});
