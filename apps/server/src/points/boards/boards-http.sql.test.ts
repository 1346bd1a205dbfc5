import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { DailyBoard, EpochBoard, OwnPoints, PointsLedger } from "@bourse/api";
import { accepted, assertRefused, type Partner } from "../../broker/partners/testing/scene.ts";
import { TradingFloor } from "../../broker/settlement/testing/floor.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { TEST_EPOCH_MS } from "../../testing/test-platform.ts";
import { Epochs } from "../epochs.ts";
import { POINT_micros, PointsBooks, walletOf } from "../testing/points-books.ts";

const BASE = "/api/v1/points";
/** The test platform's clock starts at noon of the Monday on which epoch 22 begins. */
const epochs = new Epochs(Date.UTC(2026, 0, 5));

describe("points lists over HTTP", () => {
  let floor: TradingFloor;
  let books: PointsBooks;
  let kol: Partner;
  let trader: Awaited<ReturnType<TradingFloor["scene"]["visitor"]>>;
  let maker: string;

  before(async () => {
    floor = await TradingFloor.open();
    books = new PointsBooks(platform().database, epochs);
    kol = await floor.scene.kol(5);
    trader = await floor.scene.visitor();
    accepted(await floor.scene.bind(trader.token, (await floor.scene.code(kol.token)).code));
    await floor.fund(trader);
    await floor.take(trader);
    await floor.take(trader);
    accepted(await platform().get("/api/v1/account/trades", trader.token));
  });
  after(() => floor.close());

  const platform = () => floor.scene.platform;
  const refresh = async () => accepted(await platform().post("/api/v1/dev/jobs/points-refresh/run"));
  const daily = async (query = ""): Promise<DailyBoard> =>
    accepted(await platform().get(`${BASE}/leaderboard/daily${query}`));
  const whole = async (query = ""): Promise<EpochBoard> =>
    accepted(await platform().get(`${BASE}/leaderboard/epoch${query}`));
  const me = async (token = trader.token): Promise<OwnPoints> => accepted(await platform().get(`${BASE}/me`, token));
  const ledger = async (query = "", token = trader.token): Promise<PointsLedger> =>
    accepted(await platform().get(`${BASE}/me/ledger${query}`, token));

  it("interface 2.13: the daily list has exactly these fields, points as decimal texts", async () => {
    await refresh();
    const board = await daily();
    maker = board.entries[1]!.user_address;
    assert.deepEqual(board, {
      date: "2026-06-01",
      epoch_number: 22,
      refreshed_at: "2026-06-01T12:00:00.000Z",
      total: 3,
      entries: [
        { rank: 1, user_address: trader.address, points_today: "2000", tier: null },
        { rank: 2, user_address: maker, points_today: "1200", tier: null },
        { rank: 3, user_address: kol.address, points_today: "200", tier: null },
      ],
    });
    const { entries, ...about } = await whole();
    assert.deepEqual(about, { epoch_number: 22, refreshed_at: "2026-06-01T12:00:00.000Z", total: 3 });
    assert.deepEqual(entries[2], { rank: 3, user_address: kol.address, points: "200", tier: null });
  });

  it("PTS-6: what a wallet has scored is there at once, its rank with the next refresh", async () => {
    const { season_id, level, tier, projected_tokens, ...before_ } = await me();
    assert.deepEqual([season_id, level, tier, projected_tokens], [null, 0, null, null]);
    assert.deepEqual(before_.next_level, { level: 1, points_min: 1000, points_missing: "1000" });
    await floor.take(trader);
    const own = await me();
    assert.deepEqual(
      [own.points_today, own.points_epoch, own.points_total, own.points_season],
      ["3000", "3000", "3000", "0"],
    );
    assert.deepEqual([own.rank_today, own.rank_epoch, own.epoch_number], [1, 1, 22]);
    const stranger = await floor.scene.visitor();
    const nobody = await me(stranger.token);
    assert.deepEqual(
      [nobody.points_today, nobody.points_total, nobody.rank_today, nobody.rank_epoch],
      ["0", "0", null, null],
    );
    assert.equal((await daily()).entries[0]!.points_today, "2000", "the list is that of the last refresh");
    await refresh();
    assert.equal((await daily()).entries[0]!.points_today, "3000");
  });

  it("PTS-4, PTS-6: with a season there are tiers, a level and a projection", async () => {
    const admin = (await platform().adminSignIn()).access_token;
    const season = { label: "S", start_epoch: 22, end_epoch: 23, user_pool_tokens: 1_000_000, mm_pool_tokens: 0 };
    const { season_id } = accepted<{ season_id: string }>(
      await platform().post(`${BASE}/admin/seasons`, season, admin),
    );
    await refresh();
    const { entries } = await daily();
    assert.deepEqual(
      entries.map(({ points_today, tier }) => [points_today, tier]),
      [
        ["3000", "L1"],
        ["1800", "L1"],
        ["300", "L0"],
      ],
    );
    const own = await me();
    assert.deepEqual([own.season_id, own.points_season, own.level, own.tier], [season_id, "3000", 1, "L1"]);
    assert.deepEqual(own.next_level, { level: 2, points_min: 10_000, points_missing: "7000" });
    const claims = 8 * 3000 + 8 * 1800 + 4 * 300;
    assert.equal(own.projected_tokens, Math.floor((1_000_000 * 8 * 3000) / claims));
  });

  it("PTS-6: every line names its source, its rule and what it was reckoned from", async () => {
    const { items, total, next_cursor } = await ledger();
    assert.deepEqual([items.length, total, next_cursor], [3, 3, null]);
    const { id, trade_id, ...line } = items[0]!;
    assert.ok(id > 0 && trade_id! > 0);
    assert.deepEqual(line, {
      source: "trade",
      points: "1000",
      rule_version: 1,
      time: new Date(TEST_EPOCH_MS).toISOString(),
      symbol: "BTCUSDT",
      side: line.side,
      base: "100.00",
    });
    const [referral] = (await ledger("", kol.token)).items;
    assert.deepEqual(
      [referral!.source, referral!.points, referral!.invitee, referral!.base, referral!.symbol],
      ["referral", "100", trader.address, "1000", "BTCUSDT"],
    );
  });

  it("WIRE-8: the ledger goes on by cursor, from either end, and a changed cursor is 400", async () => {
    for (const order of ["asc", "desc"]) {
      const ids: number[] = [];
      const totals: number[] = [];
      let cursor = "";
      for (;;) {
        const page = await ledger(`?limit=1&order=${order}${cursor}`);
        ids.push(...page.items.map(({ id }) => id));
        totals.push(page.total);
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      const all = (await ledger()).items.map(({ id }) => id);
      assert.deepEqual(ids, order === "asc" ? all : all.toReversed());
      assert.deepEqual(totals, [3, -1, -1]);
    }
    const { next_cursor } = await ledger("?limit=1");
    for (const [query, token] of [
      [`limit=1&cursor=${next_cursor}x`, trader.token],
      [`limit=1&order=desc&cursor=${next_cursor}`, trader.token],
      [`limit=1&cursor=${next_cursor}`, kol.token],
      ["cursor=!!!", trader.token],
    ] as const) {
      assertRefused(await platform().get(`${BASE}/me/ledger?${query}`, token), 400, "INVALID_CURSOR");
    }
    for (const query of ["limit=0", "limit=x", "order=up", "start_time=-1", "start_time=5&end_time=4"]) {
      assertRefused(await platform().get(`${BASE}/me/ledger?${query}`, trader.token), 400, "INVALID_FIELD");
    }
    assert.equal((await ledger("?limit=100000")).items.length, 3);
    assert.deepEqual((await ledger(`?end_time=${TEST_EPOCH_MS - 1}`)).items, []);
  });

  it("WIRE-2: a limit above 500 is cut, what is malformed is 400, an epoch that has not begun 404", async () => {
    const many = Array.from({ length: 600 }, (_, number) => ({
      address: walletOf(number + 1),
      points_micros: 1n,
      last_ms: 600 - number,
    }));
    await books.totals("day", Math.floor(TEST_EPOCH_MS / DAY_ms), many);
    await refresh();
    const board = await daily("?limit=100000");
    assert.deepEqual([board.entries.length, board.total], [500, 603]);
    assert.equal((await daily()).entries.length, 100);
    assert.deepEqual(
      (await daily("?limit=2&offset=3")).entries.map(({ rank, user_address }) => [rank, user_address]),
      [
        [4, walletOf(600)],
        [5, walletOf(599)],
      ],
      "of equal points the earlier last scoring time stands higher",
    );
    assert.deepEqual((await daily("?offset=603")).entries, []);
    assert.deepEqual((await daily("?offset=999999999999999")).entries, []);
    for (const path of ["daily", "epoch"]) {
      for (const query of [
        "limit=0",
        "limit=-1",
        "limit=1.5",
        "limit=",
        "limit=ten",
        "offset=-1",
        "offset=x",
        "epoch=0",
      ]) {
        assertRefused(await platform().get(`${BASE}/leaderboard/${path}?${query}`), 400, "INVALID_FIELD");
      }
      for (const query of ["epoch=-1", "epoch=x", "epoch=1e2", "epoch=22.0", "epoch=", "epoch=22&epoch=21"]) {
        assertRefused(await platform().get(`${BASE}/leaderboard/${path}?${query}`), 400, "INVALID_FIELD");
      }
      for (const epoch of [23, 999999999999999]) {
        assertRefused(await platform().get(`${BASE}/leaderboard/${path}?epoch=${epoch}`), 404, "EPOCH_NOT_FOUND");
      }
    }
    assert.deepEqual(await daily("?epoch=22"), await daily());
  });

  it("PTS-4: over midnight the day starts from zero and the epoch goes on", async () => {
    accepted(await platform().post("/api/v1/dev/clock", { now: Date.UTC(2026, 5, 2, 0, 0, 30) }));
    const board = await daily();
    assert.deepEqual(
      [board.date, board.total, board.entries, board.refreshed_at],
      ["2026-06-02", 0, [], "2026-06-02T00:00:00.000Z"],
    );
    assert.equal((await whole()).entries[0]!.points, "3000");
    const own = await me((await platform().signIn(trader.wallet)).access_token);
    assert.deepEqual([own.points_today, own.rank_today, own.points_epoch, own.rank_epoch], ["0", null, "3000", 1]);
  });

  it("T9: after the epoch its last day is frozen under its number", async () => {
    const sunday_ms = epochs.end_ms(22) - 3_600_000;
    await books.scored(walletOf(7), 5n * POINT_micros, sunday_ms);
    accepted(await platform().post("/api/v1/dev/clock", { now: epochs.end_ms(22) + 90_000 }));
    const board = await daily("?epoch=22");
    assert.deepEqual(board, {
      date: "2026-06-07",
      epoch_number: 22,
      refreshed_at: "2026-06-08T00:00:00.000Z",
      total: 1,
      entries: [{ rank: 1, user_address: walletOf(7), points_today: "5", tier: null }],
    });
    assert.deepEqual(
      (await whole("?epoch=22&limit=1")).entries.map(({ user_address, points, tier }) => [user_address, points, tier]),
      [[trader.address, "3000", "L1"]],
    );
    assert.deepEqual([(await daily()).epoch_number, (await daily()).total], [23, 0]);
    assert.equal((await daily("?epoch=1")).total, 0);
    await refresh();
    assert.deepEqual(await daily("?epoch=22"), board);
  });
});
