import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  type Bench,
  type Body,
  createBench,
  limitOrder,
  marketOrder,
  ok,
  type Parameters,
  refused,
} from "./testing.ts";

describe("wallets that have done nothing yet, on the exchange-style interface", () => {
  const who = "0xb0b";
  let bench: Bench;

  beforeEach(async () => {
    bench = await createBench();
  });
  afterEach(() => bench.close());

  const get = async <T = Body>(path: string, wallet: string, parameters: Parameters = {}) =>
    ok<T>(await bench.call("GET", path, parameters, wallet));

  it("a wallet without an account reads as an empty one", async () => {
    const stranger = "0x5747";
    const [balance] = await get<Body[]>("/fapi/v2/balance", stranger);
    assert.equal(balance!["balance"], "0.00");
    const account = await get<Body & { positions: Body[] }>("/fapi/v2/account", stranger);
    assert.deepEqual([account["totalMarginBalance"], account.positions.length], ["0.00", 4]);
    for (const path of ["openOrders", "openAlgoOrders", "income", "forceOrders", "adlQuantile"]) {
      assert.deepEqual(await get(`/fapi/v1/${path}`, stranger), []);
    }
    for (const path of ["allOrders", "userTrades", "allAlgoOrders", "positionMargin/history"]) {
      assert.deepEqual(await get(`/fapi/v1/${path}`, stranger, { symbol: "BTCUSDT" }), []);
    }
    assert.deepEqual(await get("/fapi/v3/positionRisk", stranger), []);
    assert.equal(bench.accounts.has(stranger), false);
  });

  it("SEC-11: its orders are refused for want of margin in every form, and open no account", async () => {
    const stranger = "0x5747";
    await bench.price("BTCUSDT", 60_000);
    const hash = bench.hash();
    const order = limitOrder();
    for (const path of ["order", "order/test"]) {
      refused(await bench.call("POST", `/fapi/v1/${path}`, order, stranger), -2019, "Margin is insufficient.");
    }
    refused(await bench.call("POST", "/fapi/v1/order", marketOrder({ reduceOnly: true }), stranger), -2022);
    const stop = { ...marketOrder(), type: "STOP_MARKET", algoType: "CONDITIONAL", triggerPrice: "61000" };
    refused(await bench.call("POST", "/fapi/v1/algoOrder", stop, stranger), -2019);
    const batch = { batchOrders: JSON.stringify([order, order]) };
    const codes = ok<Body[]>(await bench.call("POST", "/fapi/v1/batchOrders", batch, stranger)).map(({ code }) => code);
    assert.deepEqual(codes, [-2019, -2019]);
    const move = { symbol: "BTCUSDT", amount: "1", type: 1 };
    refused(await bench.call("POST", "/fapi/v1/positionMargin", move, stranger), -4046);
    // What cannot be read is refused as ever.
    refused(await bench.call("POST", "/fapi/v1/order", limitOrder({ symbol: "NONE" }), stranger), -1121);
    refused(await bench.call("POST", "/fapi/v1/order", limitOrder({ quantity: "x" }), stranger), -1102);
    assert.equal(bench.hash(), hash);
    assert.equal(bench.accounts.has(stranger), false);
  });

  it("SEC-11: its leverage is kept and read back; one that is not allowed is refused", async () => {
    const stranger = "0x5747";
    const hash = bench.hash();
    const set = (leverage: number) =>
      bench.call("POST", "/fapi/v1/leverage", { symbol: "BTCUSDT", leverage }, stranger);
    assert.equal(ok(await set(7))["leverage"], 7);
    refused(await set(0), -4028);
    refused(await set(500), -4028);
    const [config] = await get<Body[]>("/fapi/v1/symbolConfig", stranger, { symbol: "BTCUSDT" });
    assert.deepEqual([config!["leverage"], config!["marginType"]], [7, "CROSSED"]);
    const [risk] = await get<Body[]>("/fapi/v2/positionRisk", stranger, { symbol: "BTCUSDT" });
    assert.equal(risk!["leverage"], "7");
    const { positions } = await get<{ positions: Body[] }>("/fapi/v2/account", stranger);
    assert.deepEqual(positions.map(({ symbol, leverage }) => [symbol, leverage])[0], ["BTCUSDT", "7"]);
    assert.equal(bench.hash(), hash);
    assert.equal(bench.accounts.has(stranger), false);
  });

  it("SEC-11: a countdown set before the first deposit cancels what was placed after it", async () => {
    const late = "0x1a7e";
    await bench.price("BTCUSDT", 60_000);
    const countdown = { symbol: "BTCUSDT", countdownTime: 5_000 };
    ok(await bench.call("POST", "/fapi/v1/countdownCancelAll", countdown, late));
    assert.equal(bench.accounts.has(late), false);
    await bench.trader("1a7e", 100_000);
    ok(await bench.call("POST", "/fapi/v1/order", limitOrder({ price: "59000" }), late));
    bench.clock.advance(5_000);
    await bench.fapi.countdowns.tick();
    assert.deepEqual(await get("/fapi/v1/openOrders", late), []);
  });

  it("listenKey: one per wallet, POST repeats it, PUT without one is -1125, DELETE ends it", async () => {
    const call = (method: "POST" | "PUT" | "DELETE") => bench.call(method, "/fapi/v1/listenKey", {}, who);
    refused(await call("PUT"), -1125, "This listenKey does not exist.");
    const first = ok(await call("POST"));
    assert.equal(String(first["listenKey"]).length, 64);
    assert.deepEqual(ok(await call("POST")), first);
    assert.deepEqual(ok(await call("PUT")), first);
    assert.deepEqual(ok(await call("DELETE")), {});
    refused(await call("PUT"), -1125);
  });
});
