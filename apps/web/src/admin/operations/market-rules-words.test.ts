import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MarketRulesView } from "@bourse/api/client";
import { changedRules, changesOf, draftOf, fractionOf, problemsOfRules, toneOfMarket } from "./market-rules-words.ts";

const rules: MarketRulesView = {
  symbol: "BTCUSDT",
  mark_clamp: "0.004",
  price_band: "0.05",
  market_order_bound: "0.02",
  triggered_bound: "0.01",
  trigger_clamp: "0.004",
  liquidation_bound: "0.02",
  unwind_bound: "0.003",
  stress_bound: "0.02",
  fund_inventory: "1",
  fund_outflow: "0.1",
  fair_bound: "0.003",
  impact_notional: "10000.00",
  open_interest_factor: 200,
};

describe("rules of a market in words", () => {
  it("FUT-2: are typed as per cent and sent as fractions, exactly", () => {
    assert.deepEqual([fractionOf("5"), fractionOf("0.4"), fractionOf("0.000001")], ["0.05", "0.004", "0.00000001"]);
    for (const text of ["", "0", "-1", "x", "0.0000001", "1e2"]) assert.equal(fractionOf(text), undefined, text);
    assert.equal(draftOf(rules).price_band, "5");
  });

  it("FUT-2: only what differs is sent and asked about", () => {
    const draft = { ...draftOf(rules), price_band: "3.0", impact_notional: "10,000", open_interest_factor: "150" };
    assert.deepEqual(changedRules(draft, rules), { price_band: "0.03", open_interest_factor: 150 });
    assert.deepEqual(changesOf(draft, rules), [
      { what: "Limit price from the mark", before: "5 %", after: "3 %" },
      { what: "Open interest", before: "200 × the fund", after: "150 × the fund" },
    ]);
    assert.deepEqual(changedRules(draftOf(rules), rules), {});
  });

  it("FUT-2: what no server accepts is said beside its field", () => {
    const draft = { ...draftOf(rules), mark_clamp: "0", impact_notional: "x", open_interest_factor: "1.5" };
    assert.deepEqual(Object.keys(problemsOfRules(draft)), ["mark_clamp", "impact_notional", "open_interest_factor"]);
    assert.deepEqual(problemsOfRules(draftOf(rules)), {});
  });

  it("INV-10: from half of its cap on a market is marked", () => {
    const tone = (outflow: string, cap: string, capped = false) => toneOfMarket({ outflow, cap, capped });
    assert.deepEqual([tone("499", "1000"), tone("500", "1000"), tone("0", "1000", true)], ["accent", "warn", "warn"]);
    assert.deepEqual([tone("0", "0"), tone("-5", "0")], ["accent", "accent"]);
  });
});
