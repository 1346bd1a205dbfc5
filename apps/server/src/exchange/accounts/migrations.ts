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

async function createKeptSetting(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_kept_setting (
      address text not null check (address ~ '^0x[0-9a-f]{40}$'),
      market int not null check (market >= 0),
      leverage int check (leverage > 0),
      margin_mode int check (margin_mode >= 0),
      updated_at timestamptz not null,
      primary key (address, market)
    )`.execute(db);
}

export const exchangeAccountMigrations: Migrations = {
  "0100_exchange_account": { up: createExchangeAccount },
  "0101_exchange_kept_setting": { up: createKeptSetting },
};
