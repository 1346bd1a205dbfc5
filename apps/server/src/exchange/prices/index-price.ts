import { addChecked, FLOOR, indexOfSources, MAX_TICKS, type Market, mulChecked, mulDiv } from "@bourse/engine";
import type { EngineMarket } from "./market-guard.ts";
import { type FreshUse, fairIndex, type NoIndex, sourceClamp_e8 } from "./source-prices.ts";
import type { PriceSource } from "./sources/price-source.ts";

/** FUT-13: older prices do not count. */
export const FRESH_MS = 10_000;
/** Before rules version 5 no source was clamped: all that are not dropped are within 5 % of the median. */
const NO_CLAMP_e8 = 5_000_000;

/** What becomes of a source's price. */
export type SourceUse = FreshUse | "stale";

export interface SourceReading {
  readonly name: string;
  readonly price_e8: number;
  readonly age_ms: number;
  readonly use: SourceUse;
}

/** FUT-13: the index that the sources make at a moment. */
export interface IndexReading {
  /** 0 for none. */
  readonly indexTicks: number;
  readonly noIndex: NoIndex | undefined;
  readonly sources: readonly SourceReading[];
}

/** The nearest tick, halves up; at least 1. */
export function nearestTicks({ tickSize_e8 }: Pick<Market, "tickSize_e8">, price_e8: number): number {
  const doubled = addChecked(mulChecked(2, price_e8), tickSize_e8);
  return Math.max(1, mulDiv(doubled, 1, 2 * tickSize_e8, FLOOR));
}

/** FUT-13: reads a market's sources. After a clock jump, known prices have the time of the jump. */
export function readIndex(
  { definition, isFair }: Pick<EngineMarket, "definition" | "isFair">,
  sources: readonly PriceSource[],
  now_ms: number,
  restamped_ms: number,
): IndexReading {
  const known = sources.flatMap((source) => {
    const price = source.latest(definition.symbol);
    if (price === undefined) return [];
    const age_ms = now_ms - Math.max(price.time_ms, restamped_ms);
    return [{ name: source.name, price_e8: price.price_e8, age_ms, isFresh: age_ms <= FRESH_MS }];
  });
  const fresh = known.filter(({ isFresh }) => isFresh);
  const ticks = fresh.map(({ price_e8 }) => nearestTicks(definition, price_e8));
  const fair = fairIndex(ticks, isFair ? sourceClamp_e8(definition) : NO_CLAMP_e8);
  const index = isFair ? fair.indexTicks : indexOfSources(Float64Array.from(ticks));
  // An index above the engine's maximum counts as none, because the engine would refuse it every second.
  const indexTicks = index <= MAX_TICKS ? index : 0;
  const uses = new Map(fresh.map((price, place) => [price, fair.uses[place]!]));
  return {
    indexTicks,
    noIndex: indexTicks === 0 ? (fair.noIndex ?? "sources_disagree") : undefined,
    sources: known.map((price) => {
      const { name, price_e8, age_ms } = price;
      return { name, price_e8, age_ms, use: uses.get(price) ?? "stale" };
    }),
  };
}
