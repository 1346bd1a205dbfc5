import type { AdminPointsSeason } from "@bourse/api/client";
import { EPOCH_MS, epochStart_ms } from "../../points/season-time.ts";

/** 1970-01-05, the first Monday: epochs are weeks from a Monday, 00:00 UTC. */
const FIRST_MONDAY_MS = 4 * 86_400_000;

/** When each epoch begins, and which one runs. */
export interface EpochCalendar {
  readonly current: number;
  readonly start_ms: (epoch: number) => number;
  /** The first moment after it. */
  readonly end_ms: (epoch: number) => number;
}

function calendar(firstStart_ms: number, now_ms: number): EpochCalendar {
  const start_ms = (epoch: number) => firstStart_ms + (epoch - 1) * EPOCH_MS;
  return {
    current: Math.floor((now_ms - firstStart_ms) / EPOCH_MS) + 1,
    start_ms,
    end_ms: (epoch) => start_ms(epoch + 1),
  };
}

/** PTS-1: from any season's end, else from the number of the epoch that runs now. */
export function epochCalendar(
  seasons: readonly AdminPointsSeason[],
  currentEpoch: number | undefined,
  now_ms: number,
): EpochCalendar | undefined {
  for (const season of seasons) {
    const first_ms = epochStart_ms(1, season);
    if (first_ms !== undefined) return calendar(first_ms, now_ms);
  }
  if (currentEpoch === undefined) return undefined;
  const monday_ms = now_ms - ((now_ms - FIRST_MONDAY_MS) % EPOCH_MS);
  return calendar(monday_ms - (currentEpoch - 1) * EPOCH_MS, now_ms);
}
