import { DAY_ms, dayNumberOf } from "../../kernel/dates.ts";

/** How far behind real time a platform with this many days of history starts: at a midnight. */
export function historyOffset_ms(days: number, now_ms: number): number {
  return (dayNumberOf(now_ms) - days) * DAY_ms - now_ms;
}
