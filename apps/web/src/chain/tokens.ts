import { Decimal, parseTyped } from "../lib/decimal.ts";
import { formatDecimal } from "../lib/format.ts";

/** Of the stable token: contracts and the earn area count in its smallest unit. */
export const TOKEN_DECIMALS = 6;

/** Whole units, as on the wire and in contracts, as a decimal text in USDT: "9863013" is "9.863013". */
export const tokensOf = (units: string | bigint): string => Decimal.fromUnits(BigInt(units), TOKEN_DECIMALS).toString();

/** The reverse. Digits after the sixth decimal are cut off, so that it is never more than was meant. */
export const unitsOf = (tokens: string): bigint => Decimal.parse(tokens).toUnits(TOKEN_DECIMALS, "trunc");

/** Whole units for a reader, with two decimals unless more are needed to tell the amount. */
export function sayUnits(units: string | bigint, decimals?: number): string {
  const tokens = tokensOf(units);
  const own = tokens.split(".")[1]?.length ?? 0;
  return `${formatDecimal(tokens, { decimals: decimals ?? Math.max(2, own) })} USDT`;
}

export type TypedAmount =
  | { readonly kind: "empty" }
  | { readonly kind: "wrong"; readonly problem: string }
  | { readonly kind: "amount"; readonly units: bigint; readonly tokens: string };

/** What a person typed as an amount of the token, exact in its six decimals. */
export function readTyped(text: string): TypedAmount {
  if (text.trim() === "") return { kind: "empty" };
  const amount = parseTyped(text);
  if (amount === undefined) return { kind: "wrong", problem: "Write a number such as 250 or 0.5." };
  if (amount.isZero()) return { kind: "wrong", problem: "The amount must be above zero." };
  if (amount.scale > TOKEN_DECIMALS) return { kind: "wrong", problem: "USDT has at most 6 decimals." };
  return { kind: "amount", units: amount.toUnits(TOKEN_DECIMALS, "trunc"), tokens: amount.toString() };
}
