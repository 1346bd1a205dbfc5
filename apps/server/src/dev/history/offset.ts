const DAY_ms = 86_400_000;

/** How far behind real time a platform begins that is to have so many days of history: at a midnight. */
export function historyOffset_ms(days: number, now_ms: number): number {
  return Math.floor(now_ms / DAY_ms) * DAY_ms - days * DAY_ms - now_ms;
}
