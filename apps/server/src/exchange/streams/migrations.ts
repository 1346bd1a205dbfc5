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

export const streamMigrations: Migrations = {
  "0140_listen_key": { up: createListenKey },
};
