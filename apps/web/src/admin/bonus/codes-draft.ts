import type { BonusReconcileReport, GenerateCodesRequest } from "@bourse/api/client";
import { readTyped } from "../../chain/tokens.ts";
import { Decimal, sum } from "../../lib/decimal.ts";
import { counted } from "../frame/words.ts";
import { amountProblem, sayShort, timesOf } from "./grant-draft.ts";

/** Codes as they are ordered. */
export interface CodesDraft {
  readonly count: string;
  readonly amount: string;
  readonly days: string;
}

export type CodesProblems = Readonly<Partial<Record<keyof CodesDraft, string>>>;

const MOST_CODES = 5_000;
const MOST_DAYS = 365;

const wholeIn = (text: string, most: number): number | undefined => {
  const whole = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return whole >= 1 && whole <= most ? whole : undefined;
};

export function problemsOfCodes({ count, amount, days }: CodesDraft, most: string | null): CodesProblems {
  const wrongAmount = amountProblem(amount, most);
  return {
    ...(wholeIn(count, MOST_CODES) === undefined ? { count: "A whole number from 1 to 5,000." } : {}),
    ...(wrongAmount === undefined ? {} : { amount: wrongAmount }),
    ...(wholeIn(days, MOST_DAYS) === undefined ? { days: `A whole number from 1 to ${MOST_DAYS}.` } : {}),
  };
}

export type CodesWish = Pick<GenerateCodesRequest, "count" | "ttl_days"> & { readonly amount: string };

/** What is sent; undefined while something is wrong. */
export function wishOfCodes(draft: CodesDraft, most: string | null): CodesWish | undefined {
  const typed = readTyped(draft.amount);
  if (typed.kind !== "amount" || Object.keys(problemsOfCodes(draft, most)).length > 0) return undefined;
  return {
    count: wholeIn(draft.count, MOST_CODES) ?? 0,
    amount: typed.tokens,
    ttl_days: wholeIn(draft.days, MOST_DAYS) ?? 0,
  };
}

type Pool = Pick<BonusReconcileReport, "pool_cap_usdt" | "net_outflow" | "in_flight_total">;

/** What the pool still reaches for: its cap less every grant that has not come back. */
export const headroomOf = ({ pool_cap_usdt, net_outflow, in_flight_total }: Pool): string =>
  Decimal.parse(pool_cap_usdt)
    .sub(sum([net_outflow, in_flight_total]))
    .toString();

export interface CodesForecast {
  /** If every code is redeemed. */
  readonly total: string;
  readonly before: string;
  readonly after: string;
  readonly isWithinCap: boolean;
}

export function forecastCodes({ amount, count }: CodesWish, pool: Pool): CodesForecast {
  const before = headroomOf(pool);
  const total = timesOf(amount, count);
  const after = Decimal.parse(before).sub(Decimal.parse(total));
  return { total, before, after: after.toString(), isWithinCap: !after.isNegative() };
}

export const codesLabel = (wish: CodesWish): string =>
  `Make ${counted(wish.count, "code")} of ${sayShort(wish.amount)} (${sayShort(timesOf(wish.amount, wish.count))})`;

/** As a list for a spreadsheet. */
export const codesCsv = (codes: readonly string[], amount: string, expires_at: string): string =>
  ["code,amount_usdt,expires_at", ...codes.map((code) => `${code},${amount},${expires_at}`), ""].join("\r\n");
