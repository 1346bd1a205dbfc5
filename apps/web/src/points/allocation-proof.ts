import type { PointsSeason, SeasonAllocation } from "@bourse/api/client";
import { checkProof, compare, leafTextOf, type ProofCheck } from "../lib/merkle.ts";

/** PTS-5: the lines of an allocation's leaf after the first (docs/rules/points.md). */
const FIELDS = [
  "season_id",
  "address",
  "points",
  "level",
  "weight",
  "user_tokens",
  "maker_volume",
  "mm_tokens",
] as const;
const VERSION = "bourse-allocation-v1";

export const allocationLeafText = (allocation: SeasonAllocation): string =>
  leafTextOf([["version", VERSION], ...FIELDS.map((name) => [name, allocation[name]] as const)]);

/** Against the root that the list of seasons publishes, not only the one that comes along with the allocation. */
export function checkAllocationProof(
  allocation: SeasonAllocation,
  published: Pick<PointsSeason, "season_no" | "season_id"> & { readonly root: string },
): Promise<ProofCheck> {
  return checkProof({
    leafText: allocationLeafText(allocation),
    leaf: allocation.leaf,
    siblings: allocation.siblings,
    roots: [
      { name: "Root of the allocation", root: allocation.root },
      { name: `Published root of season ${published.season_no}`, root: published.root },
    ],
    others: [
      compare("Season", allocation.season_id, published.season_id),
      compare("Tokens", String(allocation.user_tokens + allocation.mm_tokens), String(allocation.tokens)),
    ],
  });
}
