import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_MARKET } from "@bourse/engine";
import type { Answer } from "./answer.ts";
import { earlierExchange, TestExchange, usdt } from "./exchange.ts";

/** Ann is long 0.5 BTC from 60,000 at 50× with a principal of exactly 1,000; Bob is short against her. */
function longWith1000(x = new TestExchange()): TestExchange {
  x.price(60_000);
  x.trader("ann", 1_015, 50);
  x.trader("bob", 1_000_000);
  x.trade("ann", "bob", 0.5, 60_000);
  assert.equal(x.account("ann").principal, usdt(1_000));
  return x;
}

/** [cause, account, price in ticks, lots] of every fill. */
function fills(answer: Answer) {
  return answer.all("fill").map(({ cause, account, ticks, lots }) => [cause, account, ticks, lots]);
}

describe("when a liquidation comes", () => {
  it("FUT-11: a long of 0.5 at 60,000 with 1,000 is liquidated at 58,585.8585…", () => {
    const x = longWith1000();
    assert.equal(x.price(58_585.9).all("liquidation_started").length, 0);
    const { maintenance_micros, balance_micros } = x.price(58_585.8).one("liquidation_started");
    assert.deepEqual([maintenance_micros, balance_micros], [usdt(292.929), usdt(292.9)]);
  });

  it("FUT-11: a short at 61,386.1386…, a long of 3 with 20,000 at 54,081.6326…", () => {
    const x = new TestExchange();
    x.price(60_000);
    x.trader("short", 1_015, 50);
    x.trader("long", 20_090, 20);
    x.seedFund(100_000);
    x.trader("maker", 1_000_000);
    x.buy("maker", 0.5, { at: 60_000 });
    x.sell("short", 0.5, { at: 60_000 });
    x.trade("long", "maker", 3, 60_000);
    assert.equal(x.price(61_386.1).all("liquidation_started").length, 0);
    assert.equal(x.price(61_386.2).one("liquidation_started").account, x.number("short"));
    assert.equal(x.price(54_081.7).all("liquidation_started").length, 0);
    assert.equal(x.price(54_081.6).one("liquidation_started").account, x.number("long"));
  });

  it("FUT-9: a margin call at 80 %, once until it is below again", () => {
    const x = longWith1000();
    // Maintenance 293.7 of a balance of 370 is 79.4 %; at 58,730 it is 293.65 of 365.
    assert.equal(x.price(58_740).all("margin_called").length, 0);
    const { account, market, maintenance_micros, balance_micros } = x.price(58_730).one("margin_called");
    assert.deepEqual([account, market], [x.number("ann"), NO_MARKET]);
    assert.deepEqual([maintenance_micros, balance_micros], [usdt(293.65), usdt(365)]);
    assert.equal(x.price(58_700).all("margin_called").length, 0);
    x.price(59_000);
    assert.equal(x.price(58_700).all("margin_called").length, 1);
  });
});

