import type { Kysely } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { BigintColumn, KernelTables } from "../../kernel/database/tables.ts";

/**
 * The live listenKey of a wallet. The key is derived from the nonce and a secret of the platform; the key itself is not
 * stored.
 */
export interface ListenKeyTable {
  /** In lower case. */
  address: string;
  nonce: string;
  expires_at: Date;
}

/** Private events of one account that were stored together. */
export interface PrivateEventTable {
  account: number;
  last_seq: BigintColumn;
  first_seq: BigintColumn;
  last_ms: BigintColumn;
  /** See `fact-codec.ts`. */
  events: Uint8Array;
}

/** Up to which number the events of an account were removed. */
export interface PrivateFloorTable {
  account: number;
  seq: BigintColumn;
}

/** One row. */
export interface PrivateCursorTable {
  command_number: BigintColumn;
  last_seq: BigintColumn;
  floor_seq: BigintColumn;
}

export interface StreamTables extends KernelTables {
  listen_key: ListenKeyTable;
  exchange_private_event: PrivateEventTable;
  exchange_private_floor: PrivateFloorTable;
  exchange_private_cursor: PrivateCursorTable;
}

export const streamsDb = ({ db }: Pick<Database, "db">) => db as unknown as Kysely<StreamTables>;
