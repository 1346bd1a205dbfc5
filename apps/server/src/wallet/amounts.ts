import { Decimal, MoneyError } from "@bourse/money";
import { ApiError } from "../kernel/errors.ts";

const MICRO_DIGITS = 6;
/** One billion USDT: the most that the engine takes at once. */
const MOST_micros = 10n ** 15n;

const invalidAmount = (text: string) => new ApiError(400, "INVALID_AMOUNT", text, { details: { rule: "amount" } });

/** A positive amount of USDT with at most six decimals, in micros. */
export function readAmount(value: string | number): number {
  try {
    const micros = Decimal.fromJson(value).toUnits(MICRO_DIGITS, "exact");
    if (micros <= 0n) throw invalidAmount("the amount must be positive");
    if (micros > MOST_micros) throw invalidAmount("the amount is above one billion");
    return Number(micros);
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw invalidAmount(error.reason === "inexact" ? "the amount has more than 6 decimals" : error.message);
  }
}
