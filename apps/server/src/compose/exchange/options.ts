import type { ChainSystem } from "../../chain/index.ts";
import type { EngineMoment, Finding, JournalDisk, ProjectionListener, Standby } from "../../exchange/index.ts";
import type { Identity } from "../../identity/index.ts";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { Limits } from "../../kernel/http/limits.ts";
import type { Log } from "../../kernel/log.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import type { Cluster } from "../../kernel/nats/cluster.ts";
import type { Random } from "../../kernel/random.ts";
import type { Settings } from "../../settings/settings.ts";

/** The dependencies of the exchange. */
export interface ExchangeSystemOptions {
  readonly settings: Settings;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly identity: Identity;
  readonly limits: Limits;
  readonly metrics: Metrics;
  readonly chain: ChainSystem;
  /** Set if the log is on NATS: this process follows it. */
  readonly cluster?: Cluster;
  /** Set if this process has followed the log before it got its place. */
  readonly standby?: Standby;
  /** LOG-8: whether only cancels and reducing orders pass at the moment. */
  readonly isOnlyReducing?: () => boolean;
  /** For tests: replaces the journal's file access. */
  readonly disk?: JournalDisk;
  /** For tests: small sizes, so that a short run has many segments and snapshots. */
  readonly journal?: { readonly segment_bytes: number; readonly snapshotEvery_commands: number };
  /** Projections of other modules, which run in the projector's transaction. */
  readonly projections?: readonly ProjectionListener[];
  /** Invariants of other modules, by their codes. */
  readonly programInvariants?: Readonly<Record<string, (engine: EngineMoment) => Promise<Finding>>>;
}

/** Makes handlers for errors that no caller waits for: they are logged with a message. */
export function reporter(log: Log): (message: string) => (error: unknown) => void {
  return (message) => (error) => log.error({ err: error }, message);
}
