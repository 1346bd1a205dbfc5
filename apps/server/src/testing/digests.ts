import { sql } from "kysely";
import type { Db } from "../kernel/database/database.ts";

/** Of outbox messages only their contents, because the dispatcher numbers and marks them concurrently. */
const OUTBOX_COLUMNS = sql`row(one.topic, one.ref, one.payload)`;

/** The contents of tables, for tests that nothing changes them. */
export async function digestsOf(db: Db, tables: readonly string[]): Promise<Record<string, string>> {
  const digests = tables.map((table) => {
    const row = table === "outbox" ? OUTBOX_COLUMNS : sql`one`;
    return sql`
      select ${table}::text as table, count(*) || ':' || coalesce(md5(string_agg(${row}::text, chr(10) order by ${row}::text)), '') as digest
      from ${sql.table(table)} as one`;
  });
  const all = sql<{ table: string; digest: string }>`${sql.join(digests, sql` union all `)}`;
  const { rows } = await all.execute(db);
  return Object.fromEntries(rows.map(({ table, digest }) => [table, digest]));
}
