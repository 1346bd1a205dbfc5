import type { BrokerOverview, Tier } from "@bourse/api/client";
import { Decimal, fractionForDrawing } from "../lib/decimal.ts";

export interface TierStanding {
  readonly current: Tier | undefined;
  readonly next: Tier | undefined;
  /** 30-day fees that are missing to the next tier; nothing where they are there already. */
  readonly missing: string | undefined;
  /** From 0 to 1, for drawing. */
  readonly fraction: number;
}

/** Tiers are given by the operators; the fees of 30 days say which one is due. */
export function tierStanding({
  level,
  tiers,
  fee_30d,
}: Pick<BrokerOverview, "level" | "tiers" | "fee_30d">): TierStanding {
  const byLevel = tiers.toSorted((one, other) => one.level - other.level);
  const current = byLevel.find((tier) => tier.level === level);
  const next = byLevel.find((tier) => level !== null && tier.level > level);
  if (next === undefined) return { current, next, missing: undefined, fraction: 1 };
  const missing = Decimal.parse(next.min_fee_30d).sub(Decimal.parse(fee_30d));
  return {
    current,
    next,
    missing: missing.gt(Decimal.ZERO) ? missing.toString() : undefined,
    fraction: fractionForDrawing(fee_30d, next.min_fee_30d),
  };
}
