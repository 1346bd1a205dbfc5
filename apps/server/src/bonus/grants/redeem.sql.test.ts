import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { DAY_ms } from "../../kernel/dates.ts";
import { testWallet } from "../../testing/test-platform.ts";
import { GrantsPlatform, lower, OPERATOR } from "./testing/grants-platform.ts";

describe("redemption", () => {
  let scene: GrantsPlatform;
  let batch: string;
  let wallets = 0;
  let addresses = 0;
  const nextWallet = async () => {
    const wallet = testWallet(++wallets);
    return { wallet: lower(wallet), token: await scene.token(wallet) };
  };
  /** An IP that no earlier request used: wrong codes are also counted by IP. */
  const nextAddress = () => `10.0.${++addresses}.1`;

  before(async () => {
    scene = await GrantsPlatform.create();
    batch = await scene.batch({ grant_tier: "KOL", max_leverage: 25, per_address_amount: "500" });
  });
  after(() => scene.close());

  it("BON-1, WIRE-5: a code becomes a bonus of its own amount, with its batch's leverage and tier", async () => {
    const [code] = await scene.codes(batch, { amount: "12.345678" });
    const { wallet, token } = await nextWallet();
    const { status, body } = await scene.redeem(token, code);
    const now_ms = scene.platform.clock.now();
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body, {
      status: "active",
      amount: "12.345678",
      max_leverage: 25,
      granted_at: new Date(now_ms).toISOString(),
      expires_at: new Date(now_ms + 7 * DAY_ms).toISOString(),
      grant_tier: "KOL",
    });
    const account = (await scene.platform.get("/unified/account", token)).json();
    assert.equal(account.bonus, "12.345678");
    assert.deepEqual(await scene.grantsOf(wallet), { pool: 1, engine: 1, micros: 12_345_678 });
    const repeated = await scene.redeem(token, code);
    assert.deepEqual([repeated.status, repeated.body.code], [409, "already_has_bonus"]);
  });

  it("BON-1: codes are read in either case, with spaces and dashes", async () => {
    const [code = ""] = await scene.codes(batch);
    const { token } = await nextWallet();
    const typed = ` ${code.toLowerCase().replaceAll(/(.{4})/g, "$1- ")}`;
    assert.equal((await scene.redeem(token, typed)).status, 200);
  });

  it("BON-1: whatever is wrong with a code has one answer", async () => {
    const redeemed = (await scene.codes(batch))[0];
    assert.equal((await scene.redeem((await nextWallet()).token, redeemed)).status, 200);
    const [expiring, voiding] = [await scene.batch(), await scene.batch()];
    const [expired, voided] = [(await scene.codes(expiring))[0], (await scene.codes(voiding))[0]];
    for (const [path, grant_batch_id] of [
      ["/expire-codes", expiring],
      ["/void-codes", voiding],
    ] as const) {
      const body = { grant_batch_id, operator_addr: OPERATOR, request_id: scene.nextRequestId() };
      assert.equal((await scene.admin("POST", path, body)).status, 200);
    }
    const request_id = scene.nextRequestId();
    const late = (await scene.codes(batch, { ttl_days: 1, request_id }))[0];
    await sql`update bonus_code set expires_at = ${new Date(scene.platform.clock.now())}
      where request_id = ${request_id}`.execute(scene.db);
    const wrong = [
      redeemed,
      expired,
      voided,
      late,
      "7Q2M9KXD4TB0WZHN",
      "",
      "x",
      "7Q2M9KXD4TB0WZHN7",
      "\u0000",
      "é".repeat(16),
      "x".repeat(10_000),
    ];
    const bodies = new Set<string>();
    for (const code of wrong) {
      const { token } = await nextWallet();
      const { status, body } = await scene.redeem(token, code, nextAddress());
      assert.deepEqual([status, body.code], [400, "code_not_redeemable"], code);
      bodies.add(JSON.stringify(body));
    }
    assert.equal(bodies.size, 1, "to the last letter");
  });

  it("BON-1, T13: outside of the window no code can be redeemed", async () => {
    const [code] = await scene.codes(batch);
    const { token } = await nextWallet();
    const address = nextAddress();
    const now_ms = scene.platform.clock.now();
    const at = (offset_ms: number) => new Date(now_ms + offset_ms).toISOString();
    const windows = [
      { redemption_opens_at: null, redemption_closes_at: at(-1) },
      { redemption_opens_at: at(1), redemption_closes_at: at(DAY_ms) },
    ];
    for (const window of windows) {
      assert.equal((await scene.admin("PUT", "/campaign", window)).status, 200);
      const { status, body } = await scene.redeem(token, code, address);
      assert.deepEqual([status, body.code], [400, "code_not_redeemable"], JSON.stringify(window));
    }
    await scene.admin("PUT", "/campaign", { redemption_opens_at: at(0), redemption_closes_at: at(DAY_ms) });
    assert.equal((await scene.redeem(token, code, address)).status, 200);
  });

  it("BON-1: a code that is missing or no text is another refusal and no wrong code", async () => {
    const { token } = await nextWallet();
    const address = nextAddress();
    for (let round = 0; round < 6; round += 1) {
      assert.equal((await scene.redeem(token, undefined, address)).body.code, "field_required");
      for (const code of [5, null, [], {}, true]) {
        const { status, body } = await scene.redeem(token, code, address);
        assert.deepEqual([status, body.code], [400, "invalid_field"]);
      }
    }
    const [code] = await scene.codes(batch);
    assert.equal((await scene.redeem(token, code, address)).status, 200);
  });

  it("BON-1: after five wrong codes in an hour a wallet waits, whatever it sends and from wherever", async () => {
    const [code] = await scene.codes(batch);
    const { token } = await nextWallet();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      assert.equal((await scene.redeem(token, `wrong ${attempt}`, nextAddress())).status, 400);
    }
    for (const text of ["wrong", code]) {
      const reply = await scene.platform.call({
        method: "POST",
        url: "/api/v1/bonus/redeem",
        headers: { host: "127.0.0.1:8080", authorization: `Bearer ${token}` },
        remoteAddress: nextAddress(),
        payload: { code: text },
      });
      assert.deepEqual([reply.statusCode, reply.json().code], [429, "too_many_wrong_codes"]);
      const retry_s = Number(reply.headers["retry-after"]);
      assert.ok(retry_s > 3_500 && retry_s <= 3_600, String(retry_s));
    }
    const { token: another } = await nextWallet();
    assert.equal((await scene.redeem(another, code)).status, 200, "the code is as good as before");
  });

  it("BON-1: twenty wrong codes in an hour from one address, whoever sends them", async () => {
    const address = nextAddress();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      if (attempt % 4 === 0) wallets += 1;
      const token = await scene.token(testWallet(wallets));
      assert.equal((await scene.redeem(token, "wrong", address)).status, 400);
    }
    const [code] = await scene.codes(batch);
    const { token } = await nextWallet();
    assert.equal((await scene.redeem(token, code, address)).status, 429);
    assert.equal((await scene.redeem(token, code, nextAddress())).status, 200);
  });

  it("BON-1: guesses of one wallet at the same moment are counted one by one", async () => {
    const { token } = await nextWallet();
    const address = nextAddress();
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, at) => scene.redeem(token, `guess ${at}`, address)),
    );
    const counts = Object.groupBy(replies, ({ status }) => String(status));
    assert.deepEqual([counts["400"]?.length, counts["429"]?.length], [5, 25]);
  });

  it("BON-1: a wallet that has a bonus is told so before its code is looked at, and that is no wrong code", async () => {
    const { wallet, token } = await nextWallet();
    await scene.grant([wallet]);
    const address = nextAddress();
    const [code] = await scene.codes(batch);
    for (const text of ["wrong", code, "", "wrong", "wrong", "wrong", code]) {
      const { status, body } = await scene.redeem(token, text, address);
      assert.deepEqual([status, body.code], [409, "already_has_bonus"]);
    }
    assert.equal((await scene.redeem((await nextWallet()).token, code)).status, 200);
  });

  it("WIRE-5, BON-11: the pool is looked at again when a code is redeemed, and the code stays good", async () => {
    const [code] = await scene.codes(batch, { amount: "40000" });
    const { token, wallet } = await nextWallet();
    const filler = `0x${"77".repeat(20)}`;
    assert.equal((await scene.grant([filler], { per_address_amount: "20000" })).status, 200);
    const before_ = await scene.fingerprint();
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const { status, body } = await scene.redeem(token, code);
      assert.deepEqual([status, body.code], [409, "pool_cap_exceeded"], "and no wrong code");
    }
    const db = scene.db.$extendTables<{ bonus_pool: { stopped_reason: string | null; stopped_at: Date | null } }>();
    await db
      .updateTable("bonus_pool")
      .set({ stopped_reason: "a mismatch", stopped_at: new Date(0) })
      .execute();
    assert.equal((await scene.redeem(token, code)).body.code, "grants_stopped");
    await db.updateTable("bonus_pool").set({ stopped_reason: null, stopped_at: null }).execute();
    assert.deepEqual(await scene.fingerprint(), before_);
    const recalled = await scene.admin("POST", "/recall", {
      target_address: filler,
      reason: "making room",
      operator_addr: OPERATOR,
      request_id: scene.nextRequestId(),
    });
    assert.equal(recalled.status, 200, JSON.stringify(recalled.body));
    assert.equal((await scene.redeem(token, code)).status, 200, "what came back can be granted again");
    assert.deepEqual(await scene.grantsOf(wallet), { pool: 1, engine: 1, micros: 40_000_000_000 });
  });

  it("SEC-6: only wallets redeem", async () => {
    const [code] = await scene.codes(batch, { amount: "1" });
    const admin = (await scene.platform.adminSignIn()).access_token;
    assert.equal((await scene.redeem(admin, code)).status, 403);
    const withKey = await scene.platform.call({
      method: "POST",
      url: "/api/v1/bonus/redeem",
      headers: { host: "127.0.0.1:8080", "x-bonus-admin-key": scene.platform.settings.bonusAdminApiKey },
      payload: { code },
    });
    assert.equal(withKey.statusCode, 401);
  });
});
