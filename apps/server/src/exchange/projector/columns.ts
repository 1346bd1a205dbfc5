import { compiled } from "@bourse/engine";
import { type ColumnType, CompiledQuery } from "kysely";
import { COPY_NULL, copyQuery, copyValue } from "../../kernel/database/copy.ts";
import type { Tx } from "../../kernel/database/database.ts";
import type { BigintColumn } from "../../kernel/database/tables.ts";

/*
 * A table is named once, as its columns with their SQL types: what is written and what is read follow from it. New rows are
 * copied in as lines of text; those that may exist, and changes, go in as one array per column. Thousands of them are one statement.
 */

type PlainType = "bigint" | "integer" | "smallint" | "text" | "date" | "boolean";
/** With a question mark: null where there is nothing to say. */
export type SqlType = PlainType | `${PlainType}?`;
export type Columns = Readonly<Record<string, SqlType>>;

type Written<Type extends SqlType> = Type extends `${infer Plain extends PlainType}?`
  ? Written<Plain> | null
  : Type extends "text" | "date"
    ? string
    : Type extends "boolean"
      ? boolean
      : number;
type Stored<Type extends SqlType> = Type extends "bigint"
  ? BigintColumn
  : Type extends "bigint?"
    ? ColumnType<bigint | null>
    : Written<Type>;

/** A row as the projector makes it: whole numbers within the safe range, also where the column is a bigint. */
export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: Written<C[Name]> };
/** What may be written: sums that could leave the safe range come as bigint. */
type WritableRow<C extends Columns> = {
  readonly [Name in keyof C]: Written<C[Name]> | (C[Name] extends "bigint" ? bigint : never);
};
/** The same table as Kysely sees it. */
export type TableOf<C extends Columns> = { [Name in keyof C]: Stored<C[Name]> };

/** A record that is stored as it is. */
export type RecordOf<C extends Columns> = { readonly [Name in keyof C]: Written<C[Name]> };

/** The column of a field: `time_in_force` of `timeInForce`. */
type ColumnName<Field extends string> = Field extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${ColumnName<Rest>}`
  : "";
const columnName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const absent = (type: SqlType) => (type === "boolean" ? false : type === "text" || type === "date" ? "" : 0);

type Names = readonly (readonly [to: string, from: string])[];

const copies = (names: Names, source: string) => names.map(([to, from]) => `${to}: ${source}.${from}`);

/** Copies fields. Compiled, so that each has a line of its own as if written by hand: every order passes here. */
const copier = (names: Names) =>
  compiled<(from: unknown) => unknown>(["from"], `return { ${copies(names, "from").join(", ")} };`);

/** Fields of a record, each with a column of its name: this is all that has to be said of them. */
export class StoredFields<
  C extends Columns,
  Stored extends Columns = { readonly [Field in keyof C & string as ColumnName<Field>]: C[Field] },
> {
  readonly columns: Stored;
  /** Each column with its field. */
  readonly names: Names;
  /** What is absent is 0, false or "". */
  readonly none: RecordOf<C>;
  readonly rowOf: (record: RecordOf<C>) => RowOf<Stored>;
  readonly recordOf: (row: Readonly<RowOf<Stored>>) => RecordOf<C>;

  constructor(fields: C) {
    const all = Object.entries(fields).map(([field, type]) => ({ field, column: columnName(field), type }));
    this.columns = Object.fromEntries(all.map(({ column, type }) => [column, type])) as unknown as Stored;
    this.none = Object.fromEntries(all.map(({ field, type }) => [field, absent(type)])) as RecordOf<C>;
    this.names = all.map(({ field, column }) => [column, field]);
    this.rowOf = copier(this.names) as typeof this.rowOf;
    this.recordOf = copier(all.map(({ field, column }) => [field, column])) as typeof this.recordOf;
  }
}

/**
 * Makes rows of a table from records with stored fields, one of each kind. The columns that belong to none of them are
 * null until the caller sets them. One object from the beginning: spreading the parts took four times as long.
 */
export function rowMaker<C extends Columns, Records extends readonly object[]>(
  columns: C,
  ...parts: { readonly [Place in keyof Records]: { readonly names: Names; rowOf(record: Records[Place]): unknown } }
): (...records: Records) => RowOf<C> {
  const copied = parts.flatMap(({ names }, place) => copies(names, `record${place}`));
  const isCopied = new Set(parts.flatMap(({ names }) => names.map(([column]) => column)));
  const others = Object.keys(columns).filter((column) => !isCopied.has(column));
  const fields = [...copied, ...others.map((column) => `${column}: null`)];
  return compiled(
    parts.map((_part, place) => `record${place}`),
    `return { ${fields.join(", ")} };`,
  );
}

const MAX_ROWS_PER_STATEMENT = 5_000;

const quoted = (name: string) => `"${name}"`;

/** The rows as a table expression, one parameter per column. */
const unnested = (columns: Columns) =>
  `unnest(${Object.values(columns)
    .map((type, place) => `$${place + 1}::${type.replace("?", "")}[]`)
    .join(", ")})`;

/** One array per column; columns that a row lacks are null. Compiled, as reading by name took four times as long. */
function arrayMaker(columns: Columns): (rows: readonly object[]) => unknown[][] {
  const names = Object.keys(columns);
  return compiled(
    ["rows"],
    `const count = rows.length;
     ${names.map((name) => `const ${name}$ = new Array(count);`).join(" ")}
     for (let at = 0; at < count; at += 1) {
       const row = rows[at];
       ${names.map((name) => `${name}$[at] = row.${name} ?? null;`).join(" ")}
     }
     return [${names.map((name) => `${name}$`).join(", ")}];`,
  );
}

/** The text of a column's value in a line of COPY. */
function copiedColumn(name: string, type: SqlType): string {
  if (type.startsWith("text")) return `copyValue(row.${name})`;
  return type.endsWith("?") ? `row.${name} ?? none` : `row.${name}`;
}

/** The rows as lines of COPY. Compiled for the same reason. */
function lineMaker(columns: Columns): (rows: readonly object[]) => string {
  const values = Object.entries(columns).map(([name, type]) => `\${${copiedColumn(name, type)}}`);
  const linesOf = compiled<(rows: readonly object[], value: typeof copyValue, none: string) => string>(
    ["rows", "copyValue", "none"],
    `let lines = "";
     for (let at = 0; at < rows.length; at += 1) {
       const row = rows[at];
       lines += \`${values.join("\\t")}\\n\`;
     }
     return lines;`,
  );
  return (rows) => linesOf(rows, copyValue, COPY_NULL);
}

