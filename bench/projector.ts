import assert from "node:assert/strict";
import { sql } from "kysely";
import {
  createTestExchange,
  createTestProjector,
  digestTables,
  emptyTables,
  type TestExchange,
} from "../apps/server/src/exchange/projector/testing.ts";
import type { Database, Db } from "../apps/server/src/kernel/database/database.ts";
import { onEachDatabase } from "./support/databases.ts";
import { median, perSecond, type Row } from "./support/table.ts";

const COMMANDS = 20_000;
const FLOW = { accounts: 200, markets: 3 };
const ROUNDS = 3;
const ROWS_PER_STATEMENT = 1_000;
const MAX_ms = 600_000;

/** The tables that the projector writes, without its cursor. */
const TABLES = [
  "exchange_order",
  "exchange_algo_order",
  "exchange_order_amendment",
  "exchange_fill",
  "exchange_income",
  "exchange_funding_rate",
  "exchange_kline",
  "exchange_bonus_line",
  "exchange_tier_change",
  "exchange_margin_move",
] as const;

/** Projects events to rows, exactly once; against bare inserts of the final rows. */
export async function benchProjector(): Promise<readonly Row[]> {
  const exchange = createTestExchange(1, FLOW);
  await exchange.run(COMMANDS);
  return onEachDatabase((database, name) => compare(database, name, exchange));
}

async function compare(database: Database, name: string, exchange: TestExchange): Promise<Row> {
  const events = exchange.applied.reduce((sum, applied) => sum + applied.events.length, 0);
  const { db } = database;
  for (const table of TABLES) {
    await sql`create table ${sql.table(`bare_${table}`)} (like ${sql.table(table)} including all)`.execute(db);
  }
  const rates: number[] = [];
  const bareRates: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await emptyTables(database);
    rates.push(events / (await projectionSeconds(database, exchange)));
    const chunks = await readChunks(db);
    await sql`truncate ${sql.join(TABLES.map((table) => sql.table(`bare_${table}`)))}`.execute(db);
    bareRates.push(events / (await insertSeconds(db, chunks)));
  }
  await assertSameRows(database);
  return {
    name: `projector, ${name}: ${COMMANDS.toLocaleString("en-US")} commands, without projections`,
    figure: `${perSecond(median(rates))} events`,
    baseline: `${perSecond(median(bareRates))} bare inserts of the rows`,
    ratio: median(rates.map((rate, round) => rate / bareRates[round]!)),
    aim: null,
  };
}

async function projectionSeconds(database: Database, exchange: TestExchange): Promise<number> {
  const projector = await createTestProjector(database, exchange);
  const begun_ms = performance.now();
  for (const applied of exchange.applied) projector.hear(applied);
  projector.start();
  await projector.waitForAll(MAX_ms);
  const took_s = (performance.now() - begun_ms) / 1_000;
  await projector.stop();
  return took_s;
}

interface Chunk {
  readonly table: string;
  readonly rows: string;
}

/** All rows as text in the database's own format. */
async function readChunks(db: Db): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for (const table of TABLES) {
    for (let offset = 0; ; offset += ROWS_PER_STATEMENT) {
      const { rows } = await sql<{ rows: string | null }>`
        select json_agg(t)::text as rows
        from (select * from ${sql.table(table)} order by ctid limit ${ROWS_PER_STATEMENT} offset ${offset}) t`.execute(
        db,
      );
      if (rows[0]!.rows === null) break;
      chunks.push({ table: `bare_${table}`, rows: rows[0]!.rows });
    }
  }
  return chunks;
}

/** Each row once in its final state: no order is updated after its insert, and no kline grows. */
async function insertSeconds(db: Db, chunks: readonly Chunk[]): Promise<number> {
  const begun_ms = performance.now();
  for (const { table, rows } of chunks) {
    await db.transaction().execute(async (tx) => {
      await sql`
        insert into ${sql.table(table)}
        select * from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`.execute(tx);
    });
  }
  return (performance.now() - begun_ms) / 1_000;
}

async function assertSameRows(database: Database): Promise<void> {
  const digests = await digestTables(database);
  let total = 0;
  for (const table of TABLES) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(`bare_${table}`)}`.execute(database.db);
    assert.equal(rows[0]!.count, digests[table]!.rows, `both have written as many ${table}`);
    total += rows[0]!.count;
  }
  assert.ok(total > COMMANDS, "the flow leads to rows");
}
