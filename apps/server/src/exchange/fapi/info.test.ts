import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Body, EPOCH_MS, ok, type Parameters, refused, useDesk } from "./testing.ts";

describe("what clients ask for at their start", () => {
  const desk = useDesk();
  const call = (name: string, parameters: Parameters = {}, who?: string) =>
    desk.bench.call("GET", `/fapi/v1/${name}`, parameters, who);
  const get = async <T = Body>(name: string, parameters: Parameters = {}, who?: string) =>
    ok<T>(await call(name, parameters, who));

  it("FUT-13, FUT-20: constituents are the sources of the index with their parts of it", async () => {
    const source = { symbol: "BTCUSDT", price: "60000", weight: "0.33333333" };
    assert.deepEqual(await get("constituents", { symbol: "BTCUSDT" }), {
      symbol: "BTCUSDT",
      time: EPOCH_MS,
      constituents: ["one", "two", "three"].map((exchange) => ({ exchange, ...source })),
    });
  });

  it("FUT-20: there are no other indexes, no sessions, no fees in another coin", async () => {
    for (const name of ["assetIndex", "indexInfo"]) {
      assert.deepEqual(await get<Body[]>(name), []);
      refused(await call(name, { symbol: "BTCUSDT" }), -1121);
    }
    assert.deepEqual(await get("tradingSchedule"), { updateTime: EPOCH_MS, marketSchedules: {} });
    assert.deepEqual(await get("feeBurn", {}, desk.alice), { feeBurn: false });
    const burn = (feeBurn: boolean) => desk.bench.call("POST", "/fapi/v1/feeBurn", { feeBurn }, desk.alice);
    assert.deepEqual(ok(await burn(false)), { code: 200, msg: "success" });
    refused(await burn(true), -1020, /USDT alone/);
  });

  it("FUT-20: the book of retail orders is the book", async () => {
    ok(
      await desk.place(desk.alice, {
        symbol: "BTCUSDT",
        side: "BUY",
        type: "LIMIT",
        timeInForce: "GTC",
        quantity: "0.1",
        price: "59000",
      }),
    );
    const book = await get("rpiDepth", { symbol: "BTCUSDT" });
    assert.deepEqual(book, await get("depth", { symbol: "BTCUSDT" }));
    assert.deepEqual(book["bids"], [["59000.0", "0.100"]]);
  });

  it("FUT-22, FUT-20: deleveraging is near while the fund has nothing, and far while it has lost nothing", async () => {
    const riskOf = async () => (await get("symbolAdlRisk", { symbol: "BTCUSDT" }))["adlRisk"];
    assert.equal(await riskOf(), "high");
    await desk.bench.seedFund();
    assert.equal(await riskOf(), "low");
    const all = await get<Body[]>("symbolAdlRisk");
    assert.deepEqual(
      all.map(({ symbol }) => symbol),
      ["BTCUSDT", "ETHUSDT", "SOLUSDT", "AVAXUSDT"],
    );
  });

  it("FUT-20: what is not offered is refused in the interface's words", async () => {
    for (const path of [
      ...["/fapi/v1/lvtKlines", "/fapi/v1/convert/exchangeInfo", "/fapi/v1/pmAccountInfo", "/fapi/v1/stock/contract"],
      ...["/futures/data/delivery-price", "/futures/data/nothing"],
    ]) {
      const reply = await desk.bench.call("GET", path, {}, desk.alice);
      refused(reply, -1020, "This path does not exist.", 404);
    }
  });
});
