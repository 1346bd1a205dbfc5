import type { FeeInfo } from "@bourse/api/client";
import { Decimal, fractionForDrawing } from "../../lib/decimal.ts";

export type FeeTier = FeeInfo["tiers"][number];

export interface TierProgress {
  readonly current: FeeTier;
  /** Undefined at the top. */
  readonly next: FeeTier | undefined;
  /** From 0 to 1, for drawing: from nothing to the next tier's volume. */
  readonly fraction: number;
  /** What is still to be traded within 14 days. */
  readonly missing: string;
}

/** The progress to the next tier; undefined when not signed in. */
export function tierProgress({ tiers, tier, volume_14d }: FeeInfo): TierProgress | undefined {
  const current = tiers.find((row) => row.tier === tier);
  if (current === undefined || volume_14d === undefined) return undefined;
  const next = tiers.find((row) => row.tier === current.tier + 1);
  if (next === undefined) return { current, next, fraction: 1, missing: "0" };
  const missing = Decimal.max(Decimal.ZERO, Decimal.parse(next.min_volume_14d).sub(Decimal.parse(volume_14d)));
  return { current, next, fraction: fractionForDrawing(volume_14d, next.min_volume_14d), missing: missing.toString() };
}

const WHOLE_BPS = Decimal.parse("10000");

/** A rate as basis points, of which traders speak: "0.00045" is "4.5". */
export const basisPoints = (rate: string): string => Decimal.parse(rate).mul(WHOLE_BPS).toString();

const KINDS: Readonly<Record<string, string>> = { referral: "Referral, on chain" };

export const discountName = (kind: string): string => KINDS[kind] ?? kind;
