import { areSizesAlike } from "./rules.ts";

/** The position of an account in a market from a moment on. */
export interface HeldLots {
  readonly market: number;
  /** Negative for a short position. */
  readonly lots: number;
  readonly time_ms: number;
}

interface Span {
  readonly from_ms: number;
  readonly to_ms: number;
}

/**
 * BON-12: of the time in which `own` held a position, how much of it the other held the opposite one in the same market, of a size
 * within 10 %; in whole percent, rounded down. Times in several markets add up.
 */
export function oppositePercent(own: readonly HeldLots[], other: readonly HeldLots[], span: Span): number {
  let [held_ms, opposite_ms] = [0, 0];
  for (const market of new Set(own.map((each) => each.market))) {
    const ofMarket = (lots: readonly HeldLots[]) => lots.filter((each) => each.market === market);
    const times = timesOf(ofMarket(own), ofMarket(other), span);
    held_ms += times.held_ms;
    opposite_ms += times.opposite_ms;
  }
  return held_ms === 0 ? 0 : Math.floor((100 * opposite_ms) / held_ms);
}

/** Goes through the changes of both in the order of time. */
function timesOf(own: readonly HeldLots[], other: readonly HeldLots[], { from_ms, to_ms }: Span) {
  let [held_ms, opposite_ms] = [0, 0];
  let [ownLots, otherLots] = [0, 0];
  let [ownAt, otherAt] = [0, 0];
  let at_ms = from_ms;
  while (at_ms < to_ms) {
    while (ownAt < own.length && own[ownAt]!.time_ms <= at_ms) ownLots = own[ownAt++]!.lots;
    while (otherAt < other.length && other[otherAt]!.time_ms <= at_ms) otherLots = other[otherAt++]!.lots;
    const next_ms = Math.min(to_ms, own[ownAt]?.time_ms ?? to_ms, other[otherAt]?.time_ms ?? to_ms);
    if (ownLots !== 0) {
      held_ms += next_ms - at_ms;
      const isOpposite = ownLots > 0 !== otherLots > 0 && otherLots !== 0;
      if (isOpposite && areSizesAlike(Math.abs(ownLots), Math.abs(otherLots))) opposite_ms += next_ms - at_ms;
    }
    at_ms = next_ms;
  }
  return { held_ms, opposite_ms };
}
