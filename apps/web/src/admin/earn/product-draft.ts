import type { ProductChangeRequest, ProductDetail, ProductRequest } from "@bourse/api/client";
import { readTyped, sayUnits, tokensOf } from "../../chain/tokens.ts";
import { interestOf, sayDuration } from "../../earn/interest.ts";
import type { Change } from "../../kit/dialog.tsx";
import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { isoOfLocalInput, localInputOf } from "../../lib/local-time.ts";
import { formatUtc } from "../../lib/time.ts";

export const TERM_UNITS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;
export type TermUnit = keyof typeof TERM_UNITS;

/** A product as it is typed: amounts in USDT, the rate in per cent a year, times in the operator's zone. */
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

export type ProductField = Exclude<keyof ProductDraft, "termUnit">;
export type ProductProblems = Readonly<Partial<Record<ProductField, string>>>;

const MOST_NAME_CHARS = 100;
const MOST_DESCRIPTION_CHARS = 2_000;
const MOST_RATE_BPS = 100_000;
const MOST_TERM_S = 3_650 * TERM_UNITS.days;
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

/** "12.5" per cent are 1250 of ten thousand parts; undefined where it is no rate a product may have. */
export function bpsOfPercent(text: string): number | undefined {
  const bps = parseTyped(text)?.mul(BPS_PER_PERCENT);
  if (bps === undefined || !bps.equals(bps.round(0, "trunc")) || bps.isZero()) return undefined;
  return bps.lte(Decimal.parse(String(MOST_RATE_BPS))) ? Number(bps.toString()) : undefined;
}

export const percentOfBps = (bps: number): string =>
  Decimal.parse(String(bps)).div(BPS_PER_PERCENT, 2, "trunc").toString();

