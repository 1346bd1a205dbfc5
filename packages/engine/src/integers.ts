/**
 * The engine's integer arithmetic: whole numbers of ticks, lots and 1e-6 USDT in JavaScript numbers, which are exact up
 * to 2^53 − 1. Every function takes and returns such safe integers, never −0, and throws `EngineOverflow` if the true
 * result is not one. Intermediate products may need 106 bits; they are held in two doubles instead of a BigInt, which
 * would have to be allocated.
 */

/** Toward negative infinity. */
export const FLOOR = 0 as const;
/** Toward positive infinity. */
export const CEIL = 1 as const;
/** Toward zero. */
export const TRUNC = 2 as const;
/** Away from zero. */
export const AWAY = 3 as const;

/** Small integers instead of names: the hot path evaluates the choice once per product. */
export type Rounding = typeof FLOOR | typeof CEIL | typeof TRUNC | typeof AWAY;

/** The result is not a safe integer. The command that caused it is refused; a wrong number never leaves this module. */
export class EngineOverflow extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EngineOverflow";
  }
}

const MAX = Number.MAX_SAFE_INTEGER;

/** 2^27 + 1 splits the 53 bits of a double into two halves whose products are exact (Veltkamp). */
const HALVES = 2 ** 27 + 1;

export function addChecked(a: number, b: number): number {
  const sum = a + b;
  if (!isSafe(a) || !isSafe(b) || !isSafe(sum)) refuse("add", a, b);
  return sum + 0;
}

export function subChecked(a: number, b: number): number {
  const difference = a - b;
  if (!isSafe(a) || !isSafe(b) || !isSafe(difference)) refuse("sub", a, b);
  return difference + 0;
}

export function mulChecked(a: number, b: number): number {
  const product = a * b;
  if (!isSafe(a) || !isSafe(b) || !isSafe(product)) refuse("mul", a, b);
  return product + 0;
}

/** `a × b / divisor`, rounded once. */
export function mulDiv(a: number, b: number, divisor: number, rounding: Rounding): number {
  if (!isSafe(a) || !isSafe(b) || !isSafe(divisor) || divisor === 0) refuse("mulDiv", a, b, divisor);
  const product = a * b;
  if (product > MAX || product < -MAX) return mulDivWide(a, b, divisor, rounding);
  // The double nearest to a quotient of safe integers never reaches the next whole number, so truncating it is exact.
  const quotient = Math.trunc(product / divisor);
  const isNegative = product < 0 !== divisor < 0;
  if (product === quotient * divisor || !roundsAway(isNegative, rounding)) return quotient + 0;
  return isNegative ? quotient - 1 : quotient + 1;
}

/**
 * The fast path for sums and products of whole numbers that the caller has checked: throws unless the result is safe,
 * and never returns −0. A product of several factors is safe if the whole product is in range.
 */
export function exact(result: number): number {
  if (!(result <= MAX && result >= -MAX)) refuse("exact", result);
  return result + 0;
}

/**
 * The fast path of `a / divisor` rounded up, for a safe `a` ≥ 0 and a whole `divisor` ≥ 1 that the caller has checked.
 */
export function ceilDiv(a: number, divisor: number): number {
  const quotient = Math.floor(a / divisor);
  return quotient * divisor === a ? quotient : quotient + 1;
}

/**
 * `mulDiv` for products that do not fit a double. The first estimate of the quotient contains two roundings, so it is
 * off by at most two if the true result is safe; the exact remainder corrects it step by step. The large parts of the
 * remainder cancel without error and the small ones are whole, so inside [0, d) the remainder is exact, and where it is
 * too large to be exact it is still clearly outside.
 */
function mulDivWide(a: number, b: number, divisor: number, rounding: Rounding): number {
  const d = Math.abs(divisor);
  const product = Math.abs(a * b);
  const productError = errorOfProduct(Math.abs(a), Math.abs(b), product);
  let quotient = Math.min(Math.floor(product / d), MAX);
  while (quotient <= MAX) {
    const taken = quotient * d;
    const remainder = product - taken + (productError - errorOfProduct(quotient, d, taken));
    if (remainder < 0) quotient -= 1;
    else if (remainder >= d) quotient += 1;
    else {
      const isNegative = (a < 0 !== b < 0) !== divisor < 0;
      if (remainder > 0 && roundsAway(isNegative, rounding)) quotient += 1;
      if (quotient <= MAX) return isNegative ? -quotient : quotient;
    }
  }
  return refuse("mulDiv", a, b, divisor);
}

/** The difference between `x × y` and the double `product` (Dekker's product). */
function errorOfProduct(x: number, y: number, product: number): number {
  const xScaled = HALVES * x;
  const xHigh = xScaled - (xScaled - x);
  const xLow = x - xHigh;
  const yScaled = HALVES * y;
  const yHigh = yScaled - (yScaled - y);
  const yLow = y - yHigh;
  return xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
}

/** Whether an inexact quotient is rounded to the next whole number away from zero. */
function roundsAway(isNegative: boolean, rounding: Rounding): boolean {
  return rounding === AWAY || rounding === (isNegative ? FLOOR : CEIL);
}

/** `Number.isSafeInteger` written out, which the compiler turns into code two to three times as fast. */
function isSafe(value: number): boolean {
  return Math.floor(value) === value && Math.abs(value) <= MAX;
}

function refuse(operation: string, ...operands: number[]): never {
  throw new EngineOverflow(`${operation}(${operands.join(", ")}) has no safe integer as its result`);
}
