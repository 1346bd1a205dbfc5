import { type Kysely, sql } from "kysely";
import type { Database, Db, Tx } from "../../kernel/database/database.ts";
import { WEEK_ms } from "../../kernel/dates.ts";

/** LOG-8: a table that is partitioned by `time_ms`: rows are only ever added, and leave with their partition. */
export interface HistoryTable {
  readonly name: string;
  /** Unique within each partition, where it does not contain the time and cannot be unique in the whole table. */
  readonly partitionKey?: string;
}

export const HISTORY_TABLES: readonly HistoryTable[] = [
  // Trades of a market rise with time. That none is written twice rests on the projector's cursor.
  { name: "exchange_fill", partitionKey: "market, trade, side" },
  { name: "exchange_income" },
  { name: "exchange_equity" },
];

export interface Partition {
  readonly name: string;
  /** Exclusive; undefined for the one that takes what no other does. */
  readonly end_ms: number | undefined;
}

/** Partitions are made this far ahead. Where they end, rows go into the default partition. */
const AHEAD_weeks = 4;
const LOCK_TIMEOUT = "2s";

export const defaultOf = (table: string) => `${table}_default`;

const nameOf = (table: string, from_ms: number) =>
  `${table}_p${new Date(from_ms).toISOString().slice(0, 10).replaceAll("-", "")}`;

/**
 * Makes a table partitioned. Its rows stay where they are: the old table becomes the first partition, and is read once for its
 * bound, not rewritten. Its indexes become those of the partition.
 */
export async function partitionTable(
  db: Kysely<unknown>,
  { name, partitionKey }: HistoryTable,
  indexes: readonly string[],
) {
  const old = `${name}_before`;
  const { rows } = await sql<{ last: bigint | null }>`select max(time_ms) as last from ${sql.table(name)}`.execute(db);
  const last = rows[0]?.last ?? null;
  await sql`alter table ${sql.table(name)} rename to ${sql.ref(old)}`.execute(db);
  for (const index of [`${name}_pkey`, ...indexes.map((definition) => definition.split(" ")[0]!)]) {
    await sql`alter index ${sql.ref(index)} rename to ${sql.ref(index.replace(name, old))}`.execute(db);
  }
  await sql`create table ${sql.table(name)} (like ${sql.table(old)}) partition by range (time_ms)`.execute(db);
  if (partitionKey === undefined) {
    const { rows: keys } = await sql<{ columns: string }>`
      select string_agg(quote_ident(attname), ', ' order by place) as columns
      from pg_constraint, unnest(conkey) with ordinality as key (number, place)
      join pg_attribute on attnum = number
      where conrelid = ${old}::regclass and contype = 'p' and attrelid = conrelid`.execute(db);
    await sql`alter table ${sql.table(name)} add primary key (${sql.raw(keys[0]!.columns)})`.execute(db);
  }
  for (const definition of indexes) {
    await sql.raw(`create index ${definition.replace(" ", ` on ${name} `)}`).execute(db);
  }
  if (last === null) await sql`drop table ${sql.table(old)}`.execute(db);
  else await attachUntil(db, name, old, Number(last));
  await sql`create table ${sql.table(defaultOf(name))} partition of ${sql.table(name)} default`.execute(db);
  await addKey(db, defaultOf(name), partitionKey);
  // Its rows are removed by their time.
  await sql`create index on ${sql.table(defaultOf(name))} (time_ms)`.execute(db);
}

async function attachUntil(db: Kysely<unknown>, name: string, old: string, last_ms: number): Promise<void> {
  const end_ms = last_ms - (last_ms % WEEK_ms) + WEEK_ms;
  await sql`
    alter table ${sql.table(name)} attach partition ${sql.table(old)}
    for values from (minvalue) to (${sql.lit(end_ms)})`.execute(db);
}

async function addKey(db: Kysely<unknown>, partition: string, key: string | undefined): Promise<void> {
  if (key !== undefined) await sql`alter table ${sql.table(partition)} add primary key (${sql.raw(key)})`.execute(db);
}

/** Oldest first, the default partition last. */
export async function partitionsOf(db: Db, table: string): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; end: string | null }>`
    select child.relname as name,
      (regexp_match(pg_get_expr(child.relpartbound, child.oid), ' TO \\(''?(\\d+)'))[1] as end
    from pg_inherits join pg_class as child on child.oid = inhrelid
    where inhparent = ${table}::regclass`.execute(db);
  return rows
    .map(({ name, end }) => ({ name, end_ms: end === null ? undefined : Number(end) }))
    .sort((a, b) => (a.end_ms ?? Number.POSITIVE_INFINITY) - (b.end_ms ?? Number.POSITIVE_INFINITY));
}

/** Makes the partitions of the coming weeks. A week of which the default partition has rows already stays there. */
export async function makePartitions(database: Pick<Database, "db">, now_ms: number): Promise<number> {
  let made = 0;
  for (const table of HISTORY_TABLES) {
    const known = await partitionsOf(database.db, table.name);
    const taken_ms = Math.max(0, ...known.map(({ end_ms = 0 }) => end_ms));
    const this_ms = now_ms - (now_ms % WEEK_ms);
    for (let from_ms = this_ms; from_ms <= this_ms + AHEAD_weeks * WEEK_ms; from_ms += WEEK_ms) {
      if (from_ms >= taken_ms && (await makePartition(database, table, from_ms))) made += 1;
    }
  }
  return made;
}

async function makePartition({ db }: Pick<Database, "db">, { name, partitionKey }: HistoryTable, from_ms: number) {
  const end_ms = from_ms + WEEK_ms;
  return await locking(db, async (tx) => {
    // No row may come in between the look and the new partition.
    await sql`lock table ${sql.table(defaultOf(name))} in share row exclusive mode`.execute(tx);
    const { rows } = await sql`
      select from ${sql.table(defaultOf(name))} where time_ms >= ${from_ms} and time_ms < ${end_ms} limit 1`.execute(
      tx,
    );
    if (rows.length > 0) return false;
    const partition = nameOf(name, from_ms);
    await sql`
      create table ${sql.table(partition)} partition of ${sql.table(name)}
      for values from (${sql.lit(from_ms)}) to (${sql.lit(end_ms)})`.execute(tx);
    await addKey(tx as unknown as Kysely<unknown>, partition, partitionKey);
    return true;
  });
}

/** Gives up instead of holding up the projector behind a long read; the next run tries again. */
export async function locking<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return await db.transaction().execute(async (tx) => {
    await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(tx);
    return await work(tx);
  });
}
