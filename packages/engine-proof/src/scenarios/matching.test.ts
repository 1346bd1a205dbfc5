import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { earlierExchange, TestExchange, usdt } from "./exchange.ts";

/** Ann, Bob and Cid with plenty of money, BTC at 60,000. */
function market(x = new TestExchange()): TestExchange {
  x.price(60_000);
  for (const name of ["ann", "bob", "cid"]) x.trader(name, 1_000_000);
  return x;
}

describe("times in force", () => {
  it("FUT-3: matching goes by price, then time, at the maker's price", () => {
    const x = market();
    const dear = x.sell("ann", 0.3, { at: 60_020 }).order;
    const first = x.sell("ann", 0.1, { at: 60_010 }).order;
    const second = x.sell("bob", 0.1, { at: 60_010 }).order;
    const answer = x.buy("cid", 0.3, { at: 60_030 });
    assert.deepEqual(answer.trades, [
      [600_100, 100],
      [600_100, 100],
      [600_200, 100],
    ]);
    const makers = answer.all("fill").filter(({ isMaker }) => isMaker === 1);
    assert.deepEqual(
      makers.map(({ order }) => order),
      [first, second, dear],
    );
    assert.deepEqual(x.book("asks"), [[600_200, 200, dear]]);
  });

  it("FUT-3: GTC rests with what is left, IOC expires with it", () => {
    const x = market();
    x.sell("ann", 0.1, { at: 60_000 });
    const gtc = x.buy("bob", 0.3, { at: 60_000 });
    assert.deepEqual(x.book("bids"), [[600_000, 200, gtc.order]]);
    const ioc = x.sell("ann", 0.5, { at: 60_000, tif: "IOC" });
    assert.deepEqual(ioc.closed, [[ioc.order, "EXPIRED", "time_in_force"]]);
    const { lots, executedLots, quote_micros } = ioc.one("order_closed");
    assert.deepEqual([lots, executedLots, quote_micros], [500, 200, usdt(12_000)]);
    assert.deepEqual(x.book("asks"), []);
  });

  it("FUT-3: FOK fills as a whole or is refused; own orders do not count for it", () => {
    const x = market();
    x.sell("ann", 0.1, { at: 60_000 });
    x.sell("bob", 0.1, { at: 60_000 });
    assert.equal(x.buy("cid", 0.201, { at: 60_000, tif: "FOK" }).refusal, "fok_not_filled");
    assert.equal(x.buy("bob", 0.2, { at: 60_000, tif: "FOK" }).refusal, "fok_not_filled");
    assert.equal(x.buy("bob", 0.2, { at: 60_000, tif: "FOK", stp: "TAKER" }).refusal, "fok_not_filled");
    assert.equal(x.book("asks").length, 2);
    const answer = x.buy("cid", 0.2, { at: 60_000, tif: "FOK" });
    assert.deepEqual(answer.trades, [
      [600_000, 100],
      [600_000, 100],
    ]);
  });

  it("FUT-3: FOK with self-trade prevention NONE takes its own orders too", () => {
    const x = market();
    x.sell("bob", 0.2, { at: 60_000 });
    const answer = x.buy("bob", 0.2, { at: 60_000, tif: "FOK", stp: "NONE" });
    assert.deepEqual(
      answer.all("fill").map(({ isSelfTrade, positionLots }) => [isSelfTrade, positionLots]),
      [
        [1, 200],
        [1, 0],
      ],
    );
  });

  it("FUT-3: GTX rests, and is refused where any of it would match", () => {
    const x = market();
    x.sell("ann", 0.1, { at: 60_010 });
    assert.equal(x.buy("bob", 0.2, { at: 60_010, tif: "GTX" }).refusal, "post_only_would_take");
    assert.equal(x.buy("ann", 0.2, { at: 60_010, tif: "GTX" }).refusal, "post_only_would_take");
    const resting = x.buy("bob", 0.2, { at: 60_009.9, tif: "GTX" }).order;
    assert.deepEqual(x.book("bids"), [[600_099, 200, resting]]);
  });
});

