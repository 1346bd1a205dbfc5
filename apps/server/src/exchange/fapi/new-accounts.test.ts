import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type Bench, type Body, createBench, ok, type Parameters, refused } from "./testing.ts";

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
