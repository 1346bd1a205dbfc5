import type { StreamLevel } from "@bourse/api/client";
import { Decimal } from "../../../lib/decimal.ts";
import { decimalsOf } from "../../../lib/format.ts";

export type BookSide = "bids" | "asks";

/** A level as it is shown, the best of a side first. */
export interface LadderLevel {
  readonly price: string;
  readonly quantity: string;
  /** This level and all better ones. */
  readonly total: string;
  /** `total` in relation to the largest of both sides, from 0 to 1, for drawing. */
  readonly depth: number;
}

export interface Ladder {
  readonly bids: readonly LadderLevel[];
  readonly asks: readonly LadderLevel[];
  /** Of the best prices as they are, not of the grouped ones; undefined where a side is empty. */
  readonly spread: string | undefined;
  /** As a fraction of the mid price. */
  readonly spreadFraction: string | undefined;
  readonly mid: string | undefined;
}

export interface LadderTerms {
  readonly price_decimals: number;
  readonly quantity_decimals: number;
}

interface Levels {
  readonly bids: readonly StreamLevel[];
  readonly asks: readonly StreamLevel[];
}

interface Group {
  readonly price: bigint;
  quantity: bigint;
}

const SPREAD_FRACTION_DECIMALS = 8;
const TEN = Decimal.parse("10");
const TWO = Decimal.parse("2");
/** A group wider than this part of the price would leave a handful of rows. */
const WIDEST_GROUP = Decimal.parse("0.005");
const MAX_STEPS = 5;

/** The tick, ten times the tick, and so on, as far as it makes sense at this price. */
export function groupSteps(tick: string, price: string | null): readonly string[] {
  const limit = price === null ? undefined : Decimal.parse(price).mul(WIDEST_GROUP);
  const steps = [Decimal.parse(tick)];
  while (steps.length < MAX_STEPS) {
    const next = steps.at(-1)!.mul(TEN);
    if (limit !== undefined && next.gt(limit)) break;
    steps.push(next);
  }
  return steps.map((step) => step.toString());
}

/** The group that a price falls into: bids downwards, asks upwards, so that no group looks better than what is in it. */
function groupOf(ticks: bigint, step: bigint, side: BookSide): bigint {
  const below = (ticks / step) * step;
  return side === "bids" || below === ticks ? below : below + step;
}

/** The same for a price as text, as the ladder shows it. */
export function groupedPrice(price: string, step: string, side: BookSide, { price_decimals }: LadderTerms): string {
  const ticks = Decimal.parse(price).toUnits(price_decimals, "trunc");
  const units = groupOf(ticks, Decimal.parse(step).toUnits(price_decimals, "exact"), side);
  return Decimal.fromUnits(units, price_decimals).toFixed(shownDecimals(step, price_decimals), "exact");
}

const shownDecimals = (step: string, price_decimals: number) => Math.min(price_decimals, decimalsOf(step));

/** Levels put together by steps. */
function group(levels: readonly StreamLevel[], step: bigint, side: BookSide, terms: LadderTerms): Group[] {
  const groups: Group[] = [];
  for (const [priceText, quantityText] of levels) {
    const ticks = Decimal.parse(priceText).toUnits(terms.price_decimals, "exact");
    const price = groupOf(ticks, step, side);
    const quantity = Decimal.parse(quantityText).toUnits(terms.quantity_decimals, "exact");
    const last = groups.at(-1);
    if (last?.price === price) last.quantity += quantity;
    else groups.push({ price, quantity });
  }
  return groups;
}

const totalsOf = (groups: readonly Group[]): bigint[] => {
  let total = 0n;
  return groups.map(({ quantity }) => {
    total += quantity;
    return total;
  });
};

/** Enough for a bar that is some hundred pixels wide. */
const DRAWING_STEPS = 1_000n;

