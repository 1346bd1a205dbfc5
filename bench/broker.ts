import assert from "node:assert/strict";
import { fastify } from "fastify";
import { type RawBuilder, sql } from "kysely";
import { PayoutLists } from "../apps/server/src/broker/payouts/payout-list.ts";
import { Downlines } from "../apps/server/src/broker/reports/downlines.ts";
import { registerReportRoutes } from "../apps/server/src/broker/reports/routes.ts";
import { type SettledPeriod, settlePeriod } from "../apps/server/src/broker/settlement/settle.ts";
import { rollUp } from "../apps/server/src/broker/settlement/totals.ts";
import { brokerDb, brokerTx } from "../apps/server/src/broker/tables.ts";
import { migrations } from "../apps/server/src/compose/migrations.ts";
import { ManualClock } from "../apps/server/src/kernel/clock.ts";
import type { Database, Db } from "../apps/server/src/kernel/database/database.ts";
import { runMigrations } from "../apps/server/src/kernel/database/migrations.ts";
import { openPostgresql } from "../apps/server/src/kernel/database/postgresql.ts";
import { createPostgresqlDatabase } from "../apps/server/src/kernel/database/testing.ts";
import type { App } from "../apps/server/src/kernel/http/app.ts";
import { MerkleTree } from "../apps/server/src/kernel/merkle.ts";
import {
  CUSTOMERS,
  DAY,
  FILLS,
  insertBrokerDay,
  MAX_KOL_WALLET,
  NEXT_DAY,
  repeatForNextDay,
} from "./support/broker-data.ts";
import { type Aim, atMost, BenchFault, median, type Row } from "./support/table.ts";

const ROUNDS = 3;
const CALLS = 200;
const COLD_CALLS = 30;
const READ_AIM_MS = 20;
const NOW = new Date(`${NEXT_DAY}T12:00:00Z`);
/** Tables that grow with fills, downlines and days: no page may scan one of them. */
const LARGE = ["rebate_record", "broker_bind", "broker_accrual", "broker_pre_settlement", "broker_downline_total"];

const ms = (value: number) => `${value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 1 : 0 })} ms`;

async function timed(action: () => Promise<unknown>): Promise<number> {
  const begun_ms = performance.now();
  await action();
  return performance.now() - begun_ms;
}

/**
 * The settlement of a day of a million fills against one bare statement with the same arithmetic, and the response
 * times of the largest KOL's pages. On a PostgreSQL server (TEST_DATABASE_URL), in a database that is dropped
 * afterwards.
 */
export async function benchBroker(): Promise<readonly Row[]> {
  const { databaseUrl, drop } = await createPostgresqlDatabase();
  try {
    const settled = await within(databaseUrl, measureSettlement);
    const { rows, culprits } = await measureReads(databaseUrl);
    const all = [...settled, ...rows];
    if (culprits.length === 0) return all;
    throw new BenchFault(`pages that read a large table from end to end: ${culprits.join("; ")}`, all);
  } finally {
    await drop();
  }
}

async function within<T>(databaseUrl: string, action: (database: Database) => Promise<T>): Promise<T> {
  const database = await openPostgresql(databaseUrl);
  try {
    return await action(database);
  } finally {
    await database.close();
  }
}

// The settlement.

const TOTALS = ["rebate_period", "rebate_root", "broker_day_total", "broker_total", "broker_downline_total"];
const truncate = (db: Db, ...tables: readonly string[]) =>
  sql`truncate ${sql.join(tables.map((table) => sql.table(table)))} cascade`.execute(db);

const settle = (db: Db, period: string, status: "closed" | "provisional"): Promise<SettledPeriod> =>
  db.transaction().execute((tx) => settlePeriod(tx, { period, status, now: NOW }));

/** The sums of the day, or its fills one by one. */
const SUMS = sql`(select account, terms_version, counted_micros, last_command from broker_pre_settlement
  where day = ${DAY}::date)`;
const SINGLE_FILLS = sql`(select account, terms_version, counted_micros, command_number as last_command
  from broker_accrual where day = ${DAY}::date)`;

