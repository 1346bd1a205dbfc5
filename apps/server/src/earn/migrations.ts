import { type Kysely, sql } from "kysely";
import type { Migrations } from "../kernel/database/migrations.ts";

async function createProducts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table earn_product (
      id uuid primary key,
      chain_product_id bigint unique,
      name text not null,
      description text,
      annual_rate_bps int not null check (annual_rate_bps >= 0),
      duration_seconds int not null check (duration_seconds > 0),
      total_quota numeric not null,
      min_amount numeric not null check (min_amount > 0),
      max_amount_per_user numeric not null check (max_amount_per_user >= min_amount),
      subscribe_start_s bigint not null,
      subscribe_end_s bigint not null check (subscribe_end_s > subscribe_start_s),
      status text not null
        check (status in ('created', 'subscribing', 'active', 'settled', 'ended', 'cancelled')),
      request_id text unique,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`.execute(db);
  await sql`create index earn_product_by_age on earn_product (created_at, id)`.execute(db);
  await sql`
    create index earn_product_live on earn_product (status)
    where status in ('created', 'subscribing', 'active', 'settled')`.execute(db);
  await sql`
    create table earn_action (
      id uuid primary key,
      product_id uuid not null references earn_product (id),
      kind text not null check (kind in ('create', 'update', 'cancel', 'fund', 'settle')),
      status text not null check (status in ('open', 'done', 'failed')),
      by_system boolean not null,
      attempt int not null,
      payload jsonb not null,
      request_id text,
      tx_hash text,
      last_error text,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      constraint earn_action_request unique (kind, request_id)
    )`.execute(db);
  await sql`create index earn_action_by_product on earn_action (product_id, kind)`.execute(db);
  await sql`create index earn_action_open on earn_action (created_at, id) where status = 'open'`.execute(db);
  await sql`create index earn_action_by_tx on earn_action (tx_hash) where tx_hash is not null`.execute(db);
}

async function createMirror(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table earn_chain_product (
      chain_product_id bigint primary key,
      annual_rate_bps int not null,
      duration_seconds int not null,
      total_quota numeric not null,
      min_amount numeric not null,
      max_amount_per_user numeric not null,
      subscribe_start_s bigint not null,
      subscribe_end_s bigint not null,
      status text not null check (status in ('open', 'settled', 'cancelled')),
      subscriber_count int not null,
      subscribed numeric not null,
      principal numeric not null check (principal between 0 and subscribed),
      interest_owed numeric not null check (interest_owed >= 0),
      funded numeric not null check (funded >= 0)
    )`.execute(db);
  await sql`
    create table earn_subscription (
      id uuid primary key,
      chain_product_id bigint not null,
      user_address text not null check (user_address ~ '^0x[0-9a-f]{40}$'),
      principal numeric not null check (principal > 0),
      interest numeric not null check (interest >= 0),
      nft_token_id numeric not null,
      nft_status text not null check (nft_status in ('minted', 'redeemed', 'refunded')),
      subscribe_tx_hash text not null,
      subscribed_ms bigint not null,
      claim_tx_hash text,
      claimed_ms bigint,
      refund_tx_hash text,
      refunded_ms bigint,
      constraint earn_subscription_position unique (chain_product_id, user_address)
    )`.execute(db);
  await sql`create index earn_subscription_by_user on earn_subscription (user_address, subscribed_ms)`.execute(db);
}

async function createReservations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table earn_reservation (
      product_id uuid not null references earn_product (id),
      user_address text not null check (user_address ~ '^0x[0-9a-f]{40}$'),
      amount numeric not null check (amount > 0),
      deadline_s bigint not null,
      digest text not null,
      is_used boolean not null,
      primary key (product_id, user_address)
    )`.execute(db);
  await sql`
    create index earn_reservation_live on earn_reservation (product_id, deadline_s)
    where not is_used`.execute(db);
  await sql`create index earn_reservation_by_digest on earn_reservation (digest)`.execute(db);
}

/** Rows without a time are of an earlier release, whose vouchers end within half an hour. */
async function addReservationTimes(db: Kysely<unknown>): Promise<void> {
  await sql`alter table earn_reservation add column reserved_s bigint`.execute(db);
  await sql`create index earn_reservation_by_user on earn_reservation (user_address)`.execute(db);
}

export const earnMigrations: Migrations = {
  "0230_earn_product": { up: createProducts },
  "0231_earn_mirror": { up: createMirror },
  "0232_earn_reservation": { up: createReservations },
  "0233_earn_reservation_times": { up: addReservationTimes },
};
