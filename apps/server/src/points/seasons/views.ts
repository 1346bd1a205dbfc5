import type { AdminPointsSeason, PointsSeason } from "@bourse/api";
import type { Season } from "./season-store.ts";

export const hashText = (bytes: Buffer): string => `0x${bytes.toString("hex")}`;

/** Interface 2.13. */
export const seasonView = (season: Season): PointsSeason => ({
  season_id: season.id,
  season_no: season.season_no,
  label: season.label,
  start_epoch: season.start_epoch,
  end_epoch: season.end_epoch,
  // At most 10^15.
  user_pool_tokens: Number(season.user_pool_tokens),
  mm_pool_tokens: Number(season.mm_pool_tokens),
  status: season.status,
  snapshot_at: season.snapshot_at.toISOString(),
  snapshot_taken_at: season.snapshot_taken_at?.toISOString() ?? null,
  distribution_at: season.distribution_at.toISOString(),
  root: season.root === null ? null : hashText(season.root),
});

export const adminSeasonView = (season: Season): AdminPointsSeason => ({
  ...seasonView(season),
  leaf_count: season.leaf_count,
  distribution_started_at: season.distribution_started_at?.toISOString() ?? null,
  completed_at: season.completed_at?.toISOString() ?? null,
  created_at: season.created_at.toISOString(),
  updated_at: season.updated_at.toISOString(),
});
