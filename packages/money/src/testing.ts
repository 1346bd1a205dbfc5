import assert from "node:assert/strict";
import fc from "fast-check";
import { MoneyError, type MoneyErrorReason } from "./errors.ts";
import type { Rounding } from "./rounding.ts";

export const ROUNDINGS_THAT_CHOOSE = [
  "floor",
  "ceil",
  "trunc",
  "away",
  "halfUp",
  "halfEven",
] as const satisfies Rounding[];

export function assertRefused(reason: MoneyErrorReason, action: () => unknown, label?: string): void {
  assert.throws(action, (error) => error instanceof MoneyError && error.reason === reason, label);
}

/** Returns the value, or the refusal that a hostile text may cause; any other outcome fails the test. */
export function valueOrRefusal<T>(action: () => T): T | MoneyError {
  try {
    return action();
  } catch (error) {
    if (error instanceof MoneyError) return error;
    throw error;
  }
}

/** The oracle: rounding by its textbook definition on the rational `numerator / divisor`, built on floor alone. */
export function roundRational(
  numerator: bigint,
  divisor: bigint,
  rounding: (typeof ROUNDINGS_THAT_CHOOSE)[number],
): bigint {
  const n = divisor < 0n ? -numerator : numerator;
  const d = divisor < 0n ? -divisor : divisor;
  const below = n >= 0n ? n / d : -((-n + d - 1n) / d);
  const above = below * d === n ? below : below + 1n;
  const isNegative = n < 0n;
  const toBelow = n - below * d;
  const toAbove = above * d - n;
  const nearest = toBelow < toAbove ? below : above;
  switch (rounding) {
    case "floor":
      return below;
    case "ceil":
      return above;
    case "trunc":
      return isNegative ? above : below;
    case "away":
      return isNegative ? below : above;
    case "halfUp":
      if (toBelow !== toAbove) return nearest;
      return isNegative ? below : above;
    case "halfEven":
      if (toBelow !== toAbove) return nearest;
      return below % 2n === 0n ? below : above;
  }
}

/**
 * Texts near the limits of the grammar: digits, signs and characters that other number formats allow. None is so long
 * or so large that a limit decides instead of the form.
 */
export const suspiciousText = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."0123456789.-+eE_, xn"), maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..."0019.-"), maxLength: 9 }),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc
    .tuple(
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
      fc.constantFrom("", ".", ".0", " ", "\n", "\u0000", "e1", "٣", "\uff11"),
    )
    .map(([n, tail]) => `${n}${tail}`),
);

/**
 * The reference for text: walks the characters and returns the canonical text of the number, or null if they are no
 * number.
 */
export function canonicalText(text: string): string | null {
  const isNegative = text.startsWith("-");
  const parts = (isNegative ? text.slice(1) : text).split(".");
  const isDigits = (part: string) => part !== "" && [...part].every((character) => "0123456789".includes(character));
  if (parts.length > 2 || !parts.every(isDigits)) return null;
  let [whole = "", fraction = ""] = parts;
  while (whole.length > 1 && whole.startsWith("0")) whole = whole.slice(1);
  while (fraction.endsWith("0")) fraction = fraction.slice(0, -1);
  const magnitude = fraction === "" ? whole : `${whole}.${fraction}`;
  return isNegative && magnitude !== "0" ? `-${magnitude}` : magnitude;
}
