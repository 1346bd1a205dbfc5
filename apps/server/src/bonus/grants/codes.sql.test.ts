import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { CodeMaker, hashOfCode } from "./code-text.ts";
import { GrantsPlatform, OPERATOR, strangeWallet } from "./testing/grants-platform.ts";

const UNKNOWN = "3f0c1a52-6b1d-4c55-9a7e-0d3f5b1c2a44";

describe("codes", () => {
  let scene: GrantsPlatform;
  let batch: string;
  before(async () => {
    scene = await GrantsPlatform.create();
    batch = await scene.batch();
  });
  after(() => scene.close());

  const countsOf = async (id: string) => (await scene.admin("GET", `/batches/${id}`)).body.codes;
  const endBody = (grant_batch_id: string, more: object = {}) => ({
    grant_batch_id,
    operator_addr: OPERATOR,
    request_id: scene.nextRequestId(),
    ...more,
  });

  it("BON-3: codes are told, kept as hashes only, and told again to whoever repeats the request", async () => {
    const body = scene.codesBody(batch, { count: 3, amount: 7.5 });
    const first = await scene.admin("POST", "/generate-codes", body);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.deepEqual(Object.keys(first.body).sort(), ["audit_id", "codes", "expires_at", "replayed"]);
    assert.equal(first.body.expires_at, new Date(scene.platform.clock.now() + 30 * DAY_ms).toISOString());
    assert.equal(new Set(first.body.codes).size, 3);
    const again = await scene.admin("POST", "/generate-codes", { ...body, amount: "7.500000" });
    assert.deepEqual(again, { status: 200, body: { ...first.body, replayed: true } });
    for (const change of [{ count: 2 }, { amount: "7" }, { ttl_days: 31 }, { operator_addr: strangeWallet(1) }]) {
      const { status, body: refusal } = await scene.admin("POST", "/generate-codes", { ...body, ...change });
      assert.deepEqual([status, refusal.code], [409, "request_id_conflict"]);
    }
    const { rows } = await sql<{ hash: Buffer; amount: bigint; place: number }>`
      select code_hash as hash, amount_micros as amount, place from bonus_code order by place`.execute(scene.db);
    assert.deepEqual(
      rows.map(({ hash, amount, place }) => [hash.toString("hex"), amount, place]),
      first.body.codes.map((code: string, place: number) => [hashOfCode(code).toString("hex"), 7_500_000n, place]),
    );
    for (const table of ["bonus_code", "bonus_request", "audit_log", "bonus_batch"]) {
      const { rows: texts } = await sql<{ text: string }>`select t::text as text from ${sql.table(table)} t`.execute(
        scene.db,
      );
      for (const code of first.body.codes) {
        assert.ok(!texts.some(({ text }) => text.includes(code)), `${table} does not hold the code`);
      }
    }
    const [entry] = await createAuditLog({ clock: scene.platform.clock }).list(scene.db, {
      limit: 1,
      action: "bonus.generate-codes",
    });
    assert.deepEqual([entry?.seq, entry?.target], [BigInt(first.body.audit_id), batch]);
  });

  it("BON-3: codes do not follow from another server's key", async () => {
    const request_id = scene.nextRequestId();
    const [code] = await scene.codes(batch, { request_id });
    assert.equal(new CodeMaker(scene.platform.settings.secretsKey).make(request_id, 0), code);
    assert.notEqual(new CodeMaker("00".repeat(32)).make(request_id, 0), code);
    await sql`update bonus_code set code_hash = ${hashOfCode("ANOTHER")} where request_id = ${request_id}`.execute(
      scene.db,
    );
    const replay = await scene.admin("POST", "/generate-codes", scene.codesBody(batch, { request_id }));
    assert.equal(replay.status, 500, "codes that nobody can redeem are not told");
  });

  it("interface 8: 5,000 codes in one call, each of its own", async () => {
    const codes = await scene.codes(batch, { count: 5_000, amount: "0.01" });
    assert.equal(new Set(codes).size, 5_000);
    assert.equal((await countsOf(batch)).unused, 5_004);
  });

  it("WIRE-5: codes are checked against the headroom when they are made", async () => {
    const { body } = await scene.admin("POST", "/grant-batch?dry_run=true", scene.grantBody([strangeWallet(1)]));
    const count = 1_000;
    const before_ = await scene.fingerprint();
    const tooMuch = await scene.generate(batch, { count, amount: "50.000001" });
    assert.deepEqual(
      [tooMuch.status, tooMuch.body.code, tooMuch.body.details],
      [409, "pool_cap_exceeded", { rule: "pool_cap", limit: body.headroom_before, actual: "50000.001" }],
    );
    assert.deepEqual(await scene.fingerprint(), before_);
    const other = await scene.batch();
    // Unused codes reserve nothing of the pool, so another batch of the same size fits.
    for (let round = 0; round < 2; round += 1)
      assert.equal((await scene.generate(other, { count, amount: "50" })).status, 200);
    assert.deepEqual(
      (await scene.admin("POST", "/grant-batch?dry_run=true", scene.grantBody([strangeWallet(1)]))).body,
      body,
    );
  });

  it("BON-3: unused codes of a batch are ended, once, by their own and by nobody else's request", async () => {
    const [expiring, voided, untouched] = [await scene.batch(), await scene.batch(), await scene.batch()];
    for (const id of [expiring, voided, untouched]) await scene.codes(id, { count: 4 });
    const body = endBody(expiring, { reason: "the round is over" });
    const first = await scene.admin("POST", "/expire-codes", body);
    assert.deepEqual([first.status, first.body.expired, first.body.replayed], [200, 4, false]);
    assert.deepEqual(Object.keys(first.body).sort(), ["audit_id", "expired", "replayed"]);
    assert.deepEqual((await scene.admin("POST", "/expire-codes", body)).body, { ...first.body, replayed: true });
    assert.equal(
      (await scene.admin("POST", "/expire-codes", { ...body, reason: "another" })).body.code,
      "request_id_conflict",
    );
    assert.equal((await scene.admin("POST", "/void-codes", body)).body.voided, 0, "nothing is left to void");
    const second = await scene.admin("POST", "/void-codes", endBody(voided));
    assert.deepEqual([second.status, second.body.voided, second.body.replayed], [200, 4, false]);
    assert.deepEqual(await countsOf(expiring), { unused: 0, redeemed: 0, expired: 4, void: 0 });
    assert.deepEqual(await countsOf(voided), { unused: 0, redeemed: 0, expired: 0, void: 4 });
    assert.deepEqual(await countsOf(untouched), { unused: 4, redeemed: 0, expired: 0, void: 0 });
    const [entry] = await createAuditLog({ clock: scene.platform.clock }).list(scene.db, {
      limit: 1,
      action: "bonus.expire-codes",
    });
    assert.deepEqual(
      [entry?.target, entry?.reason, entry?.seq],
      [expiring, "the round is over", BigInt(first.body.audit_id)],
    );
  });

  it("BON-3: the job marks codes whose time is over, which count as expired before", async () => {
    const id = await scene.batch();
    await scene.codes(id, { count: 2, ttl_days: 1 });
    await scene.codes(id, { count: 3, ttl_days: 2 });
    const marked = async () => {
      const { rows } = await sql<{ count: bigint }>`
        select count(*) from bonus_code where batch_id = ${id} and status = 'expired'`.execute(scene.db);
      return Number(rows[0]?.count);
    };
    scene.platform.realTime.advance(DAY_ms);
    assert.deepEqual(await countsOf(id), { unused: 3, redeemed: 0, expired: 2, void: 0 });
    assert.equal(await marked(), 0);
    const run = (await scene.platform.post("/api/v1/dev/jobs/bonus-codes/run")).json();
    assert.deepEqual([run.ok ?? true, run.result], [true, { expired: 2 }], JSON.stringify(run));
    assert.equal(await marked(), 2);
    assert.deepEqual(await countsOf(id), { unused: 3, redeemed: 0, expired: 2, void: 0 });
    assert.deepEqual((await scene.platform.post("/api/v1/dev/jobs/bonus-codes/run")).json().result, { expired: 0 });
  });

  it("BON-5, WIRE-2: what is malformed is refused in the area's body, and changes nothing", async () => {
    const good = scene.codesBody(batch);
    const end = endBody(batch);
    const without = (body: object, name: string) =>
      Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));
    const bad: (readonly [status: number, code: string, path: string, body: object])[] = [
      ...Object.keys(good).map((name) => [400, "field_required", "/generate-codes", without(good, name)] as const),
      ...[0, -1, 1.5, "5", null, []].map(
        (count) => [400, "invalid_count", "/generate-codes", { ...good, count }] as const,
      ),
      ...[5_001, 1_000_000_000].map(
        (count) => [400, "count_too_large", "/generate-codes", { ...good, count }] as const,
      ),
      ...["0", -1, "1.0000001", "x", null, "1000000001", {}].map(
        (amount) => [400, "invalid_amount", "/generate-codes", { ...good, amount }] as const,
      ),
      ...[0, 366, 1.5, "30", null].map(
        (ttl_days) => [400, "invalid_field", "/generate-codes", { ...good, ttl_days }] as const,
      ),
      ...["", "1", `${UNKNOWN}0`, "unknown", 1, null].map(
        (grant_batch_id) => [400, "invalid_field", "/generate-codes", { ...good, grant_batch_id }] as const,
      ),
      [404, "batch_not_found", "/generate-codes", { ...good, grant_batch_id: UNKNOWN }],
      [400, "invalid_field", "/generate-codes", { ...good, operator_addr: " " }],
      [400, "invalid_field", "/generate-codes", { ...good, request_id: "a b" }],
      ...["/expire-codes", "/void-codes"].flatMap((path) => [
        ...["grant_batch_id", "operator_addr", "request_id"].map(
          (name) => [400, "field_required", path, without(end, name)] as const,
        ),
        [400, "invalid_field", path, { ...end, grant_batch_id: "x" }] as const,
        [404, "batch_not_found", path, { ...end, grant_batch_id: UNKNOWN }] as const,
        [400, "invalid_field", path, { ...end, operator_addr: "x".repeat(101) }] as const,
        [400, "invalid_field", path, { ...end, reason: "\u0000" }] as const,
        [400, "invalid_field", path, { ...end, reason: "" }] as const,
        [400, "invalid_field", path, { ...end, reason: 5 }] as const,
      ]),
    ];
    const before_ = await scene.fingerprint();
    for (const [status, code, path, body] of bad) {
      const reply = await scene.admin("POST", path, body);
      assert.deepEqual([reply.status, reply.body.code], [status, code], `${path} ${JSON.stringify(body)}`);
    }
    assert.deepEqual(await scene.fingerprint(), before_);
  });
});
