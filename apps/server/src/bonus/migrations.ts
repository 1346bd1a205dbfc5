import { type Kysely, sql } from "kysely";
import type { Migrations } from "../kernel/database/migrations.ts";

const IS_ADDRESS = sql.raw("~ '^0x[0-9a-f]{40}$'");

async function createCampaigns(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bonus_campaign (
      id int generated always as identity primary key,
      name text not null,
      amount_micros bigint not null check (amount_micros > 0),
      max_amount_micros bigint check (max_amount_micros > 0),
      validity_days int not null check (validity_days between 1 and 365),
      redemption_opens_at timestamptz,
      redemption_closes_at timestamptz not null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`
    create table bonus_batch (
      id uuid primary key,
      campaign_id int not null references bonus_campaign (id),
      batch_name text not null,
      grant_tier text not null,
      per_address_micros bigint not null check (per_address_micros > 0),
      max_leverage int not null check (max_leverage >= 1),
      operator_addr text not null,
      notes text,
      created_count int not null check (created_count >= 0),
      failed_count int not null check (failed_count >= 0),
      created_by text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index bonus_batch_by_age on bonus_batch (created_at desc, id)`.execute(db);
  await sql`
    create table bonus_code (
      code_hash bytea primary key check (length(code_hash) = 32),
      batch_id uuid not null references bonus_batch (id),
      request_id text not null,
      place int not null check (place >= 0),
      amount_micros bigint not null check (amount_micros > 0),
      expires_at timestamptz not null,
      status text not null default 'unused' check (status in ('unused', 'redeemed', 'expired', 'void')),
      redeemed_by text check (redeemed_by ${IS_ADDRESS}),
      redeemed_at timestamptz,
      created_at timestamptz not null,
      unique (request_id, place),
      check ((status = 'redeemed') = (redeemed_by is not null)),
      check ((redeemed_by is null) = (redeemed_at is null))
    )`.execute(db);
  await sql`create index bonus_code_by_batch on bonus_code (batch_id, status)`.execute(db);
  await sql`create index bonus_code_expiring on bonus_code (expires_at) where status = 'unused'`.execute(db);
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bonus_account (
      id bigint generated always as identity primary key,
      campaign_id int not null references bonus_campaign (id),
      address text not null check (address ${IS_ADDRESS}),
      account int not null,
      batch_id uuid not null references bonus_batch (id),
      code_hash bytea unique references bonus_code (code_hash),
      amount_micros bigint not null check (amount_micros > 0),
      max_leverage int not null check (max_leverage >= 1),
      grant_tier text not null,
      granted_at timestamptz not null,
      expires_at timestamptz not null check (expires_at > granted_at),
      status text not null check (status in ('active', 'frozen', 'expired_pending', 'recalled', 'refused')),
      is_credited boolean not null default false,
      bonus_micros bigint not null default 0 check (bonus_micros >= 0),
      locked_micros bigint not null default 0 check (locked_micros >= 0),
      consumed_micros bigint not null default 0 check (consumed_micros >= 0),
      ended_at timestamptz,
      warned_24h_at timestamptz,
      warned_1h_at timestamptz,
      freeze_reason text,
      unique (campaign_id, address),
      check ((status in ('recalled', 'refused')) = (ended_at is not null))
    )`.execute(db);
  await sql`create unique index bonus_account_running on bonus_account (account) where ended_at is null`.execute(db);
  await sql`create index bonus_account_of_wallet on bonus_account (address, id desc)`.execute(db);
  await sql`create index bonus_account_by_number on bonus_account (account, id desc)`.execute(db);
  await sql`create index bonus_account_by_status on bonus_account (status, id)`.execute(db);
  await sql`create index bonus_account_by_batch on bonus_account (batch_id, id)`.execute(db);
  await sql`create index bonus_account_expiring on bonus_account (expires_at) where ended_at is null`.execute(db);
}

async function createPool(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bonus_pool (
      id int primary key check (id = 1),
      granted_micros bigint not null check (granted_micros >= 0),
      returned_micros bigint not null check (returned_micros >= 0),
      stopped_reason text,
      stopped_at timestamptz,
      check ((stopped_reason is null) = (stopped_at is null))
    )`.execute(db);
  await sql`insert into bonus_pool (id, granted_micros, returned_micros) values (1, 0, 0)`.execute(db);
  await sql`
    create table bonus_pool_line (
      id bigint generated always as identity primary key,
      kind text not null check (kind in ('GRANT', 'RECALL', 'EXPIRE', 'REFUSED')),
      amount_micros bigint not null check (amount_micros > 0),
      bonus_account_id bigint not null references bonus_account (id),
      account int not null,
      command_number bigint,
      event_index int,
      time_ms bigint not null
    )`.execute(db);
  await sql`create index bonus_pool_line_of_account on bonus_pool_line (bonus_account_id, id)`.execute(db);
  await sql`create index bonus_pool_line_in_flight on bonus_pool_line (account) where command_number is null`.execute(
    db,
  );
  await sql`
    create unique index bonus_pool_line_of_event on bonus_pool_line (command_number, event_index)
    where event_index is not null`.execute(db);
  await sql`
    create table bonus_request (
      endpoint text not null,
      request_id text not null,
      body_hash text not null,
      audit_id bigint,
      status int,
      response jsonb,
      created_at timestamptz not null,
      answered_at timestamptz,
      primary key (endpoint, request_id),
      check ((status is null) = (answered_at is null))
    )`.execute(db);
  await sql`
    create table bonus_reconcile (
      id bigint generated always as identity primary key,
      ok boolean not null,
      command_number bigint not null,
      report jsonb not null,
      created_at timestamptz not null
    )`.execute(db);
}

async function createRisk(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bonus_funding (
      tx_hash text not null,
      ordinal int not null,
      source text not null check (source ${IS_ADDRESS}),
      address text not null check (address ${IS_ADDRESS}),
      kind text not null check (kind in ('transfer', 'deposit', 'withdrawal')),
      amount_micros bigint not null,
      block_number bigint not null,
      primary key (tx_hash, ordinal, kind)
    )`.execute(db);
  await sql`create index bonus_funding_of_wallet on bonus_funding (address, source)`.execute(db);
  await sql`create index bonus_funding_by_source on bonus_funding (source, address)`.execute(db);
  await sql`create index bonus_funding_by_block on bonus_funding (block_number)`.execute(db);
}

async function createLineSums(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bonus_line_sum (
      line text primary key,
      amount_micros bigint not null check (amount_micros >= 0)
    )`.execute(db);
}

/** BON-11: which differences have frozen an account. Before, only the messages of the freezes said so. */
async function createReconcileFreezes(db: Kysely<unknown>): Promise<void> {
  await sql`create table bonus_reconcile_freeze (ref text primary key)`.execute(db);
  await sql`insert into bonus_reconcile_freeze select ref from outbox where ref like 'bonus-reconcile:%'`.execute(db);
}

/**
 * BON-15: a grant that the engine refused because the account was in debt leaves wallet and code free for another try. The indexes
 * that replace the constraints refuse all that these refused, except for such grants.
 */
async function freeRefusedGrants(db: Kysely<unknown>): Promise<void> {
  await sql`alter table bonus_account add column refusal text`.execute(db);
  await sql`
    create unique index bonus_account_once on bonus_account (campaign_id, address)
    where refusal is distinct from 'account_in_debt'`.execute(db);
  await sql`
    create unique index bonus_account_of_code on bonus_account (code_hash)
    where refusal is distinct from 'account_in_debt'`.execute(db);
  await sql`alter table bonus_account drop constraint bonus_account_campaign_id_address_key`.execute(db);
  await sql`alter table bonus_account drop constraint bonus_account_code_hash_key`.execute(db);
}

/** BON-12: what each bonus has traded with whom, and what its trades gave the other side against the mark. */
async function createPairs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table bonus_pair (
      bonus_account_id bigint not null references bonus_account (id),
      other int not null check (other > 0),
      volume_micros bigint not null check (volume_micros >= 0),
      off_mark_micros bigint not null check (off_mark_micros >= 0),
      primary key (bonus_account_id, other)
    )`.execute(db);
}

export const bonusMigrations: Migrations = {
  "0500_bonus_campaigns": { up: createCampaigns },
  "0501_bonus_accounts": { up: createAccounts },
  "0502_bonus_pool": { up: createPool },
  "0503_bonus_risk": { up: createRisk },
  "0504_bonus_line_sums": { up: createLineSums },
  "0505_bonus_reconcile_freezes": { up: createReconcileFreezes },
  "0506_bonus_refused_grants": { up: freeRefusedGrants },
  "0507_bonus_pairs": { up: createPairs },
};
