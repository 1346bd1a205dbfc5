import { type Kysely, sql } from "kysely";
import type { Migrations } from "./migrations.ts";

async function createOutbox(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outbox (
      id bigint generated always as identity primary key,
      topic text not null,
      ref text not null unique,
      payload jsonb not null,
      created_at timestamptz not null,
      dispatch_seq bigint unique,
      delivered_at timestamptz,
      check (delivered_at is null or dispatch_seq is not null)
    )`.execute(db);
  await sql`create index outbox_undispatched on outbox (id) where dispatch_seq is null`.execute(db);
  await sql`
    create index outbox_undelivered on outbox (dispatch_seq)
    where dispatch_seq is not null and delivered_at is null`.execute(db);
}

async function createStateTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table job_state (
      name text primary key,
      watermark timestamptz not null,
      last_started_at timestamptz,
      last_finished_at timestamptz,
      last_error text,
      consecutive_failures int not null default 0,
      runs bigint not null default 0
    )`.execute(db);
  await sql`
    create table kernel_state (
      key text primary key,
      value jsonb not null,
      updated_at timestamptz not null
    )`.execute(db);
}

async function createAuditLog(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table audit_log (
      seq bigint primary key,
      -- To the millisecond, which is what the hash covers: a finer change could not be seen.
      at timestamptz(3) not null,
      actor text not null,
      role text not null,
      ip text,
      action text not null,
      target text,
      before jsonb,
      after jsonb,
      reason text,
      request_id text,
      prev_hash text not null,
      hash text not null
    )`.execute(db);
  await sql`create index audit_log_by_actor on audit_log (actor, seq)`.execute(db);
  await sql`create index audit_log_by_action on audit_log (action, seq)`.execute(db);
  await sql`
    create function audit_log_refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is append-only: % refused', tg_op;
    end $$`.execute(db);
  await sql`
    create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function audit_log_refuse_change()`.execute(db);
}

export const kernelMigrations: Migrations = {
  "0001_kernel": {
    async up(db: Kysely<unknown>) {
      await createOutbox(db);
      await createStateTables(db);
      await createAuditLog(db);
    },
  },
};
