import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_MARKETS, NEXT_RULES } from "@bourse/engine";
import { DAY_ms, TestExchange, usdt } from "./exchange.ts";

const HOUR_ms = DAY_ms / 24;

/** Bea has 400 of her own and a bonus of 500 at 10×; the maker is rich. */
function withBonus(principal = 400): TestExchange {
  const x = new TestExchange(FIRST_MARKETS, NEXT_RULES);
  x.price(60_000);
  x.trader("bea", principal);
  x.trader("maker", 10_000_000);
  x.grant("bea", 500);
  return x;
}

const fairOf = (x: TestExchange, name: string) => x.engine.state.fairness.bonuses.get(x.number(name));

describe("bonus money by version 5", () => {
  it("BON-8: opens no worse than fair; passive prices and closing are free", () => {
    const x = withBonus();
    assert.deepEqual(x.buy("bea", 0.01, { at: 60_180.1 }).bounds, [601_800, 601_801]);
    assert.equal(x.buy("bea", 0.01, { at: 60_180.1 }).refusal, "bonus_price_above");
    assert.equal(x.sell("bea", 0.01, { at: 59_819.9 }).refusal, "bonus_price_below");
    assert.equal(x.buy("bea", 0.01, { at: 58_000 }).refusal, "");
    x.sell("maker", 0.01, { at: 60_180 });
    x.sell("maker", 0.01, { at: 60_190 });
    // A MARKET order ends at what is fair.
    assert.deepEqual(x.buy("bea", 0.02).trades, [[601_800, 10]]);
    assert.equal(x.sell("bea", 0.01, { at: 57_500, reduceOnly: true }).refusal, "");
  });

  it("BON-7: a maker's stale quote is closed instead of filled", () => {
    const x = withBonus();
    const quote = x.buy("bea", 0.05, { at: 59_900 }).order;
    x.price(59_700);
    const answer = x.sell("maker", 0.05, { at: 59_000, tif: "IOC" });
    assert.deepEqual(answer.closed[0], [quote, "EXPIRED", "off_market"]);
  });

  it("BON-7: beyond the budget a loss is principal's: what the bonus paid of it is owed and returns at the end", () => {
    const x = withBonus();
    x.sell("maker", 0.1, { at: 60_000 });
    x.buy("bea", 0.1, { at: 60_000, tif: "IOC" });
    // Closing 0.1 at 59,500 costs 50 against the mark: 25 within the budget, 25 of her own. Beyond 59,820 it is 32.
    x.buy("maker", 0.1, { at: 59_500 });
    const answer = x.sell("bea", 0.1, { at: 59_500, tif: "IOC", reduceOnly: true });
    const fill = answer.all("fill")[0]!;
    assert.deepEqual([fill.realised_micros, fill.lossFromBonus_micros], [usdt(-50), usdt(25)]);
    // Of the 50, 25 were unfair, and the bonus paid half of them.
    const repaid = answer.one("bonus_repaid");
    assert.deepEqual([repaid.amount_micros, repaid.owed_micros], [usdt(12.5), 0]);
    assert.equal(answer.lines.at(-1)?.[0], "RECALL");
    assert.deepEqual(answer.lines.at(-1)?.[1], usdt(12.5));
    assert.equal(x.account("bea").state, "recalled");
    assert.equal(fairOf(x, "bea"), undefined);
  });

  it("BON-7: closing beyond the bound needs principal for the part beyond; a running index widens it", () => {
    const x = withBonus(30);
    x.sell("maker", 0.05, { at: 60_000 });
    x.buy("bea", 0.05, { at: 60_000, tif: "IOC" });
    x.buy("maker", 0.05, { at: 59_000 });
    // Beyond 59,820 the sale at 59,000 costs 41; she has less than 30.
    const refused = x.sell("bea", 0.05, { at: 59_000, tif: "IOC", reduceOnly: true });
    assert.deepEqual([refused.trades, refused.closed[0]![2]], [[], "off_market"]);
    // The index has run 1 % in a minute: w = 0.3 % + 0.5 %, and 59,400 × 0.992 = 58,924.8.
    x.nextPrice(59_400);
    assert.deepEqual(x.sell("bea", 0.05, { at: 59_000, tif: "IOC", reduceOnly: true }).trades, [[590_000, 50]]);
  });

  it("BON-15: the loss that is there when a bonus comes is owed once it is realised", () => {
    const x = new TestExchange(FIRST_MARKETS, NEXT_RULES);
    x.price(60_000);
    x.trader("bea", 1_000);
    x.trader("maker", 10_000_000);
    x.trade("bea", "maker", 0.1, 60_000);
    x.price(58_000);
    x.grant("bea", 500);
    assert.equal(fairOf(x, "bea")?.own_micros, usdt(200));
    x.buy("maker", 0.05, { at: 58_000 });
    x.sell("bea", 0.05, { at: 58_000, tif: "IOC", reduceOnly: true });
    assert.deepEqual([fairOf(x, "bea")?.own_micros, fairOf(x, "bea")?.owed_micros], [usdt(100), usdt(50)]);
    const { principal, withdrawable, initial } = x.account("bea");
    assert.equal(withdrawable, principal - usdt(100) - initial / 2 - usdt(50));
  });

  it("BON-7: what is owed outlasts the bonus while principal is margin, and is paid when it is free", () => {
    const x = new TestExchange(FIRST_MARKETS, NEXT_RULES);
    x.price(60_000);
    x.trader("bea", 1_000, 10);
    x.trader("maker", 10_000_000);
    x.trade("bea", "maker", 0.16, 60_000);
    x.price(58_000);
    x.grant("bea", 20);
    x.buy("maker", 0.16, { at: 58_000 });
    // Half of a fee of 0.58, then the rest of the bonus for a loss of 40. All that is left is margin.
    x.sell("bea", 0.02, { at: 58_000, tif: "IOC", reduceOnly: true });
    assert.deepEqual([x.account("bea").state, x.account("bea").withdrawable], ["recalled", 0]);
    assert.equal(x.engine.state.fairness.owedOf(x.number("bea")), usdt(19.71));
    const answer = x.sell("bea", 0.14, { at: 58_000, tif: "IOC", reduceOnly: true });
    assert.equal(answer.one("bonus_repaid").amount_micros, usdt(19.71));
    assert.equal(x.engine.state.fairness.owedOf(x.number("bea")), 0);
  });

  it("VLT-3: what is gained from a bonus account against the mark is held for 72 hours", () => {
    const x = withBonus();
    x.trader("lucky", 1_000);
    x.sell("lucky", 0.05, { at: 60_180 });
    x.buy("bea", 0.05, { at: 60_180, tif: "IOC" });
    const gain = usdt(9);
    assert.equal(x.engine.state.fairness.heldOf(x.number("lucky")), gain);
    const { withdrawable, principal, initial } = x.account("lucky");
    assert.equal(withdrawable, principal - initial - gain);
    x.advance(72 * HOUR_ms);
    assert.equal(x.engine.state.fairness.heldOf(x.number("lucky")), gain);
    x.advance(HOUR_ms);
    assert.equal(x.engine.state.fairness.heldOf(x.number("lucky")), 0);
  });

  it("BON-7: the sweeper closes at the mark what the book does not take near the index", () => {
    const x = withBonus();
    x.seedFund(100_000);
    x.trade("bea", "maker", 0.05, 60_000);
    x.advance(7 * DAY_ms);
    x.expire("bea");
    x.advance(7 * DAY_ms);
    x.price(60_000);
    const answer = x.closeExpired("bea");
    const fill = answer.all("fill")[0]!;
    assert.deepEqual([fill.cause, fill.ticks, fill.lots, x.position("bea").lots], ["takeover", 600_000, 50, 0]);
  });
});
