import { Decimal, MoneyError } from "@bourse/money";
import { parseAddress } from "../kernel/address.ts";
import { ApiError } from "../kernel/errors.ts";

const MICRO_DIGITS = 6;
/** The least that can be withdrawn. */
export const MIN_micros = 1n;
/** One billion USDT: the engine's maximum per command. */
export const MAX_micros = 10n ** 15n;

const invalidAmount = (text: string) => new ApiError(400, "INVALID_AMOUNT", text, { details: { rule: "amount" } });

/** Parses a positive amount of USDT with at most six decimals into micros. */
export function readAmount(value: string | number): number {
  try {
    const micros = Decimal.fromJson(value).toUnits(MICRO_DIGITS, "exact");
    if (micros <= 0n) throw invalidAmount("the amount must be positive");
    if (micros > MAX_micros) throw invalidAmount("the amount is above one billion");
    return Number(micros);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw invalidAmount(error.reason === "inexact" ? "the amount has more than 6 decimals" : error.message);
  }
}

const NOBODY = `0x${"0".repeat(40)}`;

/** Parses an address into lower case. The zero address is refused: no wallet has its key, so tokens sent there are lost. */
export function readAddress(text: string): string {
  const address = parseAddress(text);
  if (address === undefined || address === NOBODY) {
    throw new ApiError(400, "INVALID_ADDRESS", "the address is not valid");
  }
  return address;
}
