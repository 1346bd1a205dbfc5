import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FIRST_MARKETS, type MarketDefinition } from "@bourse/engine";
import { TestExchange } from "./exchange.ts";

/** Each command breaks the named rule and at least one that is checked later. */
describe("the order of checks", () => {
  it("FUT-16: fields before the account, the account before the market", () => {
    const x = new TestExchange();
    const account = x.trader("ann", 1_000);
    const order = {
      kind: "set_leverage",
      time_ms: x.time_ms,
      account,
      market: 0,
      leverage: 5,
    } as const;
    assert.equal(x.apply({ ...order, account: 9, market: 9, leverage: 0.5 }).refusal, "bad_field");
    assert.equal(x.apply({ ...order, account: 9, market: 9 }).refusal, "unknown_account");
    assert.equal(x.apply({ ...order, market: 9, leverage: 500 }).refusal, "unknown_market");
  });

  it("FUT-16: combination, then the market's state, then its price", () => {
    const x = new TestExchange();
    x.trader("ann", 1_000);
    x.status("halted");
    assert.equal(x.buy("ann", 1, { at: 60_000, quote: 5 }).refusal, "bad_field");
    assert.equal(x.buy("ann", 1, { at: 60_000 }).refusal, "market_halted");
    x.status("trading");
    assert.equal(x.buy("ann", 0, { at: 60_000 }).refusal, "no_price");
  });

  it("FUT-16: lots, then band, then notional, then what the market allows", () => {
    const x = new TestExchange();
    x.price(60_000);
    x.trader("ann", 1_000);
    x.status("reduce_only");
    assert.equal(x.buy("ann", 0, { at: 99_000 }).refusal, "lot_size");
    assert.equal(x.buy("ann", 500, { at: 63_000.1 }).refusal, "price_above_band");
    assert.equal(x.sell("ann", 500, { at: 56_999.9 }).refusal, "price_below_band");
    assert.equal(x.buy("ann", 500, { at: 60_000 }).refusal, "max_notional");
    assert.equal(x.buy("ann", 0.001, { at: 4_000 }).refusal, "min_notional");
    assert.equal(x.buy("ann", 100, { at: 60_000 }).refusal, "market_reduce_only");
    assert.equal(x.buy("ann", 100, { at: 60_000, reduceOnly: true }).refusal, "reduce_only_rejected");
  });

  it("FUT-16: reduce-only, then bonus, then the position limit, then margin", () => {
    const x = new TestExchange();
    x.price(60_000);
    x.trader("maker", 1_000_000);
    x.trader("ann", 40, 50);
    x.grant("ann", 1_000, 50);
    x.trade("ann", "maker", 0.1, 60_000);
    // Bonus above 0.60: exposure against the position is refused at any size.
    assert.equal(x.sell("ann", 100, { at: 60_000 }).refusal, "bonus_ratio");
    assert.equal(x.buy("ann", 2, { at: 60_000 }).refusal, "position_limit");
    assert.equal(x.buy("ann", 1.5, { at: 60_000 }).refusal, "margin_insufficient");
    x.freeze("ann");
    assert.equal(x.buy("ann", 0.1, { at: 60_000, reduceOnly: true }).refusal, "reduce_only_rejected");
    assert.equal(x.sell("ann", 100, { at: 60_000 }).refusal, "bonus_only_reducing");
    x.status("reduce_only");
    assert.equal(x.sell("ann", 100, { at: 60_000 }).refusal, "market_reduce_only");
  });

  it("FUT-16: margin, then counts, then triggers, then the book", () => {
    const x = new TestExchange([{ ...FIRST_MARKETS[0]!, maxOpenOrders: 2, maxConditionalOrders: 2 }]);
    x.price(60_000);
    x.trader("maker", 1_000_000);
    x.trader("ann", 10_000);
    x.sell("maker", 1, { at: 60_000 });
    const first = x.buy("ann", 0.1, { at: 59_000, name: "a" }).order;
    x.buy("ann", 0.1, { at: 59_000, name: "b" });
    const wrong = { takeProfit: { at: 59_000 }, tif: "GTX", name: "a" } as const;
    assert.equal(x.buy("ann", 10, { at: 60_000, ...wrong }).refusal, "margin_insufficient");
    const many = x.buy("ann", 0.1, { at: 60_000, ...wrong });
    assert.deepEqual([many.refusal, many.bounds], ["too_many_orders", [2, 2]]);
    x.cancel("ann", first);
    x.stop("ann", "buy", 0.1, { trigger: 70_000 });
    const both = { takeProfit: { at: 59_000 }, stopLoss: { at: 61_000 } } as const;
    const conditionals = x.buy("ann", 0.1, { at: 60_000, tif: "GTX", name: "b", ...both });
    assert.deepEqual([conditionals.refusal, conditionals.bounds], ["too_many_conditionals", [2, 3]]);
    assert.equal(x.buy("ann", 0.1, { at: 60_000, ...wrong, name: "b" }).refusal, "duplicate_client_id");
    assert.equal(x.buy("ann", 0.1, { at: 60_000, ...wrong }).refusal, "would_trigger");
    assert.equal(x.buy("ann", 0.1, { at: 60_000, tif: "GTX" }).refusal, "post_only_would_take");
    assert.equal(x.buy("ann", 0.1, { at: 60_000 }).trades.length, 1);
  });

  it("FUT-16: an order that fills at once needs no room among the open orders", () => {
    const x = new TestExchange([{ ...FIRST_MARKETS[0]!, maxOpenOrders: 1 }]);
    x.price(60_000);
    x.trader("maker", 1_000_000);
    x.trader("ann", 10_000);
    x.sell("maker", 0.5, { at: 60_000 });
    x.buy("ann", 0.1, { at: 59_000 });
    assert.equal(x.buy("ann", 0.1, { at: 60_000 }).refusal, "too_many_orders");
    assert.equal(x.buy("ann", 0.1, { at: 60_000, tif: "IOC" }).refusal, "");
    assert.equal(x.buy("ann", 0.1, { at: 60_000, tif: "FOK" }).refusal, "");
  });

  it("FUT-16: conditional orders: market, price, count, name, trigger", () => {
    const x = new TestExchange([{ ...FIRST_MARKETS[0]!, maxConditionalOrders: 1 }]);
    x.trader("ann", 10_000);
    const command = { trigger: 60_000, name: "c" } as const;
    assert.equal(x.stop("ann", "buy", 0.1, { ...command, closePosition: true }).refusal, "bad_field");
    x.status("halted");
    assert.equal(x.stop("ann", "buy", 0.1, command).refusal, "market_halted");
    x.status("trading");
    assert.equal(x.stop("ann", "buy", 0.1, command).refusal, "no_price");
    x.price(60_000);
    const { conditional } = x.stop("ann", "buy", 0.1, { trigger: 61_000, name: "other" });
    assert.equal(x.stop("ann", "buy", 0.1, { ...command, name: "other" }).refusal, "too_many_conditionals");
    x.cancel("ann", conditional);
    x.buy("ann", 0.1, { at: 59_000, name: "c" });
    assert.equal(x.stop("ann", "buy", 0.1, command).refusal, "duplicate_client_id");
    assert.equal(x.stop("ann", "buy", 0.1, { trigger: 60_000 }).refusal, "would_trigger");
  });
});

