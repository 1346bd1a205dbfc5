import type { ProductDetail } from "@bourse/api/client";
import { mulDiv } from "@bourse/money";
import { formatDuration } from "../lib/time.ts";

const WHOLE_BPS = 10_000n;
const YEAR_S = 31_536_000n;

export type Terms = Pick<ProductDetail, "annual_rate_bps" | "duration_seconds">;

/** ERN-2: what a whole position earns by the end of its term, in whole units, rounded down as the contract does. */
export function interestOf(principal: bigint, { annual_rate_bps, duration_seconds }: Terms): bigint {
  return mulDiv(principal * BigInt(annual_rate_bps), BigInt(duration_seconds), WHOLE_BPS * YEAR_S, "floor");
}

/** What more a position earns by what is added to it. */
export const addedInterest = (held: bigint, added: bigint, terms: Terms): bigint =>
  interestOf(held + added, terms) - interestOf(held, terms);

/** A term as a person would say it: 30 days, 1 hour, 90 minutes. */
export function sayDuration(duration_seconds: number): string {
  const units = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ] as const;
  for (const [name, size] of units) {
    if (duration_seconds < size || duration_seconds % size !== 0) continue;
    const count = duration_seconds / size;
    return `${count} ${name}${count === 1 ? "" : "s"}`;
  }
  return formatDuration(duration_seconds * 1000);
}