describe("self-trade prevention", () => {
  it("FUT-3: EXPIRE_MAKER ends the own order in the book and goes on", () => {
    const x = market();
    const own = x.sell("ann", 0.1, { at: 60_000 }).order;
    x.sell("bob", 0.1, { at: 60_001 });
    const answer = x.buy("ann", 0.2, { at: 60_001 });
    assert.deepEqual(answer.closed, [[own, "EXPIRED_IN_MATCH", "self_trade"]]);
    assert.deepEqual(answer.trades, [[600_010, 100]]);
    assert.deepEqual(x.book("bids"), [[600_010, 100, answer.order]]);
  });

  it("FUT-3: EXPIRE_TAKER ends the incoming order, what it had filled stays", () => {
    const x = market();
    x.sell("bob", 0.1, { at: 60_000 });
    const own = x.sell("ann", 0.1, { at: 60_000 }).order;
    const answer = x.buy("ann", 0.2, { at: 60_000, stp: "TAKER" });
    assert.deepEqual(answer.trades, [[600_000, 100]]);
    assert.deepEqual(answer.closed, [[answer.order, "EXPIRED_IN_MATCH", "self_trade"]]);
    assert.deepEqual(x.book("asks"), [[600_000, 100, own]]);
  });

  it("FUT-3: EXPIRE_BOTH ends the own order, then the incoming one", () => {
    const x = market();
    const own = x.sell("ann", 0.1, { at: 60_000 }).order;
    const answer = x.buy("ann", 0.2, { at: 60_000, stp: "BOTH" });
    assert.deepEqual(answer.closed, [
      [own, "EXPIRED_IN_MATCH", "self_trade"],
      [answer.order, "EXPIRED_IN_MATCH", "self_trade"],
    ]);
    assert.deepEqual([x.book("asks"), x.book("bids")], [[], []]);
  });

  it("FUT-3: NONE lets an account trade with itself: both fees, no position, no volume", () => {
    const x = market();
    x.sell("ann", 1, { at: 60_000 });
    const answer = x.buy("ann", 1, { at: 60_000, stp: "NONE" });
    assert.equal(answer.all("tier_changed").length, 0);
    assert.equal(x.account("ann").principal, usdt(1_000_000 - 30 - 12));
    assert.equal(x.position("ann").lots, 0);
    assert.equal(x.engine.state.accounts.volume14d(x.number("ann")), 0);
  });

  it("FUT-3: in an isolated symbol NONE counts as EXPIRE_MAKER, also for FOK", () => {
    const x = market();
    x.mode("ann", "isolated");
    const own = x.sell("ann", 0.1, { at: 60_000 }).order;
    assert.equal(x.buy("ann", 0.1, { at: 60_000, tif: "FOK", stp: "NONE" }).refusal, "fok_not_filled");
    const answer = x.buy("ann", 0.1, { at: 60_000, stp: "NONE" });
    assert.deepEqual(answer.closed, [[own, "EXPIRED_IN_MATCH", "self_trade"]]);
    assert.deepEqual(answer.trades, []);
  });

  it("FUT-12: a self-trade that the account cannot pay both fees of does not happen", () => {
    const x = new TestExchange();
    x.price(60_000);
    x.trader("ann", 926.25, 50);
    x.trader("bob", 1_000_000);
    x.trade("ann", "bob", 0.05, 60_000);
    x.buy("ann", 0.85, { at: 42_000 });
    x.price(42_000);
    for (let i = 0; i < 17; i += 1) x.sell("ann", 0.05, { at: 42_000, reduceOnly: true, stp: "NONE" });
    assert.ok(x.account("ann").balance >= 0);
  });
});

describe("market orders and quote amounts", () => {
  it("FUT-4: a market order goes as far as the mark ± 5 %, the rest expires, by the rules before version 5", () => {
    const x = market(earlierExchange());
    x.sell("ann", 0.1, { at: 63_000 });
    x.sell("ann", 0.1, { at: 63_000.1 });
    const answer = x.buy("bob", 0.2);
    assert.deepEqual(answer.trades, [[630_000, 100]]);
    assert.deepEqual(answer.closed, [[answer.order, "EXPIRED", "time_in_force"]]);
    x.buy("ann", 0.1, { at: 57_000 });
    x.buy("ann", 0.1, { at: 56_999.9 });
    assert.deepEqual(x.sell("bob", 0.2).trades, [[570_000, 100]]);
  });

  it("FUT-4: by them others walk 10 %, and a market order in an empty book expires whole", () => {
    const x = market(earlierExchange());
    x.price(100, "SOLUSDT");
    x.sell("ann", 10, { at: 110, in: "SOLUSDT" });
    x.sell("ann", 10, { at: 110.01, in: "SOLUSDT" });
    assert.deepEqual(x.buy("bob", 20, { in: "SOLUSDT" }).trades, [[11_000, 100]]);
    const nothing = x.sell("bob", 20, { in: "SOLUSDT" });
    assert.deepEqual(nothing.closed, [[nothing.order, "EXPIRED", "time_in_force"]]);
  });

  it("FUT-4: max_slippage refuses the whole order, exactly at the limit it passes", () => {
    const x = market();
    x.sell("ann", 0.3, { at: 60_000 });
    x.sell("ann", 0.2, { at: 60_600 });
    assert.equal(x.buy("bob", 0.5, { maxSlippage_e8: 399_999 }).refusal, "slippage_exceeded");
    assert.equal(x.buy("bob", 0.501, { maxSlippage_e8: 100_000_000 }).refusal, "slippage_exceeded");
    assert.equal(x.buy("bob", 0.5, { maxSlippage_e8: 400_000 }).trades.length, 2);
  });

  it("FUT-5: a quote amount is floored to lots at the best opposite price, else at the mark", () => {
    const x = market();
    assert.deepEqual(x.buy("bob", 0, { at: 59_000, quote: 1_000 }).one("order_opened").lots, 16);
    x.sell("ann", 1, { at: 61_000 });
    assert.deepEqual(x.buy("bob", 0, { quote: 1_000 }).trades, [[610_000, 16]]);
    assert.equal(x.buy("bob", 0, { quote: 60.999999 }).refusal, "lot_size");
    assert.equal(x.buy("bob", 0.1, { quote: 100 }).refusal, "bad_field");
    assert.equal(x.buy("bob", 0).refusal, "lot_size");
  });
});
