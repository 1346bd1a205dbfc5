import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  Engine,
  FIRST_MARKETS,
  isKnownRulesVersion,
  PRICE_MATCHES,
  type PriceMatch,
  previewOrder,
  RULES_WITH_ORDER_TERMS,
  readSnapshot,
  stateHash,
  writeSnapshot,
} from "@bourse/engine";
import { TestExchange } from "./exchange.ts";
import { orderOf } from "./options.ts";

const match = (name: (typeof PRICE_MATCHES)[number]) => PRICE_MATCHES.indexOf(name) as PriceMatch;
const MINUTE_ms = 60_000;

/** Ann and Bob with money, the mark at 60,000. */
function open(rulesVersion = RULES_WITH_ORDER_TERMS): TestExchange {
  const x = new TestExchange(FIRST_MARKETS, rulesVersion);
  x.price(60_000);
  x.trader("ann", 1_000_000);
  x.trader("bob", 1_000_000);
  return x;
}

const idsOf = (x: TestExchange, side: "bids" | "asks") => x.book(side).map(([, , id]) => id);

describe("orders with an end", () => {
  it("FUT-25: leave with the first command at or after their time, by time and id, before the command", () => {
    const x = open();
    const start_ms = x.time_ms;
    x.buy("ann", 0.1, { at: 59_000, goodTill_ms: start_ms + 2 * MINUTE_ms });
    x.buy("bob", 0.1, { at: 59_001, goodTill_ms: start_ms + MINUTE_ms });
    x.stop("ann", "buy", 0.1, { trigger: 61_000, limit: 61_000, goodTill_ms: start_ms + MINUTE_ms });
    x.buy("ann", 0.1, { at: 58_000 });
    assert.deepEqual(x.advance(MINUTE_ms - 1).kinds, []);
    // The refused command comes last, and what was touched before it is closed off.
    x.time_ms = start_ms + 2 * MINUTE_ms;
    const answer = x.cancel("ann", 1);
    assert.deepEqual(answer.kinds, ["order_closed", "conditional_closed", "order_closed", "refused"]);
    const [first, second, third] = answer.events;
    assert.deepEqual(
      { ...first },
      {
        kind: "order_closed",
        ...{ order: 2, account: 2, market: 0, status: "EXPIRED", reason: "good_till" },
        ...{ lots: 100, executedLots: 0, quote_micros: 0 },
      },
    );
    assert.deepEqual(
      { ...second },
      { kind: "conditional_closed", conditional: 3, account: 1, market: 0, status: "EXPIRED", reason: "good_till" },
    );
    assert.equal(third?.kind === "order_closed" && third.order, 1);
    assert.deepEqual(idsOf(x, "bids"), [4]);
    assert.equal(x.engine.state.expiries.count, 0);
  });

  it("FUT-25: what is left of a partly filled order ends, and an order that was not filled takes its triggers along", () => {
    const x = open();
    const goodTill_ms = x.time_ms + MINUTE_ms;
    x.buy("ann", 0.2, { at: 59_000, goodTill_ms, stopLoss: { at: 50_000 } });
    x.buy("ann", 0.2, { at: 58_000, goodTill_ms, stopLoss: { at: 50_000 } });
    x.sell("bob", 0.1, { at: 59_000, tif: "IOC" });
    const answer = x.advance(MINUTE_ms);
    assert.deepEqual(answer.kinds, ["order_closed", "order_closed", "conditional_closed"]);
    assert.equal(answer.events[0]?.kind === "order_closed" && answer.events[0].executedLots, 100);
    assert.equal(x.position("ann").conditionals, 1);
    assert.equal(x.position("ann").lots, 100);
  });

  it("FUT-25: an end that has passed is refused; only GTC limit orders and their triggers have one", () => {
    const x = open();
    assert.equal(x.buy("ann", 0.1, { at: 59_000, goodTill_ms: x.time_ms }).refusal, "good_till_passed");
    const trigger = { trigger: 61_000, limit: 61_000 };
    assert.equal(x.stop("ann", "buy", 0.1, { ...trigger, goodTill_ms: x.time_ms - 5 }).refusal, "good_till_passed");
    const goodTill_ms = x.time_ms + MINUTE_ms;
    for (const tif of ["IOC", "FOK", "GTX"] as const) {
      assert.equal(x.buy("ann", 0.1, { at: 59_000, tif, goodTill_ms }).refusal, "bad_field");
    }
    assert.equal(x.buy("ann", 0.1, { goodTill_ms }).refusal, "bad_field");
    assert.equal(x.stop("ann", "buy", 0.1, { trigger: 61_000, tif: "GTC", goodTill_ms }).refusal, "bad_field");
    for (const wrong of [-1, 0.5, 8.64e15 + 1, Number.NaN]) {
      assert.equal(x.buy("ann", 0.1, { at: 59_000, goodTill_ms: wrong }).refusal, "bad_field");
    }
    assert.equal(x.engine.state.lastOrderId, 0);
  });

  it("FUT-25: a modified order keeps its end, a fired trigger passes it on, a snapshot has it", () => {
    const x = open();
    const goodTill_ms = x.time_ms + MINUTE_ms;
    const order = x.buy("ann", 0.1, { at: 59_000, goodTill_ms }).one("order_opened").order;
    x.modify("ann", order, 0.2, 59_100);
    x.stop("bob", "sell", 0.1, { trigger: 59_500, limit: 60_500, goodTill_ms, by: "mark", keepsId: true });
    assert.equal(x.price(59_500).one("order_opened").goodTill_ms, goodTill_ms);
    const restored = readSnapshot(writeSnapshot(x.engine.state));
    assert.equal(stateHash(restored.state), stateHash(x.engine.state));
    restored.apply({ kind: "advance_time", time_ms: goodTill_ms });
    assert.deepEqual(restored.events.decode(), x.advance(MINUTE_ms).events);
    assert.deepEqual([x.book("bids"), x.book("asks")], [[], []]);
  });

  it("LOG-5: version 6 is what a new exchange begins with", () => {
    assert.equal(new Engine().state.rulesVersion, RULES_WITH_ORDER_TERMS);
    assert.equal(isKnownRulesVersion(RULES_WITH_ORDER_TERMS), true);
  });

  it("LOG-5: rules before version 6 know neither", () => {
    const x = open(RULES_WITH_ORDER_TERMS - 1);
    x.buy("ann", 0.1, { at: 59_000 });
    assert.equal(x.buy("ann", 0.1, { at: 59_000, goodTill_ms: x.time_ms + 1 }).refusal, "bad_field");
    assert.equal(x.buy("ann", 0.1, { priceMatch: match("QUEUE") }).refusal, "bad_field");
    const trigger = { trigger: 61_000, priceMatch: match("QUEUE") };
    assert.equal(x.stop("ann", "buy", 0.1, trigger).refusal, "bad_field");
    assert.equal(x.modifyTo("ann", 1, 0.1, match("QUEUE")).refusal, "bad_field");
    const raise = { kind: "set_rules_version", number: x.nextNumber(), version: RULES_WITH_ORDER_TERMS } as const;
    x.apply({ ...raise, time_ms: x.time_ms });
    assert.equal(x.buy("ann", 0.1, { priceMatch: match("QUEUE") }).one("order_opened").ticks, 590_000);
  });
});

