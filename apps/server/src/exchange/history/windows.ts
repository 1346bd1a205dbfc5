/** What a client may ask for: both ends are included, either may be absent. */
export interface TimeWindow {
  readonly start_ms?: number | undefined;
  readonly end_ms?: number | undefined;
}

export interface ResolvedWindow {
  readonly from_ms: number;
  readonly to_ms: number;
  /** Where more rows lie in it than asked for: the earliest, or else the latest of them. */
  readonly isFromStart: boolean;
}

export const WEEK_ms = 7 * 86_400_000;
const END_OF_TIME_ms = 8.64e15;

/** The stretch between both ends is longer than the query allows (-1127). */
export class WindowTooLong extends Error {
  readonly longest_ms: number;

  constructor(longest_ms: number) {
    super(`the time between start and end is longer than ${longest_ms} ms`);
    this.name = "WindowTooLong";
    this.longest_ms = longest_ms;
  }
}

/** A missing end lies the longest stretch away from the other one; without both it is the latest such stretch. */
export function boundedWindow({ start_ms, end_ms }: TimeWindow, now_ms: number, longest_ms = WEEK_ms): ResolvedWindow {
  if (start_ms === undefined) {
    const from_ms = (end_ms ?? now_ms) - longest_ms;
    return { from_ms, to_ms: end_ms ?? END_OF_TIME_ms, isFromStart: false };
  }
  const to_ms = end_ms ?? start_ms + longest_ms;
  if (to_ms - start_ms > longest_ms) throw new WindowTooLong(longest_ms);
  return { from_ms: start_ms, to_ms, isFromStart: true };
}

/** A missing end is open. */
export function openWindow({ start_ms, end_ms }: TimeWindow): ResolvedWindow {
  return { from_ms: start_ms ?? 0, to_ms: end_ms ?? END_OF_TIME_ms, isFromStart: start_ms !== undefined };
}

/** Within 1 … `most`, as WIRE-2 clamps what is above; what is below is for the routes to refuse. */
export function limitWithin(limit: number | undefined, usual: number, most: number): number {
  return Math.max(1, Math.min(limit ?? usual, most));
}

/** Rows leave in the order of time, also where the latest were asked for. */
export function ascending<Row>(rows: Row[], isFromStart: boolean): Row[] {
  return isFromStart ? rows : rows.reverse();
}
