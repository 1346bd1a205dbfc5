import { type Kysely, sql } from "kysely";
import type { Migrations } from "../kernel/database/migrations.ts";

async function createSignInTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table auth_nonce (
      nonce_hash text primary key,
      address text not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index auth_nonce_by_expiry on auth_nonce (expires_at)`.execute(db);
  await sql`
    create table wallet (
      address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
      first_sign_in_at timestamptz not null,
      last_sign_in_at timestamptz not null
    )`.execute(db);
  await sql`
    create table staff (
      id uuid primary key,
      username text not null,
      username_key text not null unique,
      display_name text not null,
      role text not null check (role in ('admin', 'bd')),
      status text not null check (status in ('active', 'disabled')),
      password_hash text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`
    create table login_failure (
      username_key text primary key,
      failures int not null check (failures > 0),
      locked_until timestamptz,
      last_failure_at timestamptz not null
    )`.execute(db);
}

async function createSessionTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table session (
      id uuid primary key,
      subject text not null,
      role text not null check (role in ('wallet', 'admin', 'bd')),
      ip text,
      created_at timestamptz not null,
      revoked_at timestamptz,
      revoked_reason text,
      check ((revoked_at is null) = (revoked_reason is null))
    )`.execute(db);
  await sql`create index session_by_subject on session (subject)`.execute(db);
  await sql`create index session_revoked on session (revoked_at) where revoked_at is not null`.execute(db);
  await sql`
    create table refresh_token (
      token_hash text primary key,
      session_id uuid not null references session (id) on delete cascade,
      issued_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    )`.execute(db);
  await sql`create index refresh_token_by_session on refresh_token (session_id)`.execute(db);
  await sql`create index refresh_token_by_expiry on refresh_token (expires_at)`.execute(db);
}

async function createApiKeyTable(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_key (
      api_key text primary key check (length(api_key) = 64),
      wallet text not null,
      label text not null,
      permissions text[] not null check (cardinality(permissions) > 0),
      ip_whitelist text[] not null,
      sealed_secret bytea not null,
      created_at timestamptz not null,
      expires_at timestamptz,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index api_key_by_wallet on api_key (wallet, created_at) where revoked_at is null`.execute(db);
}

async function addForgottenWallets(db: Kysely<unknown>): Promise<void> {
  await sql`alter table wallet add column is_kept boolean not null default false`.execute(db);
  await sql`create index wallet_by_last_sign_in on wallet (last_sign_in_at) where not is_kept`.execute(db);
  await sql`
    create table forgotten_wallet (
      address bytea primary key check (length(address) = 20),
      first_sign_in_at timestamptz not null
    )`.execute(db);
}

async function addPublicKeys(db: Kysely<unknown>): Promise<void> {
  await sql`alter table api_key add column public_key text`.execute(db);
}

export const identityMigrations: Migrations = {
  "0002_identity": {
    async up(db: Kysely<unknown>) {
      await createSignInTables(db);
      await createSessionTables(db);
      await createApiKeyTable(db);
    },
  },
  "0003_forgotten_wallets": { up: addForgottenWallets },
  "0004_public_keys": { up: addPublicKeys },
};
