import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { AdminKol, TierThresholds } from "@bourse/api";
import { sql } from "kysely";
import { accepted, PartnersScene } from "./testing/scene.ts";

const THRESHOLDS = "/config/tier-thresholds";

describe("tiers and dashboards", () => {
  let scene: PartnersScene;
  before(async () => {
    scene = await PartnersScene.open();
  });
  after(() => scene.close());

  const put = (path: string, body: object) => scene.admin("PUT", path, body);
  const rateOf = async (id: string) => {
    const kols = accepted<AdminKol[]>(await scene.admin("GET", "/kols"));
    return kols.find(({ broker_id }) => broker_id === id)?.rebate_rate;
  };

  it("BRK-6, WIRE-3: thresholds are read, set and unset; without them a tier is 500", async () => {
    const initial = accepted<TierThresholds>(await scene.admin("GET", THRESHOLDS));
    assert.deepEqual(
      initial.tiers.map(({ level, label, rebate_rate, min_fee_30d }) => [level, label, rebate_rate, min_fee_30d]),
      [
        [1, "Bronze", "0.2", "0.00"],
        [2, "Silver", "0.25", "2000.00"],
        [3, "Gold", "0.3", "10000.00"],
        [4, "Platinum", "0.35", "50000.00"],
        [5, "Diamond", "0.4", "200000.00"],
      ],
    );
    const kol = await scene.kol(5);
    const subKol = await scene.subKol(kol);
    const { token } = await scene.bd();
    assert.deepEqual(accepted(await scene.admin("DELETE", THRESHOLDS)), { tiers: [] });
    assert.deepEqual((await scene.lastAudit("broker.tiers.unset"))?.before, initial);
    const message = "tier_thresholds not configured";
    for (const id of [kol.id, subKol.id]) {
      await scene.refuses(() => put(`/kol/${id}/tier`, { tier_level: 1 }), 500, "TIER_NOT_CONFIGURED", message);
    }
    const newKol = { wallet_address: scene.newWallet().address, level: 1 };
    await scene.refuses(() => scene.admin("POST", "/kol", newKol), 500, "TIER_NOT_CONFIGURED", message);
    const bdCode = () => scene.call(token, "POST", "/bd/invite-code", { level: 1 });
    await scene.refuses(bdCode, 500, "TIER_NOT_CONFIGURED", message);
    accepted(await put(`/kol/${kol.id}`, { level: 77 }));

    const tiers = [
      { level: 7, label: " Top tier ", rebate_rate: 0.5, min_fee_30d: "1000.5" },
      { level: 2, label: "First", rebate_rate: "0.10", min_fee_30d: 0 },
    ];
    const set = accepted<TierThresholds>(await put(THRESHOLDS, { tiers, reason: "new season" }));
    assert.deepEqual(set.tiers, [
      { level: 2, label: "First", rebate_rate: "0.1", min_fee_30d: "0.00" },
      { level: 7, label: "Top tier", rebate_rate: "0.5", min_fee_30d: "1000.50" },
    ]);
    assert.deepEqual(accepted(await scene.admin("GET", THRESHOLDS)), set);
    const audit = await scene.lastAudit("broker.tiers.set");
    assert.deepEqual([audit?.before, audit?.after, audit?.reason], [{ tiers: [] }, set, "new season"]);
    assert.equal(await rateOf(kol.id), "0.4", "KOLs keep their rates");
    accepted(await put(THRESHOLDS, initial));
  });

  it("WIRE-3: bad thresholds", async () => {
    const tier = (change: object = {}) => ({ level: 1, label: "One", rebate_rate: "0.2", min_fee_30d: "5", ...change });
    const refuses = (tiers: unknown, code: string) =>
      scene.refuses(() => put(THRESHOLDS, tiers === undefined ? {} : { tiers }), 400, code);
    await refuses(undefined, "FIELD_REQUIRED");
    for (const tiers of [
      null,
      {},
      "all",
      [],
      [null],
      [[]],
      Array.from({ length: 21 }, (_, at) => tier({ level: at + 1 })),
    ]) {
      await refuses(tiers, "INVALID_FIELD");
    }
    for (const name of ["level", "label", "rebate_rate", "min_fee_30d"]) {
      await refuses([tier({ [name]: undefined })], "FIELD_REQUIRED");
      await refuses([tier({ [name]: null })], "INVALID_FIELD");
    }
    for (const change of [
      { level: 0 },
      { level: 1.5 },
      { level: "1" },
      { level: 1_001 },
      { label: "" },
      { label: " " },
      { label: "x".repeat(41) },
      { label: "a\nb" },
      { label: 5 },
      { min_fee_30d: "-1" },
      { min_fee_30d: "1e3" },
      { min_fee_30d: "0.0000001" },
      { min_fee_30d: "99999999999999999999" },
    ]) {
      await refuses([tier(change)], "INVALID_FIELD");
    }
    for (const rebate_rate of ["1.1", "-0.1", "1e-1", "0.1234567", ""]) {
      await refuses([tier({ rebate_rate })], "RATIO_OUT_OF_RANGE");
    }
    await refuses([tier(), tier()], "INVALID_FIELD");
    await refuses([tier(), tier({ level: 2, rebate_rate: "0.1" })], "INVALID_FIELD");
    await refuses([tier({ level: 2 }), tier({ min_fee_30d: "6" })], "INVALID_FIELD");
  });

  it("T6: the dashboard adds up what was settled, and says what is really left", async () => {
    const db = scene.db;
    await sql`
      insert into rebate_period (period, status, revision, root, leaf_count, broker_count, record_count, fee_micros,
        nominal_micros, customer_micros, share_micros, net_micros, affiliate_micros, calculated_at)
      values ('2026-05-30', 'closed', 1, '\\x00', 2, 1, 2, 100000000, 40000000, 10000000, 4000000, 26000000, 500000, now()),
             ('2026-05-31', 'provisional', 1, '\\x00', 1, 1, 1, 1, 1, 0, 0, 1, 0, now())`.execute(db);
    const counted = await sql<{ kols: number; sub_kols: number; bds: number }>`
      select (select count(*)::int from broker where status = 'active') as kols,
             (select count(*)::int from broker where status = 'active' and level is null) as sub_kols,
             (select count(*)::int from staff where role = 'bd' and status = 'active') as bds`.execute(db);
    const { kols: kol_count, sub_kols: sub_kol_count, bds: bd_count } = counted.rows[0]!;
    assert.deepEqual(accepted(await scene.admin("GET", "/dashboard")), {
      bd_count,
      kol_count,
      sub_kol_count,
      total_fee: "100.000001",
      total_nominal_rebate: "40.000001",
      total_kol_rebate: "26.000001",
      platform_net_retention: "14.00",
      total_customer_rebate: "10.00",
      total_share: "4.00",
      total_affiliate_reward: "0.50",
      true_net_revenue: "59.50",
    });
    await scene.kol();
    const frozen = await scene.kol();
    accepted(await put(`/kol/${frozen.id}`, { status: "frozen" }));
    const after_ = accepted<{ kol_count: number }>(await scene.admin("GET", "/dashboard"));
    assert.equal(after_.kol_count, kol_count + 1, "frozen KOLs do not count");
  });

  it("BRK-3: a BD's dashboard covers its KOLs, their sub-KOLs and customers", async () => {
    const bd = await scene.bd();
    const kol = await scene.kol(5, { bd_id: bd.id });
    const subKol = await scene.subKol(kol);
    const frozen = await scene.kol(1, { bd_id: bd.id });
    accepted(await put(`/kol/${frozen.id}`, { status: "frozen" }));
    for (const owner of [kol, subKol]) {
      accepted(await scene.bind((await scene.visitor()).token, (await scene.code(owner.token)).code));
    }
    const total = (broker_id: string, nominal: number) =>
      scene.db
        .insertInto("broker_total")
        .values({
          broker_id,
          records: 1,
          fee_micros: nominal * 2,
          nominal_micros: nominal,
          customer_micros: 1,
          share_micros: 2,
          net_micros: nominal - 3,
          share_income_micros: 0,
        })
        .execute();
    await total(kol.id, 1_000_000);
    await total(subKol.id, 500_000);
    await total((await scene.kol()).id, 7_000_000);
    assert.deepEqual(accepted(await scene.call(bd.token, "GET", "/bd/dashboard")), {
      kol_count: 2,
      sub_kol_count: 1,
      frozen_kol_count: 1,
      customer_count: 2,
      total_fee: "3.00",
      total_nominal_rebate: "1.50",
      total_kol_rebate: "1.499994",
      platform_net_retention: "0.000006",
      total_customer_rebate: "0.000002",
      total_share: "0.000004",
      codes: { active: 0, used: 0, expired: 0, disabled: 0 },
    });
  });
});
