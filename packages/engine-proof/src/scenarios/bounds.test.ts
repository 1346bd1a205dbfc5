import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TestExchange, usdt } from "./exchange.ts";

function market(): TestExchange {
  const x = new TestExchange();
  x.price(60_000);
  x.trader("ann", 1_000_000);
  x.trader("bob", 1_000_000);
  return x;
}

describe("bounds that belong to what they bound", () => {
  it("FUT-2: an order of exactly 5 USDT passes, one below is refused", () => {
    const x = new TestExchange();
    x.price(5_000);
    x.trader("ann", 1_000);
    const refused = x.buy("ann", 0.001, { at: 4_999 });
    assert.deepEqual([refused.refusal, refused.bounds], ["min_notional", [usdt(5), usdt(4.999)]]);
    assert.equal(x.buy("ann", 0.001, { at: 5_000 }).refusal, "");
  });

  it("FUT-2: a price exactly at the band passes, a tick beyond is refused", () => {
    const x = market();
    assert.equal(x.buy("ann", 0.001, { at: 63_000 }).refusal, "");
    assert.equal(x.buy("ann", 0.001, { at: 63_000.1 }).refusal, "price_above_band");
    assert.equal(x.sell("bob", 0.001, { at: 56_999.9 }).refusal, "price_below_band");
    assert.equal(x.sell("bob", 0.001, { at: 57_000 }).refusal, "");
  });

  it("BON-8: the bracket limits leverage also where the grant would allow more", () => {
    const x = market();
    x.grant("ann", 100, 100);
    const refused = x.leverage("ann", 51);
    assert.deepEqual([refused.refusal, refused.bounds], ["leverage_invalid", [50, 51]]);
    assert.equal(x.leverage("ann", 50).refusal, "");
  });

  it("BON-8: a leverage below the grant's stays as it is when the bonus arrives", () => {
    const x = market();
    x.leverage("ann", 3);
    x.grant("ann", 100, 5);
    assert.equal(x.position("ann").leverage, 3);
  });

  it("FUT-9: open buys against a short count by what they can lead to beyond it", () => {
    const x = market();
    x.trade("bob", "ann", 0.1, 60_000);
    x.buy("ann", 0.3, { at: 59_000 });
    // Short 6,000 and buys of 17,700 can lead to a long of 11,700.
    assert.equal(x.account("ann").initial, usdt(1_170));
  });
});
