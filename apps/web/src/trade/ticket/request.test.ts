import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Decimal } from "../../lib/decimal.ts";
import type { Draft } from "./draft.ts";
import { buildOrder } from "./request.ts";
import { resolve } from "./resolve.ts";
import { BTC, draftOf, PRICES, ROOM } from "./testing.ts";

function built(change: Partial<Draft>) {
  const draft = draftOf(change);
  const closable = draft.side === "SELL" ? Decimal.parse("0.2") : Decimal.ZERO;
  const resolved = resolve(draft, { market: BTC, prices: PRICES, room: ROOM, closable });
  return buildOrder(draft, BTC, resolved, "web-1");
}
const size = { by: "base", text: "0.0129" } as const;
const common = { symbol: "BTCUSDT", side: "BUY", client_order_id: "web-1", quantity: "0.012" };

describe("WIRE-7: requests", () => {
  it("LIMIT, floored to the lot, with its time in force", () => {
    assert.deepEqual(built({ price: "60,000.10", size, timeInForce: "GTX" }), {
      path: "account",
      request: { ...common, type: "LIMIT", price: "60000.1", time_in_force: "GTX" },
    });
  });

  it("LIMIT in USDT: reckoned at the limit price", () => {
    const { request } = built({ price: "50000", size: { by: "quote", text: "1000" } });
    assert.equal("quantity" in request && request.quantity, "0.02");
    assert.equal("quote_quantity" in request, false);
  });

  it("MARKET in USDT: the exchange reckons with its book", () => {
    assert.deepEqual(built({ kind: "MARKET", size: { by: "quote", text: "1000" }, maxSlippage: "0.5" }).request, {
      symbol: "BTCUSDT",
      side: "BUY",
      type: "MARKET",
      client_order_id: "web-1",
      quote_quantity: "1000",
      max_slippage: "0.005",
    });
  });

  it("a part of what is possible", () => {
    // 10,000 at 10×, a cushion for the price that runs away, at the best ask.
    const { request } = built({ kind: "MARKET", size: { by: "percent", percent: 50 } });
    assert.equal(request.quantity, "0.083");
    const closing = built({ kind: "MARKET", side: "SELL", isReduceOnly: true, size: { by: "percent", percent: 100 } });
    assert.deepEqual(
      [closing.request.quantity, "reduce_only" in closing.request && closing.request.reduce_only],
      ["0.2", true],
    );
  });

  it("STOP and TAKE_PROFIT, with and without a price", () => {
    const trigger = { stopPrice: "61000", workingType: "CONTRACT_PRICE", size } as const;
    const waits = { ...common, stop_price: "61000", working_type: "CONTRACT_PRICE" };
    assert.deepEqual(built({ kind: "STOP_MARKET", ...trigger }).request, { ...waits, type: "STOP_MARKET" });
    assert.deepEqual(built({ kind: "STOP", price: "61100", ...trigger }).request, {
      ...waits,
      type: "STOP",
      price: "61100",
      time_in_force: "GTC",
    });
    assert.deepEqual(built({ kind: "TAKE_PROFIT_MARKET", isReduceOnly: true, ...trigger }).request, {
      ...waits,
      type: "TAKE_PROFIT_MARKET",
      reduce_only: true,
    });
  });

  it("a trailing stop goes the bots' way", () => {
    const trailing = { kind: "TRAILING_STOP_MARKET", side: "SELL", size, callbackRate: "1.50" } as const;
    const request = {
      symbol: "BTCUSDT",
      side: "SELL",
      type: "TRAILING_STOP_MARKET",
      quantity: "0.012",
      callbackRate: "1.5",
      workingType: "MARK_PRICE",
      clientAlgoId: "web-1",
    };
    assert.deepEqual(built(trailing), { path: "algo", request });
    assert.deepEqual(built({ ...trailing, activatePrice: "61000", isReduceOnly: true }).request, {
      ...request,
      activatePrice: "61000",
      reduceOnly: true,
    });
  });

  it("attached triggers by price, by percent and by PnL, on the tick", () => {
    const attached = (change: Partial<Draft>) => {
      const { request } = built({ price: "60000", size: { by: "base", text: "0.03" }, hasAttached: true, ...change });
      return "take_profit" in request || "stop_loss" in request ? [request.take_profit, request.stop_loss] : [];
    };
    const by = (measure: "price" | "percent" | "pnl", text: string) =>
      ({ measure, text, workingType: "MARK_PRICE" }) as const;
    const trigger = (trigger_price: string) => ({ trigger_price, working_type: "MARK_PRICE" });
    assert.deepEqual(attached({ takeProfit: by("price", "61000"), stopLoss: by("percent", "1.5") }), [
      trigger("61000.0"),
      trigger("59100.0"),
    ]);
    // 10 USDT on 0.03 BTC are 333.333…: away from the entry.
    assert.deepEqual(attached({ takeProfit: by("pnl", "10"), stopLoss: by("pnl", "10") }), [
      trigger("60333.4"),
      trigger("59666.6"),
    ]);
    assert.deepEqual(attached({ side: "SELL", takeProfit: by("pnl", "10") }), [trigger("59666.6"), undefined]);
    assert.deepEqual(attached({ takeProfit: by("price", "61000"), isReduceOnly: true }), []);
  });
});
