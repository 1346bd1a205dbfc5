import { sql } from "kysely";
import type { BrokerTx } from "../tables.ts";

/** A statement may take only so long: what touches more rows than this is done in several. */
const PORTION_rows = 5_000;

/** The places 1 to `rows`, some thousands at a time; both ends belong to a portion. */
export function* inPortions(rows: number, portion = PORTION_rows): Generator<{ first: number; last: number }> {
  for (let first = 1; first <= rows; first += portion) yield { first, last: Math.min(first + portion - 1, rows) };
}

/** How many rows a table of the transaction has. */
export async function rowsOf(tx: BrokerTx, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from ${sql.table(table)}`.execute(tx);
  return rows[0]?.rows ?? 0;
}
