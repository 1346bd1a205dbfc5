import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { earlierExchange, TestExchange } from "./exchange.ts";

/** Ann, Bob and Cid with plenty of money, BTC at 60,000. */
function market(x = new TestExchange()): TestExchange {
  x.price(60_000);
  for (const name of ["ann", "bob", "cid"]) x.trader(name, 1_000_000);
  return x;
}

/** Moves the price that a trigger watches: the mark price, or the last price by a trade of other accounts. */
function move(x: TestExchange, by: "last" | "mark", price: number) {
  return by === "mark" ? x.price(price) : x.trade("bob", "cid", 0.01, price);
}

describe("triggers", () => {
  const cases = [
    ["stop", "buy", 61_000, 60_999.9],
    ["stop", "sell", 59_000, 59_000.1],
    ["takeProfit", "sell", 61_000, 60_999.9],
    ["takeProfit", "buy", 59_000, 59_000.1],
  ] as const;
  // From version 5 on the last price counts near the mark only: see `fair-orders.test.ts`.
  const watching = (by: "last" | "mark") => market(by === "last" ? earlierExchange() : undefined);
  for (const by of ["last", "mark"] as const) {
    for (const [type, side, trigger, before] of cases) {
      it(`FUT-8: ${type} ${side} by ${by} fires at its price, not a tick before`, () => {
        const x = watching(by);
        move(x, by, 60_000);
        const { conditional } = x[type]("ann", side, 0.1, { trigger, by });
        assert.equal(move(x, by, before).all("conditional_triggered").length, 0);
        const answer = move(x, by, trigger);
        const fired = answer.one("conditional_triggered");
        const opened = answer.all("order_opened").find((event) => event.conditional === conditional);
        assert.deepEqual([fired.conditional, fired.order], [conditional, opened?.order]);
        assert.deepEqual([opened?.lots, opened?.type, opened?.account], [100, 1, x.number("ann")]);
        assert.equal(x.position("ann").conditionals, 0);
      });

      it(`FUT-8: ${type} ${side} by ${by} is refused when it would fire at once`, () => {
        const x = watching(by);
        move(x, by, trigger);
        const refused = x[type]("ann", side, 0.1, { trigger, by });
        assert.deepEqual([refused.refusal, refused.bounds], ["would_trigger", [trigger * 10, trigger * 10]]);
      });
    }
  }

  it("FUT-8: before the first trade the mark price replaces the last price", () => {
    const x = market();
    const { conditional } = x.stop("ann", "buy", 0.1, { trigger: 61_000, by: "last" });
    assert.equal(x.price(61_000).one("conditional_triggered").conditional, conditional);
    x.trade("bob", "cid", 0.01, 60_000);
    x.stop("ann", "buy", 0.1, { trigger: 62_000, by: "last" });
    assert.equal(x.price(62_000).all("conditional_triggered").length, 0);
  });

  it("FUT-8: rising ones fire from the lowest trigger, falling ones from the highest, then by id", () => {
    const x = market();
    const high = x.stop("ann", "buy", 0.1, { trigger: 61_000, by: "mark" }).conditional;
    const low = x.stop("ann", "buy", 0.1, { trigger: 60_500, by: "mark" }).conditional;
    const low2 = x.takeProfit("bob", "sell", 0.1, { trigger: 60_500, by: "mark" }).conditional;
    const fired = x.price(61_500).all("conditional_triggered");
    assert.deepEqual(
      fired.map(({ conditional }) => conditional),
      [low, low2, high],
    );
  });

  it("FUT-8: an order that fires moves the last price, and that fires the next", () => {
    const x = market();
    x.trade("bob", "cid", 0.01, 60_000);
    x.sell("bob", 0.1, { at: 60_600 });
    x.sell("bob", 0.1, { at: 60_900 });
    const first = x.stop("ann", "buy", 0.1, { trigger: 60_500, by: "mark" }).conditional;
    const second = x.stop("cid", "buy", 0.1, { trigger: 60_600, by: "last" }).conditional;
    const answer = x.price(60_500);
    assert.deepEqual(
      answer.all("conditional_triggered").map(({ conditional }) => conditional),
      [first, second],
    );
    assert.deepEqual(answer.trades, [
      [606_000, 100],
      [609_000, 100],
    ]);
  });

  it("FUT-8: nothing fires in a halted market, and the next price makes up for it", () => {
    const x = market();
    const { conditional } = x.stop("ann", "buy", 0.1, { trigger: 61_000, by: "mark" });
    x.status("halted");
    assert.deepEqual(x.price(61_000).kinds, ["price_set"]);
    assert.deepEqual(x.status("trading").kinds, ["market_status_set"]);
    assert.equal(x.price(61_000).one("conditional_triggered").conditional, conditional);
  });

  it("FUT-8: margin is asked for when it fires, not before", () => {
    const x = market();
    x.trader("poor", 500);
    const { conditional } = x.stop("poor", "buy", 0.1, { trigger: 61_000, by: "mark" });
    assert.equal(x.account("poor").available, 500_000_000);
    const answer = x.price(61_000);
    assert.deepEqual(answer.closedConditionals, [[conditional, "REJECTED", "margin_insufficient"]]);
    assert.equal(answer.all("order_opened").length, 0);
  });

  it("FUT-8: with price protection it expires when the last price is off the mark by more than the band", () => {
    const x = market();
    x.trade("bob", "cid", 0.01, 60_000);
    const safe = x.stop("ann", "buy", 0.1, { trigger: 62_000, by: "mark", priceProtect: true }).conditional;
    const { conditional } = x.stop("ann", "buy", 0.1, { trigger: 63_000, by: "mark", priceProtect: true });
    const plain = x.stop("ann", "buy", 0.1, { trigger: 63_000, by: "mark" }).conditional;
    assert.equal(x.price(62_000).one("conditional_triggered").conditional, safe);
    // 5 % of 63,157.9 is 3,157.895; of a tick less it is 3,157.89, which 3,157.8 does not pass.
    const answer = x.price(63_157.9);
    assert.deepEqual(answer.closedConditionals, [[conditional, "EXPIRED", "price_protect"]]);
    assert.equal(answer.one("conditional_triggered").conditional, plain);
  });

  it("FUT-8: price protection passes at the band itself", () => {
    const x = market();
    x.trade("bob", "cid", 0.01, 59_850);
    const { conditional } = x.stop("ann", "buy", 0.1, { trigger: 61_000, by: "mark", priceProtect: true });
    assert.equal(x.price(63_000).one("conditional_triggered").conditional, conditional);
  });
});

