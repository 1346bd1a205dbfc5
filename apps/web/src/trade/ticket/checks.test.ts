import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Decimal } from "../../lib/decimal.ts";
import { problemsOf } from "./checks.ts";
import type { Draft } from "./draft.ts";
import { resolve } from "./resolve.ts";
import { BTC, draftOf, PRICES, ROOM } from "./testing.ts";

const NONE_TO_CLOSE = { market: BTC, prices: PRICES, room: ROOM, closable: Decimal.ZERO };
const problems = (change: Partial<Draft>, market = BTC) => {
  const draft = draftOf(change);
  const resolved = resolve(draft, { ...NONE_TO_CLOSE, market });
  return problemsOf(draft, { market, prices: PRICES, resolved });
};
const good = { price: "60000", size: { by: "base", text: "0.01" } } as const;

describe("what is wrong with a draft, in words", () => {
  it("finds nothing in a good one", () => assert.deepEqual(problems(good), {}));

  it("asks for what is missing, once per field", () => {
    assert.deepEqual(problems({}), { price: "Enter a price.", size: "Enter a size." });
    assert.deepEqual(problems({ price: "abc", size: { by: "base", text: "-1" } }), {
      price: "Enter a price as a number above 0.",
      size: "Enter the size as a number above 0.",
    });
  });

  it("names the prices beside one that is off the tick", () => {
    assert.equal(
      problems({ ...good, price: "60000.15" }).price,
      "Prices move in steps of 0.1: take 60,000.1 or 60,000.2.",
    );
    assert.equal(problems({ ...good, price: "0.05" }).price, "Prices move in steps of 0.1: the lowest is 0.1.");
  });

  it("FUT-2: names the bound of the price band", () => {
    assert.equal(problems({ ...good, price: "63000.1" }).price, "Too far above the mark: 63,000.0 at most.");
    assert.equal(problems({ ...good, price: "63000" }).price, undefined);
    assert.equal(
      problems({ ...good, side: "SELL", price: "56999.9" }).price,
      "Too far below the mark: 57,000.0 at least.",
    );
  });

  it("says how much a lot and the smallest order are", () => {
    assert.equal(
      problems({ ...good, size: { by: "base", text: "0.0009" } }).size,
      "Below one lot: enter 0.001 BTC or more.",
    );
    assert.equal(
      problems({ ...good, size: { by: "quote", text: "59" } }).size,
      "Below one lot: 0.001 BTC costs 60.00 USDT.",
    );
    const penny = { ...BTC, lot_size: "0.00001" };
    assert.equal(
      problems({ ...good, size: { by: "base", text: "0.00002" } }, penny).size,
      "Worth 1.20 USDT: an order must be worth 5.00 USDT or more.",
    );
    assert.equal(
      problems({ ...good, size: { by: "base", text: "200" } }).size,
      "Worth 12,000,000.00 USDT: split it, an order may be worth 10,000,000.00 USDT.",
    );
  });

  it("FUT-6: reduce-only with nothing to reduce", () => {
    assert.match(problems({ ...good, isReduceOnly: true }).size ?? "", /nothing to reduce on this side/);
  });

  it("FUT-8: a trigger that is reached already", () => {
    const stop = { kind: "STOP_MARKET", size: good.size } as const;
    assert.equal(
      problems({ ...stop, side: "BUY", stopPrice: "60000" }).stopPrice,
      "Would trigger at once: raise it above 60,000.0.",
    );
    assert.deepEqual(problems({ ...stop, side: "BUY", stopPrice: "60000.1" }), {});
    assert.equal(
      problems({ ...stop, side: "SELL", stopPrice: "60001" }).stopPrice,
      "Would trigger at once: lower it below 60,000.0.",
    );
    const profit = { kind: "TAKE_PROFIT_MARKET", size: good.size } as const;
    assert.deepEqual(problems({ ...profit, side: "SELL", stopPrice: "60001" }), {});
    assert.match(problems({ ...profit, side: "BUY", stopPrice: "60001" }).stopPrice ?? "", /lower it below/);
  });

  it("FUT-8: a trailing stop's callback and activation", () => {
    const trailing = { kind: "TRAILING_STOP_MARKET", side: "SELL", size: good.size } as const;
    assert.deepEqual(problems({ ...trailing, callbackRate: "0.1" }), {});
    for (const callbackRate of ["0.09", "10.01", "0.155", ""]) {
      assert.equal(problems({ ...trailing, callbackRate }).callbackRate, "Enter 0.1 to 10 percent, in steps of 0.01.");
    }
    assert.match(
      problems({ ...trailing, activatePrice: "59000" }).activatePrice ?? "",
      /Reached already.*raise it above/,
    );
    assert.deepEqual(problems({ ...trailing, activatePrice: "61000" }), {});
  });

  it("a take profit lies where the position gains, a stop loss where it loses", () => {
    const attached = { ...good, hasAttached: true };
    const at = (text: string) => ({ measure: "price", text, workingType: "MARK_PRICE" }) as const;
    assert.deepEqual(problems({ ...attached, takeProfit: at("61000"), stopLoss: at("59000") }), {});
    assert.deepEqual(problems({ ...attached, takeProfit: at("59000"), stopLoss: at("61000") }), {
      takeProfit: "The take profit of a buy lies above 60,000.0.",
      stopLoss: "The stop loss of a buy lies below 60,000.0.",
    });
    assert.deepEqual(problems({ ...attached, side: "SELL", takeProfit: at("59000"), stopLoss: at("61000") }), {});
    const pnl = { measure: "pnl", text: "10", workingType: "MARK_PRICE" } as const;
    assert.match(
      problems({ ...attached, size: { by: "base", text: "" }, takeProfit: pnl }).takeProfit ?? "",
      /Enter the size first/,
    );
  });

  it("slippage is a percentage", () => {
    const market = { kind: "MARKET", size: good.size } as const;
    assert.deepEqual(problems({ ...market, maxSlippage: "0.5" }), {});
    assert.match(problems({ ...market, maxSlippage: "101" }).maxSlippage ?? "", /0 to 100/);
  });

  it("a halted market takes nothing", () => {
    assert.match(problems(good, { ...BTC, status: "halted" }).form ?? "", /halted/);
  });
});
