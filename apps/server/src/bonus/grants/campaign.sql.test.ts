import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { migrations } from "../../compose/migrations.ts";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import type { Database } from "../../kernel/database/database.ts";
import { openTestDatabase } from "../../kernel/database/testing.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { testWallet } from "../../testing/test-platform.ts";
import { createEngineRoom } from "./testing/engine-room.ts";
import { GrantsPlatform, lower, OPERATOR, strangeWallet } from "./testing/grants-platform.ts";

describe("the campaign", () => {
  let scene: GrantsPlatform;
  before(async () => {
    scene = await GrantsPlatform.create();
  });
  after(() => scene.close());

  it("T13: is there from the start, and is changed by admins, with an entry in the audit log", async () => {
    const { status, body } = await scene.admin("GET", "/campaign");
    const now_ms = scene.platform.clock.now();
    assert.equal(status, 200);
    assert.deepEqual(body, {
      id: 1,
      name: "Launch",
      amount: "500.00",
      max_amount: null,
      validity_days: 7,
      redemption_opens_at: new Date(now_ms).toISOString(),
      redemption_closes_at: new Date(now_ms + 3_652 * DAY_ms).toISOString(),
      pool_cap_usdt: "50000.00",
      created_at: new Date(now_ms).toISOString(),
    });
    const changed = await scene.admin("PUT", "/campaign", { amount: "20", max_amount: 25.5, validity_days: 3 });
    assert.deepEqual(changed, {
      status: 200,
      body: { ...body, amount: "20.00", max_amount: "25.50", validity_days: 3 },
    });
    assert.deepEqual((await scene.admin("GET", "/campaign")).body, changed.body);
    const [entry] = await createAuditLog({ clock: scene.platform.clock }).list(scene.db, { limit: 1 });
    const { id: _id, pool_cap_usdt: _cap, created_at: _at, ...before_ } = body;
    assert.deepEqual(
      [entry?.action, entry?.target, entry?.actor, entry?.before],
      ["bonus.campaign.change", "1", "bonus-admin", before_],
    );
    assert.deepEqual(entry?.after, { ...before_, amount: "20.00", max_amount: "25.50", validity_days: 3 });
    // A reply can be sent back as a request.
    assert.equal((await scene.admin("PUT", "/campaign", changed.body)).status, 200);
  });

  it("T13: its bound and its days hold for what is granted from then on", async () => {
    const batch = await scene.batch();
    for (const refused of [
      await scene.grant([strangeWallet(1)], { per_address_amount: "25.500001" }),
      await scene.admin(
        "POST",
        "/grant-batch?dry_run=true",
        scene.grantBody([strangeWallet(1)], { per_address_amount: 26 }),
      ),
      await scene.generate(batch, { amount: "25.500001" }),
    ]) {
      assert.deepEqual([refused.status, refused.body.code], [400, "invalid_amount"]);
    }
    const caller = testWallet(1);
    const [code] = await scene.codes(batch, { amount: "25.5" });
    const { body } = await scene.redeem(await scene.token(caller), code);
    assert.equal(Date.parse(body.expires_at), scene.platform.clock.now() + 3 * DAY_ms);
    // A repeated request gets its first answer, even after the campaign has changed.
    const grant = scene.grantBody([strangeWallet(2)], { per_address_amount: "25" });
    assert.equal((await scene.admin("POST", "/grant-batch", grant)).body.created, 1);
    await scene.admin("PUT", "/campaign", { amount: "5", max_amount: "5" });
    const replay = await scene.admin("POST", "/grant-batch", grant);
    assert.deepEqual([replay.status, replay.body.replayed, replay.body.created], [200, true, 1]);
    await scene.admin("PUT", "/campaign", { max_amount: null });
  });

  it("BON-2: a new campaign gives every wallet another bonus, once the earlier one has ended", async () => {
    const [running, ended] = [strangeWallet(10), strangeWallet(11)];
    const batch = (await scene.grant([running, ended], { per_address_amount: "10" })).body.grant_batch_id;
    const [oldCode] = await scene.codes(batch);
    const recall = {
      target_address: ended,
      reason: "the end",
      operator_addr: OPERATOR,
      request_id: scene.nextRequestId(),
    };
    assert.equal((await scene.admin("POST", "/recall", recall)).status, 200);
    assert.equal((await scene.grant([ended])).body.failed[0].reason, "already_has_bonus", "one of this campaign ever");

    const begun = await scene.admin("PUT", "/campaign", { new: true, name: "Autumn", validity_days: 14 });
    assert.deepEqual([begun.status, begun.body.id, begun.body.validity_days, begun.body.amount], [200, 2, 14, "5.00"]);
    const [entry] = await createAuditLog({ clock: scene.platform.clock }).list(scene.db, { limit: 1 });
    assert.deepEqual([entry?.action, entry?.target], ["bonus.campaign.begin", "2"]);
    const repeated = await scene.admin("PUT", "/campaign", { new: true, name: "Autumn", validity_days: 14 });
    assert.deepEqual([repeated.status, repeated.body.code], [409, "campaign_exists"]);

    const { body } = await scene.grant([running, ended]);
    assert.deepEqual([body.created, body.failed], [1, [{ address: running, reason: "already_has_bonus" }]]);
    assert.deepEqual((await scene.grantsOf(ended)).pool, 2);
    const fresh = testWallet(2);
    const token = await scene.token(fresh);
    assert.equal(
      (await scene.redeem(token, oldCode)).body.code,
      "code_not_redeemable",
      "codes end with their campaign",
    );
    const over = await scene.generate(batch);
    assert.deepEqual([over.status, over.body.code], [409, "campaign_over"]);
    const [newCode] = await scene.codes(body.grant_batch_id);
    assert.equal((await scene.redeem(token, newCode)).status, 200);
    // A wallet with a running bonus of the previous campaign must wait for its end.
    assert.equal((await scene.redeem(await scene.token(testWallet(1)), newCode)).body.code, "already_has_bonus");
    assert.deepEqual(await scene.grantsOf(lower(fresh)), { pool: 1, engine: 1, micros: 10_000_000 });
  });

  it("T13, WIRE-2: what is malformed is refused, and changes nothing", async () => {
    const bad: readonly (readonly [string, object])[] = [
      ["invalid_field", {}],
      ["invalid_field", { new: "true" }],
      ["field_required", { new: true }],
      ["field_required", { new: true, amount: "5" }],
      ["invalid_field", { name: "" }],
      ["invalid_field", { name: 5 }],
      ["invalid_amount", { amount: "0" }],
      ["invalid_amount", { amount: null }],
      ["invalid_amount", { amount: "1.0000001" }],
      ["invalid_amount", { max_amount: "0.000001" }],
      ["invalid_amount", { max_amount: [] }],
      ["invalid_field", { validity_days: 0 }],
      ["invalid_field", { validity_days: 366 }],
      ["invalid_field", { validity_days: "7" }],
      ["invalid_field", { redemption_closes_at: null }],
      ["invalid_field", { redemption_closes_at: "soon" }],
      ["invalid_field", { redemption_closes_at: 1_780_000_000_000 }],
      ["invalid_field", { redemption_opens_at: "2126-01-01T00:00:00Z" }],
      ["invalid_field", { amount: "5", pool_cap_usdt: "1" }],
    ];
    const before_ = await scene.fingerprint();
    for (const [code, body] of bad) {
      const reply = await scene.admin("PUT", "/campaign", body);
      assert.deepEqual([reply.status, reply.body.code], [400, code], JSON.stringify(body));
    }
    assert.deepEqual(await scene.fingerprint(), before_);
  });
});

describe("the first campaign", () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase(migrations);
  });
  after(() => database.close());

  it("T13: is seeded once, however many begin at the same moment; production's window is the documented one", async () => {
    const rooms = Array.from({ length: 5 }, () => createEngineRoom(database, { environment: "production" }));
    await Promise.all(rooms.map(({ grants }) => grants.campaigns.seed()));
    await createEngineRoom(database).grants.campaigns.seed();
    const { id, redemption_opens_at, redemption_closes_at, amount, validity_days } =
      await rooms[0]!.grants.campaigns.read();
    assert.deepEqual([id, amount, validity_days], [1, "500.00", 7]);
    assert.deepEqual([redemption_opens_at, redemption_closes_at], [null, "2026-06-10T15:59:59.000Z"]);
  });
});
