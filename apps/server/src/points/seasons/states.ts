import { refuse, StateTable } from "../../kernel/state-table.ts";

export type SeasonStatus = "pending" | "active" | "snapshot" | "distributing" | "completed";

const SEASON_EVENTS = [
  /** The first epoch begins. */
  "start_reached",
  /** The last epoch has ended. */
  "end_reached",
  "distribution_reached",
  /** An admin declares the tokens claimable. */
  "all_claimable",
  /** 90 days after the distribution began. */
  "claim_window_over",
] as const;
export type SeasonEvent = (typeof SEASON_EVENTS)[number];

const NOT_STARTED = refuse("not_started");
const NOT_OVER = refuse("not_over");
const NOT_DISTRIBUTING = refuse("not_distributing");

/**
 * Interface 3.5, PTS-2: the states of a season. A moment that a season is past already changes nothing. One that comes before
 * its turn is refused: after a pause the steps are made one after the other, none is left out.
 */
export const seasonStates = new StateTable<SeasonStatus, SeasonEvent, "not_started" | "not_over" | "not_distributing">(
  SEASON_EVENTS,
  {
    pending: {
      start_reached: "active",
      end_reached: NOT_STARTED,
      distribution_reached: NOT_STARTED,
      all_claimable: NOT_STARTED,
      claim_window_over: NOT_STARTED,
    },
    active: {
      start_reached: "active",
      end_reached: "snapshot",
      distribution_reached: NOT_OVER,
      all_claimable: NOT_OVER,
      claim_window_over: NOT_OVER,
    },
    snapshot: {
      start_reached: "snapshot",
      end_reached: "snapshot",
      distribution_reached: "distributing",
      all_claimable: NOT_DISTRIBUTING,
      claim_window_over: NOT_DISTRIBUTING,
    },
    distributing: {
      start_reached: "distributing",
      end_reached: "distributing",
      distribution_reached: "distributing",
      all_claimable: "completed",
      claim_window_over: "completed",
    },
    completed: "completed",
  },
);

/** The fields that an admin may set or change. */
export type SeasonField =
  | "season_no"
  | "label"
  | "start_epoch"
  | "end_epoch"
  | "user_pool_tokens"
  | "mm_pool_tokens"
  | "distribution_at";

/** The fields that an admin may still change in a status. */
export const changeableFields: Readonly<Record<SeasonStatus, readonly SeasonField[]>> = {
  pending: ["season_no", "label", "start_epoch", "end_epoch", "user_pool_tokens", "mm_pool_tokens", "distribution_at"],
  active: ["label", "end_epoch", "user_pool_tokens", "mm_pool_tokens", "distribution_at"],
  snapshot: ["label", "distribution_at"],
  distributing: ["label"],
  completed: ["label"],
};
