import type { ChainSystem } from "../../chain/system.ts";
import type { Identity } from "../../identity/identity.ts";
import type { AuditLog } from "../../kernel/audit/audit-log.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Database } from "../../kernel/database/database.ts";
import type { Limits } from "../../kernel/http/limits.ts";
import type { Log } from "../../kernel/log.ts";
import type { Metrics } from "../../kernel/metrics.ts";
import type { Cluster } from "../../kernel/nats/cluster.ts";
import type { Random } from "../../kernel/random.ts";
import type { Settings } from "../../settings/settings.ts";
import type { EngineMoment, Finding } from "../admin/invariants.ts";
import type { JournalDisk } from "../journal/recovery.ts";
import type { ProjectionListener } from "../projector/projector.ts";

/** What the exchange stands on. */
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
  /** Where the log is on NATS: this process follows it. */
  readonly cluster?: Cluster;
  /** What stands between the journal and its files, in tests. */
  readonly disk?: JournalDisk;
  /** Programs outside of the exchange that follow it in the projector's transaction. */
  readonly programs?: readonly ProjectionListener[];
  /** Invariants that belong to programs outside of the exchange, by their codes. */
  readonly programInvariants?: Readonly<Record<string, (engine: EngineMoment) => Promise<Finding>>>;
}

/** Something to do about an error that nobody waits for: it is logged under what it means. */
export function reporter(log: Log): (message: string) => (error: unknown) => void {
  return (message) => (error) => log.error({ err: error }, message);
}
