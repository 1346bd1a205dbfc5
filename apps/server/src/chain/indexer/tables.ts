import type { ColumnType, Kysely, Selectable, Transaction } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { BigintColumn, JsonColumn, KernelTables } from "../../kernel/database/tables.ts";
import type { ContractName } from "./listener.ts";

/** The indexer's position: everything up to and including this block is applied. */
export interface ChainCursorTable {
  chain_id: BigintColumn;
  /** The hash of the chain's first block, which identifies the chain. */
  genesis_hash: string;
  /** The addresses of the followed contracts, as one text. */
  contracts: string;
  block_number: BigintColumn;
  block_hash: string;
  block_time: Date;
  updated_at: Date;
}

/** The last blocks read, used to detect a reorganisation and to find the common ancestor. */
export interface ChainBlockTable {
  chain_id: BigintColumn;
  number: BigintColumn;
  hash: string;
  time: Date;
}

export interface ChainEventTable {
  chain_id: BigintColumn;
  tx_hash: string;
  log_index: number;
  block_number: BigintColumn;
  block_hash: string;
  block_time: Date;
  contract: ContractName;
  name: string;
  ordinal: number;
  topics: JsonColumn<readonly string[]>;
  data: ColumnType<string, string, never>;
}

export type IndexerTables = {
  chain_cursor: ChainCursorTable;
  chain_block: ChainBlockTable;
  chain_event: ChainEventTable;
};
export type IndexerDb = Kysely<KernelTables & IndexerTables>;
export type IndexerTx = Transaction<KernelTables & IndexerTables>;
export type EventRow = Selectable<ChainEventTable>;

export const indexerDb = ({ db }: Pick<Database, "db">): IndexerDb => db.$extendTables<IndexerTables>();