/** Only the formula: no comparison with existing rows, no totals, no leaves, no root. */
const bareInsert = (fees: RawBuilder<unknown>) => sql`
  insert into bare_record (id, period, kind, broker_id, downline_account, downline_wallet, revision, fee_micros,
    nominal_micros, customer_micros, share_micros, net_micros, rate_e6, customer_ratio_e6, share_ratio_e6, net_payee,
    parent_broker_id, share_payee, leaf)
  with sets as (
    select
      case when t.account = p.account then coalesce(t.parent_broker_id, t.broker_id) else t.broker_id end as broker_id,
      case when t.account = p.account then null else t.parent_broker_id end as parent_id, p.account,
      case when t.account = p.account then coalesce(t.parent_rate_e6, t.rate_e6)
        else least(t.rate_e6, t.parent_rate_e6) end as rate,
      case when t.account = p.account then least(t.rate_e6, t.parent_rate_e6)
        else least(b.customer_ratio_e6, t.rate_e6, t.parent_rate_e6) end as ratio,
      case when t.account = p.account or t.parent_broker_id is null then 0
        else greatest(b.share_ratio_e6, t.bound_share_e6) end as share,
      sum(p.counted_micros) as fee, max(p.last_command) as last_command
    from ${fees} p join broker_terms t using (terms_version) left join broker_bind b on b.account = p.account
    group by 1, 2, 3, 4, 5, 6
  ),
  parts as (select *, div(fee * rate, 1000000) as nominal, div(fee * ratio, 1000000) as customer from sets),
  shared as (select *, div((nominal - customer) * share, 1000000) as shares from parts)
  select gen_random_uuid(), ${DAY}::date, 'broker', s.broker_id, s.account, w.wallet_address, 0, sum(fee), sum(nominal),
    sum(customer), sum(shares), sum(nominal - customer - shares), max(rate), max(ratio), max(share),
    max(k.wallet_address), s.parent_id, max(parent.wallet_address), '\\x00'::bytea
  from shared s
  join broker k on k.id = s.broker_id
  left join broker parent on parent.id = s.parent_id
  join (select account, wallet_address from broker union select account, wallet_address from broker_bind) w
    on w.account = s.account
  group by s.broker_id, s.parent_id, s.account, w.wallet_address`;

/** The same columns, checks, indexes and references as the table of rebate records. */
async function createBareTable(db: Db): Promise<void> {
  await sql`create table bare_record (like rebate_record including all)`.execute(db);
  await sql`
    alter table bare_record add foreign key (broker_id) references broker (id),
      add foreign key (parent_broker_id) references broker (id)`.execute(db);
}

async function sumsOf(db: Db, table: string): Promise<unknown> {
  const { rows } = await sql`
    select count(*), sum(fee_micros) as fee, sum(nominal_micros) as nominal, sum(customer_micros) as customer,
      sum(share_micros) as share, sum(net_micros) as net from ${sql.table(table)}`.execute(db);
  return rows[0];
}

async function measureSettlement({ db }: Database): Promise<readonly Row[]> {
  await runMigrations(db, migrations);
  await insertBrokerDay(db);
  await createBareTable(db);
  const taken = { bare: [] as number[], fills: [] as number[], settled: [] as number[], again: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await truncate(db, "bare_record");
    taken.fills.push(await timed(() => bareInsert(SINGLE_FILLS).execute(db)));
    await truncate(db, "bare_record");
    taken.bare.push(await timed(() => bareInsert(SUMS).execute(db)));
    await truncate(db, "rebate_record", ...TOTALS);
    taken.settled.push(await timed(() => settle(db, DAY, "closed")));
    assert.deepEqual(await sumsOf(db, "rebate_record"), await sumsOf(db, "bare_record"), "both come to the same");
    await sql`analyze rebate_record`.execute(db);
    taken.again.push(await timed(async () => assertUnchanged(await settle(db, DAY, "closed"))));
  }
  const root_ms = await measureRoot(db);
  const [bare_ms, settled_ms] = [median(taken.bare), median(taken.settled)];
  const against = (figure_ms: number, name: string, aim: Aim | null): Row => ({
    name,
    figure: ms(figure_ms),
    baseline: `${ms(bare_ms)} one bare INSERT … SELECT`,
    ratio: figure_ms / bare_ms,
    aim,
  });
  return [
    {
      ...against(settled_ms, `settlement of ${CUSTOMERS.toLocaleString("en-US")} customers`, atMost(1.5)),
      ratio: median(taken.settled.map((value_ms, round) => value_ms / (taken.bare[round] ?? value_ms))),
    },
    against(median(taken.again), "the same again, nothing changed", null),
    against(median(taken.fills), `bare statement over ${FILLS.toLocaleString("en-US")} single fills`, null),
    {
      name: "root of the day's tree",
      figure: ms(root_ms),
      baseline: `${ms(settled_ms)} settlement as a whole`,
      ratio: root_ms / settled_ms,
      aim: null,
    },
  ];
}

function assertUnchanged({ changes, revision }: SettledPeriod): void {
  assert.deepEqual([changes, revision], [{ inserted: 0, updated: 0, deleted: 0 }, 1]);
}

