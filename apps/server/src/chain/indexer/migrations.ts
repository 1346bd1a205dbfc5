import { type Kysely, sql } from "kysely";
import type { Migrations } from "../../kernel/database/migrations.ts";

async function createChainEvent(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_cursor (
      chain_id bigint primary key,
      genesis_hash text not null check (genesis_hash ~ '^0x[0-9a-f]{64}$'),
      contracts text not null,
      block_number bigint not null check (block_number >= 0),
      block_hash text not null check (block_hash ~ '^0x[0-9a-f]{64}$'),
      block_time timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`
    create table chain_block (
      chain_id bigint not null,
      number bigint not null check (number >= 0),
      hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
      time timestamptz not null,
      primary key (chain_id, number)
    )`.execute(db);
  await sql`
    create table chain_event (
      chain_id bigint not null,
      tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
      log_index int not null check (log_index >= 0),
      block_number bigint not null check (block_number >= 0),
      block_hash text not null check (block_hash ~ '^0x[0-9a-f]{64}$'),
      block_time timestamptz not null,
      contract text not null check (contract in ('earn', 'referral', 'vault', 'usdt')),
      name text not null,
      ordinal int not null check (ordinal >= 0),
      topics jsonb not null,
      data text not null check (data ~ '^0x([0-9a-f]{2})*$'),
      primary key (chain_id, tx_hash, log_index)
    )`.execute(db);
  await sql`create index chain_event_by_block on chain_event (chain_id, block_number, log_index)`.execute(db);
}

export const indexerMigrations: Migrations = { "0210_chain_event": { up: createChainEvent } };
