import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TestExchange, usdt } from "./exchange.ts";

function market(): TestExchange {
  const x = new TestExchange();
  x.price(60_000);
  x.trader("maker", 10_000_000);
  return x;
}

describe("cross margin", () => {
  it("FUT-9: an order passes when nothing is left available, one lot more is refused", () => {
    const x = market();
    x.trader("ann", 996);
    const refused = x.buy("ann", 0.167, { at: 60_000 });
    assert.deepEqual([refused.refusal, refused.bounds], ["margin_insufficient", [usdt(996), usdt(1_002)]]);
    assert.equal(x.buy("ann", 0.166, { at: 60_000 }).refusal, "");
    assert.deepEqual([x.account("ann").initial, x.account("ann").available], [usdt(996), 0]);
  });

  it("FUT-9: an order worse than the mark also needs what it would lose at once", () => {
    const x = market();
    x.trader("ann", 653.999999);
    const refused = x.sell("ann", 0.1, { at: 59_400 });
    assert.deepEqual([refused.refusal, refused.bounds], ["margin_insufficient", [usdt(653.999999), usdt(594 + 60)]]);
    x.deposit("ann", 0.000001);
    assert.equal(x.sell("ann", 0.1, { at: 59_400 }).refusal, "");
  });

  it("FUT-9: what would match at once counts at the prices of the book", () => {
    const x = market();
    x.sell("maker", 0.1, { at: 60_600 });
    x.trader("ann", 600);
    const refused = x.buy("ann", 0.2, { at: 61_000 });
    // 0.1 at 60,600 and 0.1 at 61,000, against 12,000 at the mark.
    assert.deepEqual(refused.bounds, [usdt(600), usdt(1_216 + 160)]);
    // The rest of a market order counts at the mark price.
    assert.deepEqual(x.buy("ann", 0.2).bounds, [usdt(600), usdt(1_206 + 60)]);
  });

  it("FUT-9: the worst of what open orders can lead to counts, once", () => {
    const x = market();
    x.trader("ann", 1_233);
    x.trade("ann", "maker", 0.1, 60_000);
    assert.equal(x.account("ann").principal, usdt(1_230));
    x.buy("ann", 0.1, { at: 59_000 });
    assert.equal(x.account("ann").initial, usdt(1_190));
    assert.equal(x.sell("ann", 0.301, { at: 61_000 }).refusal, "margin_insufficient");
    assert.equal(x.sell("ann", 0.3, { at: 61_000 }).refusal, "");
    assert.deepEqual([x.account("ann").initial, x.account("ann").available], [usdt(1_230), 0]);
  });

  it("FUT-9: reducing needs no margin, together with what is open on that side", () => {
    const x = market();
    x.trader("ann", 700);
    x.trade("ann", "maker", 0.1, 60_000);
    x.price(56_000);
    assert.ok(x.account("ann").available < 0);
    assert.equal(x.sell("ann", 0.06, { at: 56_000 }).refusal, "");
    assert.equal(x.sell("ann", 0.041, { at: 56_000 }).refusal, "margin_insufficient");
    assert.equal(x.sell("ann", 0.04, { at: 56_000 }).refusal, "");
    assert.equal(x.buy("ann", 0.01, { at: 56_000 }).refusal, "margin_insufficient");
  });

  it("FUT-9: an order of an account in liquidation is refused with that reason", () => {
    const x = market();
    x.trader("ann", 603);
    x.trade("ann", "maker", 0.1, 60_000);
    x.status("halted");
    x.price(54_500);
    x.status("trading");
    assert.equal(x.buy("ann", 0.01, { at: 54_500 }).refusal, "in_liquidation");
  });

  it("WIRE-6: balance, available and withdrawable are the sums of what the account has", () => {
    const x = market();
    x.price(3_000, "ETHUSDT");
    x.trader("ann", 10_000);
    x.trade("ann", "maker", 0.5, 60_000);
    x.trade("maker", "ann", 2, 3_000, "ETHUSDT");
    x.price(61_000);
    x.price(3_100, "ETHUSDT");
    const { principal, unrealised, balance, initial, maintenance, available, withdrawable } = x.account("ann");
    // Taker of 30,000, maker of 6,000.
    assert.equal(principal, usdt(10_000 - 15 - 1.2));
    assert.equal(unrealised, usdt(500 - 200));
    assert.equal(balance, principal + unrealised);
    assert.equal(initial, usdt(3_050 + 620));
    assert.equal(maintenance, usdt(305 + 62));
    assert.equal(available, balance - initial);
    assert.equal(withdrawable, principal - initial);
  });
});

