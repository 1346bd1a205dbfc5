import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { BonusData, ConditionalEvent } from "@bourse/api/client";
import { bonusNews, conditionalNews } from "./news.ts";

const TRIGGER = {
  symbol: "BTCUSDT",
  type: "STOP_MARKET",
  stop_price: "58000.0",
  price: "0.0",
  status: "TRIGGERED",
  reason: "none",
} as ConditionalEvent;

describe("news of triggers", () => {
  it("tells that one has fired, and what follows", () => {
    assert.deepEqual(conditionalNews(TRIGGER), {
      tone: "accent",
      title: "Stop market BTC: triggered at 58,000.0",
      detail: "A market order follows.",
    });
    assert.equal(conditionalNews({ ...TRIGGER, price: "57900.0" })?.detail, "Its order is in the market.");
    const trailing = { ...TRIGGER, type: "TRAILING_STOP_MARKET", stop_price: "0.0" } as const;
    assert.equal(conditionalNews(trailing)?.title, "Trailing stop BTC: triggered");
  });

  it("tells an end that nobody asked for, with the reason, and no other", () => {
    const rejected = { ...TRIGGER, status: "REJECTED", reason: "margin_insufficient" } as const;
    assert.deepEqual(
      [conditionalNews(rejected)?.tone, conditionalNews(rejected)?.detail],
      ["warn", "The margin did not suffice when it fired."],
    );
    for (const status of ["NEW", "TRIGGERING", "FINISHED", "CANCELED"] as const) {
      assert.equal(conditionalNews({ ...TRIGGER, status }), undefined);
    }
  });
});

describe("news of the bonus", () => {
  const told = (change: Partial<BonusData>) => bonusNews({ amount: "500.00", ...change } as BonusData)?.title;

  it("grant, warning and end; not every lock", () => {
    assert.equal(told({ kind: "GRANT" }), "Bonus of 500.00 USDT granted");
    assert.equal(told({ kind: "WARNING", remaining_ms: 3_600_000 }), "The bonus ends in 1 h 00 min");
    assert.equal(told({ kind: "EXPIRE" }), "500.00 USDT of the bonus went back");
    for (const kind of ["LOCK", "UNLOCK", "CONSUME_FEE", "STATE"] as const) assert.equal(told({ kind }), undefined);
  });
});
