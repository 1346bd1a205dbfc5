import { addChecked, CEIL, mulDiv, subChecked } from "../integers.ts";
import { initialMargin, maintenanceMargin } from "./brackets.ts";
import type { Market } from "./market.ts";
import { notionalOf } from "./notional.ts";

/** What an account holds and has on offer in one symbol. */
export interface Exposure {
  lots: number;
  cost_micros: number;
  leverage: number;
  /** Notionals, without sign and at their own prices, of the open orders that are not reduce-only. */
  openBuys_micros: number;
  openSells_micros: number;
}

/** Sums over an account's symbols; the caller keeps one and has it filled again and again. */
export interface MarginTotals {
  initialMargin_micros: number;
  maintenanceMargin_micros: number;
  unrealisedPnl_micros: number;
}

/** FUT-9: value at the mark less cost. Exact. */
export function unrealisedPnl(lots: number, cost_micros: number, markTicks: number, unit_micros: number): number {
  return subChecked(notionalOf(markTicks, lots, unit_micros), cost_micros);
}

/**
 * FUT-9: the initial margin of a symbol is that of its worst outcome: nothing more is filled, or all buys are, or all
 * sells are. So an order against the position first uses the position's own margin. `position_micros` is signed.
 */
export function symbolInitialMargin(
  position_micros: number,
  openBuys_micros: number,
  openSells_micros: number,
  leverage: number,
): number {
  // The longest it can get and the shortest; of max(|P|, |P + B|, |P − A|) no other term can be the largest.
  const longest_micros = addChecked(position_micros, openBuys_micros);
  const shortest_micros = subChecked(openSells_micros, position_micros);
  return initialMargin(Math.max(longest_micros, shortest_micros), leverage);
}

/**
 * What an order would lose at once, were it filled at its price: signed lots × (price − mark), when that is a loss. The
 * initial margin does not cover it (at 50× it is 2 %, the price band 5 %), so whoever admits an order asks for both.
 */
export function orderOpenLoss(orderLots: number, priceTicks: number, markTicks: number, unit_micros: number): number {
  return Math.max(0, notionalOf(subChecked(priceTicks, markTicks), orderLots, unit_micros));
}

export function clearTotals(totals: MarginTotals): void {
  totals.initialMargin_micros = 0;
  totals.maintenanceMargin_micros = 0;
  totals.unrealisedPnl_micros = 0;
}

/** Adds one symbol at its mark. */
export function addExposure(totals: MarginTotals, market: Market, exposure: Exposure, markTicks: number): void {
  const position_micros = notionalOf(markTicks, exposure.lots, market.unit_micros);
  const initial_micros = symbolInitialMargin(
    position_micros,
    exposure.openBuys_micros,
    exposure.openSells_micros,
    exposure.leverage,
  );
  const maintenance_micros = maintenanceMargin(market.brackets, Math.abs(position_micros));
  const pnl_micros = subChecked(position_micros, exposure.cost_micros);
  totals.initialMargin_micros = addChecked(totals.initialMargin_micros, initial_micros);
  totals.maintenanceMargin_micros = addChecked(totals.maintenanceMargin_micros, maintenance_micros);
  totals.unrealisedPnl_micros = addChecked(totals.unrealisedPnl_micros, pnl_micros);
}

/** WIRE-6. */
export function walletBalance(principal_micros: number, bonus_micros: number): number {
  return addChecked(principal_micros, bonus_micros);
}

/** FUT-9. */
export function marginBalance(principal_micros: number, bonus_micros: number, unrealisedPnl_micros: number): number {
  return addChecked(walletBalance(principal_micros, bonus_micros), unrealisedPnl_micros);
}

/** FUT-9: what new orders may use. Below 0 when losses have eaten into the initial margin. */
export function availableBalance(marginBalance_micros: number, initialMargin_micros: number): number {
  return subChecked(marginBalance_micros, initialMargin_micros);
}

/** FUT-9: ΣMM ≥ margin balance. An account without a position has no maintenance margin and is never liquidated. */
export function isLiquidatable(maintenance_micros: number, marginBalance_micros: number): boolean {
  return maintenance_micros > 0 && maintenance_micros >= marginBalance_micros;
}

/** FUT-9: the margin call comes at 80 % of the way. */
export function isMarginCall(maintenance_micros: number, marginBalance_micros: number): boolean {
  return hasRatioReached(maintenance_micros, marginBalance_micros, 4, 5);
}

/** FUT-12: reducing goes on until the ratio is below 0.9. */
export function needsFurtherReduction(maintenance_micros: number, marginBalance_micros: number): boolean {
  return hasRatioReached(maintenance_micros, marginBalance_micros, 9, 10);
}

/**
 * Whether maintenance / balance ≥ part / whole. A whole number reaches a fraction exactly when it reaches the next whole
 * number, so the comparison is exact; multiplying out would leave the safe range for the largest accounts.
 */
function hasRatioReached(maintenance_micros: number, balance_micros: number, part: number, whole: number): boolean {
  return maintenance_micros > 0 && maintenance_micros >= mulDiv(balance_micros, part, whole, CEIL);
}

/**
 * BON-10: what may leave the account. Losses that are still open count, open profits do not. At least half of the margin
 * in use stays covered by principal, and all that the bonus does not cover; without a bonus that is all of it.
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
