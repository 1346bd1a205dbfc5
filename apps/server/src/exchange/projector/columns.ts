import { sql } from "kysely";
import type { Tx } from "../../kernel/database/database.ts";
import type { BigintColumn } from "../../kernel/database/tables.ts";

/*
 * A table is named once, as its columns with their SQL types: what is written and what is read follow from it. Rows go in
 * as one array per column, so that a thousand of them are one statement.
 */

export type SqlType = "bigint" | "integer" | "smallint" | "text" | "boolean";
export type Columns = Readonly<Record<string, SqlType>>;

type Written<Type extends SqlType> = Type extends "text" ? string : Type extends "boolean" ? boolean : number;
type Stored<Type extends SqlType> = Type extends "bigint" ? BigintColumn : Written<Type>;

/** A row as the projector makes it: whole numbers within the safe range, also where the column is a bigint. */
export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: Written<C[Name]> };
/** What may be written: sums that could leave the safe range come as bigint. */
type WritableRow<C extends Columns> = {
  readonly [Name in keyof C]: Written<C[Name]> | (C[Name] extends "bigint" ? bigint : never);
};
/** The same table as Kysely sees it. */
export type TableOf<C extends Columns> = { [Name in keyof C]: Stored<C[Name]> };

const MOST_ROWS_PER_STATEMENT = 5_000;

function arraysOf(columns: Columns, rows: readonly object[]) {
  return sql.join(
    Object.entries(columns).map(([name, type]) => {
      const values = rows.map((row) => (row as Readonly<Record<string, unknown>>)[name] ?? null);
      return sql`${values}::${sql.raw(type)}[]`;
    }),
  );
}

const namesOf = (columns: Columns) => sql.join(Object.keys(columns).map((name) => sql.ref(name)));

/** The rows as a table expression, for `from`. Columns that a row lacks are null. */
export function tableOf(columns: Columns, rows: readonly object[], alias: string) {
  return sql`unnest(${arraysOf(columns, rows)}) as ${sql.ref(alias)} (${namesOf(columns)})`;
}

function chunksOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  if (rows.length <= MOST_ROWS_PER_STATEMENT) return rows.length === 0 ? [] : [rows];
  const chunks: (readonly Row[])[] = [];
  for (let at = 0; at < rows.length; at += MOST_ROWS_PER_STATEMENT) {
    chunks.push(rows.slice(at, at + MOST_ROWS_PER_STATEMENT));
  }
  return chunks;
}

/** `ending` goes behind the statement, such as what to do where a row exists. */
export async function insertRows<C extends Columns>(
  tx: Tx,
  table: string,
  columns: C,
  rows: readonly WritableRow<C>[],
  ending = sql``,
): Promise<void> {
  for (const chunk of chunksOf(rows)) {
    await sql`
      insert into ${sql.table(table)} (${namesOf(columns)})
      select * from unnest(${arraysOf(columns, chunk)}) ${ending}`.execute(tx);
  }
}

/** A row that should be there is not, or the other way round: the tables and the events contradict each other. */
export class ProjectionFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ProjectionFault";
  }
}

/** Sets columns by the key column, which is the first; null in a row leaves its column as it is. Answers how many rows were there. */
export async function updateRows(tx: Tx, table: string, columns: Columns, rows: readonly object[]): Promise<number> {
  const [key, ...names] = Object.keys(columns);
  const settings = sql.join(
    names.map((name) => sql`${sql.ref(name)} = coalesce(${sql.ref(`change.${name}`)}, ${sql.ref(`kept.${name}`)})`),
  );
  let updated = 0;
  for (const chunk of chunksOf(rows)) {
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} as kept set ${settings} from ${tableOf(columns, chunk, "change")}
      where ${sql.ref(`kept.${key}`)} = ${sql.ref(`change.${key}`)}`.execute(tx);
    updated += Number(numAffectedRows);
  }
  return updated;
}