function* chunksOf<Row>(rows: readonly Row[]): Iterable<readonly Row[]> {
  for (let at = 0; at < rows.length; at += MAX_ROWS_PER_STATEMENT) {
    yield at === 0 && rows.length <= MAX_ROWS_PER_STATEMENT ? rows : rows.slice(at, at + MAX_ROWS_PER_STATEMENT);
  }
}

/** Inserts into one table. Its statement is put together once: it is the same for every batch. */
export class RowInserter<C extends Columns> {
  readonly #queryOf: (rows: readonly object[]) => CompiledQuery;

  /** `onConflict`: what to do where a row exists; without it that is an error. */
  constructor(table: string, columns: C, onConflict = "") {
    const target = `${quoted(table)} (${Object.keys(columns).map(quoted).join(", ")})`;
    if (onConflict === "") {
      const linesOf = lineMaker(columns);
      this.#queryOf = (rows) => copyQuery(`copy ${target} from stdin`, linesOf(rows));
    } else {
      const arraysOf = arrayMaker(columns);
      const statement = `insert into ${target} select * from ${unnested(columns)} ${onConflict}`;
      this.#queryOf = (rows) => CompiledQuery.raw(statement, arraysOf(rows));
    }
  }

  /** The statements that insert the rows, each put together when it is asked for. */
  *queries(rows: readonly WritableRow<C>[]): Iterable<CompiledQuery> {
    for (const chunk of chunksOf(rows)) yield this.#queryOf(chunk);
  }

  async insert(tx: Tx, rows: readonly WritableRow<C>[]): Promise<void> {
    for (const query of this.queries(rows)) await tx.executeQuery(query);
  }
}

/** Inserts one statement after the other; the next one is put together while the database works on the last. */
export class InsertQueue {
  readonly #tx: Tx;
  #running: Promise<unknown> = Promise.resolve();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  async insert<C extends Columns>(into: RowInserter<C>, rows: readonly WritableRow<C>[]): Promise<void> {
    for (const query of into.queries(rows)) {
      await this.#running;
      this.#running = this.#tx.executeQuery(query);
      // Whoever waits next learns of it; nobody may be left to wait if something else fails before.
      this.#running.catch(() => undefined);
    }
  }

  /** Resolves once everything is inserted. */
  async finish(): Promise<void> {
    await this.#running;
  }
}

/** A row that should be there is not, or the other way round: the tables and the events contradict each other. */
export class ProjectionFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ProjectionFault";
  }
}

/** Sets columns by the key column, which is the first; null in a row leaves its column as it is. */
export class RowUpdater<C extends Columns> {
  readonly #arraysOf: ReturnType<typeof arrayMaker>;
  readonly #statement: string;

  /** `condition` leaves out rows that it does not hold for. */
  constructor(table: string, columns: C, condition = "true") {
    const all = Object.keys(columns).map(quoted);
    const [key, ...names] = all;
    const settings = names.map((name) => `${name} = coalesce(change.${name}, kept.${name})`).join(", ");
    this.#arraysOf = arrayMaker(columns);
    this.#statement = `
      update ${quoted(table)} as kept set ${settings} from ${unnested(columns)} as change (${all.join(", ")})
      where kept.${key} = change.${key} and ${condition}`;
  }

  /** Answers how many of the rows were there. */
  async update(tx: Tx, rows: readonly object[]): Promise<number> {
    let updated = 0;
    for (const chunk of chunksOf(rows)) {
      const query = CompiledQuery.raw(this.#statement, this.#arraysOf(chunk));
      const { numAffectedRows = 0n } = await tx.executeQuery(query);
      updated += Number(numAffectedRows);
    }
    return updated;
  }
}
