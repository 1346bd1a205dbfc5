import { DAY_ms, WEEK_ms } from "./dates.ts";

/** A client's time window: both ends are inclusive and optional. */
export interface TimeWindow {
  readonly start_ms?: number | undefined;
  readonly end_ms?: number | undefined;
}

export interface ResolvedWindow {
  readonly from_ms: number;
  readonly to_ms: number;
  /** If the window contains more rows than requested: return the earliest, else the latest. */
  readonly isFromStart: boolean;
}

const END_OF_TIME_ms = 8.64e15;

/** The window is longer than the query allows (-1127). */
export class WindowTooLong extends Error {
  readonly max_ms: number;

  constructor(max_ms: number) {
    super(`the time between start and end is longer than ${max_ms} ms`);
    this.name = "WindowTooLong";
    this.max_ms = max_ms;
  }
}

/** LOG-8: the window begins before what is kept, so rows of it may have been removed (-4166). */
export class WindowTooOld extends Error {
  readonly days: number;

  constructor(days: number) {
    super(`history is kept for ${days} days: ask for a later time`);
    this.name = "WindowTooOld";
    this.days = days;
  }
}

/** Throws if a client asks for what was removed. Nothing was with 0 days. A window without ends is that of the latest rows. */
export function assertKept({ start_ms, end_ms }: TimeWindow, days: number, now_ms: number): void {
  const begin_ms = start_ms ?? end_ms;
  if (days > 0 && begin_ms !== undefined && begin_ms < now_ms - days * DAY_ms) throw new WindowTooOld(days);
}

/** A missing end is set to the maximum length from the other end; without both ends it is the latest such window. */
export function boundedWindow({ start_ms, end_ms }: TimeWindow, now_ms: number, max_ms = WEEK_ms): ResolvedWindow {
  if (start_ms === undefined) {
    const from_ms = (end_ms ?? now_ms) - max_ms;
    return { from_ms, to_ms: end_ms ?? END_OF_TIME_ms, isFromStart: false };
  }
  const to_ms = end_ms ?? start_ms + max_ms;
  if (to_ms - start_ms > max_ms) throw new WindowTooLong(max_ms);
  return { from_ms: start_ms, to_ms, isFromStart: true };
}

/** A missing end is open. */
export function openWindow({ start_ms, end_ms }: TimeWindow): ResolvedWindow {
  return { from_ms: start_ms ?? 0, to_ms: end_ms ?? END_OF_TIME_ms, isFromStart: start_ms !== undefined };
}

/** Within 1 … `most`: WIRE-2 clamps larger values; routes refuse smaller ones. */
export function limitWithin(limit: number | undefined, usual: number, most: number): number {
  return Math.max(1, Math.min(limit ?? usual, most));
}

/** Rows are returned in the order of time, even if the latest were requested. */
export function ascending<Row>(rows: Row[], isFromStart: boolean): Row[] {
  return isFromStart ? rows : rows.reverse();
}
