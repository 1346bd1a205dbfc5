import { addChecked, FLOOR, indexOfSources, MAX_TICKS, type Market, mulChecked, mulDiv } from "@bourse/engine";
import type { PriceSource, SourcePrice } from "./sources/price-source.ts";

/** FUT-13: older prices do not count. */
export const FRESH_MS = 10_000;

/** The nearest tick, halves up; at least 1. */
export function nearestTicks({ tickSize_e8 }: Pick<Market, "tickSize_e8">, price_e8: number): number {
  const doubled = addChecked(mulChecked(2, price_e8), tickSize_e8);
  return Math.max(1, mulDiv(doubled, 1, 2 * tickSize_e8, FLOOR));
}

/** Whether a source's price counts. After a clock jump, known prices have the time of the jump. */
export function isFresh({ time_ms }: SourcePrice, now_ms: number, restamped_ms: number): boolean {
  return now_ms - Math.max(time_ms, restamped_ms) <= FRESH_MS;
}

/** FUT-13: the index of a market in ticks; 0 if fewer than two fresh sources agree. */
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
  // An index above the engine's maximum counts as none, because the engine would refuse it every second.
  return index <= MAX_TICKS ? index : 0;
}
