import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { RULES_WITH_ORDER_TERMS } from "@bourse/engine";
import { type Bench, type Body, createBench, limitOrder as limit, ok, type Parameters, refused } from "./testing.ts";
import { useHistory } from "./testing-history.ts";

const HOUR_ms = 3_600_000;
const STOP = { type: "STOP", side: "SELL", stopPrice: "59000", price: "58900" };

describe("GTD and priceMatch on the exchange-style interface", () => {
  const past = useHistory();
  const { alice, bob, get } = past;
  const place = (who: string, parameters: Parameters) => past.bench.call("POST", "/fapi/v1/order", parameters, who);
  const end_ms = () => past.bench.clock.now() + HOUR_ms;
  const pass = (duration_ms: number) => {
    past.bench.clock.advance(duration_ms);
    return past.bench.submit({ kind: "advance_time" });
  };

  it("FUT-25: a GTD order rests until its time, in whole seconds, and then is EXPIRED in its history", async () => {
    const goodTillDate = end_ms() + 345;
    const shown = { timeInForce: "GTD", goodTillDate: goodTillDate - 345, priceMatch: "NONE", status: "NEW" };
    const placed = ok(await place(alice, limit({ price: "58000", timeInForce: "GTD", goodTillDate })));
    const { orderId } = placed;
    const seen = (order: Record<string, unknown>) =>
      Object.fromEntries(Object.keys(shown).map((name) => [name, order[name]]));
    assert.deepEqual(seen(placed), shown);
    assert.deepEqual(seen(await get("openOrder", { orderId: Number(orderId) })), shown);
    await pass(HOUR_ms - 1);
    assert.deepEqual(seen(await get("order", { orderId: Number(orderId) })), shown);
    await pass(1);
    assert.deepEqual(seen(await get("order", { orderId: Number(orderId) })), { ...shown, status: "EXPIRED" });
  });

  it("FUT-25: a GTD order keeps its end when it is modified, and a trigger passes it on", async () => {
    const goodTillDate = end_ms();
    const gtd = { timeInForce: "GTD", goodTillDate };
    const { orderId } = ok(await place(alice, limit({ ...gtd, price: "58000" })));
    const change = { symbol: "BTCUSDT", orderId: Number(orderId), quantity: "0.2", price: "58100" };
    const modified = ok(await past.bench.call("PUT", "/fapi/v1/order", change, alice));
    assert.deepEqual([modified["timeInForce"], modified["goodTillDate"]], ["GTD", goodTillDate]);
    const waiting = ok(await place(alice, { ...limit(STOP), ...gtd }));
    assert.deepEqual([waiting["timeInForce"], waiting["goodTillDate"]], ["GTD", goodTillDate]);
    const algo = ok(
      await past.bench.call(
        "POST",
        "/fapi/v1/algoOrder",
        { ...limit(STOP), ...gtd, stopPrice: undefined, algoType: "CONDITIONAL", triggerPrice: "59000" },
        alice,
      ),
    );
    assert.deepEqual([algo["timeInForce"], algo["goodTillDate"]], ["GTD", goodTillDate]);
    await pass(HOUR_ms);
    assert.equal((await get<Body>("order", { orderId: Number(waiting["orderId"]) }))["status"], "EXPIRED");
    const ended = ok(await past.bench.call("GET", "/fapi/v1/algoOrder", { algoId: Number(algo["algoId"]) }, alice));
    assert.deepEqual([ended["algoStatus"], ended["goodTillDate"]], ["EXPIRED", goodTillDate]);
    assert.deepEqual(await get("openOrders", {}), []);
  });

  it("FUT-25: what a command's time ends does not hide what the command did", async () => {
    ok(await place(alice, limit({ price: "58000", timeInForce: "GTD", goodTillDate: end_ms() })));
    past.bench.clock.advance(HOUR_ms);
    refused(await place(alice, limit({ price: "70000" })), -4016);
    ok(await place(alice, limit({ price: "58000", timeInForce: "GTD", goodTillDate: end_ms() })));
    past.bench.clock.advance(HOUR_ms);
    assert.equal(ok(await place(bob, limit({ price: "57000" })))["status"], "NEW");
    await past.bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, bob);
  });

  it("FUT-25: an end that is none, too near or too far is -5040, a missing one -1102; GTD goes with a limit price", async () => {
    const hash = past.bench.hash();
    const gtd = { price: "58000", timeInForce: "GTD" };
    const now_ms = past.bench.engine.state.time_ms;
    for (const goodTillDate of [now_ms, now_ms + 600_000, 253_402_300_799_000, "soon", "1e13", "-5", "0", "1.5"]) {
      refused(await place(alice, limit({ ...gtd, goodTillDate })), -5040, /goodTillDate/);
    }
    refused(await place(alice, limit(gtd)), -1102, /'goodTillDate'/);
    refused(await place(alice, limit({ ...gtd, goodTillDate: "" })), -1102);
    const stop = { ...limit(STOP), type: "STOP_MARKET", price: undefined, timeInForce: "GTD", goodTillDate: end_ms() };
    refused(await place(alice, stop), -1115, /limit price/);
    assert.equal(past.bench.hash(), hash);
    // Without GTD it says nothing.
    const plain = ok(await place(alice, limit({ price: "58000", goodTillDate: "soon" })));
    assert.deepEqual([plain["timeInForce"], plain["goodTillDate"]], ["GTC", 0]);
    await past.bench.call("DELETE", "/fapi/v1/allOpenOrders", { symbol: "BTCUSDT" }, alice);
  });

  it("FUT-26: a price from the book, of an order, its modification and a trigger that fires", async () => {
    for (const price of ["59800", "59801", "59802", "59803", "59804"]) ok(await place(bob, limit({ price })));
    const bare = limit({ price: undefined });
    const placed = ok(await place(alice, { ...bare, priceMatch: "QUEUE_5" }));
    assert.deepEqual([placed["price"], placed["priceMatch"], placed["status"]], ["59800.0", "QUEUE_5", "NEW"]);
    const name = { symbol: "BTCUSDT", orderId: Number(placed["orderId"]) };
    const modify = (change: Parameters) =>
      past.bench.call("PUT", "/fapi/v1/order", { ...name, quantity: "0.1", ...change }, alice);
    const modified = ok(await modify({ priceMatch: "QUEUE" }));
    assert.deepEqual([modified["price"], modified["priceMatch"]], ["59804.0", "QUEUE"]);
    refused(await modify({ priceMatch: "QUEUE" }), -5027);
    refused(await modify({ priceMatch: "QUEUE_20" }), -5041);
    refused(await modify({ priceMatch: "QUEUE", price: "59000" }), -5037);
    refused(await modify({}), -1102, /'price'/);
    ok(await past.bench.call("DELETE", "/fapi/v1/order", name, alice));
    const ended = await get<Body>("order", name);
    assert.deepEqual([ended["price"], ended["priceMatch"]], ["59804.0", "QUEUE"]);
    const waiting = ok(await place(alice, { ...limit(STOP), price: undefined, priceMatch: "OPPONENT" }));
    assert.deepEqual([waiting["type"], waiting["price"], waiting["priceMatch"]], ["STOP", "0", "OPPONENT"]);
    await past.bench.price("BTCUSDT", 59_000);
    await past.bench.price("BTCUSDT", 60_000);
  });

  it("FUT-26: a match that is none or has a price beside it is -5037, one of a market order -5038, no such level -5041", async () => {
    const bare = limit({ price: undefined });
    const hash = past.bench.hash();
    for (const priceMatch of ["queue", "QUEUE_3", "BEST", "__proto__", "x".repeat(500)]) {
      refused(await place(alice, { ...bare, priceMatch }), -5037);
    }
    refused(await place(alice, limit({ price: "59000", priceMatch: "QUEUE" })), -5037, /without price/);
    refused(await place(alice, { ...bare, type: "MARKET", timeInForce: undefined, priceMatch: "QUEUE" }), -5038);
    assert.equal(past.bench.hash(), hash);
    refused(await place(alice, { ...bare, priceMatch: "OPPONENT_20" }), -5041);
    const info = ok(await past.bench.call("GET", "/fapi/v1/exchangeInfo"));
    const [symbol] = info["symbols"] as { readonly timeInForce: readonly string[] }[];
    assert.ok(symbol!.timeInForce.includes("GTD"));
  });
});

describe("GTD and priceMatch before rules version 6", () => {
  let bench: Bench;
  let alice: string;

  before(async () => {
    bench = await createBench({ rulesVersion: RULES_WITH_ORDER_TERMS - 1 });
    await bench.price("BTCUSDT", 60_000);
    alice = await bench.trader("a11ce", 100_000);
  });
  after(() => bench.close());

  it("FUT-20: are refused with -1115 and -1128, as they were", async () => {
    const place = (parameters: Parameters) => bench.call("POST", "/fapi/v1/order", parameters, alice);
    const order = limit({ price: "58000" });
    refused(await place({ ...order, timeInForce: "GTD", goodTillDate: bench.clock.now() + HOUR_ms }), -1115);
    refused(await place({ ...order, timeInForce: "GTD" }), -1115, /GTD is not supported/);
    refused(await place({ ...order, price: undefined, priceMatch: "QUEUE" }), -1128, "priceMatch is not supported.");
    const info = ok(await bench.call("GET", "/fapi/v1/exchangeInfo"));
    const [symbol] = info["symbols"] as { readonly timeInForce: readonly string[] }[];
    assert.equal(symbol!.timeInForce.includes("GTD"), false);
  });
});
