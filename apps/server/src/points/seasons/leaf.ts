import type { SeasonAllocation } from "@bourse/api";

export const LEAF_VERSION = "bourse-allocation-v1";

/** PTS-6: what the leaf of an allocation holds, in the order of its lines, without a line break at the end. */
export const leafText = (
  allocation: Pick<
    SeasonAllocation,
    "season_id" | "address" | "points" | "level" | "weight" | "user_tokens" | "maker_volume" | "mm_tokens"
  >,
): string =>
  [
    LEAF_VERSION,
    allocation.season_id,
    allocation.address,
    allocation.points,
    allocation.level,
    allocation.weight,
    allocation.user_tokens,
    allocation.maker_volume,
    allocation.mm_tokens,
  ].join("\n");