describe("trailing stops", () => {
  it("FUT-8: a sell is activated, follows the highest price and fires when it has come back", () => {
    const x = market();
    const { conditional } = x.trailing("ann", "sell", 0.1, { activate: 61_000, callback_bps: 100, by: "mark" });
    assert.deepEqual(x.price(60_999.9).kinds, ["price_set"]);
    assert.equal(x.price(61_000).one("conditional_activated").conditional, conditional);
    assert.deepEqual(x.price(62_000).kinds, ["price_set"]);
    assert.deepEqual(x.price(61_380.1).kinds, ["price_set"]);
    assert.equal(x.price(61_380).one("conditional_triggered").conditional, conditional);
  });

  it("FUT-8: a buy follows the lowest price up", () => {
    const x = market();
    const { conditional } = x.trailing("ann", "buy", 0.1, { activate: 59_000, callback_bps: 100, by: "mark" });
    assert.equal(x.price(58_000).one("conditional_activated").conditional, conditional);
    assert.deepEqual(x.price(58_579.9).kinds, ["price_set"]);
    assert.equal(x.price(58_580).one("conditional_triggered").conditional, conditional);
  });

  it("FUT-8: without an activation price it follows at once, from the last price", () => {
    const x = market();
    x.trade("bob", "cid", 0.01, 60_000);
    const { conditional } = x.trailing("ann", "sell", 0.1, { callback_bps: 10 });
    x.trade("bob", "cid", 0.01, 60_100);
    assert.equal(x.trade("bob", "cid", 0.01, 60_040).all("conditional_triggered").length, 0);
    assert.equal(x.trade("bob", "cid", 0.01, 60_039.9).one("conditional_triggered").conditional, conditional);
  });

  it("FUT-8: an activation price that is reached already is refused", () => {
    const x = market();
    assert.equal(x.trailing("ann", "sell", 0.1, { activate: 60_000, callback_bps: 100 }).refusal, "would_trigger");
    assert.equal(x.trailing("ann", "buy", 0.1, { activate: 60_000, callback_bps: 100 }).refusal, "would_trigger");
    assert.equal(x.trailing("ann", "buy", 0.1, { activate: 59_000, callback_bps: 9 }).refusal, "bad_field");
    assert.equal(x.trailing("ann", "buy", 0.1, { activate: 59_000, callback_bps: 1_001 }).refusal, "bad_field");
  });
});