/** What version 5 replaces; `fair-fund.test.ts` has its steps. */
describe("a liquidation by the rules before version 5", () => {
  it("FUT-12: reduces by a quarter in the book, the fee of each step to the fund, until little is left", () => {
    const x = longWith1000(earlierExchange());
    const order = x.buy("ann", 0.01, { at: 50_000 }).order;
    x.buy("bob", 1, { at: 58_400 });
    const answer = x.price(58_500);
    const ann = x.number("ann");
    const started = answer.one("liquidation_started");
    assert.deepEqual([started.maintenance_micros, started.balance_micros], [usdt(292.5), usdt(250)]);
    assert.deepEqual(answer.closed, [[order, "CANCELED", "liquidation"]]);
    assert.deepEqual(
      fills(answer).filter(([, account]) => account === ann),
      [
        ["liquidation", ann, 584_000, 125],
        ["liquidation", ann, 584_000, 94],
        ["liquidation", ann, 584_000, 281],
      ],
    );
    // Bankruptcy prices: 58,000, then 57,964 of 763.5 and 0.375, then up from 57,915.829 of 585.652 and 0.281.
    assert.deepEqual(
      answer.all("order_opened").map(({ ticks, cause, isReduceOnly }) => [ticks, cause, isReduceOnly]),
      [
        [580_000, "liquidation", 1],
        [579_640, "liquidation", 1],
        [579_159, "liquidation", 1],
      ],
    );
    assert.deepEqual(
      answer.all("liquidation_fee_paid").map(({ amount_micros }) => amount_micros),
      [usdt(36.5), usdt(27.448), usdt(82.052)],
    );
    assert.ok(answer.all("fill").every(({ account, fee_micros }) => account !== ann || fee_micros === 0));
    assert.deepEqual([x.account("ann").principal, x.account("fund").principal], [usdt(54), usdt(146)]);
    assert.equal(answer.one("liquidation_ended").isResolved, 1);
  });

  it("FUT-12: stops as soon as the ratio is below 0.9", () => {
    const x = longWith1000(earlierExchange());
    x.buy("bob", 1, { at: 58_580 });
    const answer = x.price(58_585.8);
    // A quarter loses 177.5 and costs 36.6125; then 219.69675 of 255.5625 is a ratio of 0.86.
    const { isResolved, maintenance_micros, balance_micros } = answer.one("liquidation_ended");
    assert.equal(isResolved, 1);
    assert.deepEqual([maintenance_micros, balance_micros], [219_696_750, 255_562_500]);
    assert.equal(x.position("ann").lots, 375);
  });

  it("FUT-12: nothing in the book: the fund takes over at the bankruptcy price, without fees", () => {
    const x = longWith1000(earlierExchange());
    x.seedFund(100_000);
    const answer = x.price(58_500);
    assert.deepEqual(fills(answer), [
      ["takeover", x.number("ann"), 580_000, 125],
      ["takeover", 0, 580_000, 125],
      ["takeover", x.number("ann"), 580_000, 94],
      ["takeover", 0, 580_000, 94],
      ["takeover", x.number("ann"), 580_000, 281],
      ["takeover", 0, 580_000, 281],
    ]);
    assert.equal(x.account("ann").principal, 0);
    assert.deepEqual([x.position("fund").lots, x.position("fund").cost], [500, usdt(29_000)]);
    assert.equal(x.account("fund").balance, usdt(100_250));
  });

  it("FUT-12: the fund offers what it holds with the next price, no fee, last price moved", () => {
    const x = longWith1000(earlierExchange());
    x.seedFund(100_000);
    x.price(58_500);
    x.buy("bob", 0.3, { at: 58_450 });
    const answer = x.price(58_500);
    assert.deepEqual(fills(answer), [
      ["fund", 0, 584_500, 300],
      ["trade", x.number("bob"), 584_500, 300],
    ]);
    assert.equal(x.position("fund").lots, 200);
    assert.equal(x.account("fund").principal, usdt(100_000 + 135));
  });

  it("FUT-12: an empty fund: the other side takes it, by profit × leverage, at the bankruptcy price", () => {
    const x = earlierExchange();
    x.price(60_000);
    x.trader("ann", 1_015, 50);
    x.trader("bob", 100_000, 10);
    x.trader("cid", 100_000, 20);
    x.trader("dan", 100_000, 25);
    x.trade("ann", "bob", 0.3, 60_000);
    x.trade("ann", "cid", 0.2, 60_000);
    // Dan is on Ann's side, Eve's profit is the largest and her leverage the smallest.
    x.trader("eve", 1_000_000, 1);
    x.trade("dan", "eve", 0.1, 60_100);
    const answer = x.price(58_500);
    const [ann, bob, cid] = ["ann", "bob", "cid"].map((name) => x.number(name));
    assert.deepEqual(fills(answer), [
      ["adl", ann, 580_000, 125],
      ["adl", cid, 580_000, 125],
      ["adl", ann, 580_000, 75],
      ["adl", cid, 580_000, 75],
      ["adl", ann, 580_000, 19],
      ["adl", bob, 580_000, 19],
      ["adl", ann, 580_000, 281],
      ["adl", bob, 580_000, 281],
    ]);
    assert.ok(answer.all("fill").every(({ fee_micros, order, orderLots }) => fee_micros + order + orderLots === 0));
    assert.deepEqual([x.account("ann").principal, x.position("ann").lots], [0, 0]);
    assert.equal(x.account("bob").principal, usdt(100_000 - 3.6 + 600));
    assert.equal(x.engine.state.markets[0]!.lastTicks, 601_000);
  });

  it("FUT-12: the fee is never more than what is left", () => {
    const x = earlierExchange();
    x.price(60_000);
    x.trader("ann", 609, 50);
    x.trader("bob", 1_000_000);
    x.trade("ann", "bob", 0.3, 60_000);
    x.buy("bob", 0.3, { at: 58_100 });
    const answer = x.price(58_500);
    // 0.5 % of 17,430 would be 87.15; 30 are left.
    assert.equal(answer.one("liquidation_fee_paid").amount_micros, usdt(30));
    assert.equal(x.account("ann").principal, 0);
  });

  it("FUT-12: a gap below the bankruptcy price costs the fund, not the account", () => {
    const x = longWith1000(earlierExchange());
    x.seedFund(100_000);
    x.price(40_000);
    assert.equal(x.account("ann").principal, 0);
    assert.deepEqual([x.position("fund").lots, x.account("fund").balance], [500, usdt(100_000 - 9_000)]);
  });

  it("FUT-12: a fund that cannot carry the position leaves it to the other side", () => {
    const x = longWith1000(earlierExchange());
    x.seedFund(1);
    assert.ok(fills(x.price(40_000)).every(([cause]) => cause === "adl"));
    assert.equal(x.account("fund").principal, usdt(1));
  });

  it("FUT-12: the fund takes over what leaves its balance at its maintenance, not a micro less", () => {
    // The first step, 0.125 at 58,000 with the mark at 58,500: a gain of 62.5 and a maintenance of 73.125.
    const short = longWith1000(earlierExchange());
    short.seedFund(10.624999);
    assert.equal(fills(short.price(58_500))[0]?.[0], "adl");
    const enough = longWith1000(earlierExchange());
    enough.seedFund(10.625);
    const answer = enough.price(58_500);
    assert.deepEqual(
      fills(answer).map(([cause, , , lots]) => [cause, lots]),
      [
        ["takeover", 125],
        ["takeover", 125],
        ["adl", 94],
        ["adl", 94],
        ["adl", 281],
        ["adl", 281],
        // The fund's own maintenance margin reaches its balance, so it passes the position on at the mark price.
        ["adl", 125],
        ["adl", 125],
      ],
    );
    assert.equal(enough.account("fund").principal, usdt(10.625 + 62.5));
  });

  it("FUT-12: what a halted market holds back stays unresolved and is done with the next price", () => {
    const x = earlierExchange();
    x.price(60_000);
    x.price(3_000, "ETHUSDT");
    x.trader("ann", 3_000, 25);
    x.leverage("ann", 25, "ETHUSDT");
    x.trader("bob", 1_000_000);
    x.seedFund(100_000);
    x.trade("ann", "bob", 0.1, 60_000);
    x.trade("ann", "bob", 15, 3_000, "ETHUSDT");
    x.status("halted", "ETHUSDT");
    assert.deepEqual(x.price(2_800, "ETHUSDT").kinds, ["price_set"]);
    const answer = x.price(60_000);
    assert.equal(x.position("ann").lots, 0);
    assert.equal(answer.one("liquidation_ended").isResolved, 0);
    x.status("trading", "ETHUSDT");
    const later = x.price(2_800, "ETHUSDT");
    assert.equal(later.one("liquidation_ended").isResolved, 1);
    assert.equal(x.position("ann", "ETHUSDT").lots, 0);
    assert.ok(x.account("ann").balance >= 0);
  });

  it("FUT-12: who could not bear the price gives less; the rest waits until the fund can", () => {
    const x = longWith1000(earlierExchange());
    x.price(3_000, "ETHUSDT");
    x.trader("cid", 10_000_000);
    // Bob's short is worth 10,000 more at 40,000, but his other position loses nearly all that he has.
    x.holdWithdrawal("bob", 985_000);
    x.trade("bob", "cid", 30, 3_000, "ETHUSDT");
    x.status("halted");
    x.price(40_000);
    x.price(2_250, "ETHUSDT");
    assert.equal(x.position("bob", "ETHUSDT").lots, 30_000);
    const { balance } = x.account("bob");
    x.status("trading");
    const answer = x.price(40_000);
    // At 58,000 each lot costs Bob 18 against the mark.
    const given = Math.floor(balance / usdt(18));
    assert.ok(given > 0 && given < 500);
    assert.equal(x.position("ann").lots, 500 - given);
    assert.equal(answer.all("liquidation_ended").find(({ account }) => account === x.number("ann"))?.isResolved, 0);
    assert.ok(x.account("ann").balance < 0);
    x.seedFund(100_000);
    const later = x.price(40_000);
    assert.equal(later.all("liquidation_ended").find(({ account }) => account === x.number("ann"))?.isResolved, 1);
    assert.deepEqual([x.account("ann").principal, x.position("ann").lots], [0, 0]);
  });

  it("FUT-12: the largest maintenance goes first, the orders of all cross symbols are cancelled", () => {
    const x = earlierExchange();
    x.price(60_000);
    x.price(3_000, "ETHUSDT");
    x.trader("ann", 2_000, 50);
    x.leverage("ann", 50, "ETHUSDT");
    x.trader("bob", 1_000_000);
    x.seedFund(100_000);
    x.trade("ann", "bob", 0.2, 60_000);
    x.trade("ann", "bob", 10, 3_000, "ETHUSDT");
    const resting = x.buy("ann", 0.1, { at: 2_500, in: "ETHUSDT" }).order;
    const answer = x.price(52_000);
    assert.deepEqual(answer.closed, [[resting, "CANCELED", "liquidation"]]);
    assert.equal(answer.all("fill")[0]?.market, 1);
  });

  it("FUT-12: an isolated position is liquidated by itself", () => {
    const x = earlierExchange();
    x.price(60_000);
    x.price(3_000, "ETHUSDT");
    x.trader("ann", 5_000);
    x.mode("ann", "isolated");
    x.leverage("ann", 50);
    x.trader("bob", 1_000_000);
    x.seedFund(100_000);
    x.trade("ann", "bob", 0.3, 60_000);
    x.trade("ann", "bob", 1, 3_000, "ETHUSDT");
    const eth = x.buy("ann", 0.1, { at: 2_900, in: "ETHUSDT" }).order;
    const { principal } = x.account("ann");
    assert.equal(x.position("ann").isolated, usdt(360));
    // 360 / 0.3 = 1,200 below 60,000.
    const answer = x.price(59_300);
    assert.equal(answer.one("liquidation_started").market, 0);
    assert.deepEqual(fills(answer)[0], ["takeover", x.number("ann"), 588_000, 300]);
    assert.deepEqual([x.position("ann").lots, x.position("ann").isolated], [0, 0]);
    assert.equal(x.account("ann").principal, principal);
    assert.deepEqual(x.book("bids", "ETHUSDT"), [[290_000, 100, eth]]);
  });

  it("FUT-12: what is left of an isolated position comes back, less the fee", () => {
    const x = earlierExchange();
    x.price(60_000);
    x.trader("ann", 5_000);
    x.mode("ann", "isolated");
    x.leverage("ann", 50);
    x.trader("bob", 1_000_000);
    x.trade("ann", "bob", 0.3, 60_000);
    const { principal } = x.account("ann");
    x.buy("bob", 0.3, { at: 59_250 });
    const answer = x.price(59_300);
    // 360 less 225 lost; the fee of 0.5 % of 17,775 is 88.875.
    assert.equal(answer.one("liquidation_fee_paid").amount_micros, usdt(88.875));
    assert.equal(x.account("ann").principal, principal + usdt(135 - 88.875));
  });

  it("FUT-12: a bonus pays its part of losses and fees, and is over when it is used up", () => {
    const x = earlierExchange();
    x.price(60_000);
    x.trader("ann", 509, 50);
    x.grant("ann", 100, 50);
    x.trader("bob", 1_000_000);
    x.trade("ann", "bob", 0.3, 60_000);
    x.buy("bob", 0.3, { at: 58_200 });
    const answer = x.price(58_500);
    assert.deepEqual([x.account("ann").bonus, x.account("ann").state], [0, "recalled"]);
    // The fee was 9, half of it from the bonus; then 95.5 of the loss of 540.
    assert.deepEqual(answer.lines.slice(0, 1), [["CONSUME_LOSS", usdt(95.5)]]);
    assert.equal(x.account("ann").consumed, usdt(100));
  });
});