describe("brackets", () => {
  const majors = [
    [50, 100_000],
    [25, 500_000],
    [20, 2_000_000],
    [10, 5_000_000],
    [5, 10_000_000],
    [2, 20_000_000],
  ] as const;
  const others = [
    [20, 25_000],
    [10, 100_000],
    [5, 250_000],
    [2, 1_000_000],
    [1, 2_000_000],
  ] as const;
  for (const [symbol, price, rows] of [
    ["BTCUSDT", 50_000, majors],
    ["SOLUSDT", 100, others],
  ] as const) {
    for (const [leverage, cap] of rows) {
      it(`FUT-10: ${symbol} at ${leverage}× holds ${cap} USDT and not a lot more`, () => {
        const x = new TestExchange();
        // Behind the open interest of the largest bracket.
        x.seedFund(1_000_000);
        x.price(price, symbol);
        x.trader("ann", 50_000_000);
        x.leverage("ann", leverage, symbol);
        const lot = symbol === "BTCUSDT" ? 0.001 : 0.1;
        for (let left = cap; left > 0; left -= 10_000_000) {
          const quantity = Math.min(left, 10_000_000) / price;
          assert.equal(x.buy("ann", quantity, { at: price, in: symbol }).refusal, "");
        }
        const refused = x.buy("ann", lot, { at: price, in: symbol });
        assert.deepEqual([refused.refusal, refused.bounds], ["position_limit", [usdt(cap), usdt(cap + lot * price)]]);
      });
    }
  }

  it("FUT-10: leverage is set within the brackets, the position and the margin", () => {
    const x = market();
    x.trader("ann", 10_000);
    const high = x.leverage("ann", 51);
    assert.deepEqual([high.refusal, high.bounds], ["leverage_invalid", [50, 51]]);
    assert.equal(x.leverage("ann", 0).refusal, "leverage_invalid");
    x.leverage("ann", 20);
    x.trade("ann", "maker", 2, 60_000);
    const large = x.leverage("ann", 50);
    assert.deepEqual([large.refusal, large.bounds], ["position_limit", [usdt(100_000), usdt(120_000)]]);
    // 9,940 are left after the fee; 120,000 / 12 is more.
    assert.equal(x.leverage("ann", 12).refusal, "leverage_margin");
    assert.equal(x.leverage("ann", 13).one("leverage_set").leverage, 13);
  });
});

