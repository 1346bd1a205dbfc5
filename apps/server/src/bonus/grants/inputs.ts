import { MoneyError, parseUnits } from "@bourse/money";
import { parseDateTime } from "../../identity/date-time.ts";
import { ApiError } from "../../kernel/errors.ts";
import { schemaRefusal } from "../callers.ts";
import { refusals } from "../refusals.ts";

const USDT_DECIMALS = 6;
/** What an account may hold at most. */
const AMOUNTS_micros = { min: 1n, max: 1_000_000_000_000_000n };
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MOST_CODES = 5_000;
export const DAY_ms = 86_400_000;

/** WIRE-2: micros of an amount of USDT above 0, from a decimal text or a number. */
export function readAmount(name: string, input: string | number): bigint {
  try {
    // A number's own text is what was written; those that need an exponent are no amounts.
    return parseUnits(String(input), USDT_DECIMALS, { range: AMOUNTS_micros });
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw refusals.invalidAmount(`${name} must be above 0 and at most 1000000000 USDT, with at most 6 decimals`);
  }
}

/** A UUID in lower case, the way the database writes it. */
export function readBatchId(name: string, text: string): string {
  if (!UUID.test(text)) throw refusals.invalidField(name, "must be a UUID");
  return text.toLowerCase();
}

export function readCount(count: number): number {
  if (count < 1) throw refusals.invalidCount();
  if (count > MOST_CODES) throw refusals.countTooLarge(MOST_CODES, count);
  return count;
}

export function readTime(name: string, text: string): Date {
  const time_ms = parseDateTime(text);
  if (time_ms === undefined) throw refusals.invalidField(name, "must be an ISO 8601 time such as 2026-06-10T15:59:59Z");
  return new Date(time_ms);
}

const AMOUNT_FIELDS: ReadonlySet<unknown> = new Set(["amount", "per_address_amount", "max_amount", "pool_cap_usdt"]);

/** BON-5: an amount or a count of another kind is a wrong amount or count, not just a wrong field. */
export function grantsRefusal(problems: Parameters<typeof schemaRefusal>[0], part: string): Error {
  const refusal = schemaRefusal(problems, part);
  if (!(refusal instanceof ApiError) || refusal.code !== "invalid_field") return refusal;
  const field = refusal.details?.rule;
  if (field === "count") return refusals.invalidCount();
  return AMOUNT_FIELDS.has(field) ? refusals.invalidAmount(`${field} must be a decimal amount of USDT`) : refusal;
}
