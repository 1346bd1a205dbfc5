import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type Bench, type Body, createBench, EPOCH_MS, ok, type Parameters, refused } from "./testing.ts";

const algo = (changes: Parameters = {}): Parameters => ({
  algoType: "CONDITIONAL",
  symbol: "BTCUSDT",
  side: "SELL",
  type: "STOP_MARKET",
  quantity: "0.1",
  triggerPrice: "59000",
  ...changes,
});

describe("conditional orders on the exchange-style interface", () => {
  let bench: Bench;
  let alice: string;

  beforeEach(async () => {
    bench = await createBench();
    await bench.price("BTCUSDT", 60_000);
    alice = await bench.trader("a11ce", 100_000);
  });
  afterEach(() => bench.close());

  const place = (parameters: Parameters) => bench.call("POST", "/fapi/v1/algoOrder", parameters, alice);
  const open = async () => ok<Body[]>(await bench.call("GET", "/fapi/v1/openAlgoOrders", {}, alice));

  it("FUT-8: a STOP_MARKET waits; its reply and its query have every field", async () => {
    const expected = {
      algoId: 1,
      clientAlgoId: "stop-1",
      algoType: "CONDITIONAL",
      orderType: "STOP_MARKET",
      symbol: "BTCUSDT",
      side: "SELL",
      positionSide: "BOTH",
      timeInForce: "GTC",
      quantity: "0.100",
      algoStatus: "NEW",
      triggerPrice: "59000.0",
      price: "0",
      icebergQuantity: null,
      selfTradePreventionMode: "EXPIRE_MAKER",
      workingType: "CONTRACT_PRICE",
      priceMatch: "NONE",
      closePosition: false,
      priceProtect: false,
      reduceOnly: true,
      createTime: EPOCH_MS,
      updateTime: EPOCH_MS,
      triggerTime: 0,
      goodTillDate: 0,
    };
    const parameters = algo({ clientAlgoId: "stop-1", reduceOnly: "true" });
    assert.deepEqual(ok(await place(parameters)), expected);
    const queried = { ...expected, actualOrderId: "", actualPrice: "0" };
    assert.deepEqual(ok(await bench.call("GET", "/fapi/v1/algoOrder", { algoId: 1 }, alice)), queried);
    assert.deepEqual(ok(await bench.call("GET", "/fapi/v1/algoOrder", { clientAlgoId: "stop-1" }, alice)), queried);
    assert.deepEqual(await open(), [queried]);
    assert.deepEqual(ok(await bench.call("GET", "/fapi/v1/openOrders", {}, alice)), []);
    refused(await bench.call("GET", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: 1 }, alice), -2013);
    refused(await bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: 1 }, alice), -2011);
  });

  it("FUT-8: all types, with the fields that belong to them", async () => {
    const stop = ok(await place(algo({ type: "STOP", price: "58900", timeInForce: "GTX", workingType: "MARK_PRICE" })));
    assert.deepEqual(
      [stop["orderType"], stop["price"], stop["timeInForce"], stop["workingType"]],
      ["STOP", "58900.0", "GTX", "MARK_PRICE"],
    );
    const profit = ok(await place(algo({ type: "TAKE_PROFIT", price: "61000", triggerPrice: "61500" })));
    assert.equal(profit["orderType"], "TAKE_PROFIT");
    assert.equal(
      ok(await place(algo({ type: "TAKE_PROFIT_MARKET", triggerPrice: "61500" })))["orderType"],
      "TAKE_PROFIT_MARKET",
    );
    const trailing = ok(
      await place(
        algo({ type: "TRAILING_STOP_MARKET", triggerPrice: undefined, activatePrice: "61000", callbackRate: "0.5" }),
      ),
    );
    assert.deepEqual(
      [trailing["activatePrice"], trailing["callbackRate"], trailing["triggerPrice"]],
      ["61000.0", "0.5", "0"],
    );
    const other = algo({
      type: "TRAILING_STOP_MARKET",
      triggerPrice: undefined,
      activationPrice: "61000",
      callbackRate: "10",
    });
    assert.equal(ok(await place(other))["activatePrice"], "61000.0");
    const close = ok(await place(algo({ closePosition: "true", quantity: undefined })));
    assert.deepEqual([close["closePosition"], close["quantity"]], [true, "0.000"]);
    assert.equal((await open()).length, 6);
  });

  it("FUT-16: bad requests have their codes and change nothing", async () => {
    const hash = bench.hash();
    const trailing = { type: "TRAILING_STOP_MARKET", triggerPrice: undefined };
    const bad: readonly (readonly [Parameters, number])[] = [
      [{ algoType: undefined }, -1102],
      [{ algoType: "VP" }, -1130],
      [{ type: "LIMIT" }, -1116],
      [{ type: "MARKET" }, -1116],
      [{ triggerPrice: undefined }, -1102],
      [{ triggerPrice: "x" }, -1102],
      [{ triggerPrice: "59000.05" }, -4014],
      [{ triggerPrice: "59000.001" }, -1111],
      [{ type: "STOP" }, -1102],
      [{ quantity: undefined }, -1102],
      [{ quantity: "0.0001" }, -1013],
      [{ side: "UP" }, -1117],
      [{ positionSide: "LONG" }, -4061],
      [{ timeInForce: "GTD" }, -1102],
      [{ timeInForce: "GTD", goodTillDate: "1" }, -1115],
      [{ timeInForce: "DAY" }, -1115],
      [{ closePosition: true }, -4137],
      [{ type: "STOP", price: "59000", closePosition: true, quantity: undefined }, -4136],
      [{ price: "59000" }, -1106],
      [{ clientAlgoId: "bourse-7" }, -4015],
      [{ clientAlgoId: "ö" }, -4015],
      [{ symbol: "NOPE" }, -1121],
      [trailing, -1102],
      [{ ...trailing, callbackRate: "0.09" }, -2007],
      [{ ...trailing, callbackRate: "10.01" }, -2007],
      [{ ...trailing, callbackRate: "1.001" }, -2007],
      [{ ...trailing, callbackRate: "-1" }, -2007],
      [{ ...trailing, callbackRate: "1", activatePrice: "abc" }, -1130],
      [{ ...trailing, callbackRate: "1", activatePrice: "61000.01" }, -4014],
    ];
    for (const [changes, code] of bad) refused(await place(algo(changes)), code);
    assert.equal(bench.hash(), hash);
    refused(await place(algo({ triggerPrice: "60000" })), -2021);
    refused(await place({ ...algo(trailing), callbackRate: "1", activatePrice: "59000" }), -2021);
  });

  it("FUT-8: one that fires becomes an order with an id of its own", async () => {
    const bob = await bench.trader("b0b", 100_000);
    ok(await place(algo({ type: "STOP", price: "58900", workingType: "MARK_PRICE", clientAlgoId: "mine" })));
    await bench.price("BTCUSDT", 58_950);
    assert.deepEqual(await open(), []);
    const [order] = ok<Body[]>(await bench.call("GET", "/fapi/v1/openOrders", {}, alice));
    assert.deepEqual(
      [order!["orderId"], order!["clientOrderId"], order!["type"], order!["price"]],
      [2, "mine", "LIMIT", "58900.0"],
    );
    refused(await bench.call("DELETE", "/fapi/v1/algoOrder", { algoId: 1 }, alice), -2011);
    assert.deepEqual(ok(await bench.call("GET", "/fapi/v1/openOrders", {}, bob)), []);
  });

  it("is cancelled by id or client id, all of a symbol at once, and never through another's hands", async () => {
    ok(await place(algo({ clientAlgoId: "a" })));
    ok(await place(algo()));
    ok(await place(algo()));
    const asOrder = { symbol: "BTCUSDT", side: "SELL", type: "STOP_MARKET", quantity: "0.1", stopPrice: "59000" };
    ok(await bench.call("POST", "/fapi/v1/order", asOrder, alice));
    const cancel = (parameters: Parameters, who = alice) => bench.call("DELETE", "/fapi/v1/algoOrder", parameters, who);
    const stranger = await bench.trader("5747", 1);
    refused(await cancel({ algoId: 1 }, stranger), -2011);
    assert.deepEqual(ok(await cancel({ clientAlgoId: "a" })), {
      algoId: 1,
      clientAlgoId: "a",
      code: "200",
      msg: "success",
    });
    assert.deepEqual(ok(await cancel({ algoid: 2 })), {
      algoId: 2,
      clientAlgoId: "bourse-2",
      code: "200",
      msg: "success",
    });
    refused(await cancel({ algoId: 2 }), -2011);
    refused(await cancel({ algoId: 4 }), -2011);
    refused(await cancel({}), -1102, /'algoId'/);
    assert.equal(ok(await bench.call("DELETE", "/fapi/v1/algoOpenOrders", { symbol: "BTCUSDT" }, alice))["code"], 200);
    assert.deepEqual(await open(), []);
    assert.equal(ok<Body[]>(await bench.call("GET", "/fapi/v1/openOrders", {}, alice)).length, 1);
  });
});
