import type { DemoMarket } from "./replies.ts";

export const LEVELS = 18;
/** The levels' distance from the index, in hundredths of a basis point: 2, 4, 6 … and faster further out. */
const NEAREST = 200;
const STEP = 200;
const GROWTH = 8;
const WHOLE = 1_000_000;
/** USDT of the nearest level; each further one is a third larger than the nearest. */
const FIRST_USDT = 3_000;
const E8 = 100_000_000;
/** What the maker holds moves its prices by up to three basis points, toward being rid of it. */
const FULL_SKEW = 300;
/** An order stays where it is while it is off by less than this part of its distance from the index. */
const TOLERANCE_DIVISOR = 2.5;

export type QuoteSide = "BUY" | "SELL";

export interface Quote {
  readonly side: QuoteSide;
  readonly level: number;
  readonly ticks: number;
  readonly lots: number;
  /** How far it may be off before it is moved. */
  readonly toleranceTicks: number;
}

export interface LadderInput {
  readonly market: DemoMarket;
  readonly index_e8: number;
  /** −1 … 1: how much of what it may hold the maker holds, short or long. */
  readonly inventory: number;
  /** By level: how much larger or smaller than usual, around 1. */
  readonly sizes: readonly number[];
}

/** What the maker would like to have in the book. A bot's wishes, not money: reckoned in floating point, then whole. */
export function ladderOf({ market, index_e8, inventory, sizes }: LadderInput): Quote[] {
  const indexTicks = index_e8 / market.tickSize_e8;
  const centre = indexTicks * (1 - (FULL_SKEW / WHOLE) * Math.max(-1, Math.min(1, inventory)));
  const quotes: Quote[] = [];
  for (const side of ["BUY", "SELL"] as const) {
    if (side === "BUY" ? inventory >= 1 : inventory <= -1) continue;
    for (let level = 0; level < LEVELS; level += 1) {
      const part = (NEAREST + STEP * level + GROWTH * level * level) / WHOLE;
      const distance = Math.max(level + 1, Math.round(indexTicks * part));
      const ticks = side === "BUY" ? Math.floor(centre) - distance : Math.ceil(centre) + distance;
      const usdt = FIRST_USDT * (1 + level / 3) * (sizes[level] ?? 1);
      const lots = Math.max(1, Math.floor((usdt * E8) / ((index_e8 / E8) * market.lotSize_e8)));
      const toleranceTicks = Math.max(1, Math.floor(distance / TOLERANCE_DIVISOR));
      if (ticks > 0) quotes.push({ side, level, ticks, lots, toleranceTicks });
    }
  }
  return quotes;
}
