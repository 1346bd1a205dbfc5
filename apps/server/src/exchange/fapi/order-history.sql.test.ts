import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ISOLATED } from "@bourse/engine";
import { type Body, ok } from "./testing.ts";
import { useHistory } from "./testing-history.ts";

describe("what became of orders and positions on the exchange-style interface", () => {
  const past = useHistory();
  const { alice, bob, get, order } = past;

  it("FUT-7: orderAmendment tells how an order was modified", async () => {
    const placed = await order(alice, "BUY", "0.1", "59000");
    const orderId = Number(placed["orderId"]);
    ok(
      await past.bench.call(
        "PUT",
        "/fapi/v1/order",
        { symbol: "BTCUSDT", orderId, quantity: "0.2", price: "59100" },
        alice,
      ),
    );
    const [amendment] = await get("orderAmendment", { orderId });
    assert.deepEqual(amendment!["amendment"], {
      price: { before: "59000.0", after: "59100.0" },
      origQty: { before: "0.100", after: "0.200" },
      count: 1,
    });
    assert.deepEqual(
      [amendment!["orderId"], amendment!["symbol"], amendment!["pair"]],
      [orderId, "BTCUSDT", "BTCUSDT"],
    );
    ok(await past.bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, alice));
  });

  it("FUT-8: conditional orders after they fired or were cancelled, on both interfaces", async () => {
    await past.bench.price("BTCUSDT", 60_200);
    ok(await past.bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, bob));
    await order(bob, "SELL", "1", "60400");
    const base = { symbol: "BTCUSDT", side: "BUY", quantity: "0.1", workingType: "MARK_PRICE" };
    const algo = ok(
      await past.bench.call(
        "POST",
        "/fapi/v1/algoOrder",
        { ...base, algoType: "CONDITIONAL", type: "STOP_MARKET", triggerPrice: "60300" },
        alice,
      ),
    );
    const stop = ok(
      await past.bench.call(
        "POST",
        "/fapi/v1/order",
        { ...base, type: "STOP", stopPrice: "60300", price: "60400" },
        alice,
      ),
    );
    await past.bench.price("BTCUSDT", 60_300);
    const ended = ok(await past.bench.call("GET", "/fapi/v1/algoOrder", { algoId: Number(algo["algoId"]) }, alice));
    assert.equal(ended["algoStatus"], "FINISHED");
    assert.equal(ended["actualPrice"], "60400.0");
    assert.match(String(ended["actualOrderId"]), /^\d+$/);
    assert.equal(ended["triggerTime"], past.bench.clock.now());
    const fired = await get<Body>("order", { orderId: Number(stop["orderId"]) });
    assert.deepEqual(
      [fired["status"], fired["type"], fired["origType"], fired["stopPrice"], fired["avgPrice"]],
      ["FILLED", "LIMIT", "STOP", "60300.0", "60400.0"],
    );
    assert.deepEqual(
      (await get("allAlgoOrders")).map(({ algoStatus }) => algoStatus),
      ["FINISHED"],
    );
  });

  it("positionMargin/history", async () => {
    const carol = await past.bench.trader("ca401", 2_000);
    await past.bench.submit({
      kind: "set_margin_mode",
      account: past.bench.accounts.get(carol)!,
      market: 0,
      mode: ISOLATED,
    });
    await order(carol, "BUY", "0.1", "60400");
    ok(await past.bench.call("POST", "/fapi/v1/positionMargin", { symbol: "BTCUSDT", amount: "100", type: 1 }, carol));
    ok(await past.bench.call("POST", "/fapi/v1/positionMargin", { symbol: "BTCUSDT", amount: "40.5", type: 2 }, carol));
    const moves = await get("positionMargin/history", {}, carol);
    assert.deepEqual(
      moves.map(({ type, amount, asset }) => [type, amount, asset]),
      [
        [1, "100.00", "USDT"],
        [2, "40.50", "USDT"],
      ],
    );
    assert.equal((await get("positionMargin/history", { type: 2 }, carol)).length, 1);
  });

  it("FUT-12: forceOrders shows the order by which a position was liquidated", async () => {
    const dave = await past.bench.trader("da4e", 700);
    await order(bob, "SELL", "0.1", "60400");
    await order(dave, "BUY", "0.1", "60400");
    await order(alice, "BUY", "1", "57000");
    await past.bench.price("BTCUSDT", 53_800);
    const [forced] = await get("forceOrders", { symbol: undefined }, dave);
    assert.deepEqual([forced!["side"], forced!["status"], forced!["reduceOnly"]], ["SELL", "FILLED", true]);
    assert.deepEqual(await get("forceOrders", { autoCloseType: "ADL" }, dave), []);
  });

  it("a cancel that is sent together with its order finds it; of two cancels one is told that it is gone", async () => {
    const placing = {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: "0.01",
      price: "52000",
    };
    const one = { symbol: "BTCUSDT", origClientOrderId: "quick" };
    past.log.hold();
    const replies = [past.bench.call("POST", "/fapi/v1/order", { ...placing, newClientOrderId: "quick" }, alice)];
    await past.log.isAsked;
    replies.push(
      past.bench.call("DELETE", "/fapi/v1/order", one, alice),
      past.bench.call("DELETE", "/fapi/v1/order", one, alice),
    );
    while (past.bench.exchange.waiting < 3) await new Promise((resolve) => setImmediate(resolve));
    past.log.release();
    const [placed, ...cancels] = await Promise.all(replies);
    assert.equal(ok(placed!)["status"], "NEW");
    const outcomes = cancels.map((reply) => reply.json<Body>()).map(({ status, code }) => status ?? code);
    assert.deepEqual(outcomes, ["CANCELED", -2011]);
  });
});
