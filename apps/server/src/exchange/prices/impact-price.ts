import {
  addChecked,
  BUY,
  CEIL,
  clampTicks,
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
import type { EngineMarket } from "./market-guard.ts";

/** FUT-14: the notional of an impact price before rules version 5; from then on it is a rule of the market. */
const OLD_NOTIONAL_micros = 10_000 * USDT_micros;

/**
 * FUT-14: the average price in ticks at which a notional can be sold into the bids (side BUY) or bought from the asks
 * (SELL); 0 if the book is too thin. Rounded away from the middle of the book, so that rounding never enlarges a
 * premium.
 */
export function impactTicks(
  book: OrderBook,
  side: Side,
  { unit_micros }: Pick<Market, "unit_micros">,
  notional_micros: number,
): number {
  const levels = book.levels[side];
  let lots = 0;
  let left_micros = notional_micros;
  for (let ticks = levels.bestTicks; ticks !== NO_TICKS; ticks = levels.ticksWorseThan(ticks)) {
    const levelLots = levels.lotsAt(levels.keyOf(ticks));
    const value_micros = mulChecked(mulChecked(ticks, levelLots), unit_micros);
    if (value_micros >= left_micros) {
      // notional / (unit × (lots + left / (ticks × unit))), multiplied by ticks above and below.
      const divisor = addChecked(mulChecked(mulChecked(unit_micros, lots), ticks), left_micros);
      return mulDiv(notional_micros, ticks, divisor, side === BUY ? FLOOR : CEIL);
    }
    lots += levelLots;
    left_micros -= value_micros;
  }
  return 0;
}

/** What selling and buying the impact notional would bring and cost on average, in ticks; 0 if the book is too thin. */
export interface ImpactPrices {
  readonly bidTicks: number;
  readonly askTicks: number;
}

/** FUT-14: the impact prices of a market's book. */
export function impactPrices({ book, definition, rules, isFair }: EngineMarket): ImpactPrices {
  const notional_micros = isFair ? rules.impactNotional_micros : OLD_NOTIONAL_micros;
  const at = (side: Side) => impactTicks(book, side, definition, notional_micros);
  return { bidTicks: at(BUY), askTicks: at(SELL) };
}

/**
 * FUT-13: each impact price clamped to the index by itself, so that far quotes of both sides cancel out; undefined
 * where one is missing.
 */
export function clampedImpact(market: EngineMarket, indexTicks: number): ImpactPrices | undefined {
  const { bidTicks, askTicks } = impactPrices(market);
  if (bidTicks === 0 || askTicks === 0) return undefined;
  const clamped = (ticks: number) => clampTicks(ticks, indexTicks, market.rules.markClamp_e8);
  return { bidTicks: clamped(bidTicks), askTicks: clamped(askTicks) };
}
