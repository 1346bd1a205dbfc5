/** Interface 3.5. */
export const SEASON_STATUSES = ["pending", "active", "snapshot", "distributing", "completed"] as const;
export type SeasonStatus = (typeof SEASON_STATUSES)[number];
