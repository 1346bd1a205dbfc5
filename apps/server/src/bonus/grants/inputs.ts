import { MoneyError, parseUnits } from "@bourse/money";
import { parseDateTime } from "../../kernel/date-time.ts";
import { ApiError } from "../../kernel/errors.ts";
import { parseUuid } from "../../kernel/uuid.ts";
import { schemaRefusal } from "../callers.ts";
import { refusals } from "../refusals.ts";

const USDT_DECIMALS = 6;
/** The upper bound is the maximum balance of an account. */
const AMOUNTS_micros = { min: 1n, max: 1_000_000_000_000_000n };
const MAX_CODES = 5_000;

/** WIRE-2: parses an amount of USDT above 0 into micros, from a decimal text or a number. */
export function readAmount(name: string, input: string | number): bigint {
  try {
    // The number's shortest text equals what the caller wrote; a number that needs an exponent is not an amount.
    return parseUnits(String(input), USDT_DECIMALS, { range: AMOUNTS_micros });
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw refusals.invalidAmount(`${name} must be above 0 and at most 1000000000 USDT, with at most 6 decimals`);
  }
}

/** A UUID in lower case, as the database writes it. */
export function readBatchId(name: string, text: string): string {
  const id = parseUuid(text);
  if (id === undefined) throw refusals.invalidField(name, "must be a UUID");
  return id;
}

export function readCount(count: number): number {
  if (count < 1) throw refusals.invalidCount();
  if (count > MAX_CODES) throw refusals.countTooLarge(MAX_CODES, count);
  return count;
}

export function readTime(name: string, text: string): Date {
  const time_ms = parseDateTime(text);
  if (time_ms === undefined) throw refusals.invalidField(name, "must be an ISO 8601 time such as 2026-06-10T15:59:59Z");
  return new Date(time_ms);
}

const AMOUNT_FIELDS: ReadonlySet<unknown> = new Set(["amount", "per_address_amount", "max_amount", "pool_cap_usdt"]);

/** BON-5: a wrong type of an amount or a count is refused as an invalid amount or count, not as an invalid field. */
export function grantsRefusal(problems: Parameters<typeof schemaRefusal>[0], part: string): Error {
  const refusal = schemaRefusal(problems, part);
  if (!(refusal instanceof ApiError) || refusal.code !== "invalid_field") return refusal;
  const field = refusal.details?.rule;
  if (field === "count") return refusals.invalidCount();
  return AMOUNT_FIELDS.has(field) ? refusals.invalidAmount(`${field} must be a decimal amount of USDT`) : refusal;
}
