import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { NewApiKey } from "@bourse/api";
import { privateKeyToAccount } from "viem/accounts";
import { createTestPlatform, hmac, type TestPlatform, testWallet } from "../testing/test-platform.ts";

const POOL = `0x${"cd".repeat(20)}`;
const OTHER = `0x${"ab".repeat(20)}`;

describe("withdrawals by API key", () => {
  let platform: TestPlatform;
  let token: string;
  let address: string;
  let key: NewApiKey;

  before(async () => {
    platform = await createTestPlatform({ BONUS_POOL_ADDRESS: POOL });
    const wallet = testWallet(1);
    address = wallet.address.toLowerCase();
    token = (await platform.signIn(wallet)).access_token;
    await platform.post("/api/v1/dev/faucet", { address, amount: "1000" });
    key = await platform.makeApiKey(wallet, ["READ", "WITHDRAW"]);
  });
  after(() => platform.close());

  interface Attempt {
    readonly apiKey?: string;
    readonly secret?: string;
    readonly timestamp?: number;
    readonly path?: string;
    readonly signedBody?: string;
  }

  async function withdraw(body: object, attempt: Attempt = {}) {
    const text = JSON.stringify(body);
    const query = `timestamp=${attempt.timestamp ?? platform.clock.now()}`;
    const signature = hmac(attempt.secret ?? key.api_secret, query + (attempt.signedBody ?? text));
    const reply = await platform.call({
      method: "POST",
      url: `${attempt.path ?? "/withdraw/request"}?${query}&signature=${signature}`,
      headers: {
        host: "127.0.0.1:8080",
        "content-type": "application/json",
        "x-mbx-apikey": attempt.apiKey ?? key.api_key,
      },
      payload: text,
    });
    return { status: reply.statusCode, body: reply.json() };
  }
  const withdrawable = async () => (await platform.get("/unified/account", token)).json().withdrawable;

  it("VLT-1: a key with WITHDRAW sends to the wallet itself, under either path", async () => {
    const own = await withdraw({ amount: "10", request_id: "k1" });
    assert.deepEqual([own.status, own.body.status, own.body.to], [200, "requested", address]);
    const named = await withdraw({ amount: "5", to: address }, { path: "/api/v1/withdraw/request" });
    assert.deepEqual([named.status, named.body.amount], [200, "5.00"]);
    const again = await withdraw({ amount: "10", request_id: "k1" });
    assert.deepEqual([again.body.withdrawal_id, again.body.replayed], [own.body.withdrawal_id, true]);
    assert.equal(await withdrawable(), "985.00");
  });

  it("VLT-1: elsewhere only where the wallet's own sign-in has allowed it", async () => {
    const refused = await withdraw({ amount: "1", to: OTHER });
    assert.deepEqual([refused.status, refused.body.code], [403, "ADDRESS_NOT_ALLOWED"]);
    const added = await platform.post("/withdraw/addresses", { address: OTHER, label: "cold" }, token);
    assert.deepEqual([added.statusCode, added.json().address, added.json().label], [200, OTHER, "cold"]);
    assert.equal((await withdraw({ amount: "1", to: OTHER })).body.to, OTHER);
    assert.deepEqual(
      (await platform.get("/api/v1/withdraw/addresses", token)).json().addresses.map((row: Body) => row["address"]),
      [OTHER],
    );
    const url = `/withdraw/addresses/${OTHER}`;
    const remove = () =>
      platform.call({ method: "DELETE", url, headers: { host: "127.0.0.1:8080", authorization: `Bearer ${token}` } });
    assert.equal((await remove()).statusCode, 200);
    assert.equal((await remove()).statusCode, 404);
    assert.equal((await withdraw({ amount: "1", to: OTHER })).status, 403);
    const byToken = await platform.post("/withdraw/request", { amount: "1", to: OTHER }, token);
    assert.equal(byToken.statusCode, 200, "a sign-in is not held to the list");
  });

  it("VLT-5: the contracts, the operator, the signer and the bonus pool are no recipients, for keys and tokens", async () => {
    const config = (await platform.get("/api/v1/config")).json();
    const before_ = await withdrawable();
    const keyOf = (hex: string) => privateKeyToAccount(hex as `0x${string}`).address;
    const { operatorKey, earnSignerKey } = platform.settings;
    const own: string[] = [...Object.values<string>(config.contracts), keyOf(operatorKey), keyOf(earnSignerKey), POOL];
    assert.ok(own.length >= 7);
    for (const to of own) {
      const byKey = await withdraw({ amount: "1", to: to.toLowerCase() });
      assert.deepEqual([byKey.status, byKey.body.code], [400, "INVALID_ADDRESS"], to);
      const byToken = await platform.post("/withdraw/request", { amount: "1", to }, token);
      assert.deepEqual([byToken.statusCode, byToken.json().code], [400, "INVALID_ADDRESS"], to);
    }
    assert.equal(await withdrawable(), before_);
  });

  it("SEC-4, SEC-5: without the permission 403, badly signed 401, and nothing is held", async () => {
    const before_ = await withdrawable();
    const trader = await platform.makeApiKey(testWallet(1), ["READ", "TRADE"]);
    const attempts: readonly [string, Attempt, number, string, number][] = [
      ["no WITHDRAW", { apiKey: trader.api_key, secret: trader.api_secret }, 403, "FORBIDDEN", -2015],
      ["another secret", { secret: trader.api_secret }, 401, "UNAUTHORIZED", -1022],
      ["another body", { signedBody: "{}" }, 401, "UNAUTHORIZED", -1022],
      ["an old timestamp", { timestamp: platform.clock.now() - 60_001 }, 401, "UNAUTHORIZED", -1021],
      ["an unknown key", { apiKey: "x".repeat(64) }, 401, "UNAUTHORIZED", -2015],
      ["no key at all", { apiKey: "short" }, 401, "UNAUTHORIZED", -2014],
    ];
    for (const [what, attempt, status, code, exchange_code] of attempts) {
      const reply = await withdraw({ amount: "1" }, attempt);
      assert.deepEqual(
        [reply.status, reply.body.code, reply.body.details.exchange_code],
        [status, code, exchange_code],
        what,
      );
    }
    const headers = { host: "127.0.0.1:8080", "x-mbx-apikey": key.api_key };
    const list = await platform.call({ method: "GET", url: "/withdraw/addresses", headers });
    assert.equal(list.statusCode, 401, "a key does not open the list");
    assert.equal(await withdrawable(), before_);
  });

  it("SEC-9: a label that cannot be shown as it is gets 400, and the list stays as it was", async () => {
    const url = "/withdraw/addresses";
    const listed = (await platform.get(url, token)).body;
    for (const label of ["a\u0000b", "a\nb", "a\u202eb", "\ud800", "   ", "x".repeat(65)]) {
      const reply = await platform.post(url, { address: OTHER, label }, token);
      assert.equal(reply.statusCode, 400, `${JSON.stringify(label)}: ${reply.body}`);
    }
    assert.equal((await platform.get(url, token)).body, listed);
  });

  it("VLT-1: paused, it is 503 before anything else but who is calling", async () => {
    const admin = (await platform.adminSignIn()).access_token;
    const pause = (paused: boolean) =>
      platform.call({
        method: "PUT",
        url: "/api/v1/admin/switches/withdrawals",
        headers: { host: "127.0.0.1:8080", authorization: `Bearer ${admin}` },
        payload: { paused },
      });
    assert.equal((await pause(true)).statusCode, 200);
    const bodies = [{ amount: "1" }, { amount: "-1" }, {}, { amount: "1", to: "nowhere" }];
    for (const body of bodies) {
      const reply = await platform.post("/withdraw/request", body, token);
      assert.equal(reply.statusCode, 503);
      assert.deepEqual(reply.json(), {
        error: "withdrawals are paused",
        code: "WITHDRAWALS_PAUSED",
        status: "SERVICE_UNAVAILABLE",
      });
      assert.equal((await withdraw(body)).status, 503);
      assert.equal((await platform.post("/withdraw/request", body)).statusCode, 401);
    }
    assert.equal((await pause(false)).statusCode, 200);
    assert.equal((await withdraw({ amount: "1" })).status, 200);
  });
});

type Body = Record<string, unknown>;
