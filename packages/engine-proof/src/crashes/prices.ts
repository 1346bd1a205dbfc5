import {
  BUY,
  indexOfSources,
  type MarketState,
  markPrice,
  medianOfThree,
  NO_TICKS,
  ONE_e8,
  SELL,
  type Side,
} from "@bourse/engine";

const WINDOW_s = 30;
/** FUT-13: how far from the median a source counts, by the mark clamp of the market's class. */
const MAJOR_CLAMP_e8 = 400_000;
const MAJOR_CLIP_e8 = 500_000;
const OTHER_CLIP_e8 = 1_000_000;

/** FUT-13 by the rules of a market's version: index and mark as a server would say them. */
export class PriceTeller {
  readonly #market: MarketState;
  /** Of the last 30 seconds: the book's distance from the index, and whether there was a book. */
  readonly #offsets: { readonly ticks: number; readonly hasBook: boolean }[] = [];

  constructor(market: MarketState) {
    this.#market = market;
  }

  index(sources: readonly number[]): number {
    if (!this.#market.isFair) return indexOfSources(Float64Array.from(sources));
    const median = [...sources].sort((a, b) => a - b)[sources.length >> 1]!;
    const clip_e8 = this.#market.rules.markClamp_e8 <= MAJOR_CLAMP_e8 ? MAJOR_CLIP_e8 : OTHER_CLIP_e8;
    const kept = sources.filter((source) => Math.abs(source - median) * 20 <= median);
    const clipped = kept.map((source) => clamp(source, median, clip_e8));
    return Math.floor(clipped.reduce((sum, source) => sum + source, 0) / clipped.length + 0.5);
  }

  mark(index: number): number {
    return this.#market.isFair ? this.#fairMark(index) : this.#earlierMark(index);
  }

  #earlierMark(index: number): number {
    const { book, lastTicks } = this.#market;
    const bid = book.bestTicks(BUY);
    const ask = book.bestTicks(SELL);
    const hasBook = bid !== NO_TICKS && ask !== NO_TICKS;
    this.#sample(hasBook ? (bid + ask) / 2 - index : 0, hasBook);
    const sampled = this.#offsets.filter((offset) => offset.hasBook);
    const mean = sampled.reduce((sum, { ticks }) => sum + ticks, 0) / Math.max(1, sampled.length);
    return markPrice(index, 0, Math.trunc(mean), lastTicks, hasBook);
  }

  #fairMark(index: number): number {
    const { rules, lastTicks } = this.#market;
    const bid = impactTicks(this.#market, BUY, index);
    const ask = impactTicks(this.#market, SELL, index);
    const hasBook = bid !== 0 && ask !== 0;
    const clampedBid = clamp(bid, index, rules.markClamp_e8);
    const clampedAsk = clamp(ask, index, rules.markClamp_e8);
    this.#sample(hasBook ? Math.floor((clampedBid + clampedAsk) / 2) - index : 0, hasBook);
    const byBook = index + Math.trunc(this.#offsets.reduce((sum, { ticks }) => sum + ticks, 0) / WINDOW_s);
    const byLast = hasBook && lastTicks !== 0 ? Math.max(clampedBid, Math.min(clampedAsk, lastTicks)) : index;
    return clamp(medianOfThree(index, byBook, byLast), index, rules.markClamp_e8);
  }

  #sample(ticks: number, hasBook: boolean): void {
    this.#offsets.push({ ticks, hasBook });
    if (this.#offsets.length > WINDOW_s) this.#offsets.shift();
  }
}

/** FUT-14: the average price of the impact notional against the orders of a side; 0 where they are too few. */
function impactTicks({ book, rules, definition }: MarketState, side: Side, index: number): number {
  const levels = book.levels[side]!;
  const wanted = Math.ceil(rules.impactNotional_micros / (index * definition.unit_micros));
  let left = wanted;
  let tickLots = 0;
  for (let key = levels.bestKey; left > 0 && levels.ticksOf(key) !== NO_TICKS; key = levels.keyBelow(key)) {
    const lots = Math.min(left, levels.lotsAt(key));
    tickLots += lots * levels.ticksOf(key);
    left -= lots;
  }
  if (left > 0) return 0;
  return side === BUY ? Math.floor(tickLots / wanted) : Math.ceil(tickLots / wanted);
}

function clamp(ticks: number, center: number, distance_e8: number): number {
  const highest = Math.floor((center * (ONE_e8 + distance_e8)) / ONE_e8);
  const lowest = Math.max(1, Math.ceil((center * (ONE_e8 - distance_e8)) / ONE_e8));
  return Math.min(highest, Math.max(lowest, ticks));
}
