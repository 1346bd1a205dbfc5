import { Decimal, MoneyError } from "@bourse/money";
import { parseAddress } from "../../kernel/address.ts";
import { plainText, UNPRINTABLE } from "../../kernel/plain-text.ts";
import { decimalText } from "../../kernel/units.ts";
import { refusals } from "../refusals.ts";

const E2_DECIMALS = 2;
const NOBODY = `0x${"0".repeat(40)}`;

/** WIRE-2: parses a factor between two bounds into hundredths, from a number or a decimal string. */
export function readFactor(name: string, input: string | number, least_e2: number, most_e2: number): number {
  try {
    const value_e2 = Decimal.fromJson(input).toUnits(E2_DECIMALS, "exact");
    if (value_e2 >= BigInt(least_e2) && value_e2 <= BigInt(most_e2)) return Number(value_e2);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
  }
  const bounds = `${factorText(least_e2)} to ${factorText(most_e2)}`;
  throw refusals.invalidField(name, `must be a decimal from ${bounds} with at most 2 decimals`);
}

/** 1.5, without trailing zeros. */
export const factorText = (factor_e2: number): string => decimalText(factor_e2, E2_DECIMALS);

/** Parses an address into lower case. The zero address is refused because no wallet has its key. */
export function readAddress(text: string): string {
  const address = parseAddress(text);
  if (address === undefined || address === NOBODY) throw refusals.invalidAddress();
  return address;
}

/** Parses a name for people. */
export function readLabel(name: string, text: string, most_chars: number): string {
  const label = plainText(text, most_chars);
  if (label !== undefined) return label;
  throw refusals.invalidField(name, `must have 1 to ${most_chars} characters and no control characters`);
}

/** Parses the reason that the audit log records with a change. */
export function readReason(text: string | undefined): string | undefined {
  if (text !== undefined && UNPRINTABLE.test(text)) {
    throw refusals.invalidField("reason", "must have no control characters");
  }
  return text;
}
