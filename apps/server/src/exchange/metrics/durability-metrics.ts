import { statSync } from "node:fs";
import type { Metrics } from "../../kernel/metrics.ts";
import type { Recovered } from "../journal/recovery.ts";
import { listSnapshots } from "../journal/snapshots.ts";
import type { Snapshotter } from "../journal/snapshotter.ts";
import type { Projector } from "../projector/projector.ts";

const BATCH_S = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5] as const;

export interface RecoveryMetricsOptions {
  readonly folder: string;
  readonly recovered: Recovered;
  readonly recovery_ms: number;
  readonly snapshotter: Snapshotter;
}

/** The log, the last recovery and the snapshots. */
export function watchJournal(metrics: Metrics, options: RecoveryMetricsOptions): void {
  const { folder, recovered, recovery_ms, snapshotter } = options;
  const newest = () => listSnapshots(folder).at(-1);
  metrics.gauge(
    "bourse_journal_last_command",
    "Number of the last durable command",
    () => recovered.log.nextNumber - 1,
  );
  metrics.gauge("bourse_recovery_seconds", "How long the last start took to recover the engine", () => {
    return recovery_ms / 1_000;
  });
  metrics.gauge("bourse_recovery_commands", "Commands the last start applied again", () => recovered.replayed);
  metrics.gauge("bourse_snapshot_last_command", "Last command of the newest snapshot; 0 without one", () => {
    return newest()?.number ?? 0;
  });
  metrics.gauge("bourse_snapshot_age_seconds", "Age of the newest snapshot, in real time; NaN without one", () => {
    const snapshot = newest();
    return snapshot === undefined ? Number.NaN : (Date.now() - statSync(snapshot.path).mtimeMs) / 1_000;
  });
  metrics.gauge("bourse_snapshot_seconds", "How long the last snapshot of this process took; NaN before it", () => {
    return (snapshotter.lastMade?.took_ms ?? Number.NaN) / 1_000;
  });
  metrics.gauge("bourse_snapshot_failed", "1 where the last attempt to make a snapshot failed", () =>
    snapshotter.lastFault === undefined ? 0 : 1,
  );
}

/** How far the tables are behind. Returns the function that the projector calls for every batch. */
export function watchProjector(
  metrics: Metrics,
  projector: () => Projector,
): (commands: number, took_ms: number) => void {
  const status = () => projector().status();
  const batch = metrics.histogram("bourse_projector_batch_seconds", "Time to write a batch to the database", BATCH_S);
  metrics.gauge("bourse_projector_lag_commands", "Commands applied and not in the tables yet", () => {
    return status().lag_commands;
  });
  metrics.gauge("bourse_projector_lag_seconds", "Since the oldest of them", () => status().lag_ms / 1_000);
  metrics.gauge("bourse_projector_spilled", "1 while some of them are no longer in memory but read again", () =>
    status().isSpilled ? 1 : 0,
  );
  return (_commands, took_ms) => batch.observe(took_ms / 1_000);
}
