import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PlacedOrder } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";
import { actionLabel, outcomeWords, placedWords } from "./action-words.ts";
import type { Draft } from "./draft.ts";
import { resolve } from "./resolve.ts";
import { BTC, draftOf, PRICES, ROOM } from "./testing.ts";

function label(change: Partial<Draft>, isReady = true): string {
  const draft = draftOf(change);
  const resolved = resolve(draft, { market: BTC, prices: PRICES, room: ROOM, closable: Decimal.ZERO });
  return actionLabel(draft, resolved, BTC, isReady);
}
const size = { by: "base", text: "0.25" } as const;

const ORDER = {
  id: 7,
  symbol: "BTCUSDT",
  side: "BUY",
  type: "LIMIT",
  status: "NEW",
  reason: null,
  price: "59000.0",
  quantity: "0.250",
  executed_quantity: "0.000",
  average_price: "0",
  stop_price: null,
} as PlacedOrder;

describe("what the button says", () => {
  it("names side, size and price", () => {
    assert.equal(label({ size, price: "60012.3" }), "Buy 0.25 BTC at 60,012.3");
    assert.equal(label({ size, kind: "MARKET", side: "SELL" }), "Sell 0.25 BTC at market");
    assert.equal(label({ kind: "MARKET", size: { by: "quote", text: "500" } }), "Buy BTC for 500 USDT at market");
    assert.equal(label({ size, kind: "STOP_MARKET", stopPrice: "61000" }), "Buy 0.25 BTC once at 61,000");
    assert.equal(label({ size, kind: "TRAILING_STOP_MARKET", callbackRate: "1.5" }), "Buy 0.25 BTC trailing 1.5 %");
  });

  it("says only what it is about while something is missing", () => {
    assert.equal(label({ price: "60012.3" }, false), "Buy BTC");
  });
});

describe("what became of an order", () => {
  it("resting, partly filled, expired, waiting", () => {
    assert.equal(placedWords(ORDER, true)?.title, "Buy 0.25 BTC rests at 59,000.0");
    const partly = { ...ORDER, status: "PARTIALLY_FILLED", executed_quantity: "0.100" };
    assert.equal(placedWords(partly, true)?.title, "0.1 of 0.25 BTC filled");
    const expired = { ...partly, status: "EXPIRED", reason: "time_in_force" };
    assert.equal(placedWords(expired, true)?.detail, "What could not be filled at once was cancelled.");
    const waiting = { ...ORDER, type: "STOP_MARKET", stop_price: "61000.0" };
    assert.equal(placedWords(waiting, true)?.title, "Stop market waits: Buy 0.25 BTC at 61,000.0");
  });

  it("fills are told by the feed, and here only while it is silent", () => {
    const filled = { ...ORDER, status: "FILLED", executed_quantity: "0.250", average_price: "59000.5" };
    assert.equal(placedWords(filled, true), undefined);
    assert.equal(placedWords(filled, false)?.title, "Bought 0.25 BTC at 59,000.5");
  });

  it("after a lost reply it says what was found, and never pretends", () => {
    assert.match(
      outcomeWords({ kind: "found", id: 7, status: "PARTIALLY_FILLED", executed: "0.100" }).title,
      /partially filled/,
    );
    assert.match(outcomeWords({ kind: "not_placed" }).detail ?? "", /You can send it again/);
    assert.match(outcomeWords({ kind: "unknown" }).detail ?? "", /before you send it again/);
  });
});
