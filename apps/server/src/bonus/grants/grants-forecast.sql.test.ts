import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { GrantsPlatform, strangeWallet } from "./testing/grants-platform.ts";

describe("forecasts and bad input of grants", () => {
  let scene: GrantsPlatform;
  before(async () => {
    scene = await GrantsPlatform.create({ BONUS_POOL_CAP_USDT: "100" });
  });
  after(() => scene.close());

  it("BON-13: a forecast tells what would happen and does nothing", async () => {
    await scene.grant([strangeWallet(1)], { per_address_amount: "30" });
    const before_ = await scene.fingerprint();
    const { request_id: _, ...anonymous } = scene.grantBody(
      [strangeWallet(1), strangeWallet(2), strangeWallet(3), "x"],
      {
        per_address_amount: "20.5",
      },
    );
    const forecast = await scene.admin("POST", "/grant-batch?dry_run=true", anonymous);
    assert.deepEqual(forecast, {
      status: 200,
      body: {
        dry_run: true,
        would_create: 2,
        would_fail: [
          { address: strangeWallet(1), reason: "already_has_bonus" },
          { address: "x", reason: "invalid_address" },
        ],
        pool_cap_usdt: "100.00",
        net_outflow: "30.00",
        headroom_before: "70.00",
        headroom_after: "29.00",
        within_cap: true,
        worst_case_cost: "41.00",
        grants_stopped: false,
      },
    });
    const tooMuch = await scene.admin("POST", "/grant-batch?dry_run=true", {
      ...anonymous,
      per_address_amount: "35.000001",
    });
    assert.deepEqual(
      [tooMuch.status, tooMuch.body.within_cap, tooMuch.body.headroom_after, tooMuch.body.worst_case_cost],
      [200, false, "-0.000002", "70.000002"],
    );
    assert.deepEqual(await scene.fingerprint(), before_);
    const real = await scene.admin("POST", "/grant-batch?dry_run=false", {
      ...anonymous,
      request_id: scene.nextRequestId(),
    });
    assert.equal(real.body.created, 2, "as it was told");
  });

  it("BON-11, BON-13: while grants are stopped a forecast says so, and grants and codes are refused", async () => {
    const grant_batch_id = await scene.batch();
    const db = scene.db.$extendTables<{ bonus_pool: { stopped_reason: string | null; stopped_at: Date | null } }>();
    await db
      .updateTable("bonus_pool")
      .set({ stopped_reason: "the books do not agree", stopped_at: new Date() })
      .execute();
    const forecast = await scene.admin("POST", "/grant-batch?dry_run=true", scene.grantBody([strangeWallet(50)]));
    assert.deepEqual([forecast.status, forecast.body.grants_stopped], [200, true]);
    for (const refused of [await scene.grant([strangeWallet(50)]), await scene.generate(grant_batch_id)]) {
      assert.deepEqual([refused.status, refused.body.code], [409, "grants_stopped"]);
      assert.match(refused.body.error, /the books do not agree/);
    }
    await db.updateTable("bonus_pool").set({ stopped_reason: null, stopped_at: null }).execute();
    assert.equal((await scene.grant([strangeWallet(50)], { per_address_amount: "1" })).status, 200);
  });

  it("BON-5, WIRE-2, SEC-9: what is malformed is refused in the area's body, and changes nothing", async () => {
    const good = scene.grantBody([strangeWallet(70)]);
    const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([each]) => each !== name));
    const bad: (readonly [code: string, body: object, query?: string])[] = [
      ...[
        "batch_name",
        "grant_tier",
        "per_address_amount",
        "max_leverage",
        "recipients",
        "operator_addr",
        "request_id",
      ].map((name) => ["field_required", without(name)] as const),
      ["recipients_empty", { ...good, recipients: [] }],
      ["too_many_recipients", { ...good, recipients: Array.from({ length: 501 }, (_, at) => strangeWallet(at)) }],
      ["too_many_recipients", { ...good, recipients: Array(501).fill(strangeWallet(70)), per_address_amount: "0" }],
      ...["0", "-1", 0, -0.5, "1.0000001", 1e-7, "1000000000.000001", "ten", "", " 1", null, true, [], {}, ["1"]].map(
        (per_address_amount) => ["invalid_amount", { ...good, per_address_amount }] as const,
      ),
      ...[0, 126, -1, 1.5, "10", null].map((max_leverage) => ["invalid_field", { ...good, max_leverage }] as const),
      ...["", " ", "x".repeat(101), "a\u0000b", "a\nb", "\ud800", "a\u202eb", 1, null].map(
        (batch_name) => ["invalid_field", { ...good, batch_name }] as const,
      ),
      ...["", "x".repeat(33), "\u0007", 5].map((grant_tier) => ["invalid_field", { ...good, grant_tier }] as const),
      ...["x".repeat(501), "a\u0000", {}, 5].map((notes) => ["invalid_field", { ...good, notes }] as const),
      ...["", "a b", "é", "x".repeat(129), "a\n", "\u0000", 7, null].map(
        (request_id) => ["invalid_field", { ...good, request_id }] as const,
      ),
      ...["", " ", "x".repeat(101), "a\u0000b", 1, null].map(
        (operator_addr) => ["invalid_field", { ...good, operator_addr }] as const,
      ),
      ...["x", {}, null, [1], [null], [["0x"]]].map(
        (recipients) => ["invalid_field", { ...good, recipients }] as const,
      ),
      ...["yes", "1", "TRUE", ""].map((value) => ["invalid_field", good, `?dry_run=${value}`] as const),
      ["invalid_field", good, "?dry_run=true&dry_run=true"],
      ["invalid_field", { ...good, request_id: "a b" }, "?dry_run=true"],
      ["recipients_empty", { ...good, recipients: [] }, "?dry_run=true"],
      ["invalid_amount", { ...good, per_address_amount: "0" }, "?dry_run=true"],
    ];
    const before_ = await scene.fingerprint();
    for (const [code, body, query = ""] of bad) {
      const reply = await scene.admin("POST", `/grant-batch${query}`, body);
      assert.deepEqual([reply.status, reply.body.code], [400, code], `${query} ${JSON.stringify(body).slice(0, 300)}`);
      assert.equal(typeof reply.body.error, "string");
    }
    assert.deepEqual(await scene.fingerprint(), before_);
  });
});
