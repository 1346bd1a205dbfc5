import { type RawBuilder, sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Database, Tx } from "../database/database.ts";
import { lockInTransaction } from "../database/locks.ts";
import type { JsonValue } from "../database/tables.ts";
import type { EngineRequests } from "./engine-requests.ts";
import type { NotedRow, NotedTable } from "./noted-rows.ts";

/** Rows from before settings were noted. The table is called `one` in the expressions. */
export interface RowsToNote {
  readonly table: NotedTable;
  /** The lock under which the table's rows are changed. */
  readonly lock: string;
  /** All rows if it is missing. */
  readonly condition?: RawBuilder<unknown>;
  /** What is added to the row. */
  readonly more?: RawBuilder<unknown>;
}

export interface TakeUpOptions {
  readonly database: Pick<Database, "db">;
  readonly clock: Clock;
  readonly engineRequests: Pick<EngineRequests, "note" | "isNoting" | "notify">;
  /** In this order: a row comes after those that it refers to. */
  readonly rows: readonly RowsToNote[];
  readonly page?: number;
}

/** The place of the next row: the list's entry, and the key after which it goes on there. */
interface Place {
  readonly entry: number;
  readonly after: JsonValue;
}

const STATE_KEY = "notes.taken_up";
const PAGE_rows = 250;

/**
 * LOG-3: notes each row of the settings once, so that the log has those too that are older than their noting; a page with each call.
 * Rows that change meanwhile are noted by their change. Returns whether more may be left; when nothing is, it reads one row.
 */
export async function takeUpSettings(options: TakeUpOptions): Promise<boolean> {
  const { database, engineRequests, rows } = options;
  if (!engineRequests.isNoting) return false;
  const place = await readPlace(database.db);
  if (place.entry >= rows.length) return false;
  const isMore = await database.db.transaction().execute((tx) => notePage(tx, options, place));
  engineRequests.notify();
  return isMore;
}

/** After a rebuild: what the database has of the settings is noted again, behind what was still waiting to be sent. */
export async function takeUpAnew(db: Database["db"]): Promise<void> {
  await db.deleteFrom("kernel_state").where("key", "=", STATE_KEY).execute();
}

async function readPlace(db: Database["db"]): Promise<Place> {
  const query = db.selectFrom("kernel_state").select("value").where("key", "=", STATE_KEY);
  return ((await query.executeTakeFirst())?.value as Place | undefined) ?? { entry: 0, after: null };
}

/** Notes rows of this and later entries until the page is full, and stores the place behind them. */
async function notePage(tx: Tx, options: TakeUpOptions, from: Place): Promise<boolean> {
  const { clock, engineRequests, rows, page = PAGE_rows } = options;
  let taken = 0;
  let { entry, after } = from;
  while (entry < rows.length && taken < page) {
    const asked = rows[entry]!;
    await lockInTransaction(tx, asked.lock);
    const limit = page - taken;
    const found = await readPage(tx, asked, after, limit);
    await engineRequests.note(tx, asked.table, found);
    taken += found.length;
    const isDone = found.length < limit;
    after = isDone ? null : (found.at(-1)![asked.table.key[0]!] ?? null);
    if (isDone) entry += 1;
  }
  const [value, updated_at] = [JSON.stringify({ entry, after }), new Date(clock.now())];
  await tx
    .insertInto("kernel_state")
    .values({ key: STATE_KEY, value, updated_at })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value, updated_at }))
    .execute();
  return entry < rows.length;
}

/** By the first column of the key, which is unique by itself. */
async function readPage(
  tx: Tx,
  { table, condition = sql`true`, more = sql`'{}'::jsonb` }: RowsToNote,
  after: JsonValue,
  limit: number,
): Promise<NotedRow[]> {
  const key = sql.ref(table.key[0]!);
  const name = sql.table(table.name);
  const last = sql`(jsonb_populate_record(null::${name}, ${JSON.stringify({ [table.key[0]!]: after })}::jsonb)).${key}`;
  const { rows } = await sql<{ row: NotedRow }>`
    select to_jsonb(one) || ${more} as row from ${name} as one
    where (${condition}) and ${after === null ? sql`true` : sql`one.${key} > ${last}`}
    order by one.${key} limit ${limit}::int`.execute(tx);
  return rows.map(({ row }) => row);
}
