import type { ColumnType, Kysely, Transaction } from "kysely";
import type { Database } from "../kernel/database/database.ts";
import type { BigintColumn, KernelTables } from "../kernel/database/tables.ts";

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** `requested` until the engine has answered, which is stored by the projection. */
export type DepositStatus = "requested" | "credited" | "refused";

export interface DepositTable {
  /** What names the deposit once and for all, such as "chain:<tx>:<log index>". */
  ref: string;
  account: number;
  address: string;
  amount_micros: BigintColumn;
  status: DepositStatus;
  reason: Later<string>;
  created_at: Date;
  updated_at: Date;
}

/** requested → held → sent → confirmed, or rejected from any but the last. The amount is held from `held` on. */
export type WithdrawalStatus = "requested" | "held" | "sent" | "confirmed" | "rejected";

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
