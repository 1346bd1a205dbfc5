import { CEIL, ceilDiv, mulDiv, subChecked } from "../integers.ts";
import type { Bracket } from "./market.ts";
import { ONE_e8 } from "./units.ts";

/**
 * FUT-10: the row of a notional: the first whose cap it does not exceed. A position that a price has moved above the
 * last cap stays in the last row.
 */
export function bracketIndex(brackets: readonly Bracket[], notional_micros: number): number {
  const last = brackets.length - 1;
  for (let i = 0; i < last; i += 1) {
    if (notional_micros <= brackets[i]!.cap_micros) return i;
  }
  return last;
}

/**
 * FUT-9: notional × rate − cumulative, for a notional without sign. The product is rounded up, so that no fraction of a
 * micro prevents a liquidation. Above 0 whenever the notional is.
 */
export function maintenanceMargin(brackets: readonly Bracket[], notional_micros: number): number {
  const row = brackets[bracketIndex(brackets, notional_micros)]!;
  const product = notional_micros * row.maintenanceRate_e8;
  // Most positions are small enough for one double; `mulDiv` gives the same for these, but checks again what holds.
  if (product <= Number.MAX_SAFE_INTEGER) return ceilDiv(product, ONE_e8) - row.cumulative_micros;
  return subChecked(mulDiv(notional_micros, row.maintenanceRate_e8, ONE_e8, CEIL), row.cumulative_micros);
}

/** FUT-9: notional / leverage for a notional without sign, rounded up against the account. */
export function initialMargin(notional_micros: number, leverage: number): number {
  return mulDiv(notional_micros, 1, leverage, CEIL);
}

/** The largest notional that may be held at a leverage; 0 if no bracket allows that leverage. */
export function maxNotionalAt(brackets: readonly Bracket[], leverage: number): number {
  for (let i = brackets.length - 1; i >= 0; i -= 1) {
    const row = brackets[i]!;
    if (leverage <= row.maxLeverage) return row.cap_micros;
  }
  return 0;
}
