import type { ChainFollower } from "../chain/index.ts";
import type { AccountDirectory, Exchange, Projector } from "../exchange/index.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { Settings } from "../settings/settings.ts";
import type { Epochs } from "./epochs.ts";

/** PTS-3: a wallet's principal in an earn position at some moment. */
export interface HeldPrincipal {
  readonly subscription_id: string;
  /** Lower case. */
  readonly address: string;
  readonly principal_micros: bigint;
}

/** PTS-3: the inviters of wallets: the broker, else the on-chain referrer. Wallets without one are omitted. */
export interface Inviters {
  /** For fills, by the account and the terms version they carry; the key is `account:version`. */
  ofFills(
    tx: Tx,
    fills: readonly { readonly account: number; readonly termsVersion: number }[],
  ): Promise<ReadonlyMap<string, string>>;
  /** For wallets (lower case) at this moment. */
  ofWallets(tx: Tx, addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** The dependencies of the points program. Each part picks those it needs. */
export interface PointsOptions {
  readonly settings: Pick<Settings, "secretsKey" | "historyDays" | "backupDir">;
  readonly epochs: Epochs;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly exchange: Exchange;
  readonly engineRequests: Pick<EngineRequests, "note" | "isNoting" | "tellAll" | "answer">;
  readonly projector: Pick<Projector, "waitForAll" | "waitForAccount" | "waitFor" | "cursor">;
  readonly directory: Pick<AccountDirectory, "numberOf" | "addressOf">;
  readonly follower: Pick<ChainFollower, "isPast">;
  readonly inviters: Inviters;
  /** Earn positions that were open at that moment. */
  readonly principalsAt: (tx: Tx, at_ms: number) => Promise<readonly HeldPrincipal[]>;
}
