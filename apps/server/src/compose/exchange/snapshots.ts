import {
  type Exchange,
  type Recovered,
  type SegmentRetention,
  Snapshotter,
  watchJournal,
} from "../../exchange/index.ts";
import type { Log } from "../../kernel/log.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import { reporter } from "./options.ts";

export interface SnapshotsOptions {
  readonly folder: string;
  readonly exchange: Exchange;
  readonly recovered: Recovered;
  readonly recovery_ms: number;
  /** The last command that the tables contain: older snapshots may be removed, newer ones are not relied on. */
  readonly projectedNumber: () => number;
  /** LOG-8: which segments are removed. */
  readonly segments: SegmentRetention | undefined;
  /** LOG-8: removes from a log that others follow what is before this command. */
  readonly forgetBefore?: ((number: number) => Promise<void>) | undefined;
  /** For tests. */
  readonly every_commands?: number | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Makes snapshots of a recovered exchange, and measures its log. */
export function keepSnapshots(options: SnapshotsOptions): Snapshotter {
  const { folder, exchange, recovered, recovery_ms, projectedNumber, log, metrics } = options;
  const snapshotter = new Snapshotter({
    folder,
    engine: exchange.engine,
    snapshotNumber: recovered.snapshotNumber,
    projectedNumber,
    segments: options.segments,
    forgetBefore: options.forgetBefore,
    ...(options.every_commands === undefined ? {} : { every_commands: options.every_commands }),
    onPassedOver: (line) => log.warn(line),
    onFault: reporter(log)("a snapshot could not be made"),
  });
  exchange.listen(snapshotter.onApplied);
  watchJournal(metrics, { folder, recovered, recovery_ms, snapshotter });
  return snapshotter;
}
