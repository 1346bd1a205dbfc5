import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TestExchange, usdt } from "./exchange.ts";

/** Ann, Bob and Cid with plenty of money, BTC at 60,000. */
function market(): TestExchange {
  const x = new TestExchange();
  x.price(60_000);
  for (const name of ["ann", "bob", "cid"]) x.trader(name, 1_000_000);
  return x;
}

describe("reduce-only", () => {
  it("FUT-6: clamped to the position less other reduce-only orders, nothing left is refused", () => {
    const x = market();
    x.trade("ann", "bob", 0.5, 60_000);
    assert.equal(x.buy("ann", 0.1, { at: 59_000, reduceOnly: true }).refusal, "reduce_only_rejected");
    assert.equal(x.sell("cid", 0.1, { at: 61_000, reduceOnly: true }).refusal, "reduce_only_rejected");
    assert.equal(x.sell("ann", 0.3, { at: 61_000, reduceOnly: true }).one("order_opened").lots, 300);
    assert.equal(x.sell("ann", 0.3, { at: 61_000, reduceOnly: true }).one("order_opened").lots, 200);
    const refused = x.sell("ann", 0.1, { at: 61_000, reduceOnly: true });
    assert.deepEqual([refused.refusal, refused.bounds], ["reduce_only_rejected", [0, 100]]);
    // Reduce-only orders hold no margin.
    assert.equal(x.account("ann").initial, usdt(3_000));
  });

  it("FUT-6: what a smaller position leaves over is cancelled from the newest, in part where that is enough", () => {
    const x = market();
    x.trade("ann", "bob", 0.5, 60_000);
    const oldest = x.sell("ann", 0.2, { at: 61_000, reduceOnly: true }).order;
    const middle = x.sell("ann", 0.2, { at: 61_100, reduceOnly: true }).order;
    const newest = x.sell("ann", 0.1, { at: 61_200, reduceOnly: true }).order;
    x.buy("cid", 0.15, { at: 60_000 });
    const answer = x.sell("ann", 0.15, { at: 60_000 });
    assert.deepEqual(answer.closed, [[newest, "CANCELED", "reduce_only_excess"]]);
    const { order, lots, reason } = answer.one("order_amended");
    assert.deepEqual([order, lots, reason], [middle, 150, "reduce_only_excess"]);
    assert.deepEqual(x.book("asks"), [
      [610_000, 200, oldest],
      [611_000, 150, middle],
    ]);
  });

  it("FUT-6: a flip cancels all of them, in the midst of the order that flips", () => {
    const x = market();
    x.trade("ann", "bob", 0.2, 60_000);
    const first = x.sell("ann", 0.1, { at: 61_000, reduceOnly: true }).order;
    const second = x.sell("ann", 0.1, { at: 61_000, reduceOnly: true }).order;
    x.buy("cid", 0.15, { at: 60_000 });
    x.buy("cid", 0.3, { at: 59_900 });
    const answer = x.sell("ann", 0.45, { at: 59_900 });
    assert.deepEqual(answer.kinds, [
      "order_opened",
      "fill",
      "fill",
      "order_closed",
      "order_amended",
      "fill",
      "fill",
      "order_closed",
    ]);
    assert.deepEqual(
      answer.closed.map(([order]) => order),
      [second, first],
    );
    assert.equal(x.position("ann").lots, -250);
  });

  it("FUT-6: a maker that turns over in a sweep loses its own reduce-only orders of the same sweep", () => {
    const x = market();
    x.trade("ann", "bob", 0.2, 60_000);
    const plain = x.sell("ann", 0.2, { at: 60_000 }).order;
    const reducing = x.sell("ann", 0.2, { at: 60_001, reduceOnly: true }).order;
    const other = x.sell("bob", 0.1, { at: 60_002 }).order;
    const answer = x.buy("cid", 0.3, { at: 60_002 });
    const makers = answer.all("fill").filter(({ isMaker }) => isMaker === 1);
    assert.deepEqual(
      makers.map(({ order }) => order),
      [plain, other],
    );
    assert.deepEqual(answer.closed, [[reducing, "CANCELED", "reduce_only_excess"]]);
  });

  it("FUT-6: in a reduce-only market an order that reduces becomes reduce-only, others are refused", () => {
    const x = market();
    x.trade("ann", "bob", 0.2, 60_000);
    x.status("reduce_only");
    assert.equal(x.buy("ann", 0.1, { at: 60_000 }).refusal, "market_reduce_only");
    assert.equal(x.sell("ann", 0.3, { at: 60_000 }).refusal, "market_reduce_only");
    assert.equal(x.sell("ann", 0.2, { at: 60_000 }).one("order_opened").isReduceOnly, 1);
    assert.equal(x.sell("ann", 0.1, { at: 60_000 }).refusal, "reduce_only_rejected");
  });
});

