import type { EarnTerms } from "@bourse/contracts";
import { divide, formatUnits } from "@bourse/money";

export type { EarnTerms };

const YEAR_s = 31_536_000n;
const BPS_PER_ONE = 10_000n;
const PERCENT = 100n;

/** ERN-2: the contract computes the same, and rounds down as well. */
export function interestOf(principal: bigint, { annualRateBps, durationSeconds }: EarnTerms): bigint {
  const scaled = principal * BigInt(annualRateBps) * BigInt(durationSeconds);
  return divide(scaled, BPS_PER_ONE * YEAR_s, "floor");
}

/** ERN-2. */
export const settleTimeOf = ({ subscribeEnd, durationSeconds }: EarnTerms): number => subscribeEnd + durationSeconds;

/** WIRE-4b. */
export function annualPercent({ annualRateBps }: EarnTerms): string {
  return formatUnits(BigInt(annualRateBps), 2);
}

/** WIRE-4b: the rate of the whole term, in percent with four decimals. */
export function periodPercent({ annualRateBps, durationSeconds }: EarnTerms): string {
  const scaled = BigInt(annualRateBps) * BigInt(durationSeconds) * PERCENT;
  return formatUnits(divide(scaled, YEAR_s, "halfUp"), 4);
}

/** WIRE-4b. */
export function periodBps({ annualRateBps, durationSeconds }: EarnTerms): number {
  return Number(divide(BigInt(annualRateBps) * BigInt(durationSeconds), YEAR_s, "halfUp"));
}

/** WIRE-4b: the subscribed part of the quota, in percent with two decimals. */
export function subscribedPercent(subscribed: bigint, { totalQuota }: EarnTerms): string {
  return formatUnits(divide(subscribed * PERCENT * PERCENT, totalQuota, "halfUp"), 2);
}

/** The terms as the contract accepts them. It refuses a maximum per user above the quota; the lower of the two means the same. */
export function onChain(terms: EarnTerms): EarnTerms {
  const { maxAmountPerUser, totalQuota } = terms;
  return { ...terms, maxAmountPerUser: maxAmountPerUser < totalQuota ? maxAmountPerUser : totalQuota };
}

const TERM_NAMES = [
  "annualRateBps",
  "durationSeconds",
  "totalQuota",
  "minAmount",
  "maxAmountPerUser",
  "subscribeStart",
  "subscribeEnd",
] as const satisfies readonly (keyof EarnTerms)[];

export const areEqualTerms = (one: EarnTerms, other: EarnTerms): boolean =>
  TERM_NAMES.every((name) => one[name] === other[name]);
