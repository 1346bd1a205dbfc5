import type { ContractAddresses } from "@bourse/contracts";
import type { ChainClient } from "../chain/client.ts";
import type { ChainFollower } from "../chain/indexer/follower.ts";
import type { Operator } from "../chain/operator/operator.ts";
import type { AccountDirectory } from "../exchange/accounts/directory.ts";
import type { Exchange } from "../exchange/host/exchange.ts";
import type { Projector } from "../exchange/projector/projector.ts";
import type { AccountBonusFact } from "../exchange/streams/private-facts.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { Log } from "../kernel/log.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import type { Random } from "../kernel/random.ts";
import type { Settings } from "../settings/settings.ts";
import type { OutboxOutcomes } from "../wallet/outcomes.ts";

/** What the bonus program stands on. Each of its parts names which of these it needs. */
export interface BonusOptions {
  readonly settings: Settings;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly exchange: Exchange;
  readonly projector: Pick<Projector, "waitForAll" | "waitForAccount" | "waitFor" | "cursor">;
  readonly outbox: Outbox;
  readonly dispatcher: Pick<OutboxDispatcher, "notify">;
  readonly outcomes: Pick<OutboxOutcomes, "wait">;
  readonly directory: AccountDirectory;
  /** Tells accounts something of their bonuses, on their channels and in their private events; resolved, it is stored. */
  readonly tellBonus: (news: readonly AccountBonusFact[]) => Promise<void>;
  readonly client: ChainClient;
  readonly operator: Operator;
  readonly follower: Pick<ChainFollower, "reached" | "indexed">;
  readonly contracts: ContractAddresses;
}
