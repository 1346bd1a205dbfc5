import { type Kysely, sql } from "kysely";
import type { Migrations } from "../../kernel/database/migrations.ts";

async function createListenKey(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table listen_key (
      address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
      nonce text not null,
      expires_at timestamptz not null
    )`.execute(db);
}

/** Events from before this table exists are not in it; the floor marks them as missing. */
async function createPrivateEvents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_private_event (
      account int not null,
      last_seq bigint not null,
      first_seq bigint not null check (first_seq <= last_seq),
      last_ms bigint not null,
      events bytea not null,
      primary key (account, last_seq)
    )`.execute(db);
  await sql`create index exchange_private_event_by_time on exchange_private_event (last_ms)`.execute(db);
  await sql`create table exchange_private_floor (account int primary key, seq bigint not null)`.execute(db);
  await sql`
    create table exchange_private_cursor (
      command_number bigint not null,
      last_seq bigint not null,
      floor_seq bigint not null
    )`.execute(db);
}

export const streamMigrations: Migrations = {
  "0140_listen_key": { up: createListenKey },
  "0141_private_event": { up: createPrivateEvents },
};
