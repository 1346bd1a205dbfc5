import { sql } from "kysely";
import type { Db } from "../../kernel/database/database.ts";
import { TABLE_CLASSES, type TableClass } from "../tables.ts";

/** Tables of a class with the columns that it does not cover. */
const tablesFrom = (from: TableClass["from"]) =>
  Object.entries(TABLE_CLASSES).flatMap(([table, one]) => {
    if (one.from !== from) return [];
    return [{ table, except: Object.keys("except" in one ? (one.except ?? {}) : {}) }];
  });

/** For tests: digests of the tables over the columns that the log knows, each with its number of rows. */
export async function rowDigests(db: Db): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const { table, except } of tablesFrom("log")) {
    const { rows } = await sql<{ digest: string }>`
      select count(*) || ':' || coalesce(md5(string_agg(row, chr(10) order by row)), '') as digest
      from (select (to_jsonb(one) - ${except}::text[])::text as row from ${sql.table(table)} as one) as rows`.execute(
      db,
    );
    digests[table] = rows[0]!.digest;
  }
  return digests;
}
