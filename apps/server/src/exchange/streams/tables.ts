import type { Kysely } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { KernelTables } from "../../kernel/database/tables.ts";

/** The live listenKey of a wallet. Not the key itself: it is worked out from these and a secret of the platform. */
export interface ListenKeyTable {
  /** Lower case. */
  address: string;
  nonce: string;
  expires_at: Date;
}

export interface StreamTables extends KernelTables {
  listen_key: ListenKeyTable;
}

export const streamsDb = ({ db }: Pick<Database, "db">) => db as unknown as Kysely<StreamTables>;
