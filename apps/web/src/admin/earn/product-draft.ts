import type { ProductChangeRequest, ProductDetail, ProductRequest } from "@bourse/api/client";
import { readTyped, sayUnits, tokensOf } from "../../chain/tokens.ts";
import { interestOf, sayDuration } from "../../earn/interest.ts";
import type { Change } from "../../kit/dialog.tsx";
import { hasProblems, type Problems, problemsIn } from "../../kit/draft.ts";
import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { isoOfLocalInput, localInputOf } from "../../lib/local-time.ts";
import { formatUtc } from "../../lib/time.ts";
import { isText } from "../frame/typed.ts";

export const TERM_UNITS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;
export type TermUnit = keyof typeof TERM_UNITS;
export const TERM_OPTIONS = (Object.keys(TERM_UNITS) as TermUnit[]).map((value) => ({ value, label: value }));

/** A product as typed: amounts in USDT, the rate in per cent a year, times in the local zone. */
export interface ProductDraft {
  readonly name: string;
  readonly description: string;
  readonly rate: string;
  readonly term: string;
  readonly termUnit: TermUnit;
  readonly quota: string;
  readonly min: string;
  readonly max: string;
  readonly opens: string;
  readonly closes: string;
}

const MAX_NAME_CHARS = 100;
const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_RATE_BPS = 100_000;
const MAX_TERM_S = 3_650 * TERM_UNITS.days;
const BPS_PER_PERCENT = Decimal.parse("100");

export const EMPTY_DRAFT: ProductDraft = {
  name: "",
  description: "",
  rate: "",
  term: "30",
  termUnit: "days",
  quota: "",
  min: "10",
  max: "",
  opens: "",
  closes: "",
};

/** "12.5" per cent are 1250 basis points; undefined where a product may not have this rate. */
export function bpsOfPercent(text: string): number | undefined {
  const bps = parseTyped(text)?.mul(BPS_PER_PERCENT);
  if (bps === undefined || !bps.equals(bps.round(0, "trunc")) || bps.isZero()) return undefined;
  return bps.lte(Decimal.parse(String(MAX_RATE_BPS))) ? Number(bps.toString()) : undefined;
}

export const percentOfBps = (bps: number): string =>
  Decimal.parse(String(bps)).div(BPS_PER_PERCENT, 2, "trunc").toString();

function secondsOf(term: string, unit: TermUnit): number | undefined {
  if (!/^\d{1,9}$/.test(term.trim())) return undefined;
  const seconds = Number(term) * TERM_UNITS[unit];
  return seconds >= 1 && seconds <= MAX_TERM_S ? seconds : undefined;
}

function termOf(seconds: number): Pick<ProductDraft, "term" | "termUnit"> {
  const unit = (["days", "hours", "minutes"] as const).find((name) => seconds % TERM_UNITS[name] === 0) ?? "seconds";
  return { term: String(seconds / TERM_UNITS[unit]), termUnit: unit };
}

export const draftOfProduct = (product: ProductDetail): ProductDraft => ({
  name: product.name,
  description: product.description ?? "",
  rate: percentOfBps(product.annual_rate_bps),
  ...termOf(product.duration_seconds),
  quota: tokensOf(product.total_quota),
  min: tokensOf(product.min_amount),
  max: tokensOf(product.max_amount_per_user),
  opens: localInputOf(product.subscribe_start_time),
  closes: localInputOf(product.subscribe_end_time),
});

const unitsIn = (text: string): bigint | undefined => {
  const typed = readTyped(text);
  return typed.kind === "amount" ? typed.units : undefined;
};

function amountProblem(text: string): string | undefined {
  const typed = readTyped(text);
  if (typed.kind === "amount") return undefined;
  return typed.kind === "empty" ? "Give an amount." : typed.problem;
}

function closesProblem(opens: string | undefined, closes: string | undefined, now_ms: number): string | false {
  if (closes === undefined) return "Give day and time.";
  if (opens === undefined) return false;
  return (closes <= opens && "Must be after the opening.") || (Date.parse(closes) <= now_ms && "Has passed already.");
}

/** What is wrong with the fields that can be changed at any time. */
export const problemsOfNames = ({ name, description }: ProductDraft): Problems<ProductDraft> =>
  problemsIn<ProductDraft>({
    name: !isText(name, MAX_NAME_CHARS) && `1 to ${MAX_NAME_CHARS} characters.`,
    description: [...description].length > MAX_DESCRIPTION_CHARS && `At most ${MAX_DESCRIPTION_CHARS} characters.`,
  });

