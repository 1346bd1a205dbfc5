import { sql } from "kysely";
import type { Db, Tx } from "../../apps/server/src/kernel/database/database.ts";

const TABLES = ["exchange_account", "outbox", "bonus_batch", "bonus_code", "bonus_account", "bonus_pool_line"];

/** The same columns, checks, indexes and references as the program's own tables. */
export async function createBareTables(db: Db): Promise<void> {
  for (const table of TABLES) {
    await sql`create table ${sql.table(`bare_${table}`)} (like ${sql.table(table)} including all)`.execute(db);
  }
  const references: readonly (readonly [string, string, string])[] = [
    ["bare_bonus_batch", "campaign_id", "bonus_campaign"],
    ["bare_bonus_code", "batch_id", "bare_bonus_batch"],
    ["bare_bonus_account", "campaign_id", "bonus_campaign"],
    ["bare_bonus_account", "batch_id", "bare_bonus_batch"],
    ["bare_bonus_account", "code_hash", "bare_bonus_code"],
    ["bare_bonus_pool_line", "bonus_account_id", "bare_bonus_account"],
  ];
  for (const [table, column, target] of references) {
    await sql`alter table ${sql.table(table)} add foreign key (${sql.ref(column)}) references ${sql.table(target)}`.execute(
      db,
    );
  }
}

const batchOf = (round: number) => sql`md5('bare:' || ${round}::int)::uuid`;

async function insertBatch(tx: Tx, round: number, recipients: number): Promise<void> {
  await sql`
    insert into bare_bonus_batch (id, campaign_id, batch_name, grant_tier, per_address_micros, max_leverage,
      operator_addr, created_count, failed_count, created_by, created_at)
    values (${batchOf(round)}, 1, 'bare', 'COMMUNITY', 10000000, 10, '0x' || repeat('52', 20), ${recipients}::int, 0,
      'bench', now())`.execute(tx);
}

/** Only the rows of a grant: no lookups, no checks, and the database generates all values. */
export async function insertBareGrants(db: Db, round: number, recipients: number): Promise<void> {
  const first = (round - 1) * recipients + 1;
  const accounts = sql`generate_series(${first}::int, ${first + recipients - 1}::int) n`;
  const address = sql`'0x' || lpad(to_hex(n), 40, '0')`;
  await db.transaction().execute(async (tx) => {
    await insertBatch(tx, round, recipients);
    await sql`insert into bare_exchange_account (account, address, opened_at) select n, ${address}, now() from ${accounts}`.execute(
      tx,
    );
    await sql`
      insert into bare_outbox (topic, ref, payload, created_at)
      select 'exchange', 'open-account:' || n, jsonb_build_object('kind', 'open_account', 'account', n), now()
      from ${accounts}`.execute(tx);
    await sql`
      insert into bare_bonus_account (campaign_id, address, account, batch_id, amount_micros, max_leverage, grant_tier,
        granted_at, expires_at, status)
      select 1, ${address}, n, ${batchOf(round)}, 10000000, 10, 'COMMUNITY', now(), now() + interval '7 days', 'active'
      from ${accounts}`.execute(tx);
    await sql`
      insert into bare_bonus_pool_line (kind, amount_micros, bonus_account_id, account, time_ms)
      select 'GRANT', amount_micros, id, account, 0 from bare_bonus_account where batch_id = ${batchOf(round)}`.execute(
      tx,
    );
    await sql`
      insert into bare_outbox (topic, ref, payload, created_at)
      select 'exchange', 'bonus-grant:' || n, jsonb_build_object('kind', 'grant_bonus', 'account', n, 'amount_micros',
        10000000, 'maxLeverage', 10, 'expires_ms', 1780000000000), now()
      from ${accounts}`.execute(tx);
  });
}

/** The rows of codes, whose hashes the database generates. */
export async function insertBareCodes(db: Db, round: number, count: number): Promise<void> {
  await sql`
    insert into bare_bonus_code (code_hash, batch_id, request_id, place, amount_micros, expires_at, created_at)
    select sha256(convert_to(${round}::int || ':' || n, 'utf8')), ${batchOf(1)}, 'codes-' || ${round}::int, n - 1, 1,
      now() + interval '30 days', now()
    from generate_series(1, ${count}::int) n`.execute(db);
}