describe("isolated margin", () => {
  /** Ann with 1,000, BTC isolated at 10×, long 0.1 from 60,000 by a taker's order. */
  function isolated(): TestExchange {
    const x = market();
    x.trader("ann", 1_000);
    x.mode("ann", "isolated");
    x.trade("ann", "maker", 0.1, 60_000);
    return x;
  }

  it("FUT-9: opening moves the initial margin, the fee comes from principal", () => {
    const x = isolated();
    assert.equal(x.position("ann").isolated, usdt(600));
    assert.equal(x.account("ann").principal, usdt(397));
    assert.deepEqual([x.account("ann").initial, x.account("ann").maintenance], [0, 0]);
  });

  it("FUT-9: a part that is closed takes its share of the margin along, and the profit", () => {
    const x = isolated();
    x.price(61_000);
    x.buy("maker", 1, { at: 61_000 });
    x.sell("ann", 0.04, { at: 61_000 });
    assert.equal(x.position("ann").isolated, usdt(360));
    assert.equal(x.account("ann").principal, usdt(397 + 240 + 40 - 1.22));
  });

  it("FUT-9: an order through zero closes, and what that gives back is margin of the other side", () => {
    const x = isolated();
    x.price(61_000);
    x.buy("maker", 1, { at: 61_000 });
    x.sell("ann", 0.2, { at: 61_000 });
    const { lots, isolated: margin } = x.position("ann");
    assert.deepEqual([lots, margin], [-100, usdt(610)]);
    assert.equal(x.account("ann").principal, usdt(397 + 600 + 100 - 610 - 6.1));
  });

  it("FUT-9: closing all gives everything back", () => {
    const x = isolated();
    x.price(59_000);
    x.buy("maker", 1, { at: 59_000 });
    x.sell("ann", 0.1, { at: 59_000 });
    const { lots, cost, isolated: margin } = x.position("ann");
    assert.deepEqual([lots, cost, margin], [0, 0, 0]);
    assert.equal(x.account("ann").principal, usdt(1_000 - 3 - 100 - 2.95));
  });

  it("FUT-9: margin moves in as far as it is there, out as far as the position needs none of it", () => {
    const x = isolated();
    assert.equal(x.moveMargin("ann", 397.000001).refusal, "margin_insufficient");
    assert.equal(x.moveMargin("ann", -0.000001).refusal, "margin_insufficient");
    const moved = x.moveMargin("ann", 100).one("isolated_margin_moved");
    assert.deepEqual([moved.isolated_micros, moved.principal_micros], [usdt(700), usdt(297)]);
    x.price(59_000);
    // 100 are lost so far and 590 are needed: 10 can go.
    assert.equal(x.moveMargin("ann", -10.000001).refusal, "margin_insufficient");
    assert.equal(x.moveMargin("ann", -10).one("isolated_margin_moved").isolated_micros, usdt(690));
  });

  it("FUT-9: an open profit does not leave with the margin", () => {
    const x = isolated();
    x.price(62_000);
    // 620 are needed now, 600 are there; the profit of 200 is not spare margin.
    assert.equal(x.moveMargin("ann", -1).refusal, "margin_insufficient");
  });

  it("FUT-9: only isolated positions have margin to move; modes change when nothing is open", () => {
    const x = isolated();
    x.price(3_000, "ETHUSDT");
    assert.equal(x.moveMargin("ann", 1, "ETHUSDT").refusal, "not_isolated");
    assert.equal(x.mode("ann", "cross").refusal, "mode_open_position");
    x.buy("ann", 0.01, { at: 2_900, in: "ETHUSDT" });
    x.buy("ann", 0.1, { at: 2_900, in: "ETHUSDT" });
    assert.equal(x.mode("ann", "isolated", "ETHUSDT").refusal, "mode_open_orders");
    x.cancelAll("ann");
    x.stop("ann", "buy", 0.1, { trigger: 3_100, in: "ETHUSDT" });
    assert.equal(x.mode("ann", "isolated", "ETHUSDT").refusal, "mode_open_orders");
    x.cancelAll("ann");
    assert.equal(x.mode("ann", "isolated", "ETHUSDT").refusal, "");
    assert.equal(x.mode("ann", "isolated", "ETHUSDT").one("margin_mode_set").mode, 1);
    assert.equal(x.moveMargin("ann", 1, "ETHUSDT").refusal, "not_isolated");
    assert.equal(x.leverage("ann", 9).refusal, "leverage_margin");
  });

  it("FUT-9: principal pays for an isolated order, not the open profits of other positions", () => {
    const x = market();
    x.price(3_000, "ETHUSDT");
    x.trader("ann", 320);
    x.trade("ann", "maker", 0.05, 60_000);
    x.mode("ann", "isolated", "ETHUSDT");
    x.price(120_000);
    assert.ok(x.account("ann").available > usdt(2_400));
    assert.equal(x.buy("ann", 8, { at: 3_000, in: "ETHUSDT" }).refusal, "margin_insufficient");
  });

  it("FUT-9: an isolated order that principal no longer covers ends when it would fill", () => {
    const x = market();
    x.price(3_000, "ETHUSDT");
    x.price(100, "SOLUSDT");
    x.trader("ann", 2_000);
    x.discount("ann", 10_000);
    x.mode("ann", "isolated", "ETHUSDT");
    x.trade("ann", "maker", 0.05, 60_000);
    x.trade("ann", "maker", 50, 100, "SOLUSDT");
    const order = x.buy("ann", 3, { at: 2_900, in: "ETHUSDT" }).order;
    x.price(70, "SOLUSDT");
    x.trade("maker", "ann", 50, 70, "SOLUSDT");
    x.price(80_000);
    // 870 are needed; principal is down to 500, and the open profit of 1,000 does not count.
    assert.deepEqual([x.account("ann").principal, x.account("ann").unrealised], [usdt(500), usdt(1_000)]);
    const answer = x.sell("maker", 3, { at: 2_900, in: "ETHUSDT" });
    assert.deepEqual(answer.closed, [[order, "EXPIRED", "insolvent"]]);
    assert.deepEqual(answer.trades, []);
  });

  it("FUT-9: open orders of an isolated symbol are held against principal until they fill", () => {
    const x = isolated();
    x.buy("ann", 0.05, { at: 59_000 });
    assert.equal(x.account("ann").initial, usdt(295));
    assert.equal(x.account("ann").available, usdt(102));
    assert.equal(x.holdWithdrawal("ann", 102.000001).refusal, "not_withdrawable");
    x.sell("maker", 0.05, { at: 59_000 });
    assert.equal(x.position("ann").isolated, usdt(895));
    assert.equal(x.account("ann").principal, usdt(397 - 295 - 0.59));
  });
});
