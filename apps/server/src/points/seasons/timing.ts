import { DAY_ms, type Epochs } from "../epochs.ts";
import { answerSeasonEvent, type SeasonEvent, type SeasonStatus } from "./states.ts";

/** PTS-2: between the snapshot and the distribution, unless an admin says otherwise. */
export const DISTRIBUTION_DELAY_ms = 3 * DAY_ms;
/** PTS-2: after it a season is completed, whatever was claimed. */
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

/** Every moment at which something happens to a season by itself, in order. */
export const momentsOf = (epochs: Epochs, season: SeasonTimes): readonly SeasonMoment[] => [
  { event: "start_reached", at_ms: epochs.start_ms(season.start_epoch) },
  { event: "end_reached", at_ms: season.snapshot_at.getTime() },
  { event: "distribution_reached", at_ms: season.distribution_at.getTime() },
  { event: "claim_window_over", at_ms: season.distribution_at.getTime() + CLAIM_WINDOW_ms },
];

/** What is due next: one step, since each leads to the next. */
export function dueEvent(
  epochs: Epochs,
  season: SeasonTimes & { readonly status: SeasonStatus },
  now_ms: number,
): SeasonEvent | undefined {
  return momentsOf(epochs, season).find(({ event, at_ms }) => {
    const answer = answerSeasonEvent(season.status, event);
    return at_ms <= now_ms && answer.kind === "move" && answer.next !== season.status;
  })?.event;
}
