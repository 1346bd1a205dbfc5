import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { getAddress } from "viem/utils";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { testWallet } from "../../testing/test-platform.ts";
import { ADMIN_PATH, GrantsPlatform, lower, OPERATOR, strangeWallet } from "./testing/grants-platform.ts";

describe("grants over HTTP", () => {
  let scene: GrantsPlatform;
  let count = 0;
  /** A wallet that no earlier test has used. */
  const fresh = () => strangeWallet(++count);

  before(async () => {
    scene = await GrantsPlatform.create();
  });
  after(() => scene.close());

  it("BON-2, BON-5: every recipient that does not fail is active when the answer comes", async () => {
    const own = testWallet(1);
    const [first, second] = [fresh(), fresh()];
    const { status, body } = await scene.grant([own.address, first, "0x12", first, getAddress(first), second], {
      per_address_amount: 12.5,
      max_leverage: 20,
      grant_tier: "KOL",
      notes: "a quiz",
    });
    assert.equal(status, 200, JSON.stringify(body));
    const { grant_batch_id, audit_id, ...rest } = body;
    assert.deepEqual(rest, {
      created: 3,
      failed: [
        { address: "0x12", reason: "invalid_address" },
        { address: first, reason: "already_has_bonus" },
        { address: getAddress(first), reason: "already_has_bonus" },
      ],
      replayed: false,
    });
    assert.ok(Number.isInteger(audit_id));
    // From the engine's memory, by the token of a wallet that had no account before.
    const account = (await scene.platform.get("/unified/account", await scene.token(own))).json();
    assert.deepEqual([account.principal, account.bonus], ["0.00", "12.50"]);
    for (const wallet of [lower(own), first, second]) {
      assert.deepEqual(await scene.grantsOf(wallet), { pool: 1, engine: 1, micros: 12_500_000 });
    }
    const listed = await scene.admin("GET", `/batches/${grant_batch_id.toUpperCase()}`);
    const { created_at, ...batch } = listed.body;
    assert.equal(Date.parse(created_at), scene.platform.clock.now());
    assert.deepEqual(batch, {
      grant_batch_id,
      campaign_id: 1,
      batch_name: "Community round",
      grant_tier: "KOL",
      per_address_amount: "12.50",
      max_leverage: 20,
      operator_addr: OPERATOR,
      notes: "a quiz",
      created: 3,
      failed: 3,
      codes: { unused: 0, redeemed: 0, expired: 0, void: 0 },
      created_by: "bonus-admin",
    });
  });

  it("BON-2, BON-9: a bonus is its campaign's, of this moment, for the campaign's days", async () => {
    const wallet = fresh();
    await scene.grant([wallet], { per_address_amount: "0.000001", max_leverage: 125 });
    const row = await scene.db
      .$extendTables<{ bonus_account: Record<string, unknown> & { address: string } }>()
      .selectFrom("bonus_account")
      .selectAll()
      .where("address", "=", wallet)
      .executeTakeFirstOrThrow();
    const now_ms = scene.platform.clock.now();
    assert.deepEqual(
      [
        row["amount_micros"],
        row["max_leverage"],
        row["grant_tier"],
        row["status"],
        row["is_credited"],
        row["code_hash"],
      ],
      [1n, 125, "COMMUNITY", "active", true, null],
    );
    assert.deepEqual(row["granted_at"], new Date(now_ms));
    assert.deepEqual(row["expires_at"], new Date(now_ms + 7 * DAY_ms));
  });

  it("BON-2: a wallet has one bonus of a campaign ever, and a batch may create none", async () => {
    const wallet = fresh();
    assert.equal((await scene.grant([wallet])).body.created, 1);
    const { status, body } = await scene.grant([wallet, wallet.toUpperCase().replace("0X", "0x")]);
    assert.deepEqual([status, body.created, body.failed.length], [200, 0, 2]);
    for (const { reason } of body.failed) assert.equal(reason, "already_has_bonus");
    assert.deepEqual(await scene.grantsOf(wallet), { pool: 1, engine: 1, micros: 10_000_000 });
  });

  it("BON-10, SEC-7, SEC-8: the key or an admin's token, each with its name in the audit log; a key one character off is 401", async () => {
    const key = scene.platform.settings.bonusAdminApiKey;
    const last = key.at(-1) === "a" ? "b" : "a";
    const before_ = await scene.fingerprint();
    for (const wrong of [`${key.slice(0, -1)}${last}`, key.slice(0, -1), `${key}a`, key.toUpperCase(), " "]) {
      const refused = await scene.admin("POST", "/grant-batch", scene.grantBody([fresh()]), wrong);
      assert.deepEqual([refused.status, refused.body.code], [401, "UNAUTHORIZED"], wrong);
    }
    const bd = await scene.platform.bdToken();
    const wallet = await scene.token(testWallet(2));
    for (const token of [bd, wallet]) {
      const reply = await scene.platform.post(`${ADMIN_PATH}/grant-batch`, scene.grantBody([fresh()]), token);
      assert.equal(reply.statusCode, 403);
    }
    assert.deepEqual(await scene.fingerprint(), before_);

    const admin = (await scene.platform.adminSignIn()).access_token;
    const byAdmin = (await scene.platform.post(`${ADMIN_PATH}/grant-batch`, scene.grantBody([fresh()]), admin)).json();
    const byKey = (await scene.grant([fresh()])).body;
    const entries = await createAuditLog({ clock: scene.platform.clock }).list(scene.db, {
      limit: 10,
      action: "bonus.grant",
    });
    const entryOf = (audit_id: number) => entries.find(({ seq }) => seq === BigInt(audit_id));
    assert.deepEqual([entryOf(byKey.audit_id)?.actor, entryOf(byKey.audit_id)?.role], ["bonus-admin", "bonus-admin"]);
    assert.equal(entryOf(byAdmin.audit_id)?.role, "admin");
    assert.equal(entryOf(byAdmin.audit_id)?.target, byAdmin.grant_batch_id);
    assert.equal((await createAuditLog({ clock: scene.platform.clock }).verify(scene.db)).ok, true);
  });

  it("BON-4: the same request replays, another body under its name is a conflict", async () => {
    const wallets = [fresh(), fresh(), "0x12"];
    const body = scene.grantBody(wallets);
    const first = await scene.admin("POST", "/grant-batch", body);
    assert.deepEqual([first.status, first.body.replayed, first.body.created], [200, false, 2]);
    const before_ = await scene.fingerprint();
    // Equal requests in other notations: unknown fields, another amount notation, addresses in another letter case.
    const same = [
      body,
      { ...body, per_address_amount: "10.000000", more: true },
      { ...body, per_address_amount: 10, recipients: [getAddress(wallets[0]!), wallets[1], "0x12"] },
    ];
    for (const each of same) {
      assert.deepEqual(await scene.admin("POST", "/grant-batch", each), {
        status: 200,
        body: { ...first.body, replayed: true },
      });
    }
    const others = [
      { ...body, per_address_amount: "10.000001" },
      { ...body, recipients: [wallets[1], wallets[0], "0x12"] },
      { ...body, recipients: wallets.slice(0, 2) },
      { ...body, max_leverage: 11 },
      { ...body, batch_name: "Another" },
      { ...body, grant_tier: "KOL" },
      { ...body, notes: "more" },
      { ...body, operator_addr: strangeWallet(9_999) },
    ];
    for (const each of others) {
      const { status, body: refusal } = await scene.admin("POST", "/grant-batch", each);
      assert.deepEqual([status, refusal.code], [409, "request_id_conflict"], JSON.stringify(each));
    }
    assert.deepEqual(await scene.fingerprint(), before_);
  });

  it("BON-4: a name that was refused is free, and another endpoint has names of its own", async () => {
    const request_id = scene.nextRequestId();
    assert.equal(
      (await scene.grant([fresh()], { request_id, per_address_amount: "1000000" })).body.code,
      "pool_cap_exceeded",
    );
    const { status, body } = await scene.grant([fresh()], { request_id });
    assert.deepEqual([status, body.replayed, body.created], [200, false, 1]);
    assert.equal((await scene.generate(body.grant_batch_id, { request_id })).body.replayed, false);
  });

  it("BON-2, BON-5: an account that is full gets none, is told so, and the pool has its money back", async () => {
    const [full, other] = [testWallet(3), fresh()];
    const funded = await scene.platform.post("/api/v1/dev/faucet", { address: full.address, amount: "999999995" });
    assert.equal(funded.statusCode, 200, funded.body);
    const outflow = async () =>
      (await scene.admin("POST", "/grant-batch?dry_run=true", scene.grantBody([fresh()]))).body.net_outflow;
    const before_ = Number(await outflow());
    const body = scene.grantBody([full.address, other]);
    const { status, body: reply } = await scene.admin("POST", "/grant-batch", body);
    const failed = [{ address: lower(full), reason: "balance_limit" }];
    assert.deepEqual([status, reply.created, reply.failed], [200, 1, failed]);
    assert.deepEqual((await scene.admin("POST", "/grant-batch", body)).body, { ...reply, replayed: true });
    assert.equal(Number(await outflow()), before_ + 10);

    await scene.admin("PUT", "/campaign", { new: true, name: "For those who are full" });
    const [code] = await scene.codes(await scene.batch());
    const refused = await scene.redeem(await scene.token(full), code);
    assert.deepEqual([refused.status, refused.body.code], [409, "balance_limit"]);
    assert.equal(Number(await outflow()), before_ + 10);
  });

  it("BON-2, BON-5: the pool refuses a batch as a whole, to the last unit", async () => {
    const { body: pool } = await scene.admin("POST", "/grant-batch?dry_run=true", scene.grantBody([fresh()]));
    const headroom_micros =
      Number(pool.headroom_before.replace(".", "")) * 10 ** (6 - pool.headroom_before.split(".")[1].length);
    const text = (micros: number) => `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, "0")}`;
    const wallets = [fresh(), fresh()];
    const before_ = await scene.fingerprint();
    const half = Math.floor(headroom_micros / 2) + 1;
    const { status, body } = await scene.grant(wallets, { per_address_amount: text(half) });
    assert.deepEqual([status, body.code, body.details.limit], [409, "pool_cap_exceeded", pool.headroom_before]);
    assert.deepEqual(await scene.fingerprint(), before_, "nothing is stored, the request included");
    // A failed recipient takes nothing from the pool.
    const fits = await scene.grant([wallets[0], wallets[0]], { per_address_amount: text(headroom_micros) });
    assert.deepEqual([fits.status, fits.body.created], [200, 1]);
    const none = await scene.grant([wallets[1]], { per_address_amount: "0.000001" });
    assert.deepEqual([none.status, none.body.code, none.body.details.limit], [409, "pool_cap_exceeded", "0.00"]);
    await scene.admin("PUT", "/campaign", { new: true, name: "After the cap" });
    assert.equal(
      (await scene.grant([wallets[1]], { per_address_amount: "0.000001" })).status,
      409,
      "the cap is of all campaigns",
    );
  });
});
