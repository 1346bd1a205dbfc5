import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { quickDatabase } from "../support/databases.ts";
import { slowDisk } from "../support/disk-faults.ts";
import { makeTempDir } from "../support/files.ts";
import { type RunningServer, startServer } from "../support/server.ts";
import {
  assertInvariants,
  limitOrder,
  type Order,
  type Parameters,
  pinPrices,
  type Refusal,
  readiness,
  TRADING_ENV,
  Trader,
} from "../support/traders.ts";

/** More with `FAULT_STORM_ORDERS`; an account may have 200 open orders of a symbol. */
const STORM_ORDERS = Number(process.env["FAULT_STORM_ORDERS"] ?? 400);
const TRADERS = Math.ceil(STORM_ORDERS / 150) + 1;
const EVERY = 20;
const SLOW_ms = 25;
const MAX_WAITING = "8";
const THROTTLED: Refusal = {
  code: -1008,
  msg: "Request throttled by system-level protection. Reduce-only/close-position orders are exempt. Please try again.(-1008)",
};
const SYMBOL = { symbol: "BTCUSDT" };
const CLOSE = { ...SYMBOL, side: "SELL", type: "STOP_MARKET", stopPrice: "55000", closePosition: "true" };
/** Below all other prices: it rests. */
const resting = (clientId: string) => limitOrder({ side: "BUY", price: "59000", newClientOrderId: clientId });
/** Above all other prices, and reduce-only. */
const reducing = (clientId: string) =>
  limitOrder({ side: "SELL", price: "61000", quantity: "0.001", reduceOnly: "true", newClientOrderId: clientId });

/** Traders with a long position of 1 BTC each, except the last, who sold to them. */
async function openTraders({ baseUrl }: RunningServer): Promise<Trader[]> {
  await pinPrices(baseUrl);
  const traders: Trader[] = [];
  for (let count = 0; count <= TRADERS; count += 1) traders.push(await Trader.open(baseUrl));
  const seller = traders.pop()!;
  for (const trader of traders) {
    await seller.place(baseUrl, { side: "SELL", quantity: "1" });
    assert.equal((await trader.place(baseUrl, { side: "BUY", quantity: "1" })).status, "FILLED");
  }
  return traders;
}

const openIds = async (trader: Trader, baseUrl: string): Promise<string[]> => {
  const open = await trader.call<Order[]>(baseUrl, "GET", "/fapi/v1/openOrders", SYMBOL);
  return open.map(({ clientOrderId }) => clientOrderId).sort();
};

