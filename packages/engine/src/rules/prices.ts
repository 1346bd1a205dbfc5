import { addChecked, FLOOR, mulChecked, mulDiv, subChecked, TRUNC } from "../integers.ts";
import { ONE_e8 } from "./units.ts";

/** FUT-13: a source whose distance from the median is above this fraction of it (1/20, 5 %) is an outlier. */
const OUTLIER_PART = 20;
const MIN_SOURCES = 2;

/**
 * FUT-13: the index price of the fresh prices, in ticks: their mean without those more than 5 % from the median,
 * rounded to the nearest tick, halves up. Returns 0 if fewer than two fresh prices, or fewer than two that agree, are
 * left: the market becomes reduce-only. Sorts its argument.
 */
export function indexOfSources(freshTicks: Float64Array): number {
  const count = freshTicks.length;
  if (count < MIN_SOURCES) return 0;
  freshTicks.sort();
  // The median of an even number of prices lies between two of them, so it is held doubled.
  const doubleMedian = addChecked(freshTicks[(count - 1) >> 1]!, freshTicks[count >> 1]!);
  let sum = 0;
  let kept = 0;
  for (let i = 0; i < count; i += 1) {
    const doubleDistance = Math.abs(subChecked(mulChecked(2, freshTicks[i]!), doubleMedian));
    if (mulChecked(doubleDistance, OUTLIER_PART) > doubleMedian) continue;
    sum = addChecked(sum, freshTicks[i]!);
    kept += 1;
  }
  if (kept < MIN_SOURCES) return 0;
  return mulDiv(addChecked(mulChecked(2, sum), kept), 1, 2 * kept, FLOOR);
}

/** FUT-13: the part of the funding rate that is still to come: the distance of a fair price from the index price. */
export function fundingBasis_e8(rate_e8: number, untilFunding_ms: number, interval_ms: number): number {
  return mulDiv(rate_e8, untilFunding_ms, interval_ms, TRUNC);
}

/**
 * FUT-13: mean of (mid − index) in ticks, from the sum of (bid + ask − 2 × index) over the samples of 30 s. Toward zero,
 * that is toward the index.
 */
export function meanBookOffset(sumHalfTicks: number, count: number): number {
  return count === 0 ? 0 : mulDiv(sumHalfTicks, 1, mulChecked(2, count), TRUNC);
}

/**
 * FUT-13: mark = median(index × (1 + basis), index + mean of (mid − index), last), at least one tick. Fractions of a
 * tick are rounded toward the index price. Without a book the mark price is the index price; before the first trade
 * (`lastTicks` 0) the index price replaces the last price.
 */
export function markPrice(
  indexTicks: number,
  basis_e8: number,
  meanBookOffsetTicks: number,
  lastTicks: number,
  hasBook: boolean,
): number {
  if (!hasBook) return indexTicks;
  const byFunding = addChecked(indexTicks, mulDiv(indexTicks, basis_e8, ONE_e8, TRUNC));
  const byBook = addChecked(indexTicks, meanBookOffsetTicks);
  return Math.max(1, medianOfThree(byFunding, byBook, lastTicks === 0 ? indexTicks : lastTicks));
}

export function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
