import assert from "node:assert/strict";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fastify } from "fastify";
import { sql } from "kysely";
import { migrations } from "../apps/server/src/compose/migrations.ts";
import { ManualClock } from "../apps/server/src/kernel/clock.ts";
import type { Database } from "../apps/server/src/kernel/database/database.ts";
import { runMigrations } from "../apps/server/src/kernel/database/migrations.ts";
import { openPostgresql } from "../apps/server/src/kernel/database/postgresql.ts";
import { createPostgresqlDatabase } from "../apps/server/src/kernel/database/testing.ts";
import type { App } from "../apps/server/src/kernel/http/app.ts";
import { Board } from "../apps/server/src/points/boards/board.ts";
import { PointsLists } from "../apps/server/src/points/boards/lists.ts";
import { OwnPointsReader } from "../apps/server/src/points/boards/own-points.ts";
import { rankedOrder } from "../apps/server/src/points/boards/ranking.ts";
import { registerBoardRoutes } from "../apps/server/src/points/boards/routes.ts";
import { SeasonLevels } from "../apps/server/src/points/boards/season-levels.ts";
import { Standings } from "../apps/server/src/points/boards/standings.ts";
import { readTotals } from "../apps/server/src/points/boards/totals.ts";
import { allocate } from "../apps/server/src/points/seasons/allocation.ts";
import { seasonOfEpoch } from "../apps/server/src/points/seasons/season-store.ts";
import { pointsDb, pointsTx } from "../apps/server/src/points/tables.ts";
import { readLevels } from "../apps/server/src/points/testing/levels.ts";
import { collectGarbage } from "./support/measure.ts";
import { DAY, EPOCH, epochs, insertPoints, NOW_ms, SCORED_WALLETS } from "./support/points-data.ts";
import { type Aim, atMost, median, type Row } from "./support/table.ts";

const ROUNDS = 3;
const CALLS = 300;
const WALLETS = SCORED_WALLETS.toLocaleString("en-US");

const ms = (value: number) => `${value.toLocaleString("en-US", { maximumFractionDigits: value < 100 ? 2 : 0 })} ms`;

interface Taken {
  readonly time_ms: number;
  /** The longest time without a turn of the event loop. */
  readonly stall_ms: number;
}

async function timed(action: () => Promise<unknown>): Promise<Taken> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const begun_ms = performance.now();
  await action();
  const time_ms = performance.now() - begun_ms;
  // The monitor records a delay at its next tick.
  await new Promise((resolve) => setTimeout(resolve, 5));
  delays.disable();
  return { time_ms, stall_ms: delays.max / 1e6 };
}

/**
 * The lists of a million wallets against one statement that the database sorts, and the time to read them. On a
 * PostgreSQL server (TEST_DATABASE_URL), in a database that is dropped afterwards.
 */
export async function benchPoints(): Promise<readonly Row[]> {
  const { databaseUrl, drop } = await createPostgresqlDatabase();
  try {
    const database = await openPostgresql(databaseUrl);
    try {
      await runMigrations(database.db, migrations);
      await insertPoints(database.db);
      return [...(await measureLists(database)), ...(await measureReads(database)), await measureSnapshot(database)];
    } finally {
      await database.close();
    }
  } finally {
    await drop();
  }
}

async function rounds(action: () => Promise<unknown>): Promise<Taken> {
  const taken: Taken[] = [];
  for (let round = 0; round < ROUNDS; round += 1) taken.push(await timed(action));
  return {
    time_ms: median(taken.map(({ time_ms }) => time_ms)),
    stall_ms: Math.max(...taken.map(({ stall_ms }) => stall_ms)),
  };
}

const figure = ({ time_ms, stall_ms }: Taken) => `${ms(time_ms)}, longest stall ${ms(stall_ms)}`;

const newStandings = (database: Database) => {
  const db = pointsDb(database);
  const log = { error: () => assert.fail("a list could not be made") };
  return new Standings({ db, clock: new ManualClock(NOW_ms), log, epochs, levels: () => readLevels(db) });
};

async function measureLists(database: Database): Promise<Row[]> {
  const db = pointsDb(database);
  const levels = await readLevels(db);
  let board = Board.empty;
  const daily = await rounds(async () => {
    board = await Board.build(readTotals(db, "day", DAY), SeasonLevels.none);
  });
  let wanted: readonly { readonly address: string }[] = [];
  const bare = await rounds(async () => {
    const { rows } = await sql<{ address: string }>`
      select address, points_micros, last_ms from points_total where scope = 0 and period = ${DAY}::int
      order by points_micros desc, last_ms, address`.execute(database.db);
    wanted = rows;
  });
  assert.deepEqual(
    board.page(0, board.total).map(({ address }) => address),
    wanted.map(({ address }) => address),
    "both come to the same",
  );
  // Otherwise every later collection would traverse a million unused objects.
  wanted = [];
  await collectGarbage();
  const whole = await rounds(() => newStandings(database).refresh());
  const seasonOnly = await rounds(() => SeasonLevels.read(db, 1, levels));
  const sorted = await measureSort();
  const against = (name: string, taken: Taken, aim: Aim | null): Row => ({
    name,
    figure: figure(taken),
    baseline: `${figure(bare)}: rows ordered by SQL`,
    ratio: taken.time_ms / bare.time_ms,
    aim,
  });
  return [
    against(`a list of ${WALLETS} wallets`, daily, atMost(1)),
    against("refresh: day, epoch and season", whole, atMost(3)),
    against("of it: the season's levels", seasonOnly, null),
    against("of each list: ranking in memory", sorted, null),
  ];
}

