import { addChecked, CEIL, mulDiv, subChecked } from "../integers.ts";

/** FUT-9: ΣMM ≥ margin balance. An account without a position has no maintenance margin and is never liquidated. */
export function isLiquidatable(maintenance_micros: number, marginBalance_micros: number): boolean {
  return maintenance_micros > 0 && maintenance_micros >= marginBalance_micros;
}

/** FUT-9: the margin call comes at 80 % of the liquidation ratio. */
export function isMarginCall(maintenance_micros: number, marginBalance_micros: number): boolean {
  return hasRatioReached(maintenance_micros, marginBalance_micros, 4, 5);
}

/** FUT-12: a liquidation continues until the ratio is below 0.9. */
export function needsFurtherReduction(maintenance_micros: number, marginBalance_micros: number): boolean {
  return hasRatioReached(maintenance_micros, marginBalance_micros, 9, 10);
}

/**
 * Whether maintenance / balance ≥ part / whole. A whole number reaches a fraction exactly if it reaches the next whole
 * number, so the comparison is exact; multiplying out would leave the safe range for the largest accounts.
 */
function hasRatioReached(maintenance_micros: number, balance_micros: number, part: number, whole: number): boolean {
  return maintenance_micros > 0 && maintenance_micros >= mulDiv(balance_micros, part, whole, CEIL);
}

/**
 * BON-10: what a wallet may withdraw from the account. Open losses count, open profits do not. Principal keeps covering
 * at least half of the margin in use, and everything that the bonus does not cover; without a bonus that is all of it.
 */
export function withdrawable(
  principal_micros: number,
  bonus_micros: number,
  unrealisedPnl_micros: number,
  initialMargin_micros: number,
): number {
  const half_micros = mulDiv(initialMargin_micros, 1, 2, CEIL);
  const uncovered_micros = subChecked(initialMargin_micros, bonus_micros);
  const own_micros = addChecked(principal_micros, Math.min(0, unrealisedPnl_micros));
  return Math.max(0, subChecked(own_micros, Math.max(half_micros, uncovered_micros)));
}
