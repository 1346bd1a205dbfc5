import type { ColumnType, Kysely, Transaction } from "kysely";
import type { Database } from "../kernel/database/database.ts";
import type { BigintColumn, KernelTables } from "../kernel/database/tables.ts";
import type { WithdrawalStatus } from "./withdrawal-states.ts";

export type { WithdrawalStatus } from "./withdrawal-states.ts";

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;
type LaterBigint = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;

/** `requested` until the engine has answered; the projection stores the answer. */
export type DepositStatus = "requested" | "credited" | "refused";

export interface DepositTable {
  /** The unique reference: "chain:<transaction>:<ordinal>". */
  ref: string;
  account: number;
  address: string;
  amount_micros: BigintColumn;
  status: DepositStatus;
  reason: Later<string>;
  tx_hash: Later<string>;
  /** The block it was mined in; null while it is in no final block. */
  block_number: LaterBigint;
  /** When its block ceased to be part of the chain; null again if the deposit is mined again. */
  orphaned_at: Later<Date>;
  created_at: Date;
  updated_at: Date;
}

export interface WithdrawalTable {
  id: string;
  account: number;
  address: string;
  to_address: string;
  amount_micros: BigintColumn;
  /** The client's own id of the request; unique per wallet. */
  request_id: string | null;
  status: WithdrawalStatus;
  reason: Later<string>;
  tx_hash: Later<string>;
  /** The number of the payment that is or will be sent: a failed payment is followed by another. */
  attempt: ColumnType<number, number | undefined, number>;
  /** Why it is not sent yet; for operators. */
  hold_up: Later<string>;
  /** The block in which the Vault paid it. */
  paid_block: LaterBigint;
  /** When the final command was written for the engine. */
  settled_at: Later<Date>;
  /** While it is in review: when it goes by itself. */
  review_until: Later<Date>;
  /** When staff or time has let it go: it does not wait again. */
  reviewed_at: Later<Date>;
  created_at: Date;
  updated_at: Date;
}

export type HoldReason = "linked_bonus" | "fund_capped";

/** BON-12, VLT-4: an amount of an account that does not leave without a review. */
export interface WithdrawalHoldTable {
  /** What it is set for; the same reference is the same hold. */
  ref: string;
  account: number;
  reason: HoldReason;
  amount_micros: BigintColumn;
  /** The longest that a withdrawal waits for a review. */
  wait_ms: BigintColumn;
  /** For staff: whom and what it is about. */
  note: string;
  set_at: Date;
  /** Null for a hold that lasts as long as its cause. */
  ends_at: Later<Date>;
}

/** VLT-1: the addresses besides the wallet itself to which its API keys may withdraw. */
export interface WithdrawAddressTable {
  address: string;
  to_address: string;
  label: string | null;
  created_at: Date;
}

export type WalletTables = {
  deposit: DepositTable;
  withdrawal: WithdrawalTable;
  withdraw_address: WithdrawAddressTable;
  withdrawal_hold: WithdrawalHoldTable;
};

export type WalletDb = Kysely<KernelTables & WalletTables>;
export type WalletTx = Transaction<KernelTables & WalletTables>;

export const walletDb = ({ db }: Pick<Database, "db">): WalletDb => db.$extendTables<WalletTables>();
