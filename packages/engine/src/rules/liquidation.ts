import { MAX_TICKS } from "../book/limits.ts";
import { CEIL, FLOOR, mulChecked, mulDiv, subChecked } from "../integers.ts";
import { bracketIndex } from "./brackets.ts";
import type { Bracket, Market, MarketBracket } from "./market.ts";
import { notionalOf } from "./notional.ts";
import { ONE_e8, TICK_microTicks, USDT_micros } from "./units.ts";

/** FUT-12: a position of this notional or less is closed at once instead of step by step. */
export const CLOSED_AT_ONCE_micros = 20_000 * USDT_micros;

/**
 * FUT-11, in millionths of a tick. `balance_micros` is the balance beside the position: WB − TMM_other + UPNL_other,
 * for an isolated position its own margin. Rate and cumulative amount are those of the bracket of the position at the
 * liquidation price itself, so the result is the price at which maintenance margin and margin balance are equal.
 * Rounded toward the market (a long's up, a short's down), so that the shown price is never further away than the exact
 * one.
 *
 * 0 if there is no such price: no position, a long that is solvent even at a price of zero, or a short that would be
 * liquidated at any price.
 */
export function liquidationPrice(market: Market, lots: number, cost_micros: number, balance_micros: number): number {
  if (lots === 0) return 0;
  const side = Math.sign(lots);
  const gap_micros = mulChecked(side, subChecked(cost_micros, balance_micros));
  const last = market.brackets.length - 1;
  let index = 0;
  while (index < last && isAboveCap(market.brackets[index]!, side, gap_micros)) index += 1;
  const row = market.brackets[index]!;
  const kept_micros = keptNotional(row, side, gap_micros);
  if (kept_micros <= 0) return 0;
  const tick_micros = mulChecked(Math.abs(lots), market.unit_micros);
  const keptOfTick = mulChecked(tick_micros, keptParts(row, side));
  return mulDiv(kept_micros, row.rateDenominator * TICK_microTicks, keptOfTick, side > 0 ? CEIL : FLOOR);
}

/**
 * FUT-11 as it is shown, in millionths of a tick; 0 if no price liquidates the position. `liquidationPrice` throws if
 * the price leaves the safe range. A small position beside a large balance has such a price; it lies above every
 * possible price, so the result is 0.
 */
export function shownLiquidationPrice(
  market: Market,
  lots: number,
  cost_micros: number,
  balance_micros: number,
): number {
  if (lots === 0) return 0;
  // Maintenance is less than the whole value, so a liquidation price is more than half of the bankruptcy price.
  if (bankruptcyTicks(lots, cost_micros, balance_micros, market.unit_micros) > 2 * MAX_TICKS) return 0;
  const price = liquidationPrice(market, lots, cost_micros, balance_micros);
  return price > MAX_TICKS * TICK_microTicks ? 0 : price;
}

/** The parts of the notional, out of the rate's denominator, that remain after maintenance is subtracted (or added). */
function keptParts(row: MarketBracket, side: number): number {
  return row.rateDenominator - side * row.rateNumerator;
}

/** Those parts of the notional at the liquidation price, by this row's rate. */
function keptNotional(row: MarketBracket, side: number, gap_micros: number): number {
  return subChecked(gap_micros, side * row.cumulative_micros);
}

/** Whether this row's rate gives a notional above its cap. Compared with a floor, which is exact for whole numbers. */
function isAboveCap(row: MarketBracket, side: number, gap_micros: number): boolean {
  const keptOfCap_micros = mulDiv(row.cap_micros, keptParts(row, side), row.rateDenominator, FLOOR);
  return keptNotional(row, side, gap_micros) > keptOfCap_micros;
}

/**
 * FUT-12: the price at which closing the whole position uses up exactly what the account has. `equity_micros` is
 * everything beside the position: principal, bonus and the unrealised PnL of the other positions. Rounded so that the
 * account does not end below zero: up for a long, which sells, down for a short, which buys.
 *
 * At least one tick for a long, because there is no lower price. 0 for a short if no price is low enough.
 */
export function bankruptcyTicks(lots: number, cost_micros: number, equity_micros: number, unit_micros: number): number {
  const isLong = lots > 0;
  const owed_micros = subChecked(cost_micros, equity_micros);
  const ticks = mulDiv(owed_micros, 1, mulChecked(lots, unit_micros), isLong ? CEIL : FLOOR);
  return Math.max(isLong ? 1 : 0, ticks);
}

/**
 * FUT-12: how many lots (without sign) one step closes: all of a small position, otherwise as many as bring it into the
 * next lower bracket, and at least a quarter. Lots are rounded up, so that the step reaches the bracket; the quarter
 * prevents that a position just above a cap is reduced lot by lot.
 */
export function reductionLots(
  brackets: readonly Bracket[],
  lots: number,
  markTicks: number,
  unit_micros: number,
): number {
  const held = Math.abs(lots);
  const notional_micros = notionalOf(markTicks, held, unit_micros);
  if (notional_micros <= CLOSED_AT_ONCE_micros) return held;
  const quarter = mulDiv(held, 1, 4, CEIL);
  const index = bracketIndex(brackets, notional_micros);
  if (index === 0) return quarter;
  const excess_micros = subChecked(notional_micros, brackets[index - 1]!.cap_micros);
  return Math.max(quarter, mulDiv(excess_micros, 1, mulChecked(markTicks, unit_micros), CEIL));
}

/** FUT-12: notional × rate, rounded up, but at most what is left in the account. `notional_micros` ≥ 0. */
export function liquidationFee(notional_micros: number, rate_e8: number, left_micros: number): number {
  return Math.max(0, Math.min(mulDiv(notional_micros, rate_e8, ONE_e8, CEIL), left_micros));
}
