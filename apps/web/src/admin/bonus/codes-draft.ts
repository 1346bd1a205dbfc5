import type { BonusReconcileReport, GenerateCodesRequest } from "@bourse/api/client";
import { readTyped } from "../../chain/tokens.ts";
import { hasProblems, type Problems, problemsIn } from "../../kit/draft.ts";
import { Decimal, sum } from "../../lib/decimal.ts";
import { wholeIn } from "../frame/typed.ts";
import { counted } from "../frame/words.ts";
import { amountProblem, sayShort, timesOf } from "./grant-draft.ts";

/** An order of bonus codes as typed. */
export interface CodesDraft {
  readonly count: string;
  readonly amount: string;
  readonly days: string;
}

const MAX_CODES = 5_000;
const MAX_DAYS = 365;

export const problemsOfCodes = ({ count, amount, days }: CodesDraft, max: string | null): Problems<CodesDraft> =>
  problemsIn<CodesDraft>({
    count: wholeIn(count, MAX_CODES) === undefined && "A whole number from 1 to 5,000.",
    amount: amountProblem(amount, max),
    days: wholeIn(days, MAX_DAYS) === undefined && `A whole number from 1 to ${MAX_DAYS}.`,
  });

export type CodesInput = Pick<GenerateCodesRequest, "count" | "ttl_days"> & { readonly amount: string };

/** What is sent; undefined while something is wrong. */
export function inputOfCodes(draft: CodesDraft, max: string | null): CodesInput | undefined {
  const typed = readTyped(draft.amount);
  if (typed.kind !== "amount" || hasProblems(problemsOfCodes(draft, max))) return undefined;
  return {
    count: wholeIn(draft.count, MAX_CODES) ?? 0,
    amount: typed.tokens,
    ttl_days: wholeIn(draft.days, MAX_DAYS) ?? 0,
  };
}

type Pool = Pick<BonusReconcileReport, "pool_cap_usdt" | "net_outflow" | "in_flight_total">;

/** What can still be granted: the cap less every grant that has not been returned. */
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

export function forecastCodes({ amount, count }: CodesInput, pool: Pool): CodesForecast {
  const before = headroomOf(pool);
  const total = timesOf(amount, count);
  const after = Decimal.parse(before).sub(Decimal.parse(total));
  return { total, before, after: after.toString(), isWithinCap: !after.isNegative() };
}

export const codesLabel = (input: CodesInput): string =>
  `Make ${counted(input.count, "code")} of ${sayShort(input.amount)} (${sayShort(timesOf(input.amount, input.count))})`;

/** As a list for a spreadsheet. */
export const codesCsv = (codes: readonly string[], amount: string, expires_at: string): string =>
  ["code,amount_usdt,expires_at", ...codes.map((code) => `${code},${amount},${expires_at}`), ""].join("\r\n");
