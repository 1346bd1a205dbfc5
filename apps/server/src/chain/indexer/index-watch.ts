import type { Clock } from "../../kernel/clock.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import type { Check } from "../../kernel/readiness.ts";
import type { ChainFollower } from "./follower.ts";
import type { Indexer } from "./indexer.ts";

/** RUN-7: whether the chain's events are applied. Not vital: trading goes on, deposits and withdrawals wait. */
export function indexerCheck(follower: ChainFollower, clock: Clock): Check {
  return {
    name: "chain-events",
    isVital: false,
    run: async () => {
      if (follower.lastError !== undefined) throw follower.lastError;
      const { lastSync } = follower;
      if (lastSync === undefined) return "not read yet";
      const { head_block, indexed_block } = lastSync.report;
      const age_s = Math.max(0, Math.floor((clock.now() - lastSync.at_ms) / 1_000));
      if (indexed_block === null) return `waiting for the first block of interest; the chain is at ${head_block}`;
      return `applied up to block ${indexed_block} of ${head_block}, looked at ${age_s} s ago`;
    },
  };
}

export function watchIndexer(metrics: Metrics, follower: ChainFollower, indexer: Indexer): void {
  const report = () => follower.lastSync?.report;
  const { gauge, counter } = metrics;
  gauge("bourse_chain_head_block", "The chain's last block at the last look", () => report()?.head_block ?? Number.NaN);
  gauge("bourse_chain_indexed_block", "Events are applied up to this block", () => {
    return follower.indexed?.number ?? report()?.indexed_block ?? Number.NaN;
  });
  gauge("bourse_chain_lag_blocks", "Blocks between the chain's last one and the last applied one", () => {
    const seen = report();
    return seen === undefined || seen.indexed_block === null ? Number.NaN : seen.head_block - seen.indexed_block;
  });
  counter("bourse_chain_events_total", "Events of the contracts applied", () => follower.counts.events);
  counter("bourse_chain_events_undone_total", "Events taken back since their blocks were orphaned", () => {
    return follower.counts.undone;
  });
  counter("bourse_chain_rewinds_total", "Reorganisations of the chain seen", () => follower.counts.rewinds);
  counter("bourse_chain_sync_failures_total", "Looks at the chain that failed", () => follower.counts.failures);
  counter("bourse_chain_ignored_logs_total", "Logs that are no known events", () => indexer.ignoredLogs);
}