describe("what a conditional order turns into", () => {
  it("FUT-8: close-position takes all of the position, whatever reduce-only orders there are", () => {
    const x = market();
    x.trade("ann", "bob", 0.5, 60_000);
    const reducing = x.sell("ann", 0.5, { at: 61_000, reduceOnly: true }).order;
    x.buy("bob", 0.5, { at: 58_900 });
    const { conditional } = x.stop("ann", "sell", 0, { trigger: 59_000, by: "mark", closePosition: true });
    const answer = x.price(59_000);
    assert.deepEqual(answer.trades, [[589_000, 500]]);
    assert.deepEqual(answer.closed, [[reducing, "CANCELED", "reduce_only_excess"]]);
    const { isReduceOnly, lots, conditional: from } = answer.one("order_opened");
    assert.deepEqual([isReduceOnly, lots, from], [1, 500, conditional]);
    assert.equal(x.position("ann").lots, 0);
  });

  it("FUT-8: close-position without a position against its side expires", () => {
    const x = market();
    x.trade("ann", "bob", 0.5, 60_000);
    const { conditional } = x.stop("ann", "buy", 0, { trigger: 61_000, by: "mark", closePosition: true });
    assert.deepEqual(x.price(61_000).closedConditionals, [[conditional, "EXPIRED", "no_position"]]);
  });

  it("FUT-8: with keepsId the order has its id, and its client id either way", () => {
    const x = market();
    const kept = x.stop("ann", "buy", 0.1, { trigger: 61_000, limit: 60_500, by: "mark", keepsId: true, name: "k" });
    const fresh = x.stop("ann", "buy", 0.1, { trigger: 61_000, limit: 60_500, by: "mark", name: "f" });
    assert.equal(x.buy("ann", 0.1, { at: 59_000, name: "k" }).refusal, "duplicate_client_id");
    const answer = x.price(61_000);
    assert.deepEqual(
      answer.all("order_opened").map(({ order, clientId, conditional }) => [order, clientId, conditional]),
      [
        [kept.conditional, "k", kept.conditional],
        [fresh.conditional + 1, "f", fresh.conditional],
      ],
    );
    assert.deepEqual(x.cancel("ann", "k").closed, [[kept.conditional, "CANCELED", "user"]]);
  });

  it("FUT-8: a limit order it turns into may rest, expire or be rejected by its time in force", () => {
    const x = market();
    x.sell("bob", 0.1, { at: 61_000 });
    const post = x.stop("ann", "buy", 0.1, { trigger: 61_000, limit: 61_000, by: "mark", tif: "GTX" }).conditional;
    const fok = x.stop("ann", "buy", 0.2, { trigger: 61_000, limit: 61_000, by: "mark", tif: "FOK" }).conditional;
    const ioc = x.stop("ann", "buy", 0.2, { trigger: 61_000, limit: 61_000, by: "mark", tif: "IOC" }).conditional;
    const answer = x.price(61_000);
    assert.deepEqual(answer.closedConditionals, [
      [post, "REJECTED", "post_only_would_take"],
      [fok, "REJECTED", "fok_not_filled"],
    ]);
    assert.equal(answer.one("order_opened").conditional, ioc);
    assert.deepEqual(answer.trades, [[610_000, 100]]);
    assert.equal(answer.one("order_closed").reason, "time_in_force");
  });
});

