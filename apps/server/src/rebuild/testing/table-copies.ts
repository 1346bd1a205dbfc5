import { sql } from "kysely";
import type { Db } from "../../kernel/database/database.ts";

/** In the order in which rows can be inserted. */
const TABLES = [
  "outbox",
  "kernel_state",
  "exchange_account",
  "exchange_market",
  "exchange_order",
  "exchange_order_amendment",
  "exchange_algo_order",
  "exchange_fill",
  "exchange_income",
  "exchange_bonus_line",
  "exchange_margin_move",
  "exchange_tier_change",
  "exchange_funding_rate",
  "exchange_kline",
  "exchange_risk_event",
  "exchange_pair_hour",
  "exchange_cursor",
  "deposit",
  "withdrawal",
  "bonus_campaign",
  "bonus_batch",
  "bonus_account",
  "bonus_pool",
  "bonus_pool_line",
  "bonus_line_sum",
] as const;

const IDENTITIES = ["outbox", "bonus_campaign", "bonus_account", "bonus_pool_line"];

/** The rows of these tables at one moment, as a backup has them. */
export type TableCopy = Readonly<Record<string, string>>;

export async function copyTables(db: Db): Promise<TableCopy> {
  const columns = TABLES.map(
    (table) => sql`(select coalesce(json_agg(one), '[]')::text from ${sql.table(table)} as one) as ${sql.ref(table)}`,
  );
  const { rows } = await sql<TableCopy>`select ${sql.join(columns)}`.execute(db);
  return rows[0]!;
}

/** Replaces the rows of the tables by those of the copy. */
export async function putBack(db: Db, copy: TableCopy): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Faster than to truncate tables that have a few rows.
    for (const table of TABLES.toReversed()) await sql`delete from ${sql.table(table)}`.execute(tx);
    for (const table of TABLES) {
      if (copy[table] === "[]") continue;
      await sql`insert into ${sql.table(table)} overriding system value
        select * from json_populate_recordset(null::${sql.table(table)}, ${copy[table]}::json)`.execute(tx);
    }
    for (const table of IDENTITIES) {
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce((select max(id) from ${sql.table(table)}), 1),
        exists (select from ${sql.table(table)}))`.execute(tx);
    }
  });
}
