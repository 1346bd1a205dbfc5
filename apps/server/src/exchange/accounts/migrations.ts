import { type Kysely, sql } from "kysely";
import type { Migrations } from "../../kernel/database/migrations.ts";

async function createExchangeAccount(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_account (
      account int primary key check (account > 0),
      address text not null unique check (address ~ '^0x[0-9a-f]{40}$'),
      opened_at timestamptz not null
    )`.execute(db);
}

export const exchangeAccountMigrations: Migrations = {
  "0100_exchange_account": { up: createExchangeAccount },
};