/** What the book shows, from what the stream says. `step` is a multiple of the tick. */
export function buildLadder(book: Levels, step: string, most: number, terms: LadderTerms): Ladder {
  const { price_decimals, quantity_decimals } = terms;
  const stepUnits = Decimal.parse(step).toUnits(price_decimals, "exact");
  const decimals = shownDecimals(step, price_decimals);
  const sides = { bids: group(book.bids, stepUnits, "bids", terms), asks: group(book.asks, stepUnits, "asks", terms) };
  const bids = sides.bids.slice(0, most);
  const asks = sides.asks.slice(0, most);
  const totals = { bids: totalsOf(bids), asks: totalsOf(asks) };
  const largest = [totals.bids.at(-1) ?? 0n, totals.asks.at(-1) ?? 0n].reduce((a, b) => (a > b ? a : b));
  const levelOf = ({ price, quantity }: Group, total: bigint): LadderLevel => ({
    price: Decimal.fromUnits(price, price_decimals).toFixed(decimals, "exact"),
    quantity: Decimal.fromUnits(quantity, quantity_decimals).toFixed(quantity_decimals, "exact"),
    total: Decimal.fromUnits(total, quantity_decimals).toFixed(quantity_decimals, "exact"),
    depth: largest === 0n ? 0 : Number((total * DRAWING_STEPS) / largest) / Number(DRAWING_STEPS),
  });
  return {
    bids: bids.map((each, index) => levelOf(each, totals.bids[index]!)),
    asks: asks.map((each, index) => levelOf(each, totals.asks[index]!)),
    ...middleOf(book, price_decimals),
  };
}

function middleOf({ bids, asks }: Levels, price_decimals: number): Pick<Ladder, "mid" | "spread" | "spreadFraction"> {
  const [bid, ask] = [bids[0]?.[0], asks[0]?.[0]];
  if (bid === undefined || ask === undefined) return { mid: undefined, spread: undefined, spreadFraction: undefined };
  const spread = Decimal.parse(ask).sub(Decimal.parse(bid));
  // Half a tick is one decimal more.
  const mid = Decimal.parse(ask)
    .add(Decimal.parse(bid))
    .div(TWO, price_decimals + 1, "exact");
  return {
    spread: spread.toFixed(price_decimals, "exact"),
    spreadFraction: spread.div(mid, SPREAD_FRACTION_DECIMALS, "halfUp").toString(),
    mid: mid.toFixed(price_decimals + 1, "exact"),
  };
}

/**
 * The live levels, and behind them those of a deeper book that is some seconds old. The live ones win as far as they
 * reach: only a side with `reach` levels can have more behind it.
 */
export function deepen(live: Levels, deep: Levels | undefined, reach: number): Levels {
  if (deep === undefined) return live;
  return {
    bids: deepenSide(live.bids, deep.bids, reach, (price, worst) => price.lt(worst)),
    asks: deepenSide(live.asks, deep.asks, reach, (price, worst) => price.gt(worst)),
  };
}

function deepenSide(
  live: readonly StreamLevel[],
  deep: readonly StreamLevel[],
  reach: number,
  isBehind: (price: Decimal, worst: Decimal) => boolean,
): readonly StreamLevel[] {
  const worstText = live.at(-1)?.[0];
  if (live.length < reach || worstText === undefined) return live;
  const worst = Decimal.parse(worstText);
  return [...live, ...deep.filter(([price]) => isBehind(Decimal.parse(price), worst))];
}

export interface Chosen {
  readonly side: BookSide;
  readonly price: string;
}

/** From top to bottom: the worst ask first, the worst bid last. */
const topDown = ({ asks, bids }: Ladder): Chosen[] => [
  ...asks.map(({ price }) => ({ side: "asks", price }) as const).reverse(),
  ...bids.map(({ price }) => ({ side: "bids", price }) as const),
];

/** Where an arrow leads: down is towards the worst bid. From a level that is gone to the best of its side. */
export function step(ladder: Ladder, from: Chosen, direction: "up" | "down"): Chosen | undefined {
  const levels = topDown(ladder);
  const place = levels.findIndex(({ side, price }) => side === from.side && price === from.price);
  if (place === -1) {
    const best = ladder[from.side][0];
    return best && { side: from.side, price: best.price };
  }
  return levels[place + (direction === "up" ? -1 : 1)] ?? levels[place];
}
