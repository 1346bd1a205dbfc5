import { type Kysely, sql } from "kysely";
import type { Migrations } from "../../kernel/database/migrations.ts";

async function createChainTransaction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table chain_transaction (
      ref text primary key,
      chain_id bigint not null,
      sender text not null check (sender ~ '^0x[0-9a-f]{40}$'),
      nonce bigint not null check (nonce >= 0),
      to_address text not null check (to_address ~ '^0x[0-9a-f]{40}$'),
      data text not null check (data ~ '^0x([0-9a-f]{2})*$'),
      value_wei text not null check (value_wei ~ '^[0-9]{1,78}$'),
      gas_limit bigint not null check (gas_limit > 0),
      status text not null check (status in ('signed', 'sent', 'confirmed', 'reverted', 'superseded')),
      hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
      block_number bigint,
      block_hash text,
      last_error text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint chain_transaction_nonce unique (chain_id, sender, nonce),
      constraint chain_transaction_mined check ((status in ('confirmed', 'reverted')) = (block_hash is not null))
    )`.execute(db);
  await sql`
    create index chain_transaction_open on chain_transaction (chain_id, sender, nonce)
    where status in ('signed', 'sent')`.execute(db);
  await sql`
    create table chain_attempt (
      hash text primary key check (hash ~ '^0x[0-9a-f]{64}$'),
      ref text not null references chain_transaction (ref),
      number int not null check (number > 0),
      raw text not null check (raw ~ '^0x([0-9a-f]{2})+$'),
      max_fee_wei text not null,
      max_priority_fee_wei text not null,
      signed_block bigint not null,
      constraint chain_attempt_number unique (ref, number)
    )`.execute(db);
}

export const operatorMigrations: Migrations = { "0200_chain_transaction": { up: createChainTransaction } };
