import { MoneyError } from "./errors.ts";

/** Both ends belong to the range. */
export interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

/** A database `bigint`. */
export const INT64: IntegerRange = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
export const INT256: IntegerRange = { min: -(2n ** 255n), max: 2n ** 255n - 1n };
/** A token amount on chain. */
export const UINT256: IntegerRange = { min: 0n, max: 2n ** 256n - 1n };
/** The integers that a JavaScript number holds exactly, and so the ones that may be passed to the engine. */
export const SAFE_INTEGER: IntegerRange = {
  min: BigInt(Number.MIN_SAFE_INTEGER),
  max: BigInt(Number.MAX_SAFE_INTEGER),
};

/** Returns `value` if it is in `range`, so that the check can be part of an expression. */
export function checkRange(value: bigint, range: IntegerRange): bigint {
  if (value < range.min || value > range.max) {
    throw new MoneyError("out_of_range", `the value must be between ${range.min} and ${range.max}`);
  }
  return value;
}
