import {
  addChecked,
  BUY,
  CEIL,
  FLOOR,
  type Market,
  mulChecked,
  mulDiv,
  NO_TICKS,
  type OrderBook,
  SELL,
  type Side,
  USDT_micros,
} from "@bourse/engine";

/** FUT-14: the notional of an impact price. */
export const IMPACT_NOTIONAL_micros = 10_000 * USDT_micros;

/**
 * FUT-14: the average price in ticks at which 10,000 USDT can be sold into the bids (side BUY) or bought from the asks
 * (SELL); 0 if the book is too thin. Rounded away from the middle of the book, so that rounding never enlarges a
 * premium.
 */
export function impactTicks(book: OrderBook, side: Side, { unit_micros }: Pick<Market, "unit_micros">): number {
  const levels = book.levels[side];
  let lots = 0;
  let left_micros = IMPACT_NOTIONAL_micros;
  for (let ticks = levels.bestTicks; ticks !== NO_TICKS; ticks = levels.ticksWorseThan(ticks)) {
    const levelLots = levels.lotsAt(levels.keyOf(ticks));
    const value_micros = mulChecked(mulChecked(ticks, levelLots), unit_micros);
    if (value_micros >= left_micros) {
      // notional / (unit × (lots + left / (ticks × unit))), multiplied by ticks above and below.
      const divisor = addChecked(mulChecked(mulChecked(unit_micros, lots), ticks), left_micros);
      return mulDiv(IMPACT_NOTIONAL_micros, ticks, divisor, side === BUY ? FLOOR : CEIL);
    }
    lots += levelLots;
    left_micros -= value_micros;
  }
  return 0;
}

export const impactBid = (book: OrderBook, market: Market): number => impactTicks(book, BUY, market);
export const impactAsk = (book: OrderBook, market: Market): number => impactTicks(book, SELL, market);
