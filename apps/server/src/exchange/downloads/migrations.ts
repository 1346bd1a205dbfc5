import { type Kysely, sql } from "kysely";
import type { Migrations } from "../../kernel/database/migrations.ts";

async function createDownloads(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table exchange_download (
      download_id uuid primary key,
      account int not null check (account > 0),
      kind text not null check (kind in ('income', 'order', 'trade')),
      from_ms bigint not null,
      to_ms bigint not null,
      requested_ms bigint not null,
      parts int not null default 0,
      next_cursor text,
      completed_ms bigint
    )`.execute(db);
  // One at a time for each account.
  await sql`
    create unique index exchange_download_processed on exchange_download (account)
    where completed_ms is null`.execute(db);
  await sql`create index exchange_download_by_account on exchange_download (account, requested_ms)`.execute(db);
  await sql`create index exchange_download_by_time on exchange_download (requested_ms)`.execute(db);
  await sql`
    create index exchange_download_filled on exchange_download (completed_ms)
    where parts > 0 and completed_ms is not null`.execute(db);
  await sql`
    create table exchange_download_part (
      download_id uuid not null references exchange_download on delete cascade,
      part int not null,
      content text not null,
      primary key (download_id, part)
    )`.execute(db);
}

export const downloadMigrations: Migrations = {
  "0161_downloads": { up: createDownloads },
};
