import { addChecked, CEIL, FLOOR, mulChecked, mulDiv, subChecked } from "../integers.ts";
import { notionalOf } from "./notional.ts";
import { TICK_microTicks } from "./units.ts";

/** What a fill does to one side's position; the caller keeps one and has it filled again and again. */
export interface FillEffect {
  /** The position afterwards. */
  lots: number;
  cost_micros: number;
  realisedPnl_micros: number;
  /** Lots without sign; their sum is the fill's. */
  closedLots: number;
  openedLots: number;
}

/**
 * A fill of signed lots at a price, applied to a position. It closes what stands against it and opens the rest, also
 * through zero. What is closed takes its share of the cost with it, rounded toward positive infinity: the realised PnL
 * is never a part of a micro too high, and what the share lacks stays in the cost of the rest, so nothing is lost.
 *
 * Always: realised PnL = new cost − old cost − value of the fill. Both sides of a trade have opposite values, so cost less
 * realised PnL, summed over all accounts, never changes (INV-1).
 */
export function applyFill(
  lots: number,
  cost_micros: number,
  fillLots: number,
  priceTicks: number,
  unit_micros: number,
  effect: FillEffect,
): void {
  const isAgainst = lots < 0 !== fillLots < 0;
  const closedLots = isAgainst ? Math.min(Math.abs(lots), Math.abs(fillLots)) : 0;
  const openedLots = subChecked(Math.abs(fillLots), closedLots);
  const closedCost_micros = closedLots === 0 ? 0 : mulDiv(cost_micros, closedLots, Math.abs(lots), CEIL);
  const openedCost_micros = notionalOf(priceTicks, fillLots < 0 ? -openedLots : openedLots, unit_micros);
  const newCost_micros = addChecked(subChecked(cost_micros, closedCost_micros), openedCost_micros);
  const closedValue_micros = notionalOf(priceTicks, lots < 0 ? -closedLots : closedLots, unit_micros);
  effect.lots = addChecked(lots, fillLots);
  effect.cost_micros = newCost_micros;
  effect.realisedPnl_micros = subChecked(closedValue_micros, closedCost_micros);
  effect.closedLots = closedLots;
  effect.openedLots = openedLots;
}

/**
 * The average entry price in millionths of a tick, for display only: the rules go by the cost. Rounded to the worse side
 * for the account (a long's up, a short's down), so a profit worked out from it is never above the real one. 0 when flat.
 */
export function entryPrice(lots: number, cost_micros: number, unit_micros: number): number {
  if (lots === 0) return 0;
  return mulDiv(cost_micros, TICK_microTicks, mulChecked(lots, unit_micros), lots > 0 ? CEIL : FLOOR);
}
