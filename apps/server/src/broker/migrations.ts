import { type Kysely, sql } from "kysely";
import type { Migrations } from "../kernel/database/migrations.ts";

const ADDRESS = sql.raw("~ '^0x[0-9a-f]{40}$'");
const BYTES32 = sql.raw("~ '^0x[0-9a-f]{64}$'");
/** A ratio or rate in millionths. */
const RATIO = sql.raw("between 0 and 1000000");

/** The participants: tiers, brokers, invite codes and binds. */
async function createPartners(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table broker_tier (
      level int primary key check (level between 1 and 1000),
      label text not null,
      rate_e6 int not null check (rate_e6 ${RATIO}),
      min_fee_30d_micros bigint not null check (min_fee_30d_micros >= 0)
    )`.execute(db);
  await sql`
    insert into broker_tier (level, label, rate_e6, min_fee_30d_micros) values
      (1, 'Bronze', 200000, 0),
      (2, 'Silver', 250000, 2000000000),
      (3, 'Gold', 300000, 10000000000),
      (4, 'Platinum', 350000, 50000000000),
      (5, 'Diamond', 400000, 200000000000)`.execute(db);
  await sql`
    create table broker (
      id uuid primary key,
      account int not null unique,
      wallet_address text not null unique check (wallet_address ${ADDRESS}),
      nickname text,
      bd_owner_id uuid references staff (id),
      parent_broker_id uuid references broker (id),
      level int,
      rate_e6 int not null check (rate_e6 ${RATIO}),
      bound_share_e6 int not null default 0 check (bound_share_e6 ${RATIO}),
      status text not null check (status in ('active', 'frozen')),
      created_at timestamptz not null,
      check ((parent_broker_id is null) = (level is not null)),
      check (parent_broker_id <> id)
    )`.execute(db);
  await sql`create index broker_by_owner on broker (bd_owner_id, created_at desc, id)`.execute(db);
  await sql`create index broker_by_age on broker (created_at desc, id)`.execute(db);
  await sql`create index broker_by_parent on broker (parent_broker_id) where parent_broker_id is not null`.execute(db);
  await sql`
    create table broker_invite_code (
      id int generated always as identity primary key,
      code text not null unique check (code = upper(code)),
      code_type text not null check (code_type in ('direct', 'sub_kol', 'bd')),
      broker_id uuid references broker (id),
      bd_id uuid references staff (id),
      share_ratio_e6 int not null check (share_ratio_e6 ${RATIO}),
      rate_e6 int check (rate_e6 ${RATIO}),
      level int,
      note text,
      status text not null check (status in ('active', 'used', 'expired', 'disabled')),
      used_count int not null default 0 check (used_count >= 0),
      expire_at timestamptz,
      created_at timestamptz not null,
      check (case code_type when 'bd' then broker_id is null and bd_id is not null and level is not null
        else broker_id is not null and bd_id is null and rate_e6 is not null end)
    )`.execute(db);
  await sql`create index broker_code_by_broker on broker_invite_code (broker_id, created_at desc, id desc)`.execute(db);
  await sql`create index broker_code_by_bd on broker_invite_code (bd_id, created_at desc, id desc)`.execute(db);
  await sql`
    create index broker_code_expiring on broker_invite_code (expire_at)
    where status = 'active' and expire_at is not null`.execute(db);
  await sql`
    create table broker_bind (
      wallet_address text primary key check (wallet_address ${ADDRESS}),
      account int not null unique,
      code_id int not null references broker_invite_code (id),
      code_type text not null check (code_type in ('direct', 'sub_kol', 'bd')),
      inviter_broker_id uuid references broker (id),
      bd_id uuid references staff (id),
      customer_ratio_e6 int check (customer_ratio_e6 ${RATIO}),
      share_ratio_e6 int not null check (share_ratio_e6 ${RATIO}),
      bind_time timestamptz not null,
      check ((code_type = 'direct') = (customer_ratio_e6 is not null)),
      check ((code_type = 'bd') = (inviter_broker_id is null))
    )`.execute(db);
  await sql`create index broker_bind_by_inviter on broker_bind (inviter_broker_id, bind_time desc, account)`.execute(
    db,
  );
  await sql`create index broker_bind_by_code on broker_bind (code_id)`.execute(db);
  await sql`create index broker_bind_by_bd on broker_bind (bd_id, bind_time desc) where bd_id is not null`.execute(db);
}

/** BRK-8: the terms whose version fills carry. Rows are added, never changed. */
async function createTerms(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table broker_terms (
      terms_version bigint generated always as identity primary key,
      account int not null,
      wallet_address text not null check (wallet_address ${ADDRESS}),
      kind text not null check (kind in ('broker', 'affiliate')),
      broker_id uuid references broker (id),
      rate_e6 int not null check (rate_e6 ${RATIO}),
      parent_broker_id uuid references broker (id),
      parent_rate_e6 int check (parent_rate_e6 ${RATIO}),
      bound_share_e6 int not null check (bound_share_e6 ${RATIO}),
      status text not null check (status in ('active', 'frozen')),
      affiliate text check (affiliate ${ADDRESS}),
      cause text not null,
      created_at timestamptz not null,
      check (case kind when 'broker' then broker_id is not null and affiliate is null
        else broker_id is null and affiliate is not null and parent_broker_id is null end),
      check ((parent_broker_id is null) = (parent_rate_e6 is null))
    )`.execute(db);
  await sql`create index broker_terms_by_account on broker_terms (account, terms_version desc)`.execute(db);
  await sql`
    create function broker_terms_are_kept() returns trigger language plpgsql as $$
    begin
      raise exception 'terms are added, never changed or removed';
    end $$`.execute(db);
  await sql`
    create trigger broker_terms_kept before update or delete or truncate on broker_terms
    for each statement execute function broker_terms_are_kept()`.execute(db);
}

