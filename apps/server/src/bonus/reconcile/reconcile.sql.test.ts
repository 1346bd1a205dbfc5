import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { BonusScene } from "../accounts/testing/bonus-scene.ts";

describe("the reconciliation on a running platform", () => {
  let scene: BonusScene;
  before(async () => {
    scene = await BonusScene.open({ BONUS_POOL_CAP_USDT: "5000" });
    await scene.price("60000");
  });
  after(() => scene.end());

  const report = async () => (await scene.admin("GET", "/reconcile-report")).body;
  const count = async (table: string) => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
      scene.db,
    );
    return rows[0]?.count ?? 0;
  };
  const audits = async (action: string) => {
    const query = scene.db.selectFrom("audit_log").select(["actor", "role", "target", "reason"]);
    return await query.where("action", "=", action).orderBy("seq").execute();
  };
  /** Changes the pool's ledger directly in the database. */
  const corrupt = (address: string, by_micros: bigint) =>
    sql`update bonus_pool_line set amount_micros = amount_micros + ${by_micros}::bigint where kind = 'GRANT'
      and bonus_account_id in (select id from bonus_account where address = ${address})`.execute(scene.db);

  it("BON-11: both sides, from their own sources, agree to the last unit", async () => {
    const empty = await report();
    assert.deepEqual(
      [empty.net_outflow, empty.outstanding_shadow_total, empty.ok, empty.sums_by_kind, empty.counts_by_status],
      ["0.00", "0.00", true, {}, {}],
    );
    const trader = await scene.trader("100", "300", 10);
    const other = await scene.trader("0", "200.000001");
    await scene.take(trader, "BUY", "0.01", "60000");
    await scene.control("recall", other);
    const { generated_at, event_cursor, ...found } = await report();
    assert.deepEqual(found, {
      net_outflow: "300.00",
      outstanding_shadow_total: "300.00",
      pool_cap_usdt: "5000.00",
      difference: "0.00",
      tolerance: "0.000000",
      ok: true,
      within_cap: true,
      in_flight_count: 0,
      in_flight_total: "0.00",
      in_flight_grants: [],
      counts_by_status: { active: 1, recalled: 1 },
      sums_by_kind: {
        CONSUME_FEE: "0.15",
        GRANT: "500.000001",
        LOCK: "30.00",
        RECALL: "200.000001",
      },
      mismatching_count: 0,
      mismatching_accounts: [],
      pool_sums_ok: true,
      grants_stopped: false,
      stopped_reason: null,
      backing: { consumed: "0.15", contributed: "0.00", owed: "0.15" },
    });
    assert.equal(generated_at, new Date(scene.platform.clock.now()).toISOString());
    assert.ok(event_cursor > 0);
  });

  it("BON-11: many who ask at once share one look, which changes nothing", async () => {
    const before_ = [await count("bonus_reconcile"), await count("audit_log"), await count("outbox")];
    const replies = await Promise.all(Array.from({ length: 20 }, report));
    assert.equal(new Set(replies.map(({ event_cursor }) => event_cursor)).size, 1);
    assert.deepEqual([await count("bonus_reconcile"), await count("audit_log"), await count("outbox")], before_);
  });

  it("BON-11: a ledger that does not fit an account: it is frozen once, grants stop, and go on when it fits again", async () => {
    const victim = await scene.trader("100", "50");
    const bystander = await scene.trader("100", "50");
    await corrupt(victim.address, 1n);
    const wrong = await report();
    assert.deepEqual(
      [wrong.ok, wrong.difference, wrong.mismatching_accounts],
      [false, "0.000001", [{ address: victim.address, ledger: "50.000001", shadow: "50.00", difference: "0.000001" }]],
    );
    assert.equal((await scene.me(victim)).status, "active", "a look changes nothing");
    const { access_token } = await scene.platform.adminSignIn();
    const shown = (await scene.platform.get("/api/v1/admin/invariants", access_token)).json().invariants;
    const inv3 = shown.find(({ code }: { code: string }) => code === "INV-3");
    assert.equal(inv3.ok, false);
    assert.match(inv3.detail, /differ by 0\.000001 USDT/);

    assert.equal((await scene.run("bonus-reconcile"))["frozen"], 1);
    assert.equal((await scene.me(victim)).status, "frozen");
    assert.equal((await scene.me(bystander)).status, "active");
    const [row] = await scene.rowsOf(victim);
    assert.equal(row?.freeze_reason, "reconciliation: pool ledger 50.000001, account 50.00 USDT");
    assert.deepEqual((await audits("bonus.freeze")).at(-1), {
      actor: "system",
      role: "system",
      target: victim.address,
      reason: row?.freeze_reason,
    });
    const stopped = await report();
    assert.deepEqual([stopped.grants_stopped, (await audits("bonus.grants.stop")).length], [true, 1]);
    const late = scene.newTrader();
    const grant = await scene.admin("POST", "/grant-batch", {
      ...{
        batch_name: "Late",
        grant_tier: "KOL",
        per_address_amount: "1",
        max_leverage: 5,
        operator_addr: late.address,
      },
      ...{ recipients: [late.address], request_id: scene.requestId() },
    });
    assert.deepEqual([grant.status, grant.body.code], [409, "grants_stopped"]);

    // After an admin's unfreeze, the same difference does not freeze the account again.
    assert.equal((await scene.control("unfreeze", victim)).status, 200);
    assert.equal((await scene.run("bonus-reconcile"))["frozen"], 0);
    assert.equal((await scene.me(victim)).status, "active");
    // A different difference freezes it again.
    await corrupt(victim.address, 1n);
    assert.equal((await scene.run("bonus-reconcile"))["frozen"], 1);
    assert.equal((await scene.me(victim)).status, "frozen");
    assert.equal((await audits("bonus.grants.stop")).length, 1, "told once");

    await corrupt(victim.address, -2n);
    const { report: kept } = (await scene.run("bonus-reconcile")) as { report: { ok: boolean } };
    assert.equal(kept.ok, true);
    assert.deepEqual([(await report()).grants_stopped, (await audits("bonus.grants.resume")).length], [false, 1]);
    await scene.grant(late, "1");
    assert.equal((await scene.me(victim)).status, "frozen", "whether it is unfrozen is for people to say");
  });

  it("BON-11: a line that is gone, and sums that are not those of the lines", async () => {
    const victim = await scene.trader("100", "40");
    const deleted = await sql<{ copy: string }>`
      delete from bonus_pool_line as line using bonus_account as own
      where own.id = line.bonus_account_id and own.address = ${victim.address}
      returning to_jsonb(line)::text as copy`.execute(scene.db);
    const gone = await report();
    assert.deepEqual(
      [gone.ok, gone.difference, gone.pool_sums_ok, gone.mismatching_count],
      [false, "-40.00", false, 1],
    );
    await scene.run("bonus-reconcile");
    assert.equal((await scene.me(victim)).status, "frozen");
    await sql`
      insert into bonus_pool_line overriding system value
      select (jsonb_populate_record(null::bonus_pool_line, ${deleted.rows[0]?.copy}::jsonb)).*`.execute(scene.db);
    assert.equal((await report()).ok, true);

    await sql`update bonus_pool set returned_micros = returned_micros + 1`.execute(scene.db);
    const drifted = await report();
    assert.deepEqual([drifted.ok, drifted.pool_sums_ok, drifted.difference], [false, false, "0.00"]);
    await sql`update bonus_pool set returned_micros = returned_micros - 1`.execute(scene.db);
    await scene.run("bonus-reconcile");
    assert.equal((await report()).grants_stopped, false);
  });

  it("BON-11: the newest thousand reports are kept", async () => {
    await sql`
      insert into bonus_reconcile (ok, command_number, report, created_at)
      select true, 1, '{}', now() from generate_series(1, 1005)`.execute(scene.db);
    await scene.run("bonus-reconcile");
    assert.equal(await count("bonus_reconcile"), 1_000);
    const newest = await scene.db
      .selectFrom("bonus_reconcile")
      .selectAll()
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    assert.equal((newest.report as { ok?: boolean }).ok, true);
    assert.ok(newest.command_number > 1n);
  });
});
