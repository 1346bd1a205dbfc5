import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Body,
  limitOrder as limit,
  marketOrder as market,
  ok,
  type Parameters,
  refused,
  useDesk,
} from "./testing.ts";

describe("changing orders on the exchange-style interface", () => {
  const desk = useDesk();
  const { alice, bob, place, openOrders } = desk;

  describe("cancelling", () => {
    it("answers the order as it ended; unknown ones are -2011, to query -2013", async () => {
      ok(await place(bob, limit({ side: "SELL", quantity: "0.04" })));
      ok(await place(alice, limit()));
      const order = ok(await desk.bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: 2 }, alice));
      assert.deepEqual(
        [order["status"], order["executedQty"], order["cumQuote"], order["avgPrice"]],
        ["CANCELED", "0.040", "2400.00", "60000.0"],
      );
      const again = { symbol: "BTCUSDT", orderId: 2 };
      refused(await desk.bench.call("DELETE", "/fapi/v1/order", again, alice), -2011, "Unknown order sent.");
      refused(await desk.bench.call("GET", "/fapi/v1/order", again, alice), -2013, "Order does not exist.");
      refused(await desk.bench.call("GET", "/fapi/v1/openOrder", again, alice), -2013);
    });

    it("touches neither another's order nor one of another symbol", async () => {
      ok(await place(alice, limit({ price: "59000" })));
      const before = desk.bench.hash();
      refused(await desk.bench.call("DELETE", "/fapi/v1/order", { symbol: "ETHUSDT", orderId: 1 }, alice), -2011);
      refused(await desk.bench.call("GET", "/fapi/v1/order", { symbol: "ETHUSDT", orderId: 1 }, alice), -2013);
      assert.equal(desk.bench.hash(), before);
      refused(await desk.bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: 1 }, bob), -2011);
      assert.equal((await openOrders(alice)).length, 1);
      refused(await desk.bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT" }, alice), -1102, /'orderId'/);
      refused(await desk.bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: 1 }, "0xnobody"), -2011);
    });

    it("a waiting order with a trigger is cancelled like any other", async () => {
      ok(await place(alice, market({ side: "SELL", type: "STOP_MARKET", stopPrice: "59000" })));
      const order = ok(await desk.bench.call("DELETE", "/fapi/v1/order", { symbol: "BTCUSDT", orderId: 1 }, alice));
      assert.deepEqual([order["status"], order["type"]], ["CANCELED", "STOP_MARKET"]);
    });

    it("allOpenOrders cancels what openOrders shows in the symbol, and nothing else", async () => {
      await desk.bench.price("ETHUSDT", 3_000);
      ok(await place(alice, limit({ price: "59000" })));
      ok(await place(alice, market({ side: "SELL", type: "STOP_MARKET", stopPrice: "59000" })));
      ok(await place(alice, limit({ symbol: "ETHUSDT", price: "2900" })));
      const algo = {
        algoType: "CONDITIONAL",
        symbol: "BTCUSDT",
        side: "SELL",
        type: "STOP_MARKET",
        quantity: "0.1",
        triggerPrice: "59000",
      };
      ok(await desk.bench.call("POST", "/fapi/v1/algoOrder", algo, alice));
      assert.deepEqual(ok(await desk.bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, alice)), {
        code: 200,
        msg: "The operation of cancel all open order is done.",
      });
      assert.deepEqual(
        (await openOrders(alice)).map((order) => order["symbol"]),
        ["ETHUSDT"],
      );
      assert.equal(ok<Body[]>(await desk.bench.call("GET", "/fapi/v1/openAlgoOrders", {}, alice)).length, 1);
    });

    it("countdownCancelAll fires once its time is over, unless it is set again or stopped", async () => {
      const countdown = (countdownTime: number) =>
        desk.bench.call("POST", "/fapi/v1/countdownCancelAll", { symbol: "BTCUSDT", countdownTime }, alice);
      ok(await place(alice, limit({ price: "59000" })));
      assert.deepEqual(ok(await countdown(5_000)), { symbol: "BTCUSDT", countdownTime: "5000" });
      desk.bench.clock.advance(4_999);
      await desk.bench.fapi.countdowns.tick();
      assert.equal((await openOrders(alice)).length, 1);
      ok(await countdown(5_000));
      desk.bench.clock.advance(4_999);
      await desk.bench.fapi.countdowns.tick();
      assert.equal((await openOrders(alice)).length, 1);
      ok(await countdown(0));
      desk.bench.clock.advance(60_000);
      await desk.bench.fapi.countdowns.tick();
      assert.equal((await openOrders(alice)).length, 1);
      ok(await countdown(1));
      desk.bench.clock.advance(1);
      await desk.bench.fapi.countdowns.tick();
      assert.deepEqual(await openOrders(alice), []);
      assert.equal(desk.bench.fapi.countdowns.count, 0);
      refused(await countdown(-1), -1130);
    });
  });

  describe("modifying", () => {
    const modify = (parameters: Parameters) =>
      desk.bench.call("PUT", "/fapi/v1/order", { symbol: "BTCUSDT", ...parameters }, alice);

    it("FUT-7: keeps the id, takes the new price and quantity, matches anew", async () => {
      ok(await place(alice, limit({ price: "59000" })));
      const order = ok(await modify({ orderId: 1, quantity: "0.2", price: "59500" }));
      assert.deepEqual(
        [order["orderId"], order["price"], order["origQty"], order["status"]],
        [1, "59500.0", "0.200", "NEW"],
      );
      ok(await place(bob, limit({ side: "SELL", price: "60000", quantity: "0.3" })));
      const filled = ok(await modify({ orderId: 1, side: "BUY", quantity: "0.2", price: "60000" }));
      assert.deepEqual([filled["status"], filled["avgPrice"], filled["price"]], ["FILLED", "60000.0", "60000.0"]);
    });

    it("FUT-7: another side -1117, nothing new -5027, unknown -2013, with a trigger -1116, down to what is executed: cancelled", async () => {
      ok(await place(bob, limit({ side: "SELL", quantity: "0.04" })));
      ok(await place(alice, limit()));
      refused(await modify({ orderId: 2, side: "SELL", quantity: "0.2", price: "60000" }), -1117, "Invalid side.");
      refused(await modify({ orderId: 2, quantity: "0.1", price: "60000" }), -5027, "No need to modify the order.");
      refused(await modify({ orderId: 99, quantity: "0.1", price: "60000" }), -2013);
      refused(await modify({ symbol: "ETHUSDT", orderId: 2, quantity: "0.1", price: "2900" }), -2013);
      refused(await modify({ orderId: 2, quantity: "0.1" }), -1102, /'price'/);
      refused(await modify({ orderId: 2, price: "60000" }), -1102, /'quantity'/);
      refused(await modify({ quantity: "0.1", price: "60000" }), -1102, /'orderId'/);
      ok(await place(alice, market({ side: "SELL", type: "STOP_MARKET", stopPrice: "59000" })));
      refused(await modify({ orderId: 3, quantity: "0.2", price: "60000" }), -1116);
      const order = ok(await modify({ orderId: 2, quantity: "0.04", price: "60000" }));
      assert.deepEqual([order["status"], order["executedQty"]], ["CANCELED", "0.040"]);
    });
  });

  describe("batches", () => {
    it("answer every element in its place; refused ones do not hold up the others", async () => {
      const batch = [
        { ...limit({ price: "59000" }) },
        { ...limit({ price: "59000.123" }) },
        { ...limit({ symbol: "NOPE" }) },
        7,
        {
          symbol: "BTCUSDT",
          side: "BUY",
          type: "LIMIT",
          timeInForce: "GTC",
          quantity: 0.01,
          price: 59_100.5,
          reduceOnly: false,
        },
      ];
      const replies = ok<Body[]>(
        await desk.bench.call("POST", "/fapi/v1/batchOrders", { batchOrders: JSON.stringify(batch) }, alice),
      );
      assert.deepEqual(
        replies.map((reply) => reply["code"] ?? reply["price"]),
        ["59000.0", -1111, -1121, -1130, "59100.5"],
      );
      assert.equal((await openOrders(alice)).length, 2);
    });

    it("come raw in a form body as well", async () => {
      const json = `[{"symbol":"BTCUSDT","side":"BUY","type":"LIMIT","timeInForce":"GTC","quantity":"0.010","price":"59000"}]`;
      const replies = ok<Body[]>(
        await desk.bench.callForm("POST", "/fapi/v1/batchOrders", `batchOrders=${json}`, alice),
      );
      assert.equal(replies[0]!["status"], "NEW");
      const form = `symbol=BTCUSDT&orderidlist=[1,2]`;
      const cancelled = ok<Body[]>(await desk.bench.callForm("DELETE", "/fapi/v1/batchOrders", form, alice));
      assert.deepEqual(
        cancelled.map((reply) => reply["status"] ?? reply["code"]),
        ["CANCELED", -2011],
      );
    });

    it("have at most five elements, cancels ten; what is no list is malformed", async () => {
      const post = (batchOrders: string) => desk.bench.call("POST", "/fapi/v1/batchOrders", { batchOrders }, alice);
      refused(await post(JSON.stringify(Array(6).fill(limit()))), -4082);
      refused(await post("[]"), -4082);
      for (const broken of ["{}", "[", "null", "7", "[{]"]) refused(await post(broken), -1102, /'batchOrders'/);
      refused(await post(""), -1102);
      const cancel = (list: string) =>
        desk.bench.call("DELETE", "/fapi/v1/batchOrders", { symbol: "BTCUSDT", orderIdList: list }, alice);
      refused(await cancel(JSON.stringify(Array.from({ length: 11 }, (_, i) => i + 1))), -1130);
      refused(await cancel('["x"]'), -1130);
      refused(await cancel("[{}]"), -1130);
    });

    it("modify several orders", async () => {
      ok(await place(alice, limit({ price: "59000" })));
      ok(await place(alice, limit({ price: "59000" })));
      const batchOrders = JSON.stringify([
        { symbol: "BTCUSDT", orderId: 1, side: "BUY", quantity: "0.2", price: "58000" },
        { symbol: "BTCUSDT", orderId: 9, side: "BUY", quantity: "0.2", price: "58000" },
      ]);
      const replies = ok<Body[]>(await desk.bench.call("PUT", "/fapi/v1/batchOrders", { batchOrders }, alice));
      assert.deepEqual([replies[0]!["price"], replies[1]!["code"]], ["58000.0", -2013]);
    });
  });
});