/** BRK-7, BRK-8: the countable fees of fills, one by one and summed by day, wallet and terms. */
async function createAccruals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table broker_accrual (
      market int not null,
      trade bigint not null,
      side smallint not null,
      account int not null,
      day date not null,
      terms_version bigint not null,
      fee_micros bigint not null,
      counted_micros bigint not null check (counted_micros between 0 and greatest(fee_micros, 0)),
      volume_micros bigint not null default 0 check (volume_micros >= 0),
      reason text,
      time_ms bigint not null,
      command_number bigint not null,
      event_index int not null,
      primary key (market, trade, side)
    )`.execute(db);
  await sql`create index broker_accrual_by_account on broker_accrual (account, day, time_ms)`.execute(db);
  await sql`
    create index broker_accrual_skipped on broker_accrual (account, time_ms desc) where reason is not null`.execute(db);
  await sql`
    create table broker_pre_settlement (
      day date not null,
      account int not null,
      terms_version bigint not null,
      counted_micros bigint not null check (counted_micros >= 0),
      skipped_micros bigint not null check (skipped_micros >= 0),
      volume_micros bigint not null default 0 check (volume_micros >= 0),
      fills int not null,
      skipped_fills int not null,
      last_command bigint not null,
      last_event int not null,
      primary key (day, account, terms_version)
    )`.execute(db);
  await sql`create index broker_pre_settlement_by_account on broker_pre_settlement (account, day)`.execute(db);
}

/** BRK-9 … BRK-13: settled days, their records and totals. */
async function createSettlement(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table rebate_period (
      period date primary key,
      status text not null check (status in ('provisional', 'closed')),
      revision int not null check (revision >= 1),
      root bytea not null,
      leaf_count int not null,
      broker_count int not null,
      record_count int not null,
      paid_count int not null default 0 check (paid_count between 0 and record_count),
      fee_micros bigint not null,
      nominal_micros bigint not null,
      customer_micros bigint not null,
      share_micros bigint not null,
      net_micros bigint not null,
      affiliate_micros bigint not null,
      is_rolled_up boolean not null default false,
      calculated_at timestamptz not null,
      closed_at timestamptz
    )`.execute(db);
  await sql`
    create table rebate_root (
      period date not null,
      revision int not null,
      root bytea not null,
      leaf_count int not null,
      created_at timestamptz not null,
      primary key (period, revision)
    )`.execute(db);
  await sql`
    create table rebate_record (
      id uuid primary key,
      period date not null,
      kind text not null check (kind in ('broker', 'affiliate')),
      broker_id uuid references broker (id),
      downline_account int not null,
      downline_wallet text not null,
      revision int not null check (revision >= 0),
      fee_micros bigint not null,
      nominal_micros bigint not null,
      customer_micros bigint not null,
      share_micros bigint not null,
      net_micros bigint not null,
      rate_e6 int not null check (rate_e6 ${RATIO}),
      customer_ratio_e6 int not null check (customer_ratio_e6 ${RATIO}),
      share_ratio_e6 int not null check (share_ratio_e6 ${RATIO}),
      net_payee text not null,
      parent_broker_id uuid references broker (id),
      share_payee text,
      leaf bytea not null,
      is_locked boolean not null default false,
      payment_status text not null default 'pending' check (payment_status in ('pending', 'paid')),
      payment_tx_hash text,
      constraint rebate_parts check (customer_micros + share_micros + net_micros = nominal_micros),
      constraint rebate_bounds check (revision > 0 or (nominal_micros <= fee_micros and fee_micros > 0
        and customer_micros >= 0 and share_micros >= 0 and net_micros >= 0)),
      check ((kind = 'broker') = (broker_id is not null)),
      check ((parent_broker_id is null) = (share_payee is null))
    )`.execute(db);
  await sql`create index rebate_record_by_period on rebate_record (period desc, id)`.execute(db);
  await sql`
    create index rebate_record_pending on rebate_record (period desc, id) where payment_status = 'pending'`.execute(db);
  await sql`
    create index rebate_record_by_broker on rebate_record (broker_id, period desc, id)
    where kind = 'broker'`.execute(db);
  await sql`create index rebate_record_by_downline on rebate_record (downline_wallet, period desc, id)`.execute(db);
  await sql`
    create index rebate_record_shares on rebate_record (parent_broker_id, period desc, id)
    where share_micros <> 0`.execute(db);
  await sql`
    create index rebate_record_by_affiliate on rebate_record (net_payee, period desc)
    where kind = 'affiliate'`.execute(db);
  const sums = sql.raw(`
    fee_micros bigint not null default 0,
    nominal_micros bigint not null default 0,
    customer_micros bigint not null default 0,
    share_micros bigint not null default 0,
    net_micros bigint not null default 0`);
  await sql`
    create table broker_day_total (
      broker_id uuid not null references broker (id),
      period date not null,
      records int not null default 0,
      ${sums},
      share_income_micros bigint not null default 0,
      volume_micros bigint not null default 0,
      primary key (broker_id, period)
    )`.execute(db);
  await sql`create index broker_day_total_by_period on broker_day_total (period)`.execute(db);
  await sql`
    create table broker_total (
      broker_id uuid primary key references broker (id),
      records bigint not null default 0,
      ${sums},
      share_income_micros bigint not null default 0,
      volume_micros bigint not null default 0
    )`.execute(db);
  await sql`
    create index broker_total_ranked on broker_total (net_micros desc, fee_micros desc, broker_id)
    where records > 0`.execute(db);
  await sql`
    create table broker_downline_total (
      broker_id uuid not null references broker (id),
      downline_account int not null,
      ${sums},
      primary key (broker_id, downline_account)
    )`.execute(db);
}

