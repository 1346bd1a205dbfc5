/** The time in force of an order with an end; to the engine it is GTC (FUT-25). */
export const GTD = "GTD";

/** An end is at least this far away when the order is placed. */
const SOONEST_ms = 600_000;
/** The last second of the year 9999. */
const LATEST_ms = 253_402_300_799_000;
const SECOND_ms = 1_000;
const WHOLE = /^\d{1,15}$/;

export const wholeSecond = (time_ms: number): number => Math.floor(time_ms / SECOND_ms) * SECOND_ms;

/** Whether a text is the time of an end that an order placed now may have. */
export function isGoodTillDate(text: string, now_ms: number): boolean {
  if (!WHOLE.test(text)) return false;
  const time_ms = Number(text);
  return time_ms > now_ms + SOONEST_ms && time_ms < LATEST_ms;
}
