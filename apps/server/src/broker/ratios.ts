import { formatUnitsTrimmed, MoneyError, parseUnits } from "@bourse/money";
import { moneyText } from "../kernel/units.ts";
import { refusals } from "./refusals.ts";

/** WIRE-2: a decimal string, or a number. */
export type DecimalInput = string | number;

const RATIO_DECIMALS = 6;
const ONE_e6 = 1_000_000;

/** Parses a ratio in [0, 1] into millionths; refuses anything else under the field's name. */
export function readRatio(name: string, input: DecimalInput): number {
  try {
    // The number's shortest text equals what the caller wrote, except for exponents, which no ratio of six decimals needs.
    const value_e6 = Number(parseUnits(trimmed(String(input)), RATIO_DECIMALS));
    if (value_e6 <= ONE_e6) return value_e6;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
  }
  throw refusals.ratioOutOfRange(name);
}

/** 0.40: trailing zeros do not count as decimals. */
const trimmed = (text: string) => (/^\d+\.\d*[0-9]$/.test(text) ? text.replace(/\.?0+$/, "") : text);

/** Parses a non-negative amount of USDT into micros. */
export function readAmount(name: string, input: DecimalInput): bigint {
  try {
    const micros = parseUnits(trimmed(String(input)), RATIO_DECIMALS);
    if (micros <= 2n ** 63n - 1n) return micros;
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
  }
  throw refusals.invalidField(name, "must be a decimal amount of USDT with at most 6 decimals, not negative");
}

/** 0.4, without trailing zeros. */
export const ratioText = (ratio_e6: number): string => formatUnitsTrimmed(BigInt(ratio_e6), RATIO_DECIMALS);

/** USDT with at least two decimals: 30.00, 0.000001. */
export const amountText = (micros: bigint | number): string => moneyText(micros);
