import type { BONUS_LINES, BonusState } from "@bourse/engine";
import type { ColumnType, GeneratedAlways, Kysely, Transaction } from "kysely";
import type { Database, Tx } from "../kernel/database/database.ts";
import type { BigintColumn, JsonValue, KernelTables, NullableJsonColumn } from "../kernel/database/tables.ts";

/*
 * The bonus program's tables. Money is micros (1e-6 USDT), wallets are lower case, `account` is a wallet's number in the
 * engine.
 */

type WithDefault<T> = ColumnType<T, T | undefined, T>;
type WithDefaultBigint = ColumnType<bigint, bigint | number | undefined, bigint | number>;
type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;
type LaterBigint = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;

/** What holds for all grants from a moment on (T13: parameters are data). The one with the highest id is the running one. */
export interface BonusCampaignTable {
  id: GeneratedAlways<number>;
  name: string;
  /** What a wallet usually gets. */
  amount_micros: BigintColumn;
  /** The most that a wallet may get; null for no bound of its own. */
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

/** `expired` and `void` are also judged on reading: a code past its time is no longer redeemable whatever stands here. */
export type BonusCodeStatus = "unused" | "redeemed" | "expired" | "void";

/** BON-3: the code itself is nowhere; it follows from the request that made it. */
export interface BonusCodeTable {
  /** SHA-256 of the code. */
  code_hash: Buffer;
  batch_id: string;
  /** The request that made it, and its place in it. */
  request_id: string;
  place: number;
  amount_micros: BigintColumn;
  expires_at: Date;
  status: WithDefault<BonusCodeStatus>;
  redeemed_by: Later<string>;
  redeemed_at: Later<Date>;
  created_at: Date;
}

/** `refused`: the engine did not take the grant, which only its limits on balances can cause. */
export type BonusAccountStatus = Exclude<BonusState, "none"> | "refused";

/**
 * A bonus of a wallet. One for each campaign and wallet (BON-2), and at most one that has not ended. The state and the
 * sums follow the engine: the projector writes them.
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
  /** Whether the engine has it. */
  is_credited: WithDefault<boolean>;
  /** After the last line of the engine: what is left (locked part included), what is locked, what was consumed. */
  bonus_micros: WithDefaultBigint;
  locked_micros: WithDefaultBigint;
  consumed_micros: WithDefaultBigint;
  ended_at: Later<Date>;
  warned_24h_at: Later<Date>;
  warned_1h_at: Later<Date>;
  /** Why it was frozen last. */
  freeze_reason: Later<string>;
}

export type PoolLineKind = "GRANT" | "RECALL" | "EXPIRE" | "REFUSED";

/**
 * BON-11: the pool's own ledger. Grants are written where they are decided, before the engine hears of them; what comes
 * back is written by the projector.
 */
export interface BonusPoolLineTable {
  id: GeneratedAlways<bigint>;
  kind: PoolLineKind;
  /** Above 0, whichever way it goes. */
  amount_micros: BigintColumn;
  bonus_account_id: BigintColumn;
  account: number;
  /** The command of the engine that it belongs to; of a grant none until the engine has it. */
  command_number: LaterBigint;
  event_index: Later<number>;
  time_ms: BigintColumn;
}

/** The sums of the pool's ledger: one row, changed with every line. */
export interface BonusPoolTable {
  id: number;
  granted_micros: BigintColumn;
  returned_micros: BigintColumn;
  /** BON-11: why no new grants are made; null while they are. */
  stopped_reason: Later<string>;
  stopped_at: Later<Date>;
}

/** BON-11: what the lines of all accounts' bonus ledgers add up to, by kind; written with them. */
export interface BonusLineSumTable {
  line: BonusLineName;
  amount_micros: BigintColumn;
}

/** BON-4. An answer is there at once where SQL decides, and comes with the projector where the engine does. */
export interface BonusRequestTable {
  endpoint: string;
  request_id: string;
  body_hash: string;
  audit_id: LaterBigint;
  /** HTTP; null until it is answered. */
  status: Later<number>;
  response: NullableJsonColumn<JsonValue>;
  created_at: Date;
  answered_at: Later<Date>;
}

/** BON-11: what the last reconciliations found; the newest are kept. */
export interface BonusReconcileTable {
  id: GeneratedAlways<bigint>;
  ok: boolean;
  command_number: BigintColumn;
  report: ColumnType<JsonValue, string, never>;
  created_at: Date;
}

/** BON-12: who funded a wallet on chain. */
export interface BonusFundingTable {
  tx_hash: string;
  ordinal: number;
  /** Who paid, and for whom. */
  source: string;
  address: string;
  /** `transfer` of tokens to the wallet, `deposit` into the Vault for it, `withdrawal` of another wallet to it. */
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

/** Held by whoever decides a grant, until its transaction ends: the pool's cap and the grants of a wallet are looked at together. */
export const BONUS_GRANTS = "bonus-grants";
