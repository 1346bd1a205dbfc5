import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Engine, FIRST_MARKETS, isKnownRulesVersion, NEXT_RULES, RULES_WITH_FAIR_MARKETS, State } from "@bourse/engine";
import { EARLIER_RULES, earlierExchange, TestExchange, usdt } from "./exchange.ts";

const AVAX = "AVAXUSDT";
const fairExchange = () => new TestExchange(FIRST_MARKETS, NEXT_RULES);

/** Ann holds 1 BTC from 60,000, bought from the rich maker. */
function holding(): TestExchange {
  const x = fairExchange();
  x.price(60_000);
  x.trader("ann", 20_000);
  x.trader("maker", 10_000_000);
  x.trade("ann", "maker", 1, 60_000);
  return x;
}

describe("version 5", () => {
  it("LOG-5: is known, and what an older exchange can be raised to", () => {
    assert.equal(isKnownRulesVersion(RULES_WITH_FAIR_MARKETS), true);
    const engine = new Engine(new State(EARLIER_RULES));
    engine.apply({ kind: "set_rules_version", time_ms: 1, number: 1, version: RULES_WITH_FAIR_MARKETS });
    assert.deepEqual(engine.events.decode(), [{ kind: "rules_version_set", version: 5, previous: 4 }]);
  });

  it("FUT-2: rules of a market are data of its definition or a command's, and need version 5", () => {
    const x = fairExchange();
    const { rules, definition } = x.engine.state.markets[0]!;
    assert.equal(x.rules({ fairBound_e8: 250_000 }).one("market_rules_set").fairBound_e8, 250_000);
    assert.equal(x.rules({ unwindBound_e8: 500_000 }).refusal, "bad_market");
    assert.equal(x.rules({ markClamp_e8: 500_000 }).refusal, "bad_market");
    assert.equal(x.rules({ triggeredBound_e8: 3_000_000 }).refusal, "bad_market");
    const add = (version: number, own: object) => {
      const engine = new Engine(new State(version));
      engine.apply({ kind: "add_market", time_ms: 1, definition: { ...definition, ...own } });
      return engine;
    };
    const narrow = { ...rules, priceBand_e8: 2_500_000 };
    assert.equal(add(NEXT_RULES, { rules: narrow }).state.markets[0]!.rules.priceBand_e8, 2_500_000);
    assert.equal(add(NEXT_RULES, { rules: { ...narrow, fairBound_e8: 0 } }).state.markets.length, 0);
    assert.equal(add(EARLIER_RULES, { rules: narrow }).state.markets.length, 0);
    const old = add(EARLIER_RULES, {});
    old.apply({ kind: "set_market_rules", time_ms: 1, market: 0, rules });
    assert.deepEqual(old.events.decode(), [{ kind: "refused", account: 0, reason: "bad_field", limit: 0, actual: 0 }]);
  });

  it("FUT-13: the mark stays within the clamp, rounded toward the index", () => {
    const x = fairExchange();
    const marks = (index: number, mark: number) => x.price(index, "BTCUSDT", mark).one("price_set").markTicks;
    assert.deepEqual(
      [marks(60_000, 63_000), marks(60_000, 57_000), marks(60_000, 60_100)],
      [602_400, 597_600, 601_000],
    );
    // 60,000.3 × 1.004 = 60,240.3012 and × 0.996 = 59,760.2988.
    assert.deepEqual([marks(60_000.3, 63_000), marks(60_000.3, 57_000)], [602_403, 597_603]);
  });

  it("FUT-2, FUT-4: the band and the bound are those of version 5, also where an exchange is upgraded", () => {
    const x = earlierExchange();
    x.price(30, AVAX);
    x.trader("ann", 100_000);
    assert.equal(x.buy("ann", 10, { at: 34, in: AVAX }).refusal, "");
    x.cancelAll("ann");
    x.apply({ kind: "set_rules_version", time_ms: x.time_ms, number: x.nextNumber(), version: NEXT_RULES });
    assert.deepEqual(x.buy("ann", 10, { at: 32.401, in: AVAX }).bounds, [32_400, 32_401]);
    x.trader("maker", 1_000_000);
    x.sell("maker", 100, { at: 31.5, in: AVAX });
    x.sell("maker", 100, { at: 31.501, in: AVAX });
    assert.deepEqual(x.buy("ann", 150, { in: AVAX }).trades, [[31_500, 100]]);
  });

  it("FUT-9: a fill that opens needs maintenance afterwards, on either side", () => {
    const x = fairExchange();
    x.price(60_000);
    x.trader("taker", 1_500, 50);
    x.trader("maker", 10_000_000);
    for (let order = 0; order < 5; order += 1) x.buy("taker", 0.1, { at: 60_000 });
    x.price(59_300);
    // Five times 0.1 at 60,000 cost 350 against the mark and need 296.5; 1,500 pay them. A sixth is not let in.
    const answer = x.sell("maker", 0.5, { at: 60_000, tif: "IOC" });
    assert.equal(answer.trades.length, 5);
    x.trader("poor", 700, 50);
    for (let order = 0; order < 5; order += 1) x.buy("poor", 0.1, { at: 59_300 });
    x.price(58_100);
    // Each 0.1 costs 120 and needs 58.1: 700 are enough for three (340 ≥ 174.3), not for four (220 < 232.4).
    const closed = x.sell("maker", 0.5, { at: 59_300, tif: "IOC" });
    assert.equal(closed.trades.length, 3);
    assert.equal(closed.all("order_closed")[0]!.reason, "insolvent");
  });

  it("FUT-10: an order that would open more than the fund stands behind is refused", () => {
    const x = fairExchange();
    x.price(60_000);
    x.trader("ann", 5_000_000, 10);
    x.trader("maker", 5_000_000, 10);
    // 1 M is free; beyond it 200 × the fund.
    x.trade("ann", "maker", 16, 60_000);
    assert.deepEqual(x.buy("ann", 1, { at: 60_000 }).refusal, "market_full");
    x.seedFund(5_101);
    assert.equal(x.buy("ann", 1, { at: 60_000 }).refusal, "");
  });

  it("FUT-15, INV-11: fills carry the mark; one further from it than fair counts for no volume", () => {
    const x = holding();
    const volume = () => x.engine.state.accounts.volume14d(x.number("ann"));
    const before = volume();
    x.sell("maker", 0.1, { at: 60_181 });
    const far = x.buy("ann", 0.1, { at: 60_181, tif: "IOC" }).all("fill")[0]!;
    assert.deepEqual([far.markTicks, far.isOffMarket, volume()], [600_000, 1, before]);
    x.sell("maker", 0.1, { at: 60_180 });
    const near = x.buy("ann", 0.1, { at: 60_180, tif: "IOC" }).all("fill")[0]!;
    assert.deepEqual([near.isOffMarket, volume()], [0, before + usdt(6_018)]);
  });
});

