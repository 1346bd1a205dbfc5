import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Invariants, NewApiKey, NonceReply, TokenReply } from "@bourse/api";
import type { Static } from "typebox";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { makeDataDir } from "../support/databases.ts";
import { type RunningServer, startServer } from "../support/server.ts";

/** More with `EXCHANGE_CRASH_ROUNDS`. */
const ROUNDS = Number(process.env["EXCHANGE_CRASH_ROUNDS"] ?? 3);
const IN_FLIGHT = 8;
const ADMIN_PASSWORD = "a password for these tests";
const ENV = {
  DEMO: "false",
  ADMIN_PASSWORD,
  RATE_LIMIT_WEIGHT_1M: "100000000",
  RATE_LIMIT_ORDERS_10S: "1000000",
  RATE_LIMIT_ORDERS_1M: "1000000",
  RATE_LIMIT_JSON_PER_S: "100000",
};

interface Order {
  readonly orderId: number;
  readonly status: string;
  readonly executedQty: string;
}

async function post<T>(url: string, body: unknown, token?: string): Promise<T> {
  const headers = {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  assert.ok(response.ok, `POST ${url}: ${response.status}`);
  return (await response.json()) as T;
}

/** A trader whose key stays valid after a restart of the server. */
class Trader {
  readonly #key: NewApiKey;
  /** Orders that the exchange has acknowledged. */
  readonly acknowledged: Order[] = [];

  private constructor(key: NewApiKey) {
    this.#key = key;
  }

  static async open(baseUrl: string): Promise<Trader> {
    const wallet = privateKeyToAccount(generatePrivateKey());
    const { address } = wallet;
    const { message_template: message } = await post<NonceReply>(`${baseUrl}/api/v1/auth/nonce`, { address });
    const signature = await wallet.signMessage({ message });
    const { access_token } = await post<TokenReply>(`${baseUrl}/api/v1/auth/login`, { message, signature });
    await post(`${baseUrl}/api/v1/dev/faucet`, { address, amount: "1000000" });
    const body = { label: "crash", permissions: ["READ", "TRADE"] };
    return new Trader(await post<NewApiKey>(`${baseUrl}/api/v1/account/api-keys`, body, access_token));
  }

  async call<T>(baseUrl: string, method: string, path: string, parameters: Record<string, string>): Promise<T> {
    const text = new URLSearchParams({ ...parameters, timestamp: String(Date.now()) }).toString();
    const signature = createHmac("sha256", this.#key.api_secret).update(text).digest("hex");
    const headers = { "x-mbx-apikey": this.#key.api_key };
    const response = await fetch(`${baseUrl}${path}?${text}&signature=${signature}`, { method, headers });
    const answer = await response.text();
    assert.equal(response.status, 200, `${method} ${path}: ${answer}`);
    return JSON.parse(answer) as T;
  }

  /** Buys and sells around one price, so that some orders rest and some trade, until the server is dead. */
  async trade(baseUrl: string, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const side = Math.random() < 0.5 ? "BUY" : "SELL";
      const price = String(60_000 + Math.floor(Math.random() * 21) - 10);
      const parameters = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", quantity: "0.002", price };
      try {
        this.acknowledged.push(await this.call<Order>(baseUrl, "POST", "/fapi/v1/order", parameters));
      } catch (error) {
        // The server was killed: the order was not acknowledged. A refusal of a running server is a failure.
        if (error instanceof TypeError) return;
        if (!(error instanceof assert.AssertionError && /-2025/.test(error.message))) throw error;
        await this.call(baseUrl, "DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }).catch((gone: unknown) => {
          if (!(gone instanceof TypeError)) throw gone;
        });
      }
    }
  }
}

async function assertNothingLost(baseUrl: string, trader: Trader): Promise<void> {
  for (const { orderId, executedQty } of trader.acknowledged) {
    const parameters = { symbol: "BTCUSDT", orderId: String(orderId) };
    const found = await trader.call<Order>(baseUrl, "GET", "/fapi/v1/order", parameters);
    assert.equal(found.orderId, orderId);
    assert.ok(Number(found.executedQty) >= Number(executedQty), `order ${orderId} has lost a fill`);
  }
  const limit = "1000";
  const trades = await trader.call<{ id: number; orderId: number }[]>(baseUrl, "GET", "/fapi/v1/userTrades", {
    symbol: "BTCUSDT",
    limit,
  });
  const names = trades.map(({ id, orderId }) => `${id}:${orderId}`);
  assert.equal(new Set(names).size, names.length, "a fill is in the database twice");
}

/** FUT-19: market data in memory continues from the tables, even if a crash prevented the last rows. */
async function assertTradesGoOn(baseUrl: string, trader: Trader): Promise<void> {
  const limit = "1000";
  const stored = await trader.call<{ id: number }[]>(baseUrl, "GET", "/fapi/v1/historicalTrades", {
    symbol: "BTCUSDT",
    limit,
  });
  const response = await fetch(`${baseUrl}/fapi/v1/trades?symbol=BTCUSDT&limit=${limit}`);
  const inMemory = (await response.json()) as { id: number }[];
  assert.ok(inMemory.length > 0);
  const ids = (trades: readonly { id: number }[]) => trades.map(({ id }) => id);
  assert.deepEqual(ids(inMemory), ids(stored).slice(-inMemory.length));
}

async function assertInvariants(baseUrl: string): Promise<void> {
  const credentials = { username: "admin", password: ADMIN_PASSWORD };
  const { access_token } = await post<TokenReply>(`${baseUrl}/api/v1/broker/auth/login`, credentials);
  const headers = { authorization: `Bearer ${access_token}` };
  const response = await fetch(`${baseUrl}/api/v1/admin/invariants`, { headers });
  const { invariants } = (await response.json()) as Static<typeof Invariants>;
  for (const { code, ok, detail } of invariants) assert.notEqual(ok, false, `${code}: ${detail}`);
  const computed = invariants.filter(({ ok }) => ok === true).map(({ code }) => code);
  for (const code of ["INV-1", "INV-2", "INV-6", "INV-7"]) assert.ok(computed.includes(code), `${code} was checked`);
}

describe("the exchange under kill -9", () => {
  it("INV-7: every acknowledged order and fill is there after the restart, once, and the state is that of the log", async (t) => {
    const dataDir = await makeDataDir(t);
    const start = (): Promise<RunningServer> => startServer({ owner: t, dataDir, env: ENV });
    let server = await start();
    await post(`${server.baseUrl}/api/v1/dev/price`, { symbol: "BTCUSDT", price: "60000" });
    const traders = [await Trader.open(server.baseUrl), await Trader.open(server.baseUrl)];
    for (let round = 1; round <= ROUNDS; round++) {
      let isOver = false;
      const { baseUrl } = server;
      const trading = traders.flatMap((trader) =>
        Array.from({ length: IN_FLIGHT / 2 }, () => trader.trade(baseUrl, () => isOver)),
      );
      await sleep(300 + Math.random() * 1_500);
      server.kill("SIGKILL");
      isOver = true;
      await Promise.all(trading);
      await server.exited;
      server = await start();
      for (const trader of traders) await assertNothingLost(server.baseUrl, trader);
      await assertTradesGoOn(server.baseUrl, traders[0]!);
      await assertInvariants(server.baseUrl);
    }
    const acknowledged = traders.map((trader) => trader.acknowledged.length);
    t.diagnostic(`${ROUNDS} kills, ${acknowledged.join(" and ")} orders acknowledged`);
    assert.ok(acknowledged.every((count) => count > 0));
  });
});
