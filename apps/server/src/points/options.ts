import type { ChainFollower } from "../chain/indexer/follower.ts";
import type { AccountDirectory } from "../exchange/accounts/directory.ts";
import type { Exchange } from "../exchange/host/exchange.ts";
import type { Projector } from "../exchange/projector/projector.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { Log } from "../kernel/log.ts";
import type { Random } from "../kernel/random.ts";
import type { Settings } from "../settings/settings.ts";
import type { Epochs } from "./epochs.ts";

/** PTS-3: what a wallet had in an earn position at some moment. */
export interface HeldPrincipal {
  readonly subscription_id: string;
  /** Lower case. */
  readonly address: string;
  readonly principal_micros: bigint;
}

/** PTS-3: who invited wallets: the broker inviter, else the on-chain referrer. Wallets without one are left out. */
export interface Inviters {
  /** Of fills, by the account and the terms version they carry; the key is `account:version`. */
  ofFills(
    tx: Tx,
    fills: readonly { readonly account: number; readonly termsVersion: number }[],
  ): Promise<ReadonlyMap<string, string>>;
  /** Of wallets (lower case) as of now. */
  ofWallets(tx: Tx, addresses: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

/** What the points program stands on. Each of its parts names which of these it needs. */
export interface PointsOptions {
  readonly settings: Pick<Settings, "secretsKey">;
  readonly epochs: Epochs;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly exchange: Exchange;
  readonly projector: Pick<Projector, "waitForAll" | "waitForAccount" | "waitFor" | "cursor">;
  readonly directory: Pick<AccountDirectory, "numberOf" | "addressOf">;
  readonly follower: Pick<ChainFollower, "isPast">;
  readonly inviters: Inviters;
  /** Earn positions that stood at that moment. */
  readonly principalsAt: (tx: Tx, at_ms: number) => Promise<readonly HeldPrincipal[]>;
}