describe("the limits of a market", () => {
  /** One tick times one lot is one USDT, and the only bracket has the largest allowed cap. */
  const BIG: MarketDefinition = {
    ...FIRST_MARKETS[0]!,
    symbol: "BIGUSDT",
    tickSize_e8: 100_000_000,
    lotSize_e8: 100_000_000,
    maxNotional_micros: 1e15,
    brackets: [{ cap_micros: 1e15, maxLeverage: 50, maintenanceRate_e8: 1_000_000, cumulative_micros: 0 }],
  };

  it("FUT-16: orders open no more than one billion, and one lot more is refused", () => {
    const x = new TestExchange([BIG]);
    // Behind a billion of open interest.
    x.seedFund(100_000_000);
    x.price(100, "BIGUSDT");
    x.trader("ann", 1e9);
    x.trader("bob", 1e9);
    assert.equal(x.buy("ann", 5_000_000, { at: 100, in: "BIGUSDT" }).refusal, "");
    const more = x.sell("bob", 5_000_001, { at: 100, in: "BIGUSDT" });
    assert.deepEqual([more.refusal, more.bounds], ["market_full", [1e15, 1e15 + 1e8]]);
    assert.equal(x.sell("bob", 5_000_000, { at: 100, in: "BIGUSDT" }).trades.length, 1);
  });

  it("FUT-16: orders that reduce are no part of it, and do not hold prices back", () => {
    const x = new TestExchange([BIG]);
    // Behind a billion of open interest.
    x.seedFund(100_000_000);
    x.price(100, "BIGUSDT");
    x.trader("ann", 1e9);
    x.trader("bob", 1e9);
    x.trade("ann", "bob", 5_000_000, 100, "BIGUSDT");
    assert.equal(x.sell("ann", 5_000_000, { at: 110, in: "BIGUSDT", reduceOnly: true }).refusal, "");
    assert.equal(x.buy("bob", 5_000_000, { at: 90, in: "BIGUSDT", reduceOnly: true }).refusal, "");
    assert.equal(x.price(101, "BIGUSDT").refusal, "");
    const far = x.price(801, "BIGUSDT");
    assert.deepEqual([far.refusal, far.bounds], ["out_of_range", [4e15, 4.005e15]]);
  });
});
