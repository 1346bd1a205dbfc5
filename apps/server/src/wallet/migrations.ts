import { type Kysely, sql } from "kysely";
import type { Migrations } from "../kernel/database/migrations.ts";

async function createWallet(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deposit (
      ref text primary key,
      account int not null check (account > 0),
      address text not null check (address ~ '^0x[0-9a-f]{40}$'),
      amount_micros bigint not null check (amount_micros > 0),
      status text not null check (status in ('requested', 'credited', 'refused')),
      reason text,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index deposit_by_address on deposit (address, created_at)`.execute(db);
  await sql`
    create table withdrawal (
      id uuid primary key,
      account int not null check (account > 0),
      address text not null check (address ~ '^0x[0-9a-f]{40}$'),
      to_address text not null check (to_address ~ '^0x[0-9a-f]{40}$'),
      amount_micros bigint not null check (amount_micros > 0),
      request_id text,
      status text not null check (status in ('requested', 'held', 'sent', 'confirmed', 'rejected')),
      reason text,
      tx_hash text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint withdrawal_request unique (address, request_id)
    )`.execute(db);
  await sql`create index withdrawal_by_address on withdrawal (address, created_at, id)`.execute(db);
  await sql`create index withdrawal_open on withdrawal (status) where status in ('held', 'sent')`.execute(db);
}

async function createWithdrawAddress(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table withdraw_address (
      address text not null check (address ~ '^0x[0-9a-f]{40}$'),
      to_address text not null check (to_address ~ '^0x[0-9a-f]{40}$'),
      label text,
      created_at timestamptz not null,
      primary key (address, to_address)
    )`.execute(db);
}

export const walletMigrations: Migrations = {
  "0130_wallet": { up: createWallet },
  "0131_withdraw_address": { up: createWithdrawAddress },
};