describe("modify", () => {
  it("FUT-7: same id, back of the queue, also with fewer lots", () => {
    const x = market();
    const first = x.buy("ann", 0.2, { at: 60_000, name: "a" }).order;
    const second = x.buy("bob", 0.2, { at: 60_000 }).order;
    const answer = x.modify("ann", "a", 0.1, 60_000);
    const { order, lots, executedLots, reason } = answer.one("order_amended");
    assert.deepEqual([order, lots, executedLots, reason], [first, 100, 0, "modified"]);
    assert.deepEqual(x.book("bids"), [
      [600_000, 200, second],
      [600_000, 100, first],
    ]);
  });

  it("FUT-7: what was executed counts; down to it the order is cancelled", () => {
    const x = market();
    const order = x.buy("ann", 0.5, { at: 60_000 }).order;
    x.sell("bob", 0.2, { at: 60_000 });
    x.modify("ann", order, 0.3, 59_900);
    assert.deepEqual(x.book("bids"), [[599_000, 100, order]]);
    assert.deepEqual(x.modify("ann", order, 0.2, 59_900).closed, [[order, "CANCELED", "modified"]]);
  });

  it("FUT-7: an order moved across the spread trades under its id", () => {
    const x = market();
    x.sell("bob", 0.2, { at: 60_010 });
    const order = x.buy("ann", 0.3, { at: 60_000 }).order;
    const answer = x.modify("ann", order, 0.3, 60_010);
    assert.deepEqual(answer.kinds, ["order_amended", "fill", "fill"]);
    assert.deepEqual(x.book("bids"), [[600_100, 100, order]]);
  });

  it("FUT-7: refusals leave the order where it was", () => {
    const x = market();
    const order = x.buy("ann", 0.3, { at: 60_000 }).order;
    const behind = x.buy("bob", 0.3, { at: 60_000 }).order;
    x.sell("cid", 0.1, { at: 60_010 });
    const post = x.buy("ann", 0.1, { at: 60_005, tif: "GTX" }).order;
    assert.equal(x.modify("ann", order, 0.3, 60_000).refusal, "nothing_to_modify");
    assert.equal(x.modify("ann", order, 0.3, 60_001, 1).refusal, "wrong_side");
    assert.equal(x.modify("ann", order, 0.3, 63_000.1).refusal, "price_above_band");
    assert.equal(x.modify("ann", order, 0.001, 1_000).refusal, "min_notional");
    assert.equal(x.modify("ann", post, 0.1, 60_010).refusal, "post_only_would_take");
    assert.equal(x.modify("ann", order, 166, 60_000).refusal, "position_limit");
    assert.equal(x.modify("bob", order, 0.1, 60_000).refusal, "unknown_order");
    assert.equal(x.modify("ann", "nobody", 0.1, 60_000).refusal, "unknown_order");
    x.status("halted");
    assert.equal(x.modify("ann", order, 0.2, 60_000).refusal, "market_halted");
    assert.deepEqual(x.book("bids"), [
      [600_050, 100, post],
      [600_000, 300, order],
      [600_000, 300, behind],
    ]);
  });

  it("FUT-7: a reduce-only order is clamped without itself", () => {
    const x = market();
    x.trade("ann", "bob", 0.5, 60_000);
    x.sell("ann", 0.2, { at: 61_000, reduceOnly: true });
    const order = x.sell("ann", 0.1, { at: 61_000, reduceOnly: true }).order;
    assert.equal(x.modify("ann", order, 0.9, 61_000).one("order_amended").lots, 300);
  });

  it("FUT-7: conditional orders cannot be modified", () => {
    const x = market();
    const { conditional } = x.stop("ann", "buy", 0.1, { trigger: 61_000 });
    assert.equal(x.modify("ann", conditional, 0.2, 61_000).refusal, "unknown_order");
  });
});

describe("cancel", () => {
  it("FUT-16: by id, by client id, within its scope, one's own only", () => {
    const x = market();
    const order = x.buy("ann", 0.1, { at: 59_000, name: "mine" }).order;
    const { conditional } = x.stop("ann", "buy", 0.1, { trigger: 61_000, name: "later" });
    assert.equal(x.cancel("bob", order).refusal, "unknown_order");
    assert.equal(x.cancel("bob", "mine").refusal, "unknown_order");
    assert.equal(x.cancel("ann", order, 2).refusal, "unknown_order");
    assert.equal(x.cancel("ann", "later", 1).refusal, "unknown_order");
    assert.deepEqual(x.cancel("ann", "mine").closed, [[order, "CANCELED", "user"]]);
    assert.deepEqual(x.cancel("ann", "later").closedConditionals, [[conditional, "CANCELED", "user"]]);
    assert.equal(x.cancel("ann", "mine").refusal, "unknown_order");
  });

  it("FUT-16: cancel all goes symbol by symbol, orders from the oldest, then conditional orders", () => {
    const x = market();
    x.price(3_000, "ETHUSDT");
    const eth = x.buy("ann", 1, { at: 2_900, in: "ETHUSDT" }).order;
    const btc = x.buy("ann", 0.1, { at: 59_000 }).order;
    const eth2 = x.buy("ann", 1, { at: 2_950, in: "ETHUSDT" }).order;
    const { conditional } = x.stop("ann", "buy", 0.1, { trigger: 61_000 });
    assert.deepEqual(x.cancelAll("ann", "SOLUSDT").kinds, []);
    const answer = x.cancelAll("ann");
    assert.deepEqual(
      answer.closed.map(([order]) => order),
      [eth, eth2, btc],
    );
    assert.deepEqual(answer.closedConditionals, [[conditional, "CANCELED", "user"]]);
  });
});
