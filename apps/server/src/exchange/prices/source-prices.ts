import { addChecked, CEIL, FLOOR, isMajor, type Market, mulChecked, mulDiv, ONE_e8 } from "@bourse/engine";

/** FUT-13: a source further from the median than this part of it (1/20, 5 %) is dropped. */
const OUTLIER_PART = 20;
const MIN_SOURCES = 2;
const MAJOR_CLAMP_e8 = 500_000;
const OTHER_CLAMP_e8 = 1_000_000;

/** What becomes of a fresh source's price. */
export type FreshUse = "counted" | "clamped" | "dropped";
/** Why a market has no index. */
export type NoIndex = "too_few_sources" | "sources_disagree";

export interface FairIndex {
  /** In ticks; 0 for none. */
  readonly indexTicks: number;
  readonly noIndex: NoIndex | undefined;
  /** In the order of the prices. */
  readonly uses: readonly FreshUse[];
}

/** FUT-13: how far from the median a source counts. */
export const sourceClamp_e8 = ({ brackets }: Pick<Market, "brackets">): number =>
  isMajor(brackets) ? MAJOR_CLAMP_e8 : OTHER_CLAMP_e8;

/**
 * FUT-13 from rules version 5 on: fresh prices further than 5 % from the median are dropped, each other one is clamped
 * to the median, and the index is their mean, to the nearest tick, halves up. Where the number of prices is even, the
 * two in the middle must differ by at most twice the clamp: with two prices these are all, and with more neither half
 * can outvote the other. The same holds for what is left after dropping.
 */
export function fairIndex(freshTicks: readonly number[], clamp_e8: number): FairIndex {
  const sorted = freshTicks.toSorted((a, b) => a - b);
  if (sorted.length < MIN_SOURCES) return none("too_few_sources", freshTicks);
  // The median of an even number of prices lies between two of them, so it is held doubled.
  const doubleMedian = addChecked(...middleOf(sorted));
  const isDropped = (ticks: number) => mulChecked(Math.abs(2 * ticks - doubleMedian), OUTLIER_PART) > doubleMedian;
  const low = mulDiv(doubleMedian, ONE_e8 - clamp_e8, 2 * ONE_e8, CEIL);
  const high = mulDiv(doubleMedian, ONE_e8 + clamp_e8, 2 * ONE_e8, FLOOR);
  const uses = freshTicks.map((ticks): FreshUse => {
    if (isDropped(ticks)) return "dropped";
    return ticks < low || ticks > high ? "clamped" : "counted";
  });
  const kept = sorted.filter((ticks) => !isDropped(ticks));
  const isAgreed = kept.length >= MIN_SOURCES && [sorted, kept].every((ticks) => doMiddlesAgree(ticks, clamp_e8));
  if (!isAgreed) return { indexTicks: 0, noIndex: "sources_disagree", uses };
  const sum = kept.reduce((total, ticks) => addChecked(total, Math.min(Math.max(ticks, low), high)), 0);
  const indexTicks = mulDiv(addChecked(mulChecked(2, sum), kept.length), 1, 2 * kept.length, FLOOR);
  return { indexTicks, noIndex: undefined, uses };
}

const none = (noIndex: NoIndex, ticks: readonly number[]): FairIndex => ({
  indexTicks: 0,
  noIndex,
  uses: ticks.map(() => "counted"),
});

/** The two in the middle; an odd number of prices has one there. */
function middleOf(sorted: readonly number[]): [low: number, high: number] {
  return [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
}

/** Whether both are no further than the clamp from the middle between them. */
function doMiddlesAgree(sorted: readonly number[], clamp_e8: number): boolean {
  const [low, high] = middleOf(sorted);
  return high - low <= mulDiv(addChecked(low, high), clamp_e8, ONE_e8, FLOOR);
}
