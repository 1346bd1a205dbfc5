import { sql } from "kysely";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { NotedTable } from "../kernel/engine-requests/noted-rows.ts";
import type { RowsToNote } from "../kernel/engine-requests/take-up.ts";

/* LOG-3: the rows that points and allocations follow from. */

/** A rule counts from its note on (`from_command`). */
export const RULES: NotedTable = { name: "points_rule", key: ["version"], identity: "version" };
/** Written by the projector, from their notes. */
export const MAKERS: NotedTable = { name: "points_maker", key: ["address"], secret: ["address", "label"] };
export const LEVELS: NotedTable = { name: "points_level", key: ["level"] };
export const SEASON_ROWS: NotedTable = { name: "points_season", key: ["id"] };

/** The locks under which they change. */
export const RULES_LOCK = "points-rules";
export const MAKERS_LOCK = "points-makers";
export const LEVELS_LOCK = "points-levels";
/**
 * The lock for changes of a season, taken before POINTS_BOOKS and held until the transaction ends: scoring continues during most of
 * a long snapshot.
 */
export const SEASONS = "points-seasons";

/** The rows from before they were noted. */
export const POINTS_ROWS: readonly RowsToNote[] = [
  { table: RULES, lock: RULES_LOCK },
  { table: MAKERS, lock: MAKERS_LOCK, condition: sql`one.is_listed` },
  { table: LEVELS, lock: LEVELS_LOCK },
  { table: SEASON_ROWS, lock: SEASONS },
];

export type Notes = Pick<EngineRequests, "note" | "isNoting">;
