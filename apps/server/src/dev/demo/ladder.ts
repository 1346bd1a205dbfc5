import type { DemoMarket } from "./replies.ts";

export const LEVELS = 18;
/** The levels' distance from the index, in hundredths of a basis point: 2, 4, 6 …, growing faster further out. */
const NEAREST = 200;
const STEP = 200;
const GROWTH = 8;
const WHOLE = 1_000_000;
/** The size of the nearest level in USDT; each further level adds a third of it. */
const FIRST_USDT = 3_000;
const E8 = 100_000_000;
/** The maker's inventory moves its prices by up to three basis points, in the direction that reduces it. */
const FULL_SKEW = 300;
/** An order is not moved while its error is below this part of its distance from the index. */
const TOLERANCE_DIVISOR = 2.5;

export type QuoteSide = "BUY" | "SELL";

export interface Quote {
  readonly side: QuoteSide;
  readonly level: number;
  readonly ticks: number;
  readonly lots: number;
  /** The error from which the order is moved. */
  readonly toleranceTicks: number;
}

export interface LadderInput {
  readonly market: DemoMarket;
  readonly index_e8: number;
  /** −1 … 1: the maker's inventory relative to its maximum, short or long. */
  readonly inventory: number;
  /** By level: a factor for the size, around 1. */
  readonly sizes: readonly number[];
}

/** The maker's desired quotes. They are a bot's plan, not money: computed in floating point, then rounded. */
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
