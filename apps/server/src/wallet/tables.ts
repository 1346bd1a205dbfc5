import type { ColumnType, Kysely, Transaction } from "kysely";
import type { Database } from "../kernel/database/database.ts";
import type { BigintColumn, KernelTables } from "../kernel/database/tables.ts";
import type { WithdrawalStatus } from "./withdrawal-states.ts";

export type { WithdrawalStatus } from "./withdrawal-states.ts";

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;
type LaterBigint = ColumnType<bigint | null, bigint | number | null | undefined, bigint | number | null>;

/** `requested` until the engine has answered, which is stored by the projection. */
export type DepositStatus = "requested" | "credited" | "refused";

export interface DepositTable {
  /** What names the deposit once and for all: "chain:<transaction>:<ordinal>". */
  ref: string;
  account: number;
  address: string;
  amount_micros: BigintColumn;
  status: DepositStatus;
  reason: Later<string>;
  tx_hash: Later<string>;
  /** Where it was mined; none while it is in no block that counts. */
  block_number: LaterBigint;
  /** Since when its block is no longer part of the chain. Comes it back, it is none again. */
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
  /** The client's own name for the request; one per wallet. */
  request_id: string | null;
  status: WithdrawalStatus;
  reason: Later<string>;
  tx_hash: Later<string>;
  /** Which payment of it is, or will be, sent: one that failed is followed by another. */
  attempt: ColumnType<number, number | undefined, number>;
  /** Why it is not sent yet; for operators. */
  hold_up: Later<string>;
  /** Where the Vault has paid it. */
  paid_block: LaterBigint;
  /** When the engine was told how it ended. */
  settled_at: Later<Date>;
  created_at: Date;
  updated_at: Date;
}

/** VLT-1: where API keys may send a wallet's money, besides to the wallet itself. */
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
};

export type WalletDb = Kysely<KernelTables & WalletTables>;
export type WalletTx = Transaction<KernelTables & WalletTables>;

export const walletDb = ({ db }: Pick<Database, "db">): WalletDb => db.$extendTables<WalletTables>();
