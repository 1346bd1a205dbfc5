import { MoneyError } from "./errors.ts";
import { checkRange, INT256, type IntegerRange, UINT256 } from "./range.ts";
import { assertDecimals, powerOfTen, readDecimalText } from "./text.ts";

export interface ParseUnitsOptions {
  /** Accept a leading "-". False by default, because most amounts in requests are never negative. */
  readonly signed?: boolean;
  /** Bounds of the result in smallest units; by default `UINT256`, or `INT256` if signed. */
  readonly range?: IntegerRange;
}

/**
 * Reads a decimal text as a whole number of the smallest unit: `parseUnits("1.5", 6)` is `1500000n`. It never rounds:
 * more decimals than `decimals`, including trailing zeros, are refused. To ignore trailing zeros, use
 * `Decimal.parse(text).toUnits(decimals, "exact")`, which reads the value instead of the form.
 */
export function parseUnits(text: string, decimals: number, options: ParseUnitsOptions = {}): bigint {
  assertDecimals(decimals);
  const isSigned = options.signed ?? false;
  const written = readDecimalText(text);
  if (written.hasSign && !isSigned) throw new MoneyError("malformed", "a sign is not accepted here");
  if (written.decimals > decimals) {
    throw new MoneyError("too_many_decimals", `at most ${decimals} decimals are accepted`);
  }
  const units = written.coefficient * powerOfTen(decimals - written.decimals);
  return checkRange(units, options.range ?? (isSigned ? INT256 : UINT256));
}

/** Writes units with exactly `decimals` decimals: `formatUnits(1500000n, 6)` is `"1.500000"`. */
export function formatUnits(units: bigint, decimals: number): string {
  assertDecimals(decimals);
  const isNegative = units < 0n;
  const digits = (isNegative ? -units : units).toString().padStart(decimals + 1, "0");
  const pointAt = digits.length - decimals;
  const fraction = decimals === 0 ? "" : `.${digits.slice(pointAt)}`;
  return `${isNegative ? "-" : ""}${digits.slice(0, pointAt)}${fraction}`;
}

/** Writes units without trailing zeros: `formatUnitsTrimmed(1500000n, 6)` is `"1.5"`. */
export function formatUnitsTrimmed(units: bigint, decimals: number): string {
  const text = formatUnits(units, decimals);
  return decimals === 0 ? text : text.replace(/\.?0+$/, "");
}
