import { sql } from "kysely";
import type { BrokerTx } from "../tables.ts";

/** Statements have a time limit: changes of more rows than this are split. */
const PORTION_rows = 5_000;

/** Splits the indexes 1 to `rows` into portions; both ends of a portion are inclusive. */
export function* inPortions(rows: number, portion = PORTION_rows): Generator<{ first: number; last: number }> {
  for (let first = 1; first <= rows; first += portion) yield { first, last: Math.min(first + portion - 1, rows) };
}

/** The number of rows of a temporary table of the transaction. */
export async function rowsOf(tx: BrokerTx, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from ${sql.table(table)}`.execute(tx);
  return rows[0]?.rows ?? 0;
}
