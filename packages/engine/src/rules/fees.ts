import { CEIL, ceilDiv, mulChecked, mulDiv, subChecked } from "../integers.ts";
import { ONE_e8, USDT_micros } from "./units.ts";

/** A row of the fee table (FUT-15). */
export interface FeeTier {
  readonly tier: number;
  readonly minVolume14d_micros: number;
  readonly maker_e8: number;
  readonly taker_e8: number;
}

const MILLION_micros = 1_000_000 * USDT_micros;

/** FUT-15: VIP 0 to 5. */
export const FEE_TIERS: readonly FeeTier[] = Object.freeze([
  Object.freeze({ tier: 0, minVolume14d_micros: 0, maker_e8: 20_000, taker_e8: 50_000 }),
  Object.freeze({ tier: 1, minVolume14d_micros: MILLION_micros, maker_e8: 18_000, taker_e8: 45_000 }),
  Object.freeze({ tier: 2, minVolume14d_micros: 5 * MILLION_micros, maker_e8: 14_000, taker_e8: 40_000 }),
  Object.freeze({ tier: 3, minVolume14d_micros: 25 * MILLION_micros, maker_e8: 10_000, taker_e8: 35_000 }),
  Object.freeze({ tier: 4, minVolume14d_micros: 100 * MILLION_micros, maker_e8: 5_000, taker_e8: 30_000 }),
  Object.freeze({ tier: 5, minVolume14d_micros: 500 * MILLION_micros, maker_e8: 0, taker_e8: 25_000 }),
]);

/** 100 %, in basis points. */
const ONE_bps = 10_000;

/**
 * FUT-15: the fee of a fill, for a notional without sign: notional × rate × (1 − discount), computed as one product and
 * rounded up once. A rate rounded first would charge the rounding on every fill.
 */
export function tradeFee(notional_micros: number, rate_e8: number, discount_bps: number): number {
  // The fast path for most fees: no discount, and a product that fits.
  const product = notional_micros * rate_e8;
  if (discount_bps === 0 && product >= 0 && product <= Number.MAX_SAFE_INTEGER) return ceilDiv(product, ONE_e8);
  return mulDiv(notional_micros, rateAfter(rate_e8, discount_bps), ONE_e8 * ONE_bps, CEIL);
}

/** FUT-15: the rate that `commissionRate` shows. Rounded up, so that no fill is charged more than it states. */
export function effectiveRate_e8(rate_e8: number, discount_bps: number): number {
  return mulDiv(rateAfter(rate_e8, discount_bps), 1, ONE_bps, CEIL);
}

/** In 1e-12. A discount above the whole fee would create money, so it is an error of the caller. */
function rateAfter(rate_e8: number, discount_bps: number): number {
  if (discount_bps < 0 || discount_bps > ONE_bps)
    throw new RangeError(`a discount of ${discount_bps} bps is outside 0 to 10000`);
  return mulChecked(rate_e8, subChecked(ONE_bps, discount_bps));
}

/** The highest tier whose 14-day volume is reached. */
export function tierOfVolume(volume14d_micros: number): number {
  let tier = FEE_TIERS.length - 1;
  while (tier > 0 && volume14d_micros < FEE_TIERS[tier]!.minVolume14d_micros) tier -= 1;
  return tier;
}

export const TIER_STAYS = 0 as const;
/** Set the tier of the volume now, and cancel a scheduled downgrade. */
export const TIER_UPGRADE = 1 as const;
/** Announce a downgrade for the next UTC midnight. */
export const TIER_SCHEDULE = 2 as const;
/** The volume is reached again: cancel the scheduled downgrade. */
export const TIER_UNSCHEDULE = 3 as const;
/** Set the lower tier of the volume now. */
export const TIER_DOWNGRADE = 4 as const;
export type TierAction =
  | typeof TIER_STAYS
  | typeof TIER_UPGRADE
  | typeof TIER_SCHEDULE
  | typeof TIER_UNSCHEDULE
  | typeof TIER_DOWNGRADE;

/**
 * FUT-15: the change of an account's tier. Called after every fill, and at every UTC midnight once the volumes have
 * rolled. An announced downgrade is applied at the next midnight, unless a fill has restored the volume. The new tier
 * is that of the volume at that moment, which may differ from the announced one.
 */
export function decideTier(
  currentTier: number,
  tierByVolume: number,
  isDowngradeScheduled: boolean,
  isMidnight: boolean,
): TierAction {
  if (tierByVolume > currentTier) return TIER_UPGRADE;
  if (tierByVolume === currentTier) return isDowngradeScheduled ? TIER_UNSCHEDULE : TIER_STAYS;
  if (!isDowngradeScheduled) return TIER_SCHEDULE;
  return isMidnight ? TIER_DOWNGRADE : TIER_STAYS;
}