describe("attached triggers", () => {
  const ATTACHED = { takeProfit: { at: 61_000 }, stopLoss: { at: 59_000 } } as const;

  it("FUT-8: they sleep until the first fill of their parent, and one that fires ends the other", () => {
    const x = market(earlierExchange());
    const parent = x.buy("ann", 0.5, { at: 60_000, ...ATTACHED });
    const [profit, loss] = parent.all("conditional_opened");
    assert.deepEqual([profit?.side, profit?.lots, profit?.isReduceOnly, profit?.parent], [1, 500, 1, parent.order]);
    x.trade("bob", "cid", 0.01, 61_000);
    x.trade("bob", "cid", 0.01, 60_001);
    const woken = x.sell("bob", 0.2, { at: 60_000 }).all("conditional_activated");
    assert.equal(x.sell("bob", 0.1, { at: 60_000 }).all("conditional_activated").length, 0);
    assert.deepEqual(
      woken.map(({ conditional }) => conditional),
      [profit?.conditional, loss?.conditional],
    );
    const answer = x.trade("cid", "bob", 0.01, 61_000);
    assert.equal(answer.one("conditional_triggered").conditional, profit?.conditional);
    assert.deepEqual(answer.closedConditionals, [[loss?.conditional, "CANCELED", "sibling_triggered"]]);
    // Reduce-only: it is cut to what the parent has filled.
    assert.equal(answer.all("order_opened").find(({ conditional }) => conditional !== 0)?.lots, 300);
  });

  it("FUT-8: one whose price was passed while it slept fires as it wakes", () => {
    const x = market();
    const parent = x.buy("ann", 0.5, { at: 60_000, stopLoss: { at: 59_000, by: "mark" } });
    assert.equal(x.price(58_500).all("conditional_triggered").length, 0);
    const answer = x.sell("bob", 0.2, { at: 60_000 });
    assert.equal(answer.one("conditional_activated").conditional, parent.conditional);
    assert.equal(answer.one("conditional_triggered").conditional, parent.conditional);
  });

  it("FUT-8: they die with a parent that its owner cancels, even one that has begun to fill", () => {
    const x = market();
    const parent = x.buy("ann", 0.5, { at: 60_000, ...ATTACHED });
    x.sell("bob", 0.2, { at: 60_000 });
    const answer = x.cancel("ann", parent.order);
    assert.deepEqual(answer.kinds, ["order_closed", "conditional_closed", "conditional_closed"]);
    assert.ok(
      answer.closedConditionals.every(([, status, reason]) => `${status} ${reason}` === "CANCELED parent_closed"),
    );
    assert.equal(x.position("ann").conditionals, 0);
  });

  it("FUT-8: they die with a parent that ends without a fill, and live on after one that was filled", () => {
    const x = market();
    const ended = x.buy("ann", 0.5, { at: 60_000, tif: "IOC", ...ATTACHED });
    assert.equal(ended.closedConditionals.length, 2);
    x.sell("bob", 0.5, { at: 60_000 });
    const filled = x.buy("ann", 0.5, { at: 60_000, tif: "IOC", ...ATTACHED });
    assert.equal(filled.all("conditional_activated").length, 2);
    assert.equal(x.position("ann").conditionals, 2);
  });

  it("FUT-8: each must lie on its side of the price of its parent", () => {
    const x = market();
    const profit = x.buy("ann", 0.1, { at: 60_000, takeProfit: { at: 60_000 } });
    assert.deepEqual([profit.refusal, profit.bounds], ["would_trigger", [600_000, 600_000]]);
    assert.equal(x.buy("ann", 0.1, { at: 60_000, stopLoss: { at: 60_000 } }).refusal, "would_trigger");
    assert.equal(x.sell("ann", 0.1, { at: 60_000, takeProfit: { at: 60_000.1 } }).refusal, "would_trigger");
    assert.equal(x.sell("ann", 0.1, { at: 60_000, stopLoss: { at: 59_999.9 } }).refusal, "would_trigger");
    assert.equal(x.sell("ann", 0.1, { stopLoss: { at: 60_000 } }).refusal, "would_trigger");
    assert.equal(x.sell("ann", 0.1, { at: 60_000, reduceOnly: true, stopLoss: { at: 61_000 } }).refusal, "bad_field");
    assert.equal(x.sell("ann", 0.1, { at: 60_000, stopLoss: { at: 60_000.1 } }).refusal, "");
  });
});
