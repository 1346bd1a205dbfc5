import { sql } from "kysely";
import type { Database, Db } from "../../kernel/database/database.ts";
import { DAY_ms, MINUTE_ms } from "../../kernel/dates.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { INDEX_KIND, MARK_KIND, TRADES_KIND } from "../projector/tables.ts";
import { HISTORY_TABLES, locking, makePartitions, type Partition, partitionsOf } from "./partitions.ts";
import { archiveSlices, beforeDay, blocksOf, type Condition, removeRows, rowsBefore } from "./row-removal.ts";

export interface HistoryRetentionOptions {
  readonly database: Pick<Database, "db">;
  /** `HISTORY_DAYS`; 0 keeps everything. */
  readonly days: number;
  /** `BACKUP_DIR`. */
  readonly archive: string | undefined;
}

const ENDED = sql`('FILLED', 'CANCELED', 'EXPIRED', 'EXPIRED_IN_MATCH', 'REJECTED')`;

/**
 * LOG-8: makes the partitions of the coming weeks; archives and removes partitions and rows that are older than `HISTORY_DAYS`. An
 * order stays as long as it is open, and until its last change is that old. What proves a settlement is not among these tables.
 */
export function historyRetentionJob(options: HistoryRetentionOptions): JobDefinition {
  return {
    name: "history-retention",
    schedule: "50 3 * * *",
    missed: "latest",
    async run({ due_ms }) {
      const made = await makePartitions(options.database, due_ms);
      if (options.days === 0) return { partitions_made: made };
      return { partitions_made: made, ...(await removeBefore(options, due_ms - options.days * DAY_ms)) };
    },
  };
}

async function removeBefore(options: HistoryRetentionOptions, before_ms: number) {
  const { db } = options.database;
  let partitions = 0;
  let rows = 0;
  for (const { name } of HISTORY_TABLES) {
    for (const partition of await partitionsOf(db, name)) {
      if (partition.end_ms === undefined) rows += await removeFromDefault(options, name, partition, before_ms);
      else if (partition.end_ms <= before_ms) {
        await removePartition(options, name, partition);
        partitions += 1;
      }
    }
  }
  const orders = await removeOrders(options, before_ms);
  return { partitions_removed: partitions, rows_removed: rows, orders, minutes: await removeMinutes(db, before_ms) };
}

async function removePartition(
  { database: { db }, archive }: HistoryRetentionOptions,
  table: string,
  { name }: Partition,
): Promise<void> {
  const all = sql`true`;
  const slices = () => blocksOf(db, name);
  await archiveSlices(db, { table: name, slices, condition: all, archive, archiveName: { table, name } });
  if (table === "exchange_fill") await rememberTraders(db, name, all);
  await locking(db, (tx) => sql`drop table ${sql.table(name)}`.execute(tx));
}

/** The default partition stays; only its old rows go. */
async function removeFromDefault(
  { database: { db }, archive }: HistoryRetentionOptions,
  table: string,
  { name }: Partition,
  before_ms: number,
): Promise<number> {
  const condition = sql`time_ms < ${before_ms}`;
  const { rows } = await sql`select from ${sql.table(name)} where ${condition} limit 1`.execute(db);
  if (rows.length === 0) return 0;
  if (table === "exchange_fill") await rememberTraders(db, name, condition);
  const archiveName = { table, name: beforeDay(before_ms) };
  return await removeRows(db, { table: name, slices: () => blocksOf(db, name), condition, archive, archiveName });
}

/** BRK-1: whether a wallet has ever traded decides whether it can still be bound. */
async function rememberTraders(db: Db, fills: string, condition: Condition): Promise<void> {
  for await (const slice of blocksOf(db, fills)) {
    await sql`
      insert into exchange_traded select distinct account from ${sql.table(fills)} where ${slice} and ${condition}
      on conflict do nothing`.execute(db);
  }
}

async function removeOrders({ database: { db }, archive }: HistoryRetentionOptions, before_ms: number) {
  const table = "exchange_order";
  return await removeRows(db, {
    table,
    slices: () => rowsBefore(db, { table, id: "order_id", time: "created_ms" }, before_ms),
    condition: sql`status in ${ENDED} and updated_ms < ${before_ms}`,
    archive,
    archiveName: { table, name: beforeDay(before_ms) },
  });
}

/** Candles of minutes. Those of hours stay. */
async function removeMinutes(db: Db, before_ms: number): Promise<number> {
  const { rows } = await sql<{ market: number }>`select market from exchange_market order by market`.execute(db);
  let removed = 0;
  for (const { market } of rows) {
    for (const kind of [TRADES_KIND, MARK_KIND, INDEX_KIND]) {
      const { numAffectedRows = 0n } = await sql`
        delete from exchange_kline where market = ${market} and kind = ${kind} and interval_ms = ${MINUTE_ms}
          and open_ms < ${before_ms}`.execute(db);
      removed += Number(numAffectedRows);
    }
  }
  return removed;
}
