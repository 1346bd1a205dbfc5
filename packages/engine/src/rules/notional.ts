import { CEIL, FLOOR, mulChecked, mulDiv } from "../integers.ts";
import { BUY, SELL, type Side } from "../side.ts";
import { ONE_e8 } from "./units.ts";

/** Value of lots at a price, with the sign of the lots. Exact. */
export function notionalOf(priceTicks: number, lots: number, unit_micros: number): number {
  return mulChecked(mulChecked(priceTicks, lots), unit_micros);
}

/**
 * FUT-5: the lots that an amount of USDT buys at a reference price, floored, so that an order never costs more than the
 * amount. The result can be 0; the caller refuses it with -1013.
 */
export function lotsForQuote(quote_micros: number, referenceTicks: number, unit_micros: number): number {
  return mulDiv(quote_micros, 1, mulChecked(referenceTicks, unit_micros), FLOOR);
}

/**
 * The worst price for a side at a distance from the mark price: the highest a buy may pay, the lowest a sell may take.
 * Used for PERCENT_PRICE (FUT-2) and for the bound of market orders (FUT-4). Rounded inward, to the tick nearest to the
 * mark price, so that no trade happens beyond the distance. At least one tick for a sell.
 */
export function worstTicks(side: Side, markTicks: number, distance_e8: number): number {
  return side === BUY
    ? mulDiv(markTicks, ONE_e8 + distance_e8, ONE_e8, FLOOR)
    : mulDiv(markTicks, ONE_e8 - distance_e8, ONE_e8, CEIL);
}

/** The price nearest to `ticks` within a distance of a centre; both bounds are rounded toward the centre. */
export function clampTicks(ticks: number, centreTicks: number, distance_e8: number): number {
  const low = worstTicks(SELL, centreTicks, distance_e8);
  return Math.min(Math.max(ticks, low), worstTicks(BUY, centreTicks, distance_e8));
}