function secondsOf(term: string, unit: TermUnit): number | undefined {
  if (!/^\d{1,9}$/.test(term.trim())) return undefined;
  const seconds = Number(term) * TERM_UNITS[unit];
  return seconds >= 1 && seconds <= MOST_TERM_S ? seconds : undefined;
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

function timeProblems(opens: string | undefined, closes: string | undefined, now_ms: number): ProductProblems {
  if (opens === undefined || closes === undefined) {
    return {
      ...(opens === undefined ? { opens: "Give day and time." } : {}),
      ...(closes === undefined ? { closes: "Give day and time." } : {}),
    };
  }
  if (closes <= opens) return { closes: "Must be after the opening." };
  return Date.parse(closes) <= now_ms ? { closes: "Has passed already." } : {};
}

/** Of what can be changed at any time. */
export function problemsOfNames({ name, description }: ProductDraft): ProductProblems {
  const name_chars = [...name.trim()].length;
  return {
    ...(name_chars === 0 || name_chars > MOST_NAME_CHARS ? { name: `1 to ${MOST_NAME_CHARS} characters.` } : {}),
    ...([...description].length > MOST_DESCRIPTION_CHARS
      ? { description: `At most ${MOST_DESCRIPTION_CHARS} characters.` }
      : {}),
  };
}

/** Everything that the exchange would refuse, by field, before it is asked. */
export function problemsOfProduct(draft: ProductDraft, now_ms: number): ProductProblems {
  const { rate, term, termUnit } = draft;
  const [quota, min, max] = [unitsIn(draft.quota), unitsIn(draft.min), unitsIn(draft.max)];
  const amounts = Object.fromEntries(
    (["quota", "min", "max"] as const).flatMap((field) => {
      const problem = amountProblem(draft[field]);
      return problem === undefined ? [] : [[field, problem]];
    }),
  );
  const isAbove = (limit: bigint | undefined) => min !== undefined && limit !== undefined && min > limit;
  return {
    ...problemsOfNames(draft),
    ...(bpsOfPercent(rate) === undefined ? { rate: "0.01 to 1,000 % with at most 2 decimals." } : {}),
    ...(secondsOf(term, termUnit) === undefined ? { term: "A whole number, up to 3,650 days." } : {}),
    ...(isAbove(max) ? { min: "Not above the most for one saver." } : {}),
    ...(isAbove(quota) ? { min: "Not above the quota." } : {}),
    ...amounts,
    ...timeProblems(isoOfLocalInput(draft.opens), isoOfLocalInput(draft.closes), now_ms),
  };
}

export type Terms = Omit<ProductRequest, "reason" | "request_id">;

/** What is sent, in the token's smallest unit; undefined while something is wrong. */
export function requestOfProduct(draft: ProductDraft, now_ms: number): Terms | undefined {
  if (Object.keys(problemsOfProduct(draft, now_ms)).length > 0) return undefined;
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
  /** What the exchange owes if all of the quota is taken, in the token's smallest unit. */
  readonly fullInterest: bigint;
  readonly interestOfThousand: bigint;
  readonly matures_ms: number;
}

const THOUSAND = 1_000_000_000n;

export function previewOf(terms: Terms): ProductPreview {
  const rate = {
    annual_rate_bps: Number(terms.annual_rate_bps),
    duration_seconds: Number(terms.duration_seconds),
  };
  return {
    fullInterest: interestOf(BigInt(terms.total_quota), rate),
    interestOfThousand: interestOf(THOUSAND, rate),
    matures_ms: Date.parse(terms.subscribe_end_time) + rate.duration_seconds * 1_000,
  };
}

const utc = (iso: string) => formatUtc(iso);

/** Every term with its words, in the order in which they are read. */
const TERMS: readonly { readonly field: keyof Terms; readonly what: string; readonly say: (terms: Terms) => string }[] =
  [
    { field: "name", what: "Name", say: ({ name }) => name },
    { field: "description", what: "Description", say: ({ description }) => description ?? "none" },
    {
      field: "annual_rate_bps",
      what: "Rate a year",
      say: ({ annual_rate_bps }) => `${percentOfBps(Number(annual_rate_bps))} %`,
    },
    {
      field: "duration_seconds",
      what: "Term",
      say: ({ duration_seconds }) => sayDuration(Number(duration_seconds)),
    },
    { field: "total_quota", what: "Quota", say: ({ total_quota }) => sayUnits(String(total_quota)) },
    { field: "min_amount", what: "Least for one subscription", say: ({ min_amount }) => sayUnits(String(min_amount)) },
    {
      field: "max_amount_per_user",
      what: "Most for one saver",
      say: ({ max_amount_per_user }) => sayUnits(String(max_amount_per_user)),
    },
    { field: "subscribe_start_time", what: "Opens", say: ({ subscribe_start_time }) => utc(subscribe_start_time) },
    { field: "subscribe_end_time", what: "Closes", say: ({ subscribe_end_time }) => utc(subscribe_end_time) },
  ];

export const linesOfTerms = (terms: Terms): Change[] => TERMS.map(({ what, say }) => ({ what, after: say(terms) }));

/** The terms as they are, with another name and description: what can be changed at any time. */
export function renamedTerms(product: ProductDetail, draft: ProductDraft): Terms {
  const { name, description } = draft;
  return { ...termsOf(product), name: name.trim(), description: description.trim() === "" ? null : description };
}

const termsOf = (product: ProductDetail): Terms => ({
  name: product.name,
  description: product.description,
  annual_rate_bps: product.annual_rate_bps,
  duration_seconds: product.duration_seconds,
  total_quota: product.total_quota,
  min_amount: product.min_amount,
  max_amount_per_user: product.max_amount_per_user,
  subscribe_start_time: product.subscribe_start_time,
  subscribe_end_time: product.subscribe_end_time,
});

/** Only what is another than before: as lines to be read, and as it is sent. */
export function changeOfProduct(
  product: ProductDetail,
  next: Terms,
): { readonly lines: Change[]; readonly request: ProductChangeRequest } {
  const before = termsOf(product);
  const changed = TERMS.filter(({ field }) => String(before[field]) !== String(next[field]));
  return {
    lines: changed.map(({ what, say }) => ({ what, before: say(before), after: say(next) })),
    request: Object.fromEntries(changed.map(({ field }) => [field, next[field]])),
  };
}
