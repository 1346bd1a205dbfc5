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

async function addChain(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deposit
      add column tx_hash text check (tx_hash ~ '^0x[0-9a-f]{64}$'),
      add column block_number bigint,
      add column orphaned_at timestamptz`.execute(db);
  await sql`create index deposit_orphaned on deposit (orphaned_at) where orphaned_at is not null`.execute(db);
  await sql`create index deposit_refused on deposit (updated_at) where status = 'refused'`.execute(db);
  await sql`
    alter table withdrawal
      add column attempt int not null default 1 check (attempt > 0),
      add column hold_up text,
      add column paid_block bigint,
      add column settled_at timestamptz`.execute(db);
}

/** BON-12, VLT-4: amounts whose withdrawal waits for review, and the withdrawals that wait. */
async function addHolds(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table withdrawal_hold (
      ref text primary key,
      account int not null check (account > 0),
      reason text not null check (reason in ('linked_bonus', 'fund_capped')),
      amount_micros bigint not null check (amount_micros > 0),
      wait_ms bigint not null check (wait_ms > 0),
      note text not null,
      set_at timestamptz not null,
      ends_at timestamptz
    )`.execute(db);
  await sql`create index withdrawal_hold_of_account on withdrawal_hold (account, set_at, ref)`.execute(db);
  await sql`
    create table wallet_bankruptcy (
      market int not null,
      account int not null,
      time_ms bigint not null,
      primary key (market, account)
    )`.execute(db);
  await sql`
    alter table withdrawal
      add column review_until timestamptz,
      add column reviewed_at timestamptz`.execute(db);
  await sql`alter table withdrawal drop constraint withdrawal_status_check`.execute(db);
  await sql`
    alter table withdrawal add constraint withdrawal_status_check
    check (status in ('requested', 'held', 'in_review', 'sent', 'confirmed', 'rejected'))`.execute(db);
  await sql`
    create index withdrawal_of_account on withdrawal (account)
    where status in ('held', 'in_review') or reviewed_at is not null`.execute(db);
  await sql`create index withdrawal_in_review on withdrawal (created_at, id) where status = 'in_review'`.execute(db);
}

export const walletMigrations: Migrations = {
  "0130_wallet": { up: createWallet },
  "0131_withdraw_address": { up: createWithdrawAddress },
  "0220_wallet_chain": { up: addChain },
  "0221_wallet_holds": { up: addHolds },
};
