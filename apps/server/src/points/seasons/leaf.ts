import type { SeasonAllocation } from "@bourse/api";

export const LEAF_VERSION = "bourse-allocation-v1";

/** PTS-6: the text of an allocation's leaf, one field per line, without a final line break. */
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
