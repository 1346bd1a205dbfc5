import type { ProductChangeRequest, ProductRequest } from "@bourse/api";
import { parseDateTime } from "../kernel/date-time.ts";
import { DAY_s } from "../kernel/dates.ts";
import { badRequest } from "../kernel/errors.ts";
import { plainText } from "../kernel/plain-text.ts";
import type { ProductChange } from "./product-store.ts";
import { adminRefusals } from "./refusals.ts";
import type { EarnTerms } from "./terms.ts";

const { invalidTerms } = adminRefusals;

/** The contract's own limits. */
const MAX_RATE_bps = 100_000;
const MAX_DURATION_s = 3_650 * DAY_s;
const MAX_QUOTA = 10n ** 30n;
const MAX_NAME_chars = 100;
const MAX_DESCRIPTION_chars = 2_000;

/** Characters that multi-line texts must not contain. */
const UNPRINTABLE_IN_TEXT = /(?![\n\r\t])[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

function readName(text: string): string {
  const name = plainText(text, MAX_NAME_chars);
  if (name !== undefined) return name;
  throw invalidTerms("name", `must have 1 to ${MAX_NAME_chars} characters and no control characters`);
}

function readDescription(text: string | null): string | null {
  if (text === null) return null;
  if ([...text].length > MAX_DESCRIPTION_chars || UNPRINTABLE_IN_TEXT.test(text)) {
    throw invalidTerms("description", `has at most ${MAX_DESCRIPTION_chars} characters and no control characters`);
  }
  return text.trim() === "" ? null : text;
}

/** Parses the reason that the audit log records with the change. */
export function readReason(text: string | undefined): string | undefined {
  if (text !== undefined && UNPRINTABLE_IN_TEXT.test(text)) throw badRequest("reason has control characters");
  return text;
}

const WHOLE = /^\d{1,40}$/;

function readWhole(field: string, value: string | number, least: bigint, most: bigint): bigint {
  const text = String(value);
  const whole = WHOLE.test(text) ? BigInt(text) : undefined;
  if (whole === undefined || whole < least || whole > most) {
    throw invalidTerms(field, `must be a whole number from ${least} to ${most}`);
  }
  return whole;
}

/** Parses a positive amount in the token's smallest unit. */
export const readWei = (field: string, value: string | number): bigint => readWhole(field, value, 1n, MAX_QUOTA);

/** The chain counts whole seconds: fractions are dropped. */
function readTime(field: string, text: string): number {
  const time_ms = parseDateTime(text);
  if (time_ms === undefined || time_ms < 0) throw invalidTerms(field, "must be an ISO 8601 time");
  return Math.floor(time_ms / 1_000);
}

type TermFields = Omit<ProductChangeRequest, "name" | "description" | "reason">;

/** Parses the given terms. */
function readGiven(request: TermFields): Partial<EarnTerms> {
  const read = <T, R>(value: T | undefined, reader: (value: T) => R) =>
    value === undefined ? undefined : reader(value);
  const rate = (value: string | number) => Number(readWhole("annual_rate_bps", value, 1n, BigInt(MAX_RATE_bps)));
  const duration = (value: string | number) => Number(readWhole("duration_seconds", value, 1n, BigInt(MAX_DURATION_s)));
  const given = {
    annualRateBps: read(request.annual_rate_bps, rate),
    durationSeconds: read(request.duration_seconds, duration),
    totalQuota: read(request.total_quota, (value) => readWei("total_quota", value)),
    minAmount: read(request.min_amount, (value) => readWei("min_amount", value)),
    maxAmountPerUser: read(request.max_amount_per_user, (value) => readWei("max_amount_per_user", value)),
    subscribeStart: read(request.subscribe_start_time, (text) => readTime("subscribe_start_time", text)),
    subscribeEnd: read(request.subscribe_end_time, (text) => readTime("subscribe_end_time", text)),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Checks that involve several terms. The contract makes the same checks. */
function checkTogether(terms: EarnTerms, now_s: number): EarnTerms {
  const { minAmount, maxAmountPerUser, totalQuota, subscribeStart, subscribeEnd } = terms;
  if (minAmount > maxAmountPerUser) throw invalidTerms("min_amount", "is above max_amount_per_user");
  if (minAmount > totalQuota) throw invalidTerms("min_amount", "is above total_quota");
  if (subscribeEnd <= subscribeStart) throw invalidTerms("subscribe_end_time", "is not after subscribe_start_time");
  if (subscribeEnd <= now_s) throw invalidTerms("subscribe_end_time", "has passed already");
  return terms;
}

/** WIRE-4: a new product. */
export function readProduct(request: ProductRequest, now_s: number) {
  return {
    name: readName(request.name),
    description: readDescription(request.description ?? null),
    terms: checkTogether(readGiven(request) as EarnTerms, now_s),
  };
}

/** Parses a change of a product; terms only if they differ. */
export function readChange(request: ProductChangeRequest) {
  const { name, description, reason: _reason, ...terms } = request;
  const given = readGiven(terms);
  const change: Omit<ProductChange, "terms"> = {
    ...(name === undefined ? {} : { name: readName(name) }),
    ...(description === undefined ? {} : { description: readDescription(description) }),
  };
  if (Object.keys(change).length === 0 && Object.keys(given).length === 0) {
    throw badRequest("give at least one field to change");
  }
  return { change, given };
}

/** The terms with some of them replaced. */
export const changedTerms = (terms: EarnTerms, given: Partial<EarnTerms>, now_s: number): EarnTerms =>
  checkTogether({ ...terms, ...given }, now_s);
