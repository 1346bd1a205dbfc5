import type { EarnTerms } from "./terms.ts";

interface StoredTerms {
  readonly annual_rate_bps: number;
  readonly duration_seconds: number;
  readonly total_quota: string;
  readonly min_amount: string;
  readonly max_amount_per_user: string;
  readonly subscribe_start_s: bigint;
  readonly subscribe_end_s: bigint;
}

export const termsOf = (row: StoredTerms): EarnTerms => ({
  annualRateBps: row.annual_rate_bps,
  durationSeconds: row.duration_seconds,
  totalQuota: BigInt(row.total_quota),
  minAmount: BigInt(row.min_amount),
  maxAmountPerUser: BigInt(row.max_amount_per_user),
  subscribeStart: Number(row.subscribe_start_s),
  subscribeEnd: Number(row.subscribe_end_s),
});

export const columnsOf = (terms: EarnTerms) => ({
  annual_rate_bps: terms.annualRateBps,
  duration_seconds: terms.durationSeconds,
  total_quota: terms.totalQuota,
  min_amount: terms.minAmount,
  max_amount_per_user: terms.maxAmountPerUser,
  subscribe_start_s: terms.subscribeStart,
  subscribe_end_s: terms.subscribeEnd,
});

/** The same for a json column, which cannot hold large numbers. */
export const termsAsJson = (terms: EarnTerms) => ({
  annual_rate_bps: terms.annualRateBps,
  duration_seconds: terms.durationSeconds,
  total_quota: terms.totalQuota.toString(),
  min_amount: terms.minAmount.toString(),
  max_amount_per_user: terms.maxAmountPerUser.toString(),
  subscribe_start_s: terms.subscribeStart,
  subscribe_end_s: terms.subscribeEnd,
});
export type JsonTerms = ReturnType<typeof termsAsJson>;

export const termsFromJson = (json: JsonTerms): EarnTerms =>
  termsOf({
    ...json,
    subscribe_start_s: BigInt(json.subscribe_start_s),
    subscribe_end_s: BigInt(json.subscribe_end_s),
  });