/** Everything that the exchange would refuse. */
export function problemsOfProduct(draft: ProductDraft, now_ms: number): Problems<ProductDraft> {
  const [quota, min, max] = [unitsIn(draft.quota), unitsIn(draft.min), unitsIn(draft.max)];
  const [opens, closes] = [isoOfLocalInput(draft.opens), isoOfLocalInput(draft.closes)];
  const isAbove = (limit: bigint | undefined) => min !== undefined && limit !== undefined && min > limit;
  return {
    ...problemsOfNames(draft),
    ...problemsIn<ProductDraft>({
      rate: bpsOfPercent(draft.rate) === undefined && "0.01 to 1,000 % with at most 2 decimals.",
      term: secondsOf(draft.term, draft.termUnit) === undefined && "A whole number, up to 3,650 days.",
      quota: amountProblem(draft.quota),
      min:
        amountProblem(draft.min) ||
        (isAbove(quota) && "Not above the quota.") ||
        (isAbove(max) && "Not above the maximum for one saver."),
      max: amountProblem(draft.max),
      opens: opens === undefined && "Give day and time.",
      closes: closesProblem(opens, closes, now_ms),
    }),
  };
}

export type Parameters = Omit<ProductRequest, "reason" | "request_id">;

/** What is sent, in the token's smallest unit; undefined while something is wrong. */
export function requestOfProduct(draft: ProductDraft, now_ms: number): Parameters | undefined {
  if (hasProblems(problemsOfProduct(draft, now_ms))) return undefined;
  const units = (text: string) => String(unitsIn(text));
  return {
    name: draft.name.trim(),
    description: draft.description.trim() === "" ? null : draft.description,
    annual_rate_bps: bpsOfPercent(draft.rate) ?? 0,
    duration_seconds: secondsOf(draft.term, draft.termUnit) ?? 0,
    total_quota: units(draft.quota),
    min_amount: units(draft.min),
    max_amount_per_user: units(draft.max),
    subscribe_start_time: isoOfLocalInput(draft.opens) ?? "",
    subscribe_end_time: isoOfLocalInput(draft.closes) ?? "",
  };
}

export interface ProductPreview {
  /** The interest owed at full quota, in the token's smallest unit. */
  readonly fullInterest: bigint;
  readonly interestOfThousand: bigint;
  readonly matures_ms: number;
}

const THOUSAND = 1_000_000_000n;

export function previewOf(parameters: Parameters): ProductPreview {
  const rate = {
    annual_rate_bps: Number(parameters.annual_rate_bps),
    duration_seconds: Number(parameters.duration_seconds),
  };
  return {
    fullInterest: interestOf(BigInt(parameters.total_quota), rate),
    interestOfThousand: interestOf(THOUSAND, rate),
    matures_ms: Date.parse(parameters.subscribe_end_time) + rate.duration_seconds * 1_000,
  };
}

const units = (amount: string | number) => sayUnits(String(amount));

/** Each parameter's name and how it is shown, in reading order. */
const WORDS: {
  readonly [Field in keyof Parameters]-?: readonly [string, (value: NonNullable<Parameters[Field]>) => string];
} = {
  name: ["Name", String],
  description: ["Description", String],
  annual_rate_bps: ["Rate a year", (bps) => `${percentOfBps(Number(bps))} %`],
  duration_seconds: ["Term", (seconds) => sayDuration(Number(seconds))],
  total_quota: ["Quota", units],
  min_amount: ["Minimum for one subscription", units],
  max_amount_per_user: ["Maximum for one saver", units],
  subscribe_start_time: ["Opens", formatUtc],
  subscribe_end_time: ["Closes", formatUtc],
};
const FIELDS = Object.keys(WORDS) as (keyof Parameters)[];

function say(parameters: Parameters, field: keyof Parameters): string {
  const value = parameters[field];
  const [, words] = WORDS[field] as readonly [string, (value: unknown) => string];
  return value === null || value === undefined ? "none" : words(value);
}

export const linesOfProduct = (parameters: Parameters): Change[] =>
  FIELDS.map((field) => ({ what: WORDS[field][0], after: say(parameters, field) }));

/** The product's parameters with another name and description: what can be changed at any time. */
export function renamed(product: ProductDetail, { name, description }: ProductDraft): Parameters {
  return {
    ...parametersOf(product),
    name: name.trim(),
    description: description.trim() === "" ? null : description,
  };
}

const parametersOf = (product: ProductDetail): Parameters =>
  Object.fromEntries(FIELDS.map((field) => [field, product[field]])) as Parameters;

/** Only what differs: as lines to read, and as sent. */
export function changeOfProduct(
  product: ProductDetail,
  next: Parameters,
): { readonly lines: Change[]; readonly request: ProductChangeRequest } {
  const before = parametersOf(product);
  const changed = FIELDS.filter((field) => String(before[field]) !== String(next[field]));
  return {
    lines: changed.map((field) => ({ what: WORDS[field][0], before: say(before, field), after: say(next, field) })),
    request: Object.fromEntries(changed.map((field) => [field, next[field]])),
  };
}
