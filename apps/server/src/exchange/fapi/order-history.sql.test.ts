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

  it("FUT-8: what a fired stop left is NEW again where it was placed, and can be found and cancelled there", async () => {
    const [erin, frank] = [await past.bench.trader("e41", 50_000), await past.bench.trader("f4a", 50_000)];
    for (const who of [alice, bob]) {
      ok(await past.bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, who));
    }
    const call = (method: "GET" | "POST" | "DELETE", path: string, parameters: object) =>
      past.bench.call(method, `/fapi/v1/${path}`, { symbol: "BTCUSDT", ...parameters }, erin);
    const rowsOf = async (path: string) => ok<Body[]>(await call("GET", path, {}));
    await past.bench.price("BTCUSDT", 60_000);
    await order(frank, "SELL", "0.4", "60000");
    await order(erin, "BUY", "0.4", "60000");
    await order(frank, "BUY", "0.1", "59500");
    const stop = { side: "SELL", quantity: "0.2", reduceOnly: true, workingType: "MARK_PRICE", type: "STOP_MARKET" };
    const orderId = Number(ok(await call("POST", "order", { ...stop, stopPrice: "59700" }))["orderId"]);
    await past.bench.price("BTCUSDT", 59_690);
    const algo = { ...stop, algoType: "CONDITIONAL", triggerPrice: "59680" };
    const algoId = Number(ok(await call("POST", "algoOrder", algo))["algoId"]);
    await order(frank, "BUY", "0.1", "59500");
    await past.bench.price("BTCUSDT", 59_670);

    // The order took 0.1, then a price came and took the other 0.1; the conditional order found nothing.
    const waiting = ok(await call("GET", "algoOrder", { algoId }));
    assert.deepEqual([waiting["algoStatus"], waiting["quantity"]], ["NEW", "0.200"]);
    const first = await rowsOf("allOrders");
    const ended = first.find((row) => row["orderId"] === orderId)!;
    assert.deepEqual([ended["status"], ended["executedQty"], ended["origQty"]], ["EXPIRED", "0.100", "0.200"]);

    const again = Number(ok(await call("POST", "order", { ...stop, stopPrice: "59600" }))["orderId"]);
    await order(frank, "BUY", "0.1", "59500");
    await past.bench.price("BTCUSDT", 59_590);
    const open = await rowsOf("openOrders");
    const ids = open.map((row) => [row["orderId"], row["status"], row["origQty"], row["origType"]]);
    assert.deepEqual(ids, [[again, "NEW", "0.100", "STOP_MARKET"]]);
    const found = ok(await call("GET", "order", { orderId: again }));
    assert.deepEqual([found["status"], found["origQty"], found["type"]], ["NEW", "0.100", "STOP_MARKET"]);
    const algos = (await rowsOf("openAlgoOrders")).map((row) => [row["algoId"], row["algoStatus"], row["quantity"]]);
    assert.deepEqual(algos, [[algoId, "NEW", "0.100"]]);
    const cancelled = ok(await call("DELETE", "order", { orderId: again }));
    assert.equal(cancelled["status"], "CANCELED");
    assert.deepEqual(await rowsOf("openOrders"), []);
    ok(await call("DELETE", "algoOrder", { algoId }));
    const all = (await rowsOf("allAlgoOrders")).map((row) => [row["algoId"], row["algoStatus"]]);
    assert.deepEqual(all, [
      [orderId, "FINISHED"],
      [algoId, "CANCELED"],
      [again, "CANCELED"],
    ]);
    await past.bench.price("BTCUSDT", 60_200);
  });
});