/** BRK-11, BRK-14: payout batches, their lines and payees. */
async function createPayouts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table payout_batch (
      id uuid primary key,
      period date,
      min_amount_micros bigint not null check (min_amount_micros >= 0),
      status text not null check (status in ('open', 'paying', 'paid', 'cancelled')),
      way text check (way in ('chain', 'outside')),
      line_count int not null check (line_count > 0),
      payee_count int not null check (payee_count > 0),
      total_micros bigint not null check (total_micros > 0),
      sha256 text not null,
      attempt int not null default 0,
      is_taken boolean not null default false,
      vault_tx_hash text check (vault_tx_hash ${BYTES32}),
      outside_tx_hash text unique check (outside_tx_hash ${BYTES32}),
      hold_up text,
      created_by text not null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      paid_at timestamptz,
      check ((way is null) = (status in ('open', 'cancelled')))
    )`.execute(db);
  await sql`create index payout_batch_by_age on payout_batch (created_at desc, id)`.execute(db);
  await sql`create index payout_batch_paying on payout_batch (created_at) where status = 'paying'`.execute(db);
  await sql`
    create table payout_payee (
      batch_id uuid not null references payout_batch (id),
      payee text not null check (payee ${ADDRESS}),
      amount_micros bigint not null check (amount_micros > 0),
      line_count int not null check (line_count > 0),
      tx_hash text check (tx_hash ${BYTES32}),
      paid_at timestamptz,
      primary key (batch_id, payee),
      check ((tx_hash is null) = (paid_at is null))
    )`.execute(db);
  await sql`
    create table payout_line (
      record_id uuid not null references rebate_record (id),
      kind text not null check (kind in ('customer', 'kol', 'share', 'affiliate')),
      batch_id uuid not null references payout_batch (id),
      payee text not null,
      amount_micros bigint not null check (amount_micros <> 0),
      primary key (record_id, kind),
      foreign key (batch_id, payee) references payout_payee (batch_id, payee)
    )`.execute(db);
  await sql`create index payout_line_by_payee on payout_line (batch_id, payee)`.execute(db);
  await sql`create index payout_payee_by_payee on payout_payee (payee, batch_id)`.execute(db);
}

/** LOG-3: a day that is neither settled nor paid again, because a lost database knew what of it was paid. */
async function addSeal(db: Kysely<unknown>): Promise<void> {
  await sql`alter table rebate_period add column is_sealed boolean not null default false`.execute(db);
}

/** SEC-11: roles and binds are kept by wallet until the wallet's account is opened. */
async function allowWalletsWithoutAccount(db: Kysely<unknown>): Promise<void> {
  await sql`alter table broker alter column account drop not null`.execute(db);
  await sql`alter table broker_bind alter column account drop not null`.execute(db);
}

export const brokerMigrations: Migrations = {
  "0300_broker_partners": { up: createPartners },
  "0301_broker_terms": { up: createTerms },
  "0302_broker_accruals": { up: createAccruals },
  "0303_rebate_settlement": { up: createSettlement },
  "0304_rebate_payouts": { up: createPayouts },
  "0305_rebate_seal": { up: addSeal },
  "0306_broker_without_account": { up: allowWalletsWithoutAccount },
};
