import type { ContractAddresses } from "@bourse/contracts";
import type { ChainClient, ChainFollower, Operator } from "../chain/index.ts";
import type { AccountDirectory, Exchange, Projector } from "../exchange/index.ts";
import type { Identity } from "../identity/index.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { Log } from "../kernel/log.ts";
import type { PageCursors } from "../kernel/page-cursor.ts";
import type { Random } from "../kernel/random.ts";
import type { RebateSync } from "../referral/index.ts";

/** The dependencies of the broker program. Each part picks those it needs. */
export interface BrokerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  /** Signs the cursors of the program's lists. */
  readonly cursors: PageCursors;
  readonly identity: Identity;
  readonly exchange: Exchange;
  readonly projector: Pick<Projector, "waitForAll" | "waitForAccount">;
  readonly engineRequests: EngineRequests;
  readonly directory: AccountDirectory;
  readonly client: ChainClient;
  readonly operator: Operator;
  readonly follower: Pick<ChainFollower, "reached" | "indexed">;
  readonly contracts: ContractAddresses;
  readonly rebates: RebateSync;
}
