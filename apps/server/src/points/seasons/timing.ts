import { DAY_ms } from "../../kernel/dates.ts";
import { Refused } from "../../kernel/state-table.ts";
import type { Epochs } from "../epochs.ts";
import { type SeasonEvent, type SeasonStatus, seasonStates } from "./states.ts";

/** PTS-2: from the snapshot to the distribution, unless an admin sets another time. */
export const DISTRIBUTION_DELAY_ms = 3 * DAY_ms;
/** PTS-2: after this window a season is completed, claimed or not. */
export const CLAIM_WINDOW_ms = 90 * DAY_ms;

export interface SeasonTimes {
  readonly start_epoch: number;
  readonly snapshot_at: Date;
  readonly distribution_at: Date;
}

export interface SeasonMoment {
  readonly event: SeasonEvent;
  readonly at_ms: number;
}

/** Every moment at which a season changes by itself, in ascending order. */
export const momentsOf = (epochs: Epochs, season: SeasonTimes): readonly SeasonMoment[] => [
  { event: "start_reached", at_ms: epochs.start_ms(season.start_epoch) },
  { event: "end_reached", at_ms: season.snapshot_at.getTime() },
  { event: "distribution_reached", at_ms: season.distribution_at.getTime() },
  { event: "claim_window_over", at_ms: season.distribution_at.getTime() + CLAIM_WINDOW_ms },
];

/** The next due event; one step, because each leads to the next. */
export function dueEvent(
  epochs: Epochs,
  season: SeasonTimes & { readonly status: SeasonStatus },
  now_ms: number,
): SeasonEvent | undefined {
  return momentsOf(epochs, season).find(({ event, at_ms }) => {
    const next = seasonStates.answer(season.status, event);
    return at_ms <= now_ms && !(next instanceof Refused) && next !== season.status;
  })?.event;
}
