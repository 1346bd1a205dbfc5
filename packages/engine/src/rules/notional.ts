import { CEIL, FLOOR, mulChecked, mulDiv } from "../integers.ts";
import { BUY, type Side } from "../side.ts";
import type { Market } from "./market.ts";
import { ONE_e8 } from "./units.ts";

/** Value of lots at a price, with the sign of the lots. Exact. */
export function notionalOf(priceTicks: number, lots: number, unit_micros: number): number {
  return mulChecked(mulChecked(priceTicks, lots), unit_micros);
}

/**
 * FUT-5: the lots that an amount of USDT buys at a reference price, floored, so that an order never costs more than was
 * asked for. Zero lots is an answer; the caller refuses it with -1013.
 */
export function lotsForQuote(quote_micros: number, referenceTicks: number, unit_micros: number): number {
  return mulDiv(quote_micros, 1, mulChecked(referenceTicks, unit_micros), FLOOR);
}

/**
 * The worst price for a side at a distance from the mark: the highest a buy may pay, the lowest a sell may take. Used for
 * PERCENT_PRICE (FUT-2) and for the bound of market orders (FUT-4). Rounded inward, to the tick nearest to the mark, so
 * that no trade happens beyond the stated distance. A sell's bound is one tick at least.
 */
export function worstTicks(side: Side, markTicks: number, distance_e8: number): number {
  return side === BUY
    ? mulDiv(markTicks, ONE_e8 + distance_e8, ONE_e8, FLOOR)
    : mulDiv(markTicks, ONE_e8 - distance_e8, ONE_e8, CEIL);
}

/**
 * FUT-2: PERCENT_PRICE looks at the side that would hurt the book: buys above the mark and sells below it. A price at the
 * bound passes. Orders far on their own side only rest.
 */
export function isWithinPriceBand(market: Market, side: Side, priceTicks: number, markTicks: number): boolean {
  const worst = worstTicks(side, markTicks, market.percentPrice_e8);
  return side === BUY ? priceTicks <= worst : priceTicks >= worst;
}

export const NOTIONAL_FITS = 0 as const;
export const NOTIONAL_TOO_SMALL = 1 as const;
export const NOTIONAL_TOO_LARGE = 2 as const;
export type NotionalVerdict = typeof NOTIONAL_FITS | typeof NOTIONAL_TOO_SMALL | typeof NOTIONAL_TOO_LARGE;

/** FUT-2: the size of an order in USDT; both limits are themselves allowed. Orders that only reduce are not asked. */
export function judgeNotional(market: Market, notional_micros: number): NotionalVerdict {
  if (notional_micros < market.minNotional_micros) return NOTIONAL_TOO_SMALL;
  return notional_micros > market.maxNotional_micros ? NOTIONAL_TOO_LARGE : NOTIONAL_FITS;
}
