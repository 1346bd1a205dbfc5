import type { RebateProof, SettlementRoot } from "@bourse/api/client";
import { checkProof, compare, leafTextOf, type ProofCheck } from "../lib/merkle.ts";

/** BRK-17: the lines of a rebate's leaf, in their order (docs/rules/rebates.md). */
const FIELDS = [
  "version",
  "kind",
  "period",
  "owner",
  "downline_wallet",
  "revision",
  "fee",
  "nominal",
  "customer",
  "share",
  "net",
  "rate",
  "customer_ratio",
  "share_ratio",
] as const;
const VERSION = "bourse-rebate-v1";

export const rebateLeafText = (record: RebateProof["record"]): string =>
  leafTextOf(FIELDS.map((name) => [`record.${name}`, record[name]]));

/**
 * Rebuilds the leaf from the record's fields and walks up to the root. The root that the day has published is asked for
 * on its own: a proof that brings its own root along proves only that it agrees with itself.
 */
export function checkRebateProof(
  proof: RebateProof,
  published: Pick<SettlementRoot, "period" | "root">,
): Promise<ProofCheck> {
  return checkProof({
    leafText: rebateLeafText(proof.record),
    leaf: proof.leaf,
    siblings: proof.siblings,
    roots: [
      { name: "Root of the proof", root: proof.root },
      { name: `Published root of ${published.period}`, root: published.root },
    ],
    others: [compare("Layout", proof.record.version, VERSION), compare("Day", proof.record.period, published.period)],
  });
}
