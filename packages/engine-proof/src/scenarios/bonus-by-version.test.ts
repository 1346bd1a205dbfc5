import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_MARKETS, RULES_WITH_FAIR_MARKETS } from "@bourse/engine";
import { TestExchange, usdt } from "./exchange.ts";

const BEFORE = RULES_WITH_FAIR_MARKETS - 1;

/** The same scenario by the rules of version 4 and of version 5. */
const byBoth = <T>(scenario: (x: TestExchange) => T): { readonly before: T; readonly now: T } => {
  const [before, now] = [BEFORE, RULES_WITH_FAIR_MARKETS].map((version) => {
    const x = new TestExchange(FIRST_MARKETS, version);
    x.price(60_000);
    x.trader("maker", 10_000_000);
    return scenario(x);
  }) as [T, T];
  return { before, now };
};

describe("an exchange that stays with rules version 4 keeps its bonus rules", () => {
  it("BON-8: a bonus opens at any price within the band; from version 5 on at fair ones only", () => {
    const { before, now } = byBoth((x) => {
      x.trader("bea", 400);
      x.grant("bea", 500);
      const dear = x.buy("bea", 0.01, { at: 60_600 }).refusal;
      x.cancelAll("bea");
      x.sell("maker", 0.01, { at: 60_600 });
      return { dear, trades: x.buy("bea", 0.01).trades };
    });
    assert.deepEqual(before, { dear: "", trades: [[606_000, 10]] });
    assert.deepEqual(now, { dear: "bonus_price_above", trades: [] });
  });

  it("BON-7: half of an unfair loss stays paid by the bonus; from version 5 on it comes back", () => {
    const { before, now } = byBoth((x) => {
      x.trader("bea", 400);
      x.grant("bea", 500);
      x.sell("maker", 0.1, { at: 60_000 });
      x.buy("bea", 0.1, { at: 60_000, tif: "IOC" });
      x.buy("maker", 0.1, { at: 59_500 });
      const answer = x.sell("bea", 0.1, { at: 59_500, tif: "IOC", reduceOnly: true });
      const { lossFromBonus_micros } = answer.all("fill")[0]!;
      return { lossFromBonus_micros, repaid: answer.all("bonus_repaid").map(({ amount_micros }) => amount_micros) };
    });
    assert.deepEqual(before, { lossFromBonus_micros: usdt(25), repaid: [] });
    assert.deepEqual(now, { lossFromBonus_micros: usdt(25), repaid: [usdt(12.5)] });
  });

  it("BON-7: a maker's stale quote is filled; from version 5 on it is closed instead", () => {
    const { before, now } = byBoth((x) => {
      x.trader("bea", 400);
      x.grant("bea", 500);
      x.buy("bea", 0.05, { at: 59_900 });
      x.price(59_700);
      return x.sell("maker", 0.05, { at: 59_000, tif: "IOC" }).trades;
    });
    assert.deepEqual([before, now], [[[599_000, 50]], []]);
  });

  it("BON-15: a loss on paper from before the grant is shared by the bonus for good; from version 5 on it is owed", () => {
    const { before, now } = byBoth((x) => {
      x.trader("bea", 1_000);
      x.trade("bea", "maker", 0.1, 60_000);
      x.price(58_000);
      x.grant("bea", 500);
      x.buy("maker", 0.05, { at: 58_000 });
      const answer = x.sell("bea", 0.05, { at: 58_000, tif: "IOC", reduceOnly: true });
      const { lossFromBonus_micros } = answer.all("fill")[0]!;
      return { lossFromBonus_micros, owed_micros: x.engine.state.fairness.owedOf(x.number("bea")) };
    });
    assert.deepEqual(before, { lossFromBonus_micros: usdt(50), owed_micros: 0 });
    assert.deepEqual(now, { lossFromBonus_micros: usdt(50), owed_micros: usdt(50) });
  });
});