describe("more commands than the exchange takes", () => {
  it("FUT-17: some orders are throttled and leave no trace; what reduces, closes or cancels passes all the while", async (t) => {
    const dataDir = await makeTempDir(t);
    const env = {
      ...TRADING_ENV,
      ...(await quickDatabase(t)),
      ...slowDisk(SLOW_ms),
      MAX_COMMANDS_WAITING: MAX_WAITING,
    };
    const server = await startServer({ owner: t, dataDir, env });
    const { baseUrl } = server;
    const traders = await openTraders(server);
    const taken = traders.map(() => new Set<string>());
    const refused = traders.map(() => new Set<string>());
    const toCancel: Order[] = [];
    for (let count = 0; count < STORM_ORDERS / EVERY; count += 1) {
      toCancel.push(await traders[count % traders.length]!.place(baseUrl, { ...resting(`gone-${count}`) }));
    }

    const place = async (number: number, parameters: Parameters, isExempt: boolean): Promise<void> => {
      const who = number % traders.length;
      const clientId = parameters["newClientOrderId"]!;
      const answer = await traders[who]!.request<Refusal>(baseUrl, "POST", "/fapi/v1/order", parameters);
      if (answer.status === 200) taken[who]!.add(clientId);
      else {
        assert.ok(!isExempt, `${clientId}: ${JSON.stringify(answer.body)}`);
        assert.deepEqual({ status: answer.status, body: answer.body }, { status: 503, body: THROTTLED });
        refused[who]!.add(clientId);
      }
    };
    const cancel = async (number: number): Promise<void> => {
      const name = { ...SYMBOL, orderId: String(toCancel[number]!.orderId) };
      const gone = await traders[number % traders.length]!.call<Order>(baseUrl, "DELETE", "/fapi/v1/order", name);
      assert.equal(gone.status, "CANCELED");
    };
    const storm: Promise<void>[] = [];
    for (let number = 0; number < STORM_ORDERS; number += 1) {
      storm.push(place(number, resting(`storm-${number}`), false));
      if (number % EVERY !== EVERY - 1) continue;
      const round = Math.floor(number / EVERY);
      storm.push(place(round, reducing(`reducing-${round}`), true), cancel(round));
    }
    storm.push(...traders.map((_, who) => place(who, { ...CLOSE, newClientOrderId: `close-${who}` }, true)));
    await Promise.all(storm);

    const sizes = (sets: Set<string>[]) => sets.reduce((sum, { size }) => sum + size, 0);
    t.diagnostic(`${sizes(taken)} taken, ${sizes(refused)} throttled`);
    assert.ok(sizes(refused) > 0, "some were throttled");
    const exempt = STORM_ORDERS / EVERY + traders.length;
    assert.ok(sizes(taken) > exempt, "some orders passed");
    for (const [who, trader] of traders.entries()) {
      assert.deepEqual(await openIds(trader, baseUrl), [...taken[who]!].sort());
      const known = new Set((await trader.orders(baseUrl)).map(({ clientOrderId }) => clientOrderId));
      assert.deepEqual(
        [...refused[who]!].filter((clientId) => known.has(clientId)),
        [],
      );
    }
    assert.equal((await readiness(baseUrl)).status, 200);
    await assertInvariants(baseUrl);
  });

  it("WIRE-11: MAX_COMMANDS_WAITING=0 throttles every command but those that reduce, close or cancel", async (t) => {
    const dataDir = await makeTempDir(t);
    const env = { ...TRADING_ENV, ...(await quickDatabase(t)) };
    const before = await startServer({ owner: t, dataDir, env });
    const [trader] = await openTraders(before);
    const kept = await trader!.place(before.baseUrl, resting("kept"));
    const gone = await trader!.place(before.baseUrl, resting("gone"));
    await before.kill("SIGTERM");

    const { baseUrl } = await startServer({ owner: t, dataDir, env: { ...env, MAX_COMMANDS_WAITING: "0" } });
    const ask = (method: string, path: string, parameters: Parameters) =>
      trader!.request<Refusal>(baseUrl, method, path, parameters);
    const batch = { batchOrders: JSON.stringify([resting("batch-1"), resting("batch-2")]) };
    const modified = { ...SYMBOL, side: "BUY", quantity: "0.002", price: "58000", orderId: String(kept.orderId) };
    const conditional = { ...SYMBOL, algoType: "CONDITIONAL", side: "BUY", type: "STOP_MARKET", quantity: "0.002" };
    const throttled: [string, string, Parameters][] = [
      ["POST", "/fapi/v1/order", resting("refused")],
      ["POST", "/fapi/v1/order", { ...SYMBOL, side: "BUY", type: "MARKET", quantity: "0.002" }],
      ["POST", "/fapi/v1/order/test", resting("refused")],
      ["POST", "/fapi/v1/batchOrders", batch],
      ["PUT", "/fapi/v1/order", modified],
      ["POST", "/fapi/v1/algoOrder", { ...conditional, triggerPrice: "61000" }],
      ["POST", "/fapi/v1/leverage", { ...SYMBOL, leverage: "5" }],
    ];
    for (const [method, path, parameters] of throttled) {
      const { status, body } = await ask(method, path, parameters);
      assert.deepEqual({ method, path, status, body }, { method, path, status: 503, body: THROTTLED });
    }
    const exempt: [string, string, Parameters][] = [
      ["POST", "/fapi/v1/order", reducing("reducing")],
      ["POST", "/fapi/v1/order/test", reducing("tested")],
      ["POST", "/fapi/v1/order", { ...CLOSE, newClientOrderId: "closing" }],
      ["POST", "/fapi/v1/batchOrders", { batchOrders: JSON.stringify([reducing("batched")]) }],
      ["DELETE", "/fapi/v1/order", { ...SYMBOL, orderId: String(gone.orderId) }],
    ];
    for (const [method, path, parameters] of exempt) {
      const { status, body } = await ask(method, path, parameters);
      assert.equal(status, 200, `${method} ${path}: ${JSON.stringify(body)}`);
    }
    assert.deepEqual(await openIds(trader!, baseUrl), ["batched", "closing", "kept", "reducing"]);
    await trader!.call(baseUrl, "DELETE", "/fapi/v1/allOpenOrders", SYMBOL);
    assert.deepEqual(await openIds(trader!, baseUrl), []);
    const known = (await trader!.orders(baseUrl)).map(({ clientOrderId }) => clientOrderId);
    assert.ok(!known.some((clientId) => /refused|batch-/.test(clientId)), "what was throttled is nowhere");
    await assertInvariants(baseUrl);
  });
});
