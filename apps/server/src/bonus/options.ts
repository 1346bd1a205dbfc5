import type { ContractAddresses } from "@bourse/contracts";
import type { ChainClient, ChainFollower, Operator } from "../chain/index.ts";
import type { AccountBonusFact, AccountDirectory, Exchange, Projector } from "../exchange/index.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { Settings } from "../settings/settings.ts";

/** The dependencies of the bonus program. Each part picks those it needs. */
export interface BonusOptions {
  readonly settings: Settings;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly exchange: Exchange;
  readonly projector: Pick<Projector, "waitForAll" | "waitForAccount" | "waitFor" | "cursor">;
  readonly engineRequests: EngineRequests;
  readonly directory: AccountDirectory;
  /** Sends bonus events to accounts, on their channels and in their private events. Resolves when the events are stored. */
  readonly tellBonus: (news: readonly AccountBonusFact[]) => Promise<void>;
  /** The wallets on the list of market makers. */
  readonly makers: () => Promise<ReadonlySet<string>>;
  readonly client: ChainClient;
  readonly operator: Operator;
  readonly follower: Pick<ChainFollower, "reached" | "indexed">;
  readonly contracts: ContractAddresses;
}