describe("triggers by version 5", () => {
  it("FUT-8: the last price counts within the clamp of the mark, and a fall fires stops though nothing trades", () => {
    const x = holding();
    assert.deepEqual(x.stop("ann", "sell", 0, { trigger: 60_000, closePosition: true }).bounds, [600_000, 600_000]);
    x.stop("ann", "sell", 0, { trigger: 59_500, closePosition: true });
    x.buy("maker", 1, { at: 59_300 });
    // The last trade is 60,000; seen from a mark of 59,260 it is 59,497.04 at most.
    const answer = x.price(59_260);
    assert.deepEqual(answer.trades, [[593_000, 1_000]]);
  });

  it("FUT-8: what the book does not take within the bound is armed again and tried with each price", () => {
    const x = holding();
    const id = x.stop("ann", "sell", 1, { trigger: 59_000, reduceOnly: true, name: "mine", keepsId: true }).conditional;
    x.buy("maker", 0.4, { at: 58_500 });
    const first = x.nextPrice(58_700);
    assert.deepEqual(first.trades, [[585_000, 400]]);
    assert.deepEqual(first.one("conditional_rearmed"), {
      kind: "conditional_rearmed",
      conditional: id,
      account: x.number("ann"),
      market: 0,
      lots: 600,
      tries: 1,
    });
    // A trade moves the last price, not what is armed again; a price above the trigger waits.
    x.buy("maker", 0.5, { at: 58_800 });
    assert.equal(x.position("ann").lots, 600);
    assert.deepEqual(x.nextPrice(59_500).trades, []);
    const again = x.nextPrice(58_700);
    assert.deepEqual(again.trades, [[588_000, 500]]);
    assert.notEqual(again.one("conditional_triggered").order, id);
    assert.deepEqual([again.one("conditional_rearmed").lots, again.one("conditional_rearmed").tries], [100, 2]);
    assert.deepEqual(x.cancel("ann", "mine").closedConditionals, [[id, "CANCELED", "user"]]);
    assert.deepEqual(x.nextPrice(58_000).kinds, ["price_set"]);
  });

  it("FUT-8: after 60 tries it expires", () => {
    const x = holding();
    const id = x.stop("ann", "sell", 0, { trigger: 59_000, closePosition: true }).conditional;
    for (let price = 0; price <= 59; price += 1) {
      assert.equal(x.nextPrice(58_700).one("conditional_rearmed").tries, price + 1);
    }
    const last = x.nextPrice(58_700);
    assert.deepEqual(last.closedConditionals, [[id, "EXPIRED", "tries_used"]]);
    assert.equal(x.position("ann").conditionals, 0);
  });
});
