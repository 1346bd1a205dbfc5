import assert from "node:assert/strict";
import fc from "fast-check";
import { EngineOverflow } from "../../integers.ts";
import { FIRST_MARKETS, type Market } from "../market.ts";

/** Exact arithmetic for the tests' own computation of a rule. The engine itself uses no BigInt. */
export function floorDiv(numerator: bigint, denominator: bigint): bigint {
  const [n, d] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator];
  const quotient = n / d;
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient;
}

export function ceilDiv(numerator: bigint, denominator: bigint): bigint {
  return -floorDiv(-numerator, denominator);
}

export function truncDiv(numerator: bigint, denominator: bigint): bigint {
  return numerator / denominator;
}

export function maxOf(first: bigint, ...others: bigint[]): bigint {
  return others.reduce((largest, value) => (value > largest ? value : largest), first);
}

export function minOf(first: bigint, ...others: bigint[]): bigint {
  return others.reduce((smallest, value) => (value < smallest ? value : smallest), first);
}

export function absOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Equal in value, safe, and never −0: equal states must have equal bytes. */
export function assertInteger(actual: number, expected: bigint | number, message?: string): void {
  assert.ok(Number.isSafeInteger(actual) && !Object.is(actual, -0), `${actual} is no clean safe integer`);
  assert.equal(BigInt(actual), BigInt(expected), message);
}

export function assertOverflows(action: () => unknown): void {
  assert.throws(action, EngineOverflow);
}

export function marketOf(symbol: string): Market {
  const market = FIRST_MARKETS.find((candidate) => candidate.symbol === symbol);
  assert.ok(market, `no market ${symbol}`);
  return market;
}

/** Whole USDT in micros. */
export function usdt(amount: number): number {
  return amount * 1_000_000;
}

export const anyMarket = fc.constantFrom(...FIRST_MARKETS);

/** Amounts up to the maximum of an account, in all magnitudes: a uniform choice would rarely be small. */
export const anyAmount = fc
  .tuple(fc.nat(1e15 - 1), fc.nat(14))
  .map(([amount, digits]) => Math.floor(amount / 10 ** digits));

export const anySignedAmount = fc
  .tuple(anyAmount, fc.boolean())
  .map(([amount, isDebt]) => (isDebt ? 0 - amount : amount));

/** Up to 10 M USDT at BTC's price in its lots; other markets reach higher values. */
export const anyLots = fc.integer({ min: 1, max: 200_000 });
export const anySignedLots = fc.tuple(anyLots, fc.boolean()).map(([lots, isShort]) => (isShort ? -lots : lots));
export const anyTicks = fc.oneof(fc.integer({ min: 1, max: 2_000_000 }), fc.integer({ min: 1, max: 50 }));
export const anyLeverage = fc.integer({ min: 1, max: 50 });
