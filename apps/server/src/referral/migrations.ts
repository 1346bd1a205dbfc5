import { type Kysely, sql } from "kysely";
import type { Migrations } from "../kernel/database/migrations.ts";

const ADDRESS = sql.raw("~ '^0x[0-9a-f]{40}$'");
const BYTES32 = sql.raw("~ '^0x[0-9a-f]{64}$'");

/** The contract's codes and tiers, and the discounts sent to the engine. */
async function createTerms(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_code (
      code text primary key check (code ${BYTES32}),
      owner text not null check (owner ${ADDRESS})
    )`.execute(db);
  await sql`create index referral_code_by_owner on referral_code (owner)`.execute(db);
  await sql`
    create table referral_trader (
      trader text primary key check (trader ${ADDRESS}),
      code text not null references referral_code (code)
    )`.execute(db);
  await sql`create index referral_trader_by_code on referral_trader (code)`.execute(db);
  await sql`
    create table referral_affiliate (
      affiliate text primary key check (affiliate ${ADDRESS}),
      tier int not null check (tier between 1 and 4)
    )`.execute(db);
  await sql`create index referral_affiliate_by_tier on referral_affiliate (tier)`.execute(db);
  await sql`
    create table referral_tier_terms (
      tier int primary key check (tier between 0 and 4),
      total_bps int not null check (total_bps between 0 and 10000),
      discount_share_bps int not null check (discount_share_bps between 0 and 10000),
      check (total_bps > 0 or discount_share_bps > 0)
    )`.execute(db);
  await sql`
    create table referral_discount (
      trader text primary key check (trader ${ADDRESS}),
      discount_bps int not null check (discount_bps between 0 and 10000),
      version int not null check (version > 0)
    )`.execute(db);
}

/** Credited and claimed rebates. */
async function createRebates(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table referral_batch (
      batch_id text primary key check (batch_id ${BYTES32}),
      operator text not null check (operator ${ADDRESS}),
      user_count int not null check (user_count > 0),
      total numeric(78) not null check (total > 0),
      tx_hash text not null check (tx_hash ${BYTES32}),
      block_number bigint not null
    )`.execute(db);
  await sql`
    create table referral_credit (
      tx_hash text not null check (tx_hash ${BYTES32}),
      ordinal int not null check (ordinal >= 0),
      batch_id text not null check (batch_id ${BYTES32}),
      address text not null check (address ${ADDRESS}),
      amount numeric(78) not null check (amount > 0),
      credited_at timestamptz not null,
      primary key (tx_hash, ordinal)
    )`.execute(db);
  await sql`create index referral_credit_by_batch on referral_credit (batch_id)`.execute(db);
  await sql`create index referral_credit_by_address on referral_credit (address, credited_at)`.execute(db);
  await sql`
    create table referral_claim (
      tx_hash text not null check (tx_hash ${BYTES32}),
      ordinal int not null check (ordinal >= 0),
      address text not null check (address ${ADDRESS}),
      amount numeric(78) not null check (amount > 0),
      nonce bigint not null check (nonce > 0),
      claimed_at timestamptz not null,
      primary key (tx_hash, ordinal)
    )`.execute(db);
  await sql`create index referral_claim_by_address on referral_claim (address, nonce)`.execute(db);
  await sql`
    create table referral_sync (
      batch_ref text primary key,
      digest text not null check (digest ${BYTES32}),
      created_at timestamptz not null
    )`.execute(db);
}

export const referralMigrations: Migrations = {
  "0250_referral_terms": { up: createTerms },
  "0251_referral_rebates": { up: createRebates },
};
