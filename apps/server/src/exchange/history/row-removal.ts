import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../kernel/database/database.ts";
import { archiveRows } from "./row-archive.ts";

/** A condition in SQL; as a slice, the part of a table that one statement reads or removes. */
export type Condition = RawBuilder<unknown>;
type Slices = AsyncIterable<Condition>;

const BLOCKS_PER_READ = 1_000;
const IDS_PER_READ = 20_000;

export interface Removal {
  readonly table: string;
  /** Called for each walk through the table. */
  readonly slices: () => Slices;
  readonly condition: Condition;
  /** `BACKUP_DIR`, and what the files are named after there. */
  readonly archive: string | undefined;
  readonly archiveName: { readonly table: string; readonly name: string };
}

/** LOG-8: archives rows, then removes them. They do not change any more. Returns how many there were. */
export async function removeRows(db: Db, removal: Removal): Promise<number> {
  await archiveSlices(db, removal);
  const { table, slices, condition } = removal;
  let removed = 0;
  for await (const slice of slices()) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ${slice} and ${condition}`.execute(db);
    removed += Number(numAffectedRows);
  }
  return removed;
}

export async function archiveSlices(db: Db, { archive, archiveName, ...rows }: Removal): Promise<void> {
  if (archive !== undefined) await archiveRows(archive, archiveName.table, archiveName.name, linesOf(db, rows));
}

async function* linesOf(db: Db, { table, slices, condition }: Pick<Removal, "table" | "slices" | "condition">) {
  for await (const slice of slices()) {
    const { rows } = await sql<{ line: string }>`
      select row_to_json(one)::text as line from ${sql.table(table)} as one
      where ${slice} and ${condition}`.execute(db);
    yield rows.map(({ line }) => line);
  }
}

/** The whole table, by where its rows are on the disk. */
export async function* blocksOf(db: Db, table: string): AsyncGenerator<Condition> {
  const { rows } = await sql<{ blocks: bigint }>`
    select pg_relation_size(${table}::regclass) / current_setting('block_size')::bigint as blocks`.execute(db);
  const blocks = Number(rows[0]?.blocks ?? 0);
  for (let block = 0; block < blocks; block += BLOCKS_PER_READ) {
    yield sql`ctid >= ${`(${block},0)`}::tid and ctid < ${`(${block + BLOCKS_PER_READ},0)`}::tid`;
  }
}

/** A table whose ids rise with a time, up to the first row of that time or later. */
export async function* rowsBefore(
  db: Db,
  { table, id, time }: { readonly table: string; readonly id: string; readonly time: string },
  before_ms: number,
): AsyncGenerator<Condition> {
  for (let from = 0n; ; from += BigInt(IDS_PER_READ)) {
    const { rows } = await sql<{ id: bigint; time_ms: bigint }>`
      select ${sql.ref(id)} as id, ${sql.ref(time)} as time_ms from ${sql.table(table)}
      where ${sql.ref(id)} >= ${from} order by ${sql.ref(id)} limit 1`.execute(db);
    const [first] = rows;
    if (first === undefined || first.time_ms >= before_ms) return;
    from = first.id;
    yield sql`${sql.ref(id)} >= ${from} and ${sql.ref(id)} < ${from + BigInt(IDS_PER_READ)}`;
  }
}

/** The name of a file with what is older than that. */
export const beforeDay = (before_ms: number) => `before-${new Date(before_ms).toISOString().slice(0, 10)}`;