describe("prices from the book", () => {
  /** Bids at 59,900, 59,899 … and asks at 60,000, 60,001 …, each price twice. */
  function withBook(levels: number): TestExchange {
    const x = open();
    for (let place = 0; place < levels; place += 1) {
      for (const quantity of [0.01, 0.02]) {
        x.buy("bob", quantity, { at: 59_900 - place });
        x.sell("bob", quantity, { at: 60_000 + place });
      }
    }
    return x;
  }

  it("FUT-26: OPPONENT and QUEUE are the best price of the other and of the own side, _N the N-th level", () => {
    const x = withBook(20);
    const expected = [
      ["QUEUE", 59_900],
      ["QUEUE_5", 59_896],
      ["QUEUE_10", 59_891],
      ["QUEUE_20", 59_881],
      ["OPPONENT_5", 60_004],
      ["OPPONENT_10", 60_009],
      ["OPPONENT_20", 60_019],
      ["OPPONENT", 60_000],
    ] as const;
    for (const [name, price] of expected) {
      const opened = x.buy("ann", 0.001, { priceMatch: match(name) }).one("order_opened");
      assert.deepEqual([opened.ticks, opened.priceMatch], [price * 10, match(name)], name);
      x.cancelAll("ann");
    }
    assert.equal(x.sell("ann", 0.001, { priceMatch: match("QUEUE_5"), tif: "GTX" }).one("order_opened").ticks, 600_040);
    assert.equal(x.sell("ann", 0.001, { priceMatch: match("OPPONENT"), tif: "GTX" }).refusal, "post_only_would_take");
  });

  it("FUT-26: a level that the book does not have refuses, of an order, a modification and a trigger that fires", () => {
    const x = withBook(4);
    assert.equal(x.buy("ann", 0.001, { priceMatch: match("QUEUE_5") }).refusal, "no_price_level");
    assert.equal(open().buy("ann", 0.001, { priceMatch: match("OPPONENT") }).refusal, "no_price_level");
    const own = x.buy("ann", 0.001, { at: 59_000 }).one("order_opened").order;
    assert.equal(x.modifyTo("ann", own, 0.001, match("OPPONENT_20")).refusal, "no_price_level");
    x.stop("ann", "buy", 0.001, { trigger: 61_000, priceMatch: match("OPPONENT_10"), tif: "GTC", by: "mark" });
    const closed = x.price(61_000).one("conditional_closed");
    assert.deepEqual([closed.status, closed.reason], ["REJECTED", "no_price_level"]);
  });

  it("FUT-26: the price goes through every check; a price beside it is malformed", () => {
    const x = open();
    x.buy("bob", 0.01, { at: 40_000 });
    x.price(45_000);
    assert.equal(x.sell("ann", 0.01, { priceMatch: match("OPPONENT") }).refusal, "price_below_band");
    assert.equal(x.buy("ann", 0.01, { at: 40_000, priceMatch: match("QUEUE") }).refusal, "bad_field");
    assert.equal(x.buy("ann", 900, { priceMatch: match("QUEUE") }).refusal, "max_notional");
    assert.equal(
      x.trailing("ann", "sell", 0.01, { callback_bps: 50, priceMatch: match("QUEUE") }).refusal,
      "bad_field",
    );
  });

  it("FUT-26: a modification finds the price anew, in a book that has the order in it", () => {
    const x = withBook(5);
    const order = x.buy("ann", 0.01, { priceMatch: match("QUEUE_5") }).one("order_opened").order;
    x.buy("bob", 0.01, { at: 59_950 });
    const amended = x.modifyTo("ann", order, 0.01, match("QUEUE")).one("order_amended");
    assert.deepEqual([amended.ticks, amended.priceMatch], [599_500, match("QUEUE")]);
    assert.equal(x.modifyTo("ann", order, 0.01, match("QUEUE")).refusal, "nothing_to_modify");
    assert.equal(x.modify("ann", order, 0.01, 59_000).one("order_amended").priceMatch, 0);
  });

  it("FUT-26: a trigger finds its price when it fires", () => {
    const x = withBook(5);
    x.stop("ann", "buy", 0.001, { trigger: 60_500, priceMatch: match("QUEUE"), tif: "GTC", by: "mark" });
    x.buy("bob", 0.01, { at: 59_990 });
    assert.equal(x.price(60_500).one("order_opened").ticks, 599_900);
  });

  it("FUT-18, FUT-26: a preview has the price of the whole book", () => {
    const x = withBook(5);
    const { definition } = x.engine.state.markets[0]!;
    const draft = orderOf(definition, 0, 0, 0.01, { priceMatch: match("QUEUE_5") });
    const preview = previewOrder(x.engine, x.number("ann"), draft);
    assert.equal(preview.kind === "taken" && preview.figures.notional_micros, 598_960_000);
    const tooDeep = previewOrder(x.engine, x.number("ann"), { ...draft, priceMatch: match("QUEUE_10") });
    assert.equal(tooDeep.kind === "refused" && tooDeep.refusal.reason, "no_price_level");
  });
});
