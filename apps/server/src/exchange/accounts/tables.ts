import type { MarginMode } from "@bourse/engine";
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

/** SEC-11: what wallets without an account have chosen for a market. Rows go when the account is opened. */
export interface ExchangeKeptSettingTable {
  /** Lower case. */
  address: string;
  market: number;
  leverage: number | null;
  /** The engine's code. */
  margin_mode: MarginMode | null;
  updated_at: Date;
}

export interface ExchangeAccountTables extends KernelTables {
  exchange_account: ExchangeAccountTable;
  exchange_kept_setting: ExchangeKeptSettingTable;
}

export const accountsDb = ({ db }: Pick<Database, "db">) => db as unknown as Kysely<ExchangeAccountTables>;