function measureSort(): Promise<Taken> {
  const points_micros = BigInt64Array.from({ length: SCORED_WALLETS }, (_, n) => BigInt((n * 7_919) % 100_003));
  const about_micros = Float64Array.from(points_micros, Number);
  const last_ms = Float64Array.from({ length: SCORED_WALLETS }, (_, n) => (n * 31) % 4_001);
  return rounds(() => rankedOrder({ points_micros, about_micros, last_ms }));
}

/** The routes on a server without sign-in, which treats every request as one wallet's. */
async function createPages(database: Database, address: string): Promise<{ app: App; standings: Standings }> {
  const db = pointsDb(database);
  const clock = new ManualClock(NOW_ms);
  const standings = newStandings(database);
  await standings.refresh();
  const app = fastify() as unknown as App;
  app.decorateRequest("principal");
  app.addHook("onRequest", (request, _reply, done) => {
    request.principal = { kind: "wallet", address, sessionId: "bench" };
    done();
  });
  const unused = () => assert.fail("not used by the bench");
  const lists = new PointsLists({ clock, epochs, standings, past: { of: unused } as never });
  const levels = await readLevels(db);
  const written = async () => {};
  const own = new OwnPointsReader({ db, clock, epochs, standings, written, levels: async () => levels });
  registerBoardRoutes(app, { lists, own, ledger: { read: unused } as never });
  return { app, standings };
}

async function measureReads(database: Database): Promise<Row[]> {
  const { rows } = await sql<{ address: string }>`
    select address from points_total where scope = 0 and period = ${DAY}::int order by address limit 1 offset 500000`.execute(
    database.db,
  );
  const address = rows[0]?.address ?? assert.fail("there are no wallets");
  const { app, standings } = await createPages(database, address);
  const { daily } = await standings.current();
  const inject = async (url: string) => {
    const { statusCode, body } = await app.inject(url);
    assert.equal(statusCode, 200, body);
  };
  const result = [
    await measureCalls("top 100, injected", 2, () => inject("/api/v1/points/leaderboard/daily")),
    await measureCalls("500 from rank 900,000 on, injected", 2, () =>
      inject("/api/v1/points/leaderboard/daily?limit=500&offset=900000"),
    ),
    await measureCalls("own rank in memory", 1, async () => assert.ok(daily.rankOf(address) !== undefined)),
    await measureCalls("own points and ranks, injected", 1, () => inject("/api/v1/points/me")),
  ];
  await app.close();
  return result;
}

async function measureCalls(name: string, aim_ms: number, call: () => Promise<unknown>): Promise<Row> {
  const taken: number[] = [];
  for (let count = 0; count < CALLS; count += 1) {
    const begun_ms = performance.now();
    await call();
    taken.push(performance.now() - begun_ms);
  }
  const sorted = taken.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;
  return {
    name,
    figure: `p50 ${ms(at(0.5))}, p99 ${ms(at(0.99))}`,
    baseline: `${aim_ms} ms`,
    ratio: at(0.5) / aim_ms,
    aim: atMost(1),
  };
}

/**
 * PTS-5: all tokens of a season split among a million wallets, with the tree of the proofs; against the insert alone.
 */
async function measureSnapshot(database: Database): Promise<Row> {
  const season = (await seasonOfEpoch(pointsDb(database), EPOCH)) ?? assert.fail("there is no season");
  const bare = await timed(async () => {
    await sql`create table bare_allocation (like points_allocation including all)`.execute(database.db);
    await sql`
      insert into bare_allocation
      select period, address, points_micros, 0, 0, 0, 0, 0, sha256(address::bytea) from points_total where scope = 2`.execute(
      database.db,
    );
  });
  const taken = await timed(() =>
    database.db.transaction().execute(async (tx) => {
      const { user_tokens } = await allocate(pointsTx(tx), season);
      assert.equal(user_tokens, season.user_pool_tokens);
    }),
  );
  return {
    name: `snapshot of a season of ${WALLETS} wallets`,
    figure: figure(taken),
    baseline: `${figure(bare)}: one bare INSERT … SELECT`,
    ratio: taken.time_ms / bare.time_ms,
    aim: null,
  };
}
