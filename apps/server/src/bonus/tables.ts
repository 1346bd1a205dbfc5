import type { BONUS_LINES, BonusState } from "@bourse/engine";
import type { ColumnType, GeneratedAlways, Kysely, Transaction } from "kysely";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { BigintColumn, JsonValue, KernelTables, NullableJsonColumn } from "../kernel/database/tables.ts";

/*
 * The bonus program's tables. Money is micros (1e-6 USDT), wallets are lower case, `account` is a wallet's account number in the
 * engine.
 */

type WithDefault<T> = ColumnType<T, T | undefined, T>;
type WithDefaultBigint = ColumnType<bigint, bigint | number | undefined, bigint | number>;
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;
type LaterBigint = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;

/**
 * The parameters of all grants from a moment on (T13: parameters are data). The row with the highest id is the running campaign.
 */
export interface BonusCampaignTable {
  id: GeneratedAlways<number>;
  name: string;
  /** The usual amount per wallet. */
  amount_micros: BigintColumn;
  /** The maximum amount per wallet; null for no maximum. */
  max_amount_micros: LaterBigint;
  validity_days: number;
  redemption_opens_at: Later<Date>;
  redemption_closes_at: Date;
  created_at: Date;
  updated_at: Date;
}

export interface BonusBatchTable {
  id: string;
  campaign_id: number;
  batch_name: string;
  grant_tier: string;
  per_address_micros: BigintColumn;
  max_leverage: number;
  operator_addr: string;
  notes: string | null;
  created_count: number;
  failed_count: number;
  created_by: string;
  created_at: Date;
}

/** `expired` and `void` are also judged on reading: an expired code is not redeemable, whatever its status here. */
export type BonusCodeStatus = "unused" | "redeemed" | "expired" | "void";

/** BON-3: the code itself is not stored; it is derived from its request. */
export interface BonusCodeTable {
  /** SHA-256 of the code. */
  code_hash: Buffer;
  batch_id: string;
  /** The request that made the code, and the code's index in it. */
  request_id: string;
  place: number;
  amount_micros: BigintColumn;
  expires_at: Date;
  status: WithDefault<BonusCodeStatus>;
  redeemed_by: Later<string>;
  redeemed_at: Later<Date>;
  created_at: Date;
}

/** `refused`: the engine refused the grant, which only its balance limits can cause. */
export type BonusAccountStatus = Exclude<BonusState, "none"> | "refused";

/**
 * A bonus of a wallet: one per campaign and wallet (BON-2), and at most one per wallet that has not ended. The projector writes the
 * state and the sums from the engine's events.
 */
export interface BonusAccountTable {
  id: GeneratedAlways<bigint>;
  campaign_id: number;
  address: string;
  account: number;
  batch_id: string;
  code_hash: Later<Buffer>;
  amount_micros: BigintColumn;
  max_leverage: number;
  grant_tier: string;
  granted_at: Date;
  expires_at: Date;
  status: BonusAccountStatus;
  /** Whether the engine has applied the grant. */
  is_credited: WithDefault<boolean>;
  /** After the engine's last line: the remaining amount (locked part included), the locked part, and the consumed amount. */
  bonus_micros: WithDefaultBigint;
  locked_micros: WithDefaultBigint;
  consumed_micros: WithDefaultBigint;
  ended_at: Later<Date>;
  warned_24h_at: Later<Date>;
  warned_1h_at: Later<Date>;
  /** Why the engine refused the grant; null for grants that it took. */
  refusal: Later<string>;
  /** The reason of the last freeze. */
  freeze_reason: Later<string>;
}

export type PoolLineKind = "GRANT" | "RECALL" | "EXPIRE" | "REFUSED";

/**
 * BON-11: the pool's own ledger. Grants are written where they are decided, before the engine gets them; the projector writes
 * returned amounts.
 */
export interface BonusPoolLineTable {
  id: GeneratedAlways<bigint>;
  kind: PoolLineKind;
  /** Always positive; the kind gives the direction. */
  amount_micros: BigintColumn;
  bonus_account_id: BigintColumn;
  account: number;
  /** The engine's command of the line; null for a grant that the engine does not have yet. */
  command_number: LaterBigint;
  event_index: Later<number>;
  time_ms: BigintColumn;
}

/** The sums of the pool's ledger: one row, updated with every line. */
export interface BonusPoolTable {
  id: number;
  granted_micros: BigintColumn;
  returned_micros: BigintColumn;
  /** BON-11: why grants are stopped; null while they are not. */
  stopped_reason: Later<string>;
  stopped_at: Later<Date>;
}

/** BON-11: the sums of all accounts' bonus ledger lines by kind, written together with the lines. */
export interface BonusLineSumTable {
  line: BonusLineName;
  amount_micros: BigintColumn;
}

/** BON-4. The answer is stored at once if SQL decides, and by the projector if the engine decides. */
export interface BonusRequestTable {
  endpoint: string;
  request_id: string;
  body_hash: string;
  audit_id: LaterBigint;
  /** HTTP; null until the request is answered. */
  status: Later<number>;
  response: NullableJsonColumn<JsonValue>;
  created_at: Date;
  answered_at: Later<Date>;
}

/** BON-11: the newest reconciliation reports. */
export interface BonusReconcileTable {
  id: GeneratedAlways<bigint>;
  ok: boolean;
  command_number: BigintColumn;
  report: ColumnType<JsonValue, string, never>;
  created_at: Date;
}

/** BON-12: payments to bonus wallets on chain. */
export interface BonusFundingTable {
  tx_hash: string;
  ordinal: number;
  /** The payer and the recipient. */
  source: string;
  address: string;
  /** `transfer` of tokens to the wallet, `deposit` into the Vault for it, `withdrawal` from another wallet's account to it. */
  kind: "transfer" | "deposit" | "withdrawal";
  amount_micros: BigintColumn;
  block_number: BigintColumn;
}

export type BonusTables = {
  bonus_campaign: BonusCampaignTable;
  bonus_batch: BonusBatchTable;
  bonus_code: BonusCodeTable;
  bonus_account: BonusAccountTable;
  bonus_pool_line: BonusPoolLineTable;
  bonus_pool: BonusPoolTable;
  bonus_line_sum: BonusLineSumTable;
  bonus_request: BonusRequestTable;
  bonus_reconcile: BonusReconcileTable;
  bonus_funding: BonusFundingTable;
};

export type BonusLineName = (typeof BONUS_LINES)[number];
export type BonusDb = Kysely<KernelTables & BonusTables>;
export type BonusTx = Transaction<KernelTables & BonusTables>;

export const bonusDb = ({ db }: Pick<Database, "db">): BonusDb => db.$extendTables<BonusTables>();
export const bonusTx = (tx: Tx): BonusTx => tx.$extendTables<BonusTables>() as BonusTx;

/**
 * The lock that a grant's transaction holds until it ends, because the pool's cap and the wallet's other grants are checked
 * together.
 */
export const BONUS_GRANTS = "bonus-grants";
