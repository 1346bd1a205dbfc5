import { Decimal, parseTyped } from "../../lib/decimal.ts";

const HUNDRED = Decimal.parse("100");
const ONE = Decimal.parse("1");
/** Rates have at most six decimals as fractions. */
const MAX_DECIMALS = 6;

/** A rate as it is typed and shown in tables: "0.35" is "35". */
export const percentText = (fraction: string): string => Decimal.parse(fraction).mul(HUNDRED).toString();

/** What was typed as per cent, as the fraction that is sent; undefined where it is no rate from 0 to 100 %. */
export function fractionOfTyped(percent: string): string | undefined {
  const typed = parseTyped(percent);
  if (typed === undefined) return undefined;
  const fraction = typed.div(HUNDRED, MAX_DECIMALS + 2, "trunc");
  const isExact = fraction.equals(fraction.round(MAX_DECIMALS, "trunc"));
  return isExact && fraction.lte(ONE) ? fraction.toString() : undefined;
}
