import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { migrations } from "../../compose/migrations.ts";
import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { dayNumberOf, MINUTE_ms } from "../../kernel/dates.ts";
import { Epochs } from "../epochs.ts";
import { readLevels } from "../testing/levels.ts";
import { POINT_micros, PointsBooks, walletOf } from "../testing/points-books.ts";
import { boardJobs } from "./jobs.ts";
import { PointsLists } from "./lists.ts";
import { PastBoards } from "./past-boards.ts";
import { Standings, type StandingsOptions } from "./standings.ts";

const epochs = new Epochs(Date.UTC(2026, 0, 5));
/** Wednesday of epoch 10. */
const NOON_ms = epochs.start_ms(10) + 2.5 * 86_400_000;

describe("PTS-4: the lists in memory", () => {
  let database: TestDatabase;
  let books: PointsBooks;
  let clock: ManualClock;
  let errors: unknown[];
  /** The number of statements until the database fails. */
  let statementsLeft: number;
  let statements: number;
  let standings: Standings;
  let standingsOptions: StandingsOptions;
  let lists: PointsLists;
  let isWritten: boolean;

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new PointsBooks(database, epochs);
  });
  after(() => database.close());
  beforeEach(async () => {
    await sql`truncate points_total, points_season, points_allocation`.execute(books.db);
    clock = new ManualClock(NOON_ms);
    await books.earnDone(NOON_ms);
    errors = [];
    statementsLeft = Number.POSITIVE_INFINITY;
    statements = 0;
    isWritten = true;
    const db = books.db.withPlugin({
      transformQuery: ({ node }) => {
        statements += 1;
        statementsLeft -= 1;
        if (statementsLeft < 0) throw new Error("the database is away");
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const log = { error: (...about: unknown[]) => void errors.push(about) } as never;
    const levels = () => readLevels(books.db);
    standingsOptions = { db, clock, log, epochs, levels };
    standings = new Standings(standingsOptions);
    const exchange = {
      waiting: 0,
      current: () => undefined,
      engine: { state: { time_ms: 0, commandNumber: 0 } },
    } as never;
    const waitForAll = async () => {
      if (!isWritten) throw new ProjectionTimeout(1, 1);
    };
    const past = new PastBoards({ database, db, epochs, levels, exchange, projector: { waitForAll }, mostWallets: 3 });
    lists = new PointsLists({ clock, epochs, standings, past });
  });

  const score = (number: number, points: bigint, at_ms = clock.now()) =>
    books.scored(walletOf(number), points * POINT_micros, at_ms);
  const shown = async (query = {}) =>
    (await lists.daily(query)).entries.map(({ user_address, points_today }) => [Number(user_address), points_today]);

  it("PTS-4: a list lives 330 s and is made anew then, never served older", async () => {
    await score(1, 5n);
    await standings.refresh();
    await score(1, 2n);
    for (const step_ms of [0, 300_000, 30_000]) {
      clock.advance(step_ms);
      assert.deepEqual(await shown(), [[1, "5"]]);
    }
    assert.equal((await lists.daily({})).refreshed_at, new Date(NOON_ms).toISOString());
    clock.advance(1);
    assert.deepEqual(await shown(), [[1, "7"]]);
    assert.equal(
      (await lists.daily({})).refreshed_at,
      new Date(NOON_ms + 5 * MINUTE_ms).toISOString(),
      "cut to the minute",
    );
  });

  it("PTS-4: after a start the list is empty until the first one is made, for ten seconds at most", async () => {
    await score(1, 5n);
    assert.deepEqual((await lists.daily({})).entries, []);
    assert.deepEqual(await lists.epoch({}), {
      epoch_number: 10,
      refreshed_at: new Date(NOON_ms).toISOString(),
      total: 0,
      entries: [],
    });
    clock.advance(10_001);
    assert.deepEqual(await shown(), [[1, "5"]]);
  });

  it("PTS-4: a start makes the first one in the background, and says where it cannot", async () => {
    await score(1, 5n);
    standings.start();
    assert.deepEqual(await shown(), []);
    while ((await shown()).length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(await shown(), [[1, "5"]]);
    statementsLeft = 0;
    new Standings(standingsOptions).start();
    while (errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.match(String((errors[0] as { err: Error }[])[0]!.err), /the database is away/);
  });

  it("PTS-4: what is being made at the end is given up, without a word", async () => {
    await score(1, 5n);
    standings.start();
    await standings.stop();
    assert.deepEqual(errors, []);
    assert.deepEqual(await shown(), []);
  });

  it("PTS-4: the first refresh after 00:00 UTC starts from zero, with the new date", async () => {
    await score(1, 5n);
    const [job] = boardJobs(standings);
    await job!.run({ since_ms: 0, due_ms: 0, isManual: false, moveWatermark: async () => {} });
    const midnight_ms = epochs.start_ms(10) + 3 * 86_400_000;
    clock.advanceTo(midnight_ms - 10_000);
    await standings.refresh();
    clock.advanceTo(midnight_ms + 1);
    const late = await lists.daily({});
    assert.deepEqual([late.date, late.total], ["2026-03-11", 1], "the list of the last refresh, with its own date");
    await standings.refresh();
    const { date, total, entries, epoch_number } = await lists.daily({});
    assert.deepEqual([date, total, entries, epoch_number], ["2026-03-12", 0, [], 10]);
    assert.equal((await lists.epoch({})).total, 1, "the epoch goes on");
  });

  it("PTS-4: at the end of an epoch the one that is asked for by number is never that of the week before", async () => {
    await score(1, 5n);
    clock.advanceTo(epochs.end_ms(10) - 1_000);
    await standings.refresh();
    clock.advanceTo(epochs.end_ms(10) + 1_000);
    assert.equal((await lists.daily({})).epoch_number, 10);
    const { epoch_number, date, total } = await lists.daily({ epoch: 11 });
    assert.deepEqual([epoch_number, date, total], [11, "2026-03-16", 0]);
  });

  it("PTS-4, RUN-6: while the clock is moved on in steps, the list is the one that was made since it was asked for", async () => {
    await score(1, 5n);
    await standings.refresh();
    await score(1, 2n);
    const now = () => {
      clock.advance(400_000);
      return clock.now();
    };
    const hurried = new Standings({ ...standingsOptions, clock: { now } });
    const asked_ms = clock.now();
    const { daily, made_ms } = await hurried.current();
    assert.deepEqual(
      daily.page(0, 9).map(({ points_micros }) => points_micros),
      [7n * POINT_micros],
    );
    assert.ok(made_ms > asked_ms);
  });

  it("PTS-4: those who find the list too old wait for one and the same to be made", async () => {
    await score(1, 5n);
    await standings.refresh();
    const perBuild = statements;
    clock.advance(331_000);
    statements = 0;
    const all = await Promise.all(Array.from({ length: 20 }, () => shown()));
    for (const one of all) assert.deepEqual(one, [[1, "5"]]);
    assert.equal(statements, perBuild);
  });

  it("PTS-4: a list is swapped whole: readers never see parts of two", async () => {
    const wallets = Array.from({ length: 300 }, (_, number) => number + 1);
    const write = (version: number) => sql`
      insert into points_total (scope, period, address, points_micros, last_ms)
      select scope, case scope when 0 then ${dayNumberOf(clock.now())}::int else 10 end, address, ${version}::bigint * 1000000, 0
      from unnest(${wallets.map(walletOf)}::text[]) address, unnest(array[0, 1]::smallint[]) scope
      on conflict (scope, period, address) do update set points_micros = excluded.points_micros`;
    await write(1).execute(books.db);
    await standings.refresh();
    let isDone = false;
    const seen = new Set<string>();
    const reader = async () => {
      while (!isDone) {
        const [daily, whole] = [await lists.daily({ limit: 500 }), await lists.epoch({ limit: 500 })];
        for (const points of [
          daily.entries.map((entry) => entry.points_today),
          whole.entries.map((entry) => entry.points),
        ]) {
          assert.equal(points.length, 300);
          assert.equal(new Set(points).size, 1, "all of one version");
          seen.add(points[0]!);
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const readers = [reader(), reader(), reader()];
    for (let version = 2; version <= 8; version += 1) {
      await write(version).execute(books.db);
      await standings.refresh();
    }
    isDone = true;
    await Promise.all(readers);
    assert.ok(seen.size > 2, `several versions were seen: ${[...seen]}`);
  });

  it("PTS-4: a refresh that breaks off anywhere leaves the list before it", async () => {
    await score(1, 5n);
    await standings.refresh();
    const perBuild = statements;
    await score(1, 2n);
    for (let passed = 0; passed < perBuild; passed += 1) {
      statementsLeft = passed;
      await assert.rejects(standings.refresh(), /the database is away/);
      assert.deepEqual(await shown(), [[1, "5"]]);
    }
    clock.advance(331_000);
    statementsLeft = 1;
    await assert.rejects(shown(), /the database is away/, "but nothing older than it may be");
    statementsLeft = Number.POSITIVE_INFINITY;
    assert.deepEqual(await shown(), [[1, "7"]]);
  });

  it("T9: a past epoch answers with its last day, frozen, and says when it was over", async () => {
    const sunday_ms = epochs.end_ms(4) - 3_600_000;
    await score(1, 5n, sunday_ms);
    await score(2, 9n, sunday_ms - 86_400_000);
    await books.season({ start_epoch: 3, end_epoch: 5, season_no: 1 });
    await books.total("season", 1, walletOf(1), 1_500n * POINT_micros);
    const daily = await lists.daily({ epoch: 4 });
    assert.deepEqual(daily, {
      date: "2026-02-01",
      epoch_number: 4,
      refreshed_at: "2026-02-02T00:00:00.000Z",
      total: 1,
      entries: [{ rank: 1, user_address: walletOf(1), points_today: "5", tier: "L1" }],
    });
    const whole = await lists.epoch({ epoch: 4 });
    assert.deepEqual(
      whole.entries.map(({ rank, points, tier }) => [rank, points, tier]),
      [
        [1, "9", null],
        [2, "5", "L1"],
      ],
    );
    statements = 0;
    assert.deepEqual(await lists.daily({ epoch: 4 }), daily);
    assert.equal(statements, 0, "kept in memory");
    for (const epoch of [1, 2, 3]) {
      await score(epoch, 1n, epochs.end_ms(epoch) - 1);
      await lists.epoch({ epoch });
    }
    assert.deepEqual(await lists.daily({ epoch: 4 }), daily);
    assert.ok(statements > 3, "and read again once others took its place");
  });

  it("T9: a list of an epoch that has just ended waits for its last trades, and is not kept without them", async () => {
    clock.advanceTo(epochs.end_ms(10));
    await assert.rejects(
      lists.daily({ epoch: 10 }),
      { status: 503, code: "NOT_READY" },
      "no earn points of Sunday yet",
    );
    await books.earnDone(epochs.end_ms(10) - 86_400_000);
    isWritten = false;
    await assert.rejects(lists.daily({ epoch: 10 }), { status: 503, code: "NOT_READY" });
    await score(1, 5n, epochs.end_ms(10) - 1);
    isWritten = true;
    assert.deepEqual(await shown({ epoch: 10 }), [[1, "5"]]);
  });

  it("T9: an epoch that has not begun is not found", async () => {
    await assert.rejects(lists.daily({ epoch: 11 }), { status: 404, code: "EPOCH_NOT_FOUND" });
    await assert.rejects(lists.epoch({ epoch: 10 ** 12 }), { status: 404, code: "EPOCH_NOT_FOUND" });
  });
});
