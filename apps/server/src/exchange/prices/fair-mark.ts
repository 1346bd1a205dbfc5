import { addChecked, clampTicks, FLOOR, medianOfThree, mulDiv, ONE_e8, subChecked, TRUNC } from "@bourse/engine";
import { WINDOW_SECONDS } from "./book-window.ts";
import type { ImpactPrices } from "./impact-price.ts";

export interface MarkParts {
  readonly indexTicks: number;
  /** The part of the funding rate that is still to come. */
  readonly basis_e8: number;
  /** The sum of the samples of 30 seconds. */
  readonly offsetSumTicks: number;
  /** Clamped to the index; undefined where one is missing. */
  readonly impact: ImpactPrices | undefined;
  /** 0 before the first trade. */
  readonly lastTicks: number;
  readonly markClamp_e8: number;
}

/** FUT-13: one second's sample: how far the middle of the clamped impact prices is from the index; 0 where one is missing. */
export function bookOffset(impact: ImpactPrices | undefined, indexTicks: number): number {
  if (impact === undefined) return 0;
  return subChecked(mulDiv(addChecked(impact.bidTicks, impact.askTicks), 1, 2, FLOOR), indexTicks);
}

/** FUT-13 from rules version 5 on: mark = clamp(median(P1, P2, P3), index, c). */
export function fairMark({ indexTicks, basis_e8, offsetSumTicks, impact, lastTicks, markClamp_e8 }: MarkParts): number {
  const byFunding = addChecked(indexTicks, mulDiv(indexTicks, basis_e8, ONE_e8, TRUNC));
  const byBook = addChecked(indexTicks, mulDiv(offsetSumTicks, 1, WINDOW_SECONDS, TRUNC));
  const hasTrade = impact !== undefined && lastTicks !== 0;
  const byTrade = hasTrade ? Math.max(impact.bidTicks, Math.min(impact.askTicks, lastTicks)) : indexTicks;
  return clampTicks(medianOfThree(byFunding, byBook, byTrade), indexTicks, markClamp_e8);
}
