import type { Kysely } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { KernelTables } from "../../kernel/database/tables.ts";

/** The wallet of each account of the engine. Numbers have no gaps, because the engine opens accounts in sequence. */
export interface ExchangeAccountTable {
  account: number;
  /** Lower case. */
  address: string;
  opened_at: Date;
}

export interface ExchangeAccountTables extends KernelTables {
  exchange_account: ExchangeAccountTable;
}

export const accountsDb = ({ db }: Pick<Database, "db">) => db as unknown as Kysely<ExchangeAccountTables>;
