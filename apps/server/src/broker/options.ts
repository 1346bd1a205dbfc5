import type { ContractAddresses } from "@bourse/contracts";
import type { ChainClient } from "../chain/client.ts";
import type { ChainFollower } from "../chain/indexer/follower.ts";
import type { Operator } from "../chain/operator/operator.ts";
import type { AccountDirectory } from "../exchange/accounts/directory.ts";
import type { Exchange } from "../exchange/host/exchange.ts";
import type { Projector } from "../exchange/projector/projector.ts";
import type { Identity } from "../identity/identity.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../kernel/log.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import type { Random } from "../kernel/random.ts";
import type { RebateSync } from "../referral/rebate-sync.ts";
import type { OutboxOutcomes } from "../wallet/outcomes.ts";

/** What the broker program stands on. Each of its parts names which of these it needs. */
export interface BrokerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly identity: Identity;
  readonly exchange: Exchange;
  readonly projector: Pick<Projector, "waitForAll" | "waitForAccount">;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<OutboxDispatcher, "notify">;
  readonly outcomes: OutboxOutcomes;
  readonly directory: AccountDirectory;
  readonly client: ChainClient;
  readonly operator: Operator;
  readonly follower: Pick<ChainFollower, "reached" | "indexed">;
  readonly contracts: ContractAddresses;
  readonly rebates: RebateSync;
}
