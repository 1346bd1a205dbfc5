import { sql } from "kysely";
import type { Db } from "../../../kernel/database/database.ts";

const TABLES = [
  "rebate_record",
  "rebate_period",
  "rebate_root",
  "broker_day_total",
  "broker_total",
  "broker_downline_total",
];

/**
 * A digest of every row that settlement writes, with the transactions that wrote them, so that rewriting an equal row shows too.
 */
export async function digestOf(db: Db, { withWriters = true } = {}): Promise<string> {
  const digests: string[] = [];
  for (const table of TABLES) {
    const row = sql.raw(withWriters ? "xmin::text || ctid::text || row_of::text" : "row_of::text");
    const { rows } = await sql<{ digest: string | null }>`
      select md5(string_agg(${row}, '|' order by row_of::text)) as digest from ${sql.table(table)} as row_of`.execute(
      db,
    );
    digests.push(`${table}:${rows[0]?.digest}`);
  }
  return digests.join(" ");
}
