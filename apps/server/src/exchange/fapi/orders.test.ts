import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type Body,
  EPOCH_MS,
  limitOrder as limit,
  marketOrder as market,
  ok,
  type Parameters,
  refused,
  useDesk,
} from "./testing.ts";

describe("orders on the exchange-style interface", () => {
  const desk = useDesk();
  const { alice, bob, place, openOrders } = desk;

  describe("kinds", () => {
    it("FUT-3: a LIMIT GTC order rests; its reply and its query have every field", async () => {
      const reply = ok(await place(alice, limit({ newClientOrderId: "my-1", quantity: "0.1009" })));
      const expected = {
        orderId: 1,
        symbol: "BTCUSDT",
        status: "NEW",
        clientOrderId: "my-1",
        price: "60000.0",
        avgPrice: "0",
        origQty: "0.100",
        executedQty: "0.000",
        cumQty: "0.000",
        cumQuote: "0.00",
        timeInForce: "GTC",
        type: "LIMIT",
        origType: "LIMIT",
        reduceOnly: false,
        closePosition: false,
        side: "BUY",
        positionSide: "BOTH",
        stopPrice: "0",
        workingType: "CONTRACT_PRICE",
        priceProtect: false,
        priceMatch: "NONE",
        selfTradePreventionMode: "EXPIRE_MAKER",
        goodTillDate: 0,
        updateTime: EPOCH_MS,
      };
      assert.deepEqual(reply, expected);
      const query = { symbol: "BTCUSDT", origClientOrderId: "my-1" };
      const queried = { ...expected, time: EPOCH_MS };
      assert.deepEqual(ok(await desk.bench.call("GET", "/fapi/v1/order", query, alice)), queried);
      assert.deepEqual(ok(await desk.bench.call("GET", "/fapi/v1/openOrder", query, alice)), queried);
      assert.deepEqual(await openOrders(alice), [queried]);
      assert.deepEqual(await openOrders(bob), []);
    });

    it("FUT-3: a MARKET order answers FILLED with its average price; what the book lacks expires", async () => {
      ok(await place(bob, limit({ side: "SELL", price: "60010" })));
      ok(await place(bob, limit({ side: "SELL", price: "60020", quantity: "0.2" })));
      const filled = ok(await place(alice, market({ quantity: "0.2" })));
      assert.equal(filled["status"], "FILLED");
      assert.equal(filled["avgPrice"], "60015.0");
      assert.equal(filled["cumQuote"], "12003.00");
      assert.equal(filled["price"], "0");
      assert.equal(filled["timeInForce"], "IOC");
      const partial = ok(await place(alice, market({ quantity: "0.5", newOrderRespType: "ACK" })));
      assert.equal(partial["status"], "EXPIRED");
      assert.equal(partial["executedQty"], "0.100");
      assert.equal(partial["origQty"], "0.500");
    });

    it("FUT-3, T2: IOC expires what is left, FOK is all or nothing, GTX never takes", async () => {
      ok(await place(bob, limit({ side: "SELL" })));
      const ioc = ok(await place(alice, limit({ timeInForce: "IOC", quantity: "0.15" })));
      assert.deepEqual([ioc["status"], ioc["executedQty"], ioc["avgPrice"]], ["EXPIRED", "0.100", "60000.0"]);
      ok(await place(bob, limit({ side: "SELL" })));
      refused(
        await place(alice, limit({ timeInForce: "FOK", quantity: "0.15" })),
        -5021,
        "Due to the order could not be filled immediately, the FOK order has been rejected.",
      );
      refused(await place(alice, limit({ timeInForce: "GTX" })), -2010, "Order would immediately match and take.");
      assert.equal(ok(await place(alice, limit({ timeInForce: "FOK" })))["status"], "FILLED");
      const maker = ok(await place(alice, limit({ timeInForce: "GTX", price: "59000" })));
      assert.deepEqual([maker["status"], maker["timeInForce"]], ["NEW", "GTX"]);
    });

    it("FUT-3: every self-trade prevention is read back as it was sent", async () => {
      for (const mode of ["EXPIRE_MAKER", "EXPIRE_TAKER", "EXPIRE_BOTH", "NONE"]) {
        ok(await place(alice, limit({ price: "59000", selfTradePreventionMode: mode })));
      }
      const modes = (await openOrders(alice)).map((order) => order["selfTradePreventionMode"]);
      assert.deepEqual(modes, ["EXPIRE_MAKER", "EXPIRE_TAKER", "EXPIRE_BOTH", "NONE"]);
      const taker = ok(
        await place(alice, limit({ side: "SELL", price: "59000", selfTradePreventionMode: "EXPIRE_TAKER" })),
      );
      assert.equal(taker["status"], "EXPIRED_IN_MATCH");
    });

    it("FUT-5: quoteOrderQty is floored to the lot at the best opposite price", async () => {
      ok(await place(bob, limit({ side: "SELL", price: "60100" })));
      const order = ok(await place(alice, market({ quantity: undefined, quoteOrderQty: "1000" })));
      assert.deepEqual([order["status"], order["origQty"]], ["FILLED", "0.016"]);
      refused(
        await place(alice, market({ quantity: undefined, quoteOrderQty: "5" })),
        -1013,
        "Filter failure: LOT_SIZE.",
      );
      refused(await place(alice, market({ quoteOrderQty: "1000" })), -1128);
    });

    it("FUT-6: reduceOnly is cut to the position and skips the minimum notional", async () => {
      refused(await place(alice, limit({ reduceOnly: "true" })), -2022, "ReduceOnly Order is rejected.");
      ok(await place(bob, limit({ side: "SELL" })));
      ok(await place(alice, limit()));
      const order = ok(
        await place(alice, limit({ side: "SELL", price: "61000", quantity: "0.4", reduceOnly: "TRUE" })),
      );
      assert.deepEqual([order["origQty"], order["reduceOnly"]], ["0.100", true]);
      assert.equal((await openOrders(alice))[0]!["reduceOnly"], true);
      ok(await place(bob, limit({ side: "BUY", price: "61000", quantity: "0.001", reduceOnly: "true" })));
    });

    it("FUT-8: orders with a trigger wait, keep their id and become ordinary orders; STOP_LIMIT is STOP", async () => {
      ok(await place(bob, limit({ side: "SELL", price: "60500", quantity: "1" })));
      const stop = ok(
        await place(alice, {
          symbol: "BTCUSDT",
          side: "BUY",
          type: "STOP_LIMIT",
          quantity: "0.1",
          price: "60600",
          stopPrice: "60400",
          timeInForce: "GTC",
          workingType: "MARK_PRICE",
          priceProtect: "true",
        }),
      );
      assert.equal(stop["orderId"], 2);
      assert.deepEqual([stop["type"], stop["origType"], stop["status"]], ["STOP", "STOP", "NEW"]);
      assert.deepEqual([stop["stopPrice"], stop["workingType"], stop["priceProtect"]], ["60400.0", "MARK_PRICE", true]);
      assert.equal((await openOrders(alice))[0]!["orderId"], 2);
      assert.deepEqual(ok(await desk.bench.call("GET", "/fapi/v1/openAlgoOrders", {}, alice)), []);
      await desk.bench.price("BTCUSDT", 60_400);
      assert.deepEqual(await openOrders(alice), []);
      const position = ok<Body[]>(await desk.bench.call("GET", "/fapi/v3/positionRisk", {}, alice))[0]!;
      assert.equal(position["positionAmt"], "0.100");
    });

    it("WIRE-11: TRAILING_STOP_MARKET acts as STOP_MARKET on its stopPrice", async () => {
      const trailing = market({ side: "SELL", type: "TRAILING_STOP_MARKET", activationPrice: "1", callbackRate: "99" });
      refused(await place(alice, trailing), -1102, /'stopPrice'/);
      const order = ok(await place(alice, { ...trailing, stopPrice: "59000" }));
      assert.deepEqual([order["type"], order["stopPrice"]], ["STOP_MARKET", "59000.0"]);
    });

    it("FUT-8: closePosition takes no quantity and fits two types only", async () => {
      const close = market({
        side: "SELL",
        type: "STOP_MARKET",
        stopPrice: "59000",
        quantity: undefined,
        closePosition: true,
      });
      const order = ok(await place(alice, close));
      assert.deepEqual([order["closePosition"], order["origQty"], order["type"]], [true, "0.000", "STOP_MARKET"]);
      refused(await place(alice, { ...close, quantity: "0.1" }), -4137);
      refused(await place(alice, { ...limit(), closePosition: "true", quantity: undefined }), -4136);
    });

    it("FUT-8: a trigger that has been reached is -2021, with the prices", async () => {
      const details = refused(
        await place(alice, market({ type: "STOP_MARKET", stopPrice: "59000" })),
        -2021,
        "Order would immediately trigger.",
      );
      assert.deepEqual(details, { rule: "would_trigger", limit: "60000.0", actual: "59000.0" });
    });
  });

  describe("client ids", () => {
    it("an order without one has one of our form, which finds it; nobody may give such a one", async () => {
      const order = ok(await place(alice, limit({ price: "59000" })));
      assert.equal(order["clientOrderId"], "bourse-1");
      const query = { symbol: "BTCUSDT", origClientOrderId: "bourse-1" };
      assert.equal(ok(await desk.bench.call("GET", "/fapi/v1/order", query, alice))["orderId"], 1);
      refused(await place(alice, limit({ newClientOrderId: "bourse-2" })), -4015);
      assert.equal(ok(await desk.bench.call("DELETE", "/fapi/v1/order", query, alice))["status"], "CANCELED");
    });

    it("-4015 for other characters and lengths, -4116 while another open order has it", async () => {
      for (const id of ["a b", "ä", "x".repeat(37), "a&b", "<script>"]) {
        refused(await place(alice, limit({ newClientOrderId: id })), -4015, "Client order id is not valid.");
      }
      ok(await place(alice, limit({ price: "59000", newClientOrderId: "x".repeat(36) })));
      refused(await place(alice, limit({ newClientOrderId: "x".repeat(36) })), -4116, "ClientOrderId is duplicated.");
      ok(await place(bob, limit({ price: "59000", newClientOrderId: "x".repeat(36) })));
    });
  });

  describe("testing an order", () => {
    it("FUT-8: one with a trigger is tested like one that is placed", async () => {
      const before = desk.bench.hash();
      const stop = market({ side: "SELL", type: "STOP_MARKET", stopPrice: "59000" });
      const test = (parameters: Parameters) => desk.bench.call("POST", "/fapi/v1/order/test", parameters, alice);
      assert.deepEqual(ok(await test(stop)), {});
      refused(await test({ ...stop, stopPrice: "60000" }), -2021, "Order would immediately trigger.");
      assert.equal(desk.bench.hash(), before);
    });

    it("FUT-16, SEC-11: a wallet that has no account yet meets the checks in their order", async () => {
      for (const path of ["/fapi/v1/order/test", "/fapi/v1/order"]) {
        const test = (parameters: Parameters) => desk.bench.call("POST", path, parameters, "0xnew");
        refused(await test(limit({ price: "70000" })), -4016);
        refused(await test(limit({ reduceOnly: true })), -2022);
        refused(await test(limit()), -2019);
      }
      assert.equal(desk.bench.accounts.has("0xnew"), false);
    });

    it("answers {} or the refusal it would meet, and changes nothing", async () => {
      await desk.bench.seedFund();
      const before = desk.bench.hash();
      const test = (parameters: Parameters) => desk.bench.call("POST", "/fapi/v1/order/test", parameters, alice);
      assert.deepEqual(ok(await test(limit())), {});
      refused(await test(limit({ quantity: "20" })), -2019, "Margin is insufficient.");
      refused(await test(limit({ price: "70000" })), -4016, "Limit price can't be higher than 63000.0.");
      refused(await test(limit({ side: "SIDEWAYS" })), -1117);
      assert.equal(desk.bench.hash(), before);
      assert.deepEqual(await openOrders(alice), []);
    });
  });
});
