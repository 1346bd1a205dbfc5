import type { RiskPair, RiskReason, RiskReport } from "@bourse/api";
import { moneyText } from "../../kernel/units.ts";
import type { Assessment } from "./assessments.ts";
import { shownClusters } from "./clusters.ts";
import type { Link, Reason } from "./links.ts";
import { actionOf, PROPOSED_score } from "./rules.ts";

function reasonView(reason: Reason): RiskReason {
  if (reason.kind === "pnl") {
    const { kind, points, pnl_micros } = reason;
    return { kind, points, pnl: [moneyText(pnl_micros[0]), moneyText(pnl_micros[1])] };
  }
  if (reason.kind === "off_mark") {
    return { kind: reason.kind, points: reason.points, off_mark: moneyText(reason.off_mark_micros) };
  }
  if (reason.kind === "volume") {
    const { kind, points, volume_micros, total_micros } = reason;
    return { kind, points, volume: moneyText(volume_micros), total_volume: moneyText(total_micros) };
  }
  if (reason.kind === "opposite") return { ...reason };
  if (reason.kind === "mirrored") return { ...reason, of: [...reason.of] };
  if (reason.kind === "ip") return { ...reason, ips: [...reason.ips] };
  return { ...reason, sources: [...reason.sources] };
}

const pairView = ({ wallets: [one, other], score, reasons }: Link): RiskPair => ({
  wallets: [one.address, other.address],
  score,
  proposed_action: actionOf(score),
  reasons: reasons.map(reasonView),
  statuses: [one.status, other.status],
});

/** BON-12: the pairs of at least this score, and the clusters they form. */
export function reportView(assessment: Assessment, min_score: number, limit: number): RiskReport {
  const { links, wallets, generated_ms, funding_block, isFundingCurrent } = assessment;
  const listed = links.filter(({ score }) => score >= min_score);
  return {
    total: listed.length,
    items: listed.slice(0, limit).map(pairView),
    clusters: shownClusters(listed, PROPOSED_score, min_score).map((cluster) => ({
      id: cluster.wallets[0]!,
      wallets: [...cluster.wallets],
      max_score: cluster.max_score,
      proposed_action: actionOf(cluster.max_score),
    })),
    wallets_checked: wallets,
    funding_block,
    funding_is_current: isFundingCurrent,
    generated_at: new Date(generated_ms).toISOString(),
  };
}
