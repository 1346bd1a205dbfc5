import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { DAY_ms } from "../../apps/server/src/kernel/dates.ts";
import { createTestPlatform, type TestPlatform, testWallet } from "../../apps/server/src/testing/test-platform.ts";

/** Each costs a signature; what is shown does not depend on how many there are. */
const WALLETS = 40;

describe("SEC-11: wallets that only sign in leave nothing in the exchange", () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await createTestPlatform();
  });
  after(() => platform.close());

  async function sizes() {
    const { rows } = await sql<{ accounts: number; messages: number }>`
      select (select count(*)::int from exchange_account) as accounts,
        (select count(*)::int from outbox where payload ->> 'kind' = 'open_account') as messages`.execute(
      platform.database.db,
    );
    return rows[0];
  }

  const order = { symbol: "BTCUSDT", side: "BUY", type: "MARKET", quantity: "0.01" };

  it("sign-in, settings, orders, keys, reads and a refused withdrawal open no account", async () => {
    const before_ = await sizes();
    for (let number = 1; number <= WALLETS; number += 1) {
      const { access_token: token } = await platform.signIn(testWallet(1_000 + number));
      const mode = { symbol: "BTCUSDT", margin_mode: "isolated" };
      const set = await platform.post("/api/v1/account/margin-mode", mode, token);
      assert.equal(set.json().margin_mode, "isolated", set.body);
      const placed = await platform.post("/api/v1/orders", order, token);
      assert.deepEqual([placed.statusCode, placed.json().code], [400, "MARGIN_INSUFFICIENT"], placed.body);
      assert.equal(placed.json().exchange_code, -2019);
      const { principal, withdrawable } = (await platform.get("/api/v1/unified/account", token)).json();
      assert.deepEqual([principal, withdrawable], ["0.00", "0.00"]);
      assert.equal((await platform.post("/api/v1/withdraw/request", { amount: "1" }, token)).statusCode, 400);
    }
    assert.deepEqual(await sizes(), before_);
  });

  it("with an API key the same holds on /fapi, where every read answers zeros", async () => {
    const before_ = await sizes();
    const key = await platform.makeApiKey(testWallet(2_001));
    const leverage = await platform.signedCall("POST", "/fapi/v1/leverage", key, "symbol=BTCUSDT&leverage=7");
    assert.equal(leverage.json().leverage, 7, leverage.body);
    const { access_token } = await platform.signIn(testWallet(2_001));
    await platform.post("/api/v1/account/margin-mode", { symbol: "BTCUSDT", margin_mode: "isolated" }, access_token);
    const margin = (type: string) =>
      platform.signedCall("POST", "/fapi/v1/marginType", key, `symbol=BTCUSDT&marginType=${type}`);
    assert.equal((await margin("ISOLATED")).json().msg, "No need to change margin type.");
    assert.equal((await margin("CROSSED")).json().code, 200);
    const [config] = (await platform.signedCall("GET", "/fapi/v1/symbolConfig", key, "symbol=BTCUSDT")).json();
    assert.deepEqual([config.leverage, config.marginType], [7, "CROSSED"]);
    const placed = await platform.signedCall("POST", "/fapi/v1/order", key, new URLSearchParams(order).toString());
    assert.deepEqual([placed.statusCode, placed.json().code], [400, -2019], placed.body);
    for (const path of ["/fapi/v2/account", "/fapi/v3/account"]) {
      const { totalWalletBalance, availableBalance } = (await platform.signedCall("GET", path, key)).json();
      assert.deepEqual([totalWalletBalance, availableBalance], ["0.00", "0.00"], path);
    }
    for (const path of ["/fapi/v1/openOrders", "/fapi/v1/income", "/fapi/v3/positionRisk"]) {
      assert.deepEqual((await platform.signedCall("GET", path, key)).json(), [], path);
    }
    assert.deepEqual(await sizes(), before_);
  });

  it("the first deposit opens the account with the settings made before; they are the account's from then on", async () => {
    const wallet = testWallet(2_002);
    const key = await platform.makeApiKey(wallet);
    const { access_token: token } = await platform.signIn(wallet);
    const before_ = await sizes();
    await platform.signedCall("POST", "/fapi/v1/leverage", key, "symbol=ETHUSDT&leverage=3");
    await platform.post("/api/v1/account/margin-mode", { symbol: "ETHUSDT", margin_mode: "isolated" }, token);
    const given = await platform.post("/api/v1/dev/faucet", { address: wallet.address, amount: "1000" });
    assert.equal(given.statusCode, 200, given.body);
    assert.deepEqual(await sizes(), { accounts: before_!.accounts + 1, messages: before_!.messages + 1 });
    const shown = (await platform.get("/api/v1/account/margin-mode?symbol=ETHUSDT", token)).json();
    assert.deepEqual([shown.margin_mode, shown.leverage], ["isolated", 3]);
    const { rows } =
      await sql`select from exchange_kept_setting where address = ${wallet.address.toLowerCase()}`.execute(
        platform.database.db,
      );
    assert.equal(rows.length, 0);
    const [config] = (await platform.signedCall("GET", "/fapi/v1/symbolConfig", key, "symbol=ETHUSDT")).json();
    assert.deepEqual([config.leverage, config.marginType], [3, "ISOLATED"]);
  });

  it("after 30 days the job forgets those that left nothing behind; keys and accounts stay", async () => {
    const count = async () => {
      const { rows } = await sql<{ wallets: number; kept: number; forgotten: number }>`
        select (select count(*)::int from wallet) as wallets, (select count(*)::int from exchange_kept_setting) as kept,
          (select count(*)::int from forgotten_wallet) as forgotten`.execute(platform.database.db);
      return rows[0]!;
    };
    assert.deepEqual(await count(), { wallets: WALLETS + 2, kept: WALLETS + 1, forgotten: 0 });
    const moved = await platform.post("/api/v1/dev/clock", { advance_ms: 32 * DAY_ms });
    assert.equal(moved.statusCode, 200, moved.body);
    assert.deepEqual(await count(), { wallets: 2, kept: 1, forgotten: WALLETS });
  });
});