/** The hashing alone, without reading the leaves. */
async function measureRoot(db: Db): Promise<number> {
  const { rows } = await sql<{ leaves: Buffer }>`
    select string_agg(leaf, ''::bytea order by id) as leaves from rebate_record`.execute(db);
  const leaves = rows[0]?.leaves ?? assert.fail("there are no leaves");
  const taken: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) taken.push(await timed(() => MerkleTree.build(DAY, leaves)));
  return median(taken);
}

// The pages.

/**
 * The report's routes and the payout list on a server without sign-in, which treats every request as the largest KOL's.
 */
function createPages(database: Database): App {
  const app = fastify() as unknown as App;
  app.decorateRequest("principal");
  app.addHook("onRequest", (request, _reply, done) => {
    request.principal = { kind: "wallet", address: MAX_KOL_WALLET, sessionId: "bench" };
    done();
  });
  registerReportRoutes(app, { db: brokerDb(database), clock: new ManualClock(NOW.getTime()) });
  const lists = new PayoutLists({ database });
  app.get("/payout-list/:page", ({ params }) => lists.records({ page: Number((params as { page: string }).page) }));
  return app;
}

const PAGES: Readonly<Record<string, string>> = {
  leaderboard: "/api/v1/broker/leaderboard",
  overview: "/api/v1/broker/overview",
  "10,000 downlines": "/api/v1/broker/downlines",
  "newest records": "/api/v1/broker/rebate-records",
  "payout list, page 1": "/payout-list/1",
  "payout list, page 200": "/payout-list/200",
};

function readRow(name: string, taken_ms: readonly number[]): Row {
  const sorted = taken_ms.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return {
    name,
    figure: `p50 ${ms(at(0.5))}, p99 ${ms(at(0.99))}`,
    baseline: `${READ_AIM_MS} ms`,
    ratio: at(0.5) / READ_AIM_MS,
    aim: atMost(1),
  };
}

/** Rolls up the settled day and settles the next one provisionally: the state at noon. */
async function prepareReads({ db }: Database): Promise<void> {
  await db.transaction().execute((tx) => rollUp(brokerTx(tx), DAY));
  await repeatForNextDay(db);
  await settle(db, NEXT_DAY, "provisional");
  await sql`vacuum analyze`.execute(db);
}

async function measurePage(database: Database, name: string, url: string): Promise<Row> {
  const app = createPages(database);
  const taken: number[] = [];
  for (let call = 0; call < CALLS; call += 1) {
    taken.push(
      await timed(async () => {
        const { statusCode, rawPayload } = await app.inject(url);
        assert.equal(statusCode, 200, rawPayload.toString());
      }),
    );
  }
  await app.close();
  return readRow(`${name}, injected`, taken);
}

/** Each request comes from a caller without cached texts. */
async function measureColdDownlines(database: Database): Promise<Row> {
  const { id } = await brokerDb(database)
    .selectFrom("broker")
    .select("id")
    .where("wallet_address", "=", MAX_KOL_WALLET)
    .executeTakeFirstOrThrow();
  const taken: number[] = [];
  for (let call = 0; call < COLD_CALLS; call += 1) {
    const downlines = new Downlines(brokerDb(database));
    taken.push(await timed(() => downlines.ofBroker(id, undefined)));
  }
  return readRow("10,000 downlines, uncached", taken);
}

/** How many scans each large table has had so far. */
const wholeReads = async ({ db }: Database): Promise<Map<string, bigint>> => {
  const { rows } = await sql<{ relname: string; seq_scan: bigint }>`
    select relname, seq_scan from pg_stat_user_tables where relname = any(${LARGE})`.execute(db);
  return new Map(rows.map(({ relname, seq_scan }) => [relname, seq_scan]));
};

/** Each in its own connections, because the server's counters are complete once these are closed. */
async function measureReads(databaseUrl: string): Promise<{ rows: Row[]; culprits: string[] }> {
  await within(databaseUrl, prepareReads);
  const measures: ((database: Database) => Promise<Row>)[] = [
    ...Object.entries(PAGES).map(
      ([name, url]) =>
        (database: Database) =>
          measurePage(database, name, url),
    ),
    measureColdDownlines,
  ];
  const rows: Row[] = [];
  const culprits: string[] = [];
  for (const measure of measures) {
    const before = await within(databaseUrl, wholeReads);
    const row = await within(databaseUrl, measure);
    rows.push(row);
    for (const [table, count] of await within(databaseUrl, wholeReads)) {
      if (count !== before.get(table)) culprits.push(`${row.name}: ${table}`);
    }
  }
  return { rows, culprits };
}
