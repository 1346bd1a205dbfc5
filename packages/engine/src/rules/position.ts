import { CEIL, exact, FLOOR, mulChecked, mulDiv } from "../integers.ts";
import { TICK_microTicks } from "./units.ts";

/**
 * What a fill does to one side's position; the caller keeps one object and reuses it for every call. The numbers are in
 * a typed array, because fields of an object would be boxed.
 */
export class FillEffect {
  readonly #numbers = new Float64Array(5);

  /** The position afterwards. */
  get lots(): number {
    return this.#numbers[0]!;
  }

  get cost_micros(): number {
    return this.#numbers[1]!;
  }

  get realisedPnl_micros(): number {
    return this.#numbers[2]!;
  }

  /** Lots without sign; their sum is the fill's. */
  get closedLots(): number {
    return this.#numbers[3]!;
  }

  get openedLots(): number {
    return this.#numbers[4]!;
  }

  setPosition(lots: number, cost_micros: number): void {
    this.#numbers[0] = lots;
    this.#numbers[1] = cost_micros;
  }

  setOutcome(realisedPnl_micros: number, closedLots: number, openedLots: number): void {
    this.#numbers[2] = realisedPnl_micros;
    this.#numbers[3] = closedLots;
    this.#numbers[4] = openedLots;
  }
}

/**
 * Applies a fill of signed lots at a price to a position. It closes lots of the opposite sign and opens the rest, also
 * through zero. Closed lots take their share of the cost, rounded toward positive infinity: the realised PnL is never a
 * fraction of a micro too high, and the rounding stays in the cost of the rest, so nothing is lost.
 *
 * Always: realised PnL = new cost − old cost − value of the fill. The two sides of a trade have opposite values, so
 * cost less realised PnL, summed over all accounts, never changes (INV-1).
 */
export function applyFill(
  lots: number,
  cost_micros: number,
  fillLots: number,
  priceTicks: number,
  unit_micros: number,
  effect: FillEffect,
): void {
  const fillValue_micros = exact(priceTicks * fillLots * unit_micros);
  const newLots = exact(lots + fillLots);
  if (lots === 0 || lots < 0 === fillLots < 0) {
    effect.setPosition(newLots, exact(cost_micros + fillValue_micros));
    effect.setOutcome(0, 0, Math.abs(fillLots));
    return;
  }
  const held = Math.abs(lots);
  const closedLots = Math.min(held, Math.abs(fillLots));
  const openedLots = Math.abs(fillLots) - closedLots;
  // Adding 0 keeps both branches plain doubles; else the compiler would box the first to match a call's result.
  const closedCost_micros = closedLots === held ? cost_micros : mulDiv(cost_micros, closedLots, held, CEIL) + 0;
  const openedCost_micros = openedLots === 0 ? 0 : priceTicks * (fillLots < 0 ? -openedLots : openedLots) * unit_micros;
  const closedValue_micros = exact(openedCost_micros - fillValue_micros);
  effect.setPosition(newLots, exact(cost_micros - closedCost_micros + openedCost_micros));
  effect.setOutcome(exact(closedValue_micros - closedCost_micros), closedLots, openedLots);
}

/**
 * The average entry price in millionths of a tick, for display only: the rules use the cost. Rounded to the worse side
 * for the account (a long's up, a short's down), so that a profit computed from it is never above the real one. 0 if
 * flat.
 */
export function entryPrice(lots: number, cost_micros: number, unit_micros: number): number {
  if (lots === 0) return 0;
  return mulDiv(cost_micros, TICK_microTicks, mulChecked(lots, unit_micros), lots > 0 ? CEIL : FLOOR);
}
