import type { ColumnType, Kysely, Selectable } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { BigintColumn, KernelTables } from "../../kernel/database/tables.ts";
import type { Status } from "./status.ts";

type Later<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** A transaction of the operator: one nonce, one call. Its signed bytes are in its attempts. */
export interface ChainTransactionTable {
  /** The unique reference, such as "withdrawal:<id>". */
  ref: string;
  chain_id: BigintColumn;
  sender: string;
  nonce: BigintColumn;
  to_address: string;
  data: string;
  /** As decimal digits: it may exceed every number type of the database. */
  value_wei: string;
  gas_limit: BigintColumn;
  status: Status;
  /** The hash of the mined attempt; until then of the newest. */
  hash: string;
  block_number: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
  block_hash: Later<string>;
  /** A node's last refusal. */
  last_error: Later<string>;
  created_at: Date;
  updated_at: Date;
}

/** The same transaction signed with higher fees is another attempt; at most one of them can be mined. */
export interface ChainAttemptTable {
  hash: string;
  ref: string;
  number: number;
  raw: string;
  max_fee_wei: string;
  max_priority_fee_wei: string;
  /** The chain's height when it was signed: later blocks without it show that it is stuck. */
  signed_block: BigintColumn;
}

export type OperatorTables = { chain_transaction: ChainTransactionTable; chain_attempt: ChainAttemptTable };
export type OperatorDb = Kysely<KernelTables & OperatorTables>;
export type TransactionRow = Selectable<ChainTransactionTable>;
export type AttemptRow = Selectable<ChainAttemptTable>;

export const operatorDb = ({ db }: Pick<Database, "db">): OperatorDb => db.$extendTables<OperatorTables>();
