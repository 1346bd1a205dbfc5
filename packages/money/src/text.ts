import { MoneyError } from "./errors.ts";

/** The longest text that is read as a number: every decimal that this package writes fits in it. */
export const MAX_TEXT_LENGTH = 80;

/** The largest number of decimals of a value. */
export const MAX_DECIMALS = 60;

// ASCII digits only; digits on both sides of a point; no "+", exponent, space or separator.
const DECIMAL_TEXT = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

/** A number as written: `coefficient / 10^decimals`, with trailing zeros counted as decimals. */
export interface WrittenDecimal {
  readonly hasSign: boolean;
  readonly coefficient: bigint;
  readonly decimals: number;
}

export function readDecimalText(text: string): WrittenDecimal {
  // The length is checked first, so that hostile text is never scanned or converted.
  const match = text.length > MAX_TEXT_LENGTH ? null : DECIMAL_TEXT.exec(text);
  if (match === null) throw new MoneyError("malformed", "not a decimal number");
  const [, sign = "", whole = "", fraction = ""] = match;
  const magnitude = BigInt(whole + fraction);
  const hasSign = sign !== "";
  return { hasSign, coefficient: hasSign ? -magnitude : magnitude, decimals: fraction.length };
}

export function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/**
 * Checks a number of decimals that code passes in; a wrong one is an error of the program, not of the client's number.
 */
export function assertDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) {
    throw new RangeError(`decimals must be a whole number from 0 to ${MAX_DECIMALS}, got ${decimals}`);
  }
}
