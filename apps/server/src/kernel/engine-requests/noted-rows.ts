import { type Command, disclosureOf } from "@bourse/engine";
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../database/database.ts";
import type { JsonValue } from "../database/tables.ts";

/** What the log keeps of a request beside the command (LOG-1). */
export interface RequestNotes {
  /** Public: what only the database knew otherwise, such as a row of terms. */
  readonly details?: object;
  /** Private, such as a wallet: the log has only a commitment to it, and the text itself beside it. */
  readonly secret?: string;
}

/** LOG-3: a table of settings whose rows are in the log, each as it is after a change. */
export interface NotedTable {
  readonly name: string;
  readonly key: readonly string[];
  /** The columns that are private: the log has a commitment to them. */
  readonly secret?: readonly string[];
  /** The column that the database numbers. */
  readonly identity?: string;
  /** Rows are added, never changed. */
  readonly isKept?: boolean;
}

export type NotedRow = Readonly<Record<string, JsonValue>>;

/** A row as the log has it; of a removed row only its key. */
export interface Noted {
  readonly table: string;
  readonly row: NotedRow;
  readonly isGone: boolean;
}

/** The rows of a table that meet the condition, in which the table is called `one`. */
export async function readNoted(
  db: Db | Tx,
  { name }: NotedTable,
  condition: RawBuilder<unknown>,
): Promise<NotedRow[]> {
  const { rows } = await sql<{ row: NotedRow }>`
    select to_jsonb(one) as row from ${sql.table(name)} as one where ${condition}`.execute(db);
  return rows.map(({ row }) => row);
}

/** What the log keeps of a row. */
export function notesOf({ name, secret = [] }: NotedTable, row: NotedRow, isGone: boolean): RequestNotes {
  const isSecret = ([column]: [string, JsonValue]) => secret.includes(column);
  const columns = Object.entries(row);
  const shown = Object.fromEntries(columns.filter((column) => !isSecret(column)));
  const hidden = columns.filter(isSecret);
  return {
    details: { table: name, row: shown, ...(isGone ? { gone: true } : {}) },
    ...(hidden.length === 0 ? {} : { secret: JSON.stringify(Object.fromEntries(hidden)) }),
  };
}

/** The row that a command of the log notes; undefined for other commands and for other notes. */
export function notedBy(command: Command): Noted | undefined {
  if (command.kind !== "note" || command.details === undefined) return undefined;
  const { table, row, gone } = JSON.parse(command.details) as { table?: string; row?: NotedRow; gone?: boolean };
  if (table === undefined || row === undefined) return undefined;
  const fields = disclosureOf(command)?.fields;
  return { table, row: fields === undefined ? row : { ...row, ...JSON.parse(fields) }, isGone: gone === true };
}

/** Writes rows as they were noted, and removes those that are gone. Of several with one key the last counts. */
export async function writeNoted(tx: Tx, table: NotedTable, noted: readonly Noted[]): Promise<number> {
  const last = new Map<string, Noted>();
  for (const one of noted) {
    if (one.table === table.name) last.set(JSON.stringify(table.key.map((column) => one.row[column])), one);
  }
  const kept = Map.groupBy(
    [...last.values()].filter(({ isGone }) => !isGone).map(({ row }) => row),
    // Rows that an earlier release noted may lack columns, which keep their defaults.
    (row) => Object.keys(row).sort().join(),
  );
  for (const rows of kept.values()) await upsert(tx, table, rows);
  const gone = [...last.values()].filter(({ isGone }) => isGone).map(({ row }) => row);
  if (gone.length > 0) await remove(tx, table, gone);
  if (kept.size > 0) await followIdentity(tx, table);
  return last.size;
}

const recordsOf = ({ name }: NotedTable, rows: readonly NotedRow[]) =>
  sql`jsonb_populate_recordset(null::${sql.table(name)}, ${JSON.stringify(rows)}::jsonb)`;

async function upsert(tx: Tx, table: NotedTable, rows: readonly NotedRow[]): Promise<void> {
  const names = Object.keys(rows[0]!);
  const columns = sql.join(names.map((name) => sql.ref(name)));
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  const changed = table.isKept === true ? [] : names.filter((name) => !table.key.includes(name));
  const changes = changed.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  await sql`
    insert into ${sql.table(table.name)} (${columns}) overriding system value
    select ${columns} from ${recordsOf(table, rows)}
    on conflict (${key}) ${changes.length === 0 ? sql`do nothing` : sql`do update set ${sql.join(changes)}`}`.execute(
    tx,
  );
}

async function remove(tx: Tx, table: NotedTable, rows: readonly NotedRow[]): Promise<void> {
  const isSame = table.key.map((name) => sql`one.${sql.ref(name)} = gone.${sql.ref(name)}`);
  await sql`
    delete from ${sql.table(table.name)} as one using ${recordsOf(table, rows)} as gone
    where ${sql.join(isSame, sql` and `)}`.execute(tx);
}

/** The database numbers the next row behind those that were written with their numbers. */
async function followIdentity(tx: Tx, { name, identity }: NotedTable): Promise<void> {
  if (identity === undefined) return;
  await sql`
    select setval(pg_get_serial_sequence(${name}, ${identity}), greatest(
      (select max(${sql.ref(identity)}) from ${sql.table(name)}),
      coalesce(pg_sequence_last_value(pg_get_serial_sequence(${name}, ${identity})::regclass), 1)))`.execute(tx);
}
