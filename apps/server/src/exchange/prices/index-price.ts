import { addChecked, FLOOR, indexOfSources, MAX_TICKS, type Market, mulChecked, mulDiv } from "@bourse/engine";
import type { PriceSource, SourcePrice } from "./sources/price-source.ts";

/** FUT-13: a price that is older says nothing any more. */
export const FRESH_MS = 10_000;

/** The nearest tick, halves up; at least one. */
export function nearestTicks({ tickSize_e8 }: Pick<Market, "tickSize_e8">, price_e8: number): number {
  const doubled = addChecked(mulChecked(2, price_e8), tickSize_e8);
  return Math.max(1, mulDiv(doubled, 1, 2 * tickSize_e8, FLOOR));
}

/** Whether a source's price counts; what was known at a clock jump counts as of the jump. */
export function isFresh({ time_ms }: SourcePrice, now_ms: number, restamped_ms: number): boolean {
  return now_ms - Math.max(time_ms, restamped_ms) <= FRESH_MS;
}

/** FUT-13: the index of a market in ticks; 0 where fewer than two fresh sources agree. */
export function indexTicks(
  market: Market,
  sources: readonly PriceSource[],
  now_ms: number,
  restamped_ms: number,
): number {
  const ticks: number[] = [];
  for (const source of sources) {
    const price = source.latest(market.symbol);
    if (price !== undefined && isFresh(price, now_ms, restamped_ms)) ticks.push(nearestTicks(market, price.price_e8));
  }
  const index = indexOfSources(Float64Array.from(ticks));
  // Beyond what the engine can hold there is no index: better none than one that is refused every second.
  return index <= MAX_TICKS ? index : 0;
}
