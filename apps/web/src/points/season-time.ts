import type { PointsSeason } from "@bourse/api/client";
import { msOf } from "../lib/time.ts";

/** PTS-1: an epoch is seven days from a Monday, 00:00 UTC. */
export const EPOCH_MS = 7 * 86_400_000;

type Span = Pick<PointsSeason, "start_epoch" | "end_epoch" | "snapshot_at">;

/** A season's end is its last epoch's, so its snapshot tells when every epoch begins; unknown where there is none. */
export function epochStart_ms(epoch: number, season: Span): number | undefined {
  if (season.snapshot_at === null) return undefined;
  return msOf(season.snapshot_at) - (season.end_epoch - epoch + 1) * EPOCH_MS;
}

export interface SeasonClock {
  readonly start_ms: number;
  readonly end_ms: number;
  readonly epochs: number;
  /** Which epoch of the season runs, from 1 on; 0 before it, `epochs` after it. */
  readonly epochOfSeason: number;
  /** What of its time is over, from 0 to 1, for drawing. */
  readonly fraction: number;
}

export function seasonClock(season: Span, now_ms: number): SeasonClock | undefined {
  const start_ms = epochStart_ms(season.start_epoch, season);
  if (start_ms === undefined) return undefined;
  const epochs = season.end_epoch - season.start_epoch + 1;
  const end_ms = start_ms + epochs * EPOCH_MS;
  const epochOfSeason = Math.min(epochs, Math.max(0, Math.floor((now_ms - start_ms) / EPOCH_MS) + 1));
  const fraction = Math.min(1, Math.max(0, (now_ms - start_ms) / (end_ms - start_ms)));
  return { start_ms, end_ms, epochs, epochOfSeason, fraction };
}

/** The season to show: the running one, else the next one, else the last one. */
export function seasonInFocus<S extends Pick<PointsSeason, "status" | "season_no">>(
  seasons: readonly S[],
): S | undefined {
  const byNumber = seasons.toSorted((one, other) => one.season_no - other.season_no);
  return (
    byNumber.find(({ status }) => status === "active") ??
    byNumber.find(({ status }) => status === "pending") ??
    byNumber.at(-1)
  );
}

const PAST_EPOCHS = 52;

/** The running epoch and those before it, newest first, for a picker. */
export const epochChoices = (current: number): readonly number[] =>
  Array.from({ length: Math.min(current, PAST_EPOCHS) }, (_, back) => current - back);
