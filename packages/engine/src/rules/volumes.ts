import { FLOOR, mulDiv } from "../integers.ts";

/** FUT-15: today and the thirty days before it, per account. */
export const VOLUME_DAYS = 31;
export const TIER_WINDOW_days = 14;
export const MONTH_WINDOW_days = 30;

const DAY_ms = 86_400_000;

/** Days since 1970-01-01 UTC. */
export function utcDay(time_ms: number): number {
  return mulDiv(time_ms, 1, DAY_ms, FLOOR);
}

/*
 * An account's volumes are the 31 numbers of `volumes` from `offset` on, used as a ring: a day's number is at index day
 * modulo 31. The caller keeps the last day that was rolled to. Volumes stop at the largest safe integer instead of
 * throwing: they only decide the tier, for which nine billion USDT are enough, and a fill that has happened cannot be
 * refused.
 */

/** Clears the days after the last one up to today, and returns the new last day. Time never goes back. */
export function rollVolumes(volumes: Float64Array, offset: number, lastDay: number, today: number): number {
  if (today <= lastDay) return lastDay;
  const firstCleared = Math.max(lastDay + 1, today - VOLUME_DAYS + 1);
  for (let day = firstCleared; day <= today; day += 1) volumes[offset + (day % VOLUME_DAYS)] = 0;
  return today;
}

/** Adds to the day that was last rolled to. */
export function addVolume(volumes: Float64Array, offset: number, lastDay: number, notional_micros: number): void {
  const slot = offset + (lastDay % VOLUME_DAYS);
  volumes[slot] = addSaturating(volumes[slot]!, notional_micros);
}

/** The volume of the last `days` UTC days (at most 31), including today: a fill counts at once. */
export function sumVolumes(volumes: Float64Array, offset: number, lastDay: number, days: number): number {
  let sum_micros = 0;
  for (let day = Math.max(0, lastDay - days + 1); day <= lastDay; day += 1) {
    sum_micros = addSaturating(sum_micros, volumes[offset + (day % VOLUME_DAYS)]!);
  }
  return sum_micros;
}

function addSaturating(a: number, b: number): number {
  return Math.min(a + b, Number.MAX_SAFE_INTEGER);
}
