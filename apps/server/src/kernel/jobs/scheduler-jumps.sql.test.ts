import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { sql } from "kysely";
import { ManualClock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { openTestDatabase } from "../database/testing.ts";
import { DAY_ms, HOUR_ms } from "../dates.ts";
import type { JobDefinition, JobWindow } from "./job.ts";
import { Scheduler } from "./scheduler.ts";
import { createJobStore } from "./store.ts";

const MIDNIGHT_MS = Date.UTC(2026, 0, 1);

describe("what a jump of the clock leaves in the books", () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase();
  });
  after(() => database.close());
  beforeEach(async () => {
    await database.db.deleteFrom("job_state").execute();
  });

  const hourly = (run: JobDefinition["run"]): JobDefinition => ({
    name: "hourly",
    schedule: "0 * * * *",
    missed: "each",
    run,
  });

  async function started(clock: ManualClock, ...jobs: JobDefinition[]): Promise<Scheduler> {
    const store = createJobStore(database.db);
    const onBookkeepingError = (_name: string, error: unknown) => assert.fail(String(error));
    const scheduler = new Scheduler({ clock, store, jobs, onBookkeepingError });
    await scheduler.start();
    return scheduler;
  }

  async function kept() {
    const rows = await database.db.selectFrom("job_state").selectAll().where("name", "=", "hourly").execute();
    return rows.map(({ watermark, runs, last_error }) => [
      (watermark.getTime() - MIDNIGHT_MS) / HOUR_ms,
      Number(runs),
      last_error,
    ])[0];
  }

  it("every run is counted, and the watermark is that of the last one", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const scheduler = await started(
      clock,
      hourly(async () => undefined),
      { name: "noon", schedule: "0 12 * * *", missed: "each", run: async () => undefined },
    );
    await scheduler.advance(clock, MIDNIGHT_MS + 23.5 * HOUR_ms);
    assert.deepEqual(await kept(), [23, 23, null]);
    await scheduler.stop();
  });

  it("before another job runs it is written down what those before it have done", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const seen: unknown[] = [];
    const noon: JobDefinition = {
      name: "noon",
      schedule: "30 12 * * *",
      missed: "each",
      run: async () => void seen.push(await kept()),
    };
    const scheduler = await started(
      clock,
      hourly(async () => undefined),
      noon,
    );
    await scheduler.advance(clock, MIDNIGHT_MS + 24 * HOUR_ms);
    assert.deepEqual(seen, [[12, 12, null]]);
    await scheduler.stop();
  });

  it("where a run fails those before it are kept, and it is due again", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const done: number[] = [];
    let isBroken = true;
    const fragile = hourly(async ({ due_ms }) => {
      const hour = (due_ms - MIDNIGHT_MS) / HOUR_ms;
      if (isBroken && hour === 4) throw new Error("the disk is full");
      done.push(hour);
    });
    const first = await started(clock, fragile);
    await first.advance(clock, MIDNIGHT_MS + 6 * HOUR_ms);
    await first.stop();
    const [watermark, runs, error] = (await kept()) ?? [];
    assert.deepEqual([watermark, error], [3, "the disk is full"]);
    assert.ok(Number(runs) >= 4, "three that went well, and one that did not");
    isBroken = false;
    const second = await started(clock, fragile);
    await second.advance(clock, MIDNIGHT_MS + 6 * HOUR_ms + 1);
    await second.stop();
    assert.deepEqual(done, [1, 2, 3, 4, 5, 6]);
    assert.deepEqual((await kept())?.slice(1), [Number(runs) + 3, null]);
  });

  it("of runs for which another process has answered none counts", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const other = createJobStore(database.db);
    const scheduler = await started(
      clock,
      hourly(async ({ due_ms }) => {
        if (due_ms === MIDNIGHT_MS + 2 * HOUR_ms) await other.moveWatermark("hourly", MIDNIGHT_MS, due_ms);
      }),
    );
    const reports = await scheduler.advance(clock, MIDNIGHT_MS + 3 * HOUR_ms);
    assert.deepEqual(
      reports.map(({ error }) => error),
      Array.from({ length: 3 }, () => "another process has run the job hourly"),
    );
    assert.equal(scheduler.list()[0]?.watermark_ms, MIDNIGHT_MS);
    assert.equal((await kept())?.[0], 2);
    await scheduler.stop();
  });

  it("runs that may be repeated are stored together, at the end", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const store = createJobStore(database.db);
    const stored: unknown[] = [];
    const scheduler = new Scheduler({
      clock,
      store: {
        ...store,
        finish: (finished) => {
          stored.push(finished.map(({ name, runs }) => [name, runs]));
          return store.finish(finished);
        },
      },
      jobs: [
        { ...hourly(async () => undefined), isRepeatable: true },
        { name: "sweep", schedule: "30 * * * *", missed: "latest", run: async () => undefined },
        {
          name: "daily",
          schedule: "10 0 * * *",
          missed: "each",
          run: ({ moveWatermark }) => database.db.transaction().execute((tx) => moveWatermark(tx)),
        },
      ],
      onBookkeepingError: (_name, error) => assert.fail(String(error)),
    });
    await scheduler.start();
    await scheduler.advance(clock, MIDNIGHT_MS + 20 * DAY_ms);
    await scheduler.stop();
    assert.deepEqual(stored, [
      [
        ["hourly", 480],
        ["sweep", 1],
        ["daily", 20],
      ],
    ]);
    assert.deepEqual(await kept(), [480, 480, null]);
  });

  it("a job hears of the beginning and the end of its consecutive runs", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const heard: string[] = [];
    const told = (name: string, schedule: string): JobDefinition => ({
      name,
      schedule,
      missed: "each",
      beginRow: () => {
        heard.push(`${name} begins`);
        return () => heard.push(`${name} ends`);
      },
      run: async () => void heard.push(name),
    });
    const scheduler = await started(clock, told("hourly", "0 * * * *"), told("late", "30 2 * * *"));
    await scheduler.advance(clock, MIDNIGHT_MS + 3 * HOUR_ms);
    await scheduler.stop();
    const row = (name: string, runs: number) => [`${name} begins`, ...Array(runs).fill(name), `${name} ends`];
    assert.deepEqual(heard, [...row("hourly", 2), ...row("late", 1), ...row("hourly", 1)]);
  });

  it("a crash after any run loses nothing and repeats nothing", async () => {
    const target_ms = MIDNIGHT_MS + 3.5 * DAY_ms;
    await sql`create table done_window (due_ms bigint)`.execute(database.db);

    /** What two processes leave behind of which the first ends after so many runs, before it can store another one. */
    async function afterCrash(crashAfter: number) {
      await sql`truncate done_window`.execute(database.db);
      await database.db.deleteFrom("job_state").execute();
      const clock = new ManualClock(MIDNIGHT_MS);
      const hours: number[] = [];
      let ran = 0;
      const crashed = Promise.withResolvers<void>();
      const mortal = (job: JobDefinition): JobDefinition => ({
        ...job,
        async run(window) {
          const result = await job.run(window);
          ran += 1;
          if (ran !== crashAfter) return result;
          crashed.resolve();
          return new Promise(() => {});
        },
      });
      const jobs = [
        // As the engine settles an hour: once, and no earlier one later.
        {
          ...hourly(async ({ due_ms }) => void (due_ms > (hours.at(-1) ?? 0) && hours.push(due_ms))),
          isRepeatable: true,
        },
        {
          name: "daily",
          schedule: "0 0 * * *",
          missed: "each" as const,
          run: ({ due_ms, moveWatermark }: JobWindow) =>
            database.db.transaction().execute(async (tx) => {
              await sql`insert into done_window values (${due_ms})`.execute(tx);
              await moveWatermark(tx);
            }),
        },
        { name: "sweep", schedule: "30 * * * *", missed: "latest" as const, run: async () => undefined },
      ].map(mortal);
      const first = await started(clock, ...jobs);
      await Promise.race([first.advance(clock, target_ms), crashed.promise]);
      const runs = ran;
      const second = await started(clock, ...jobs);
      await second.advance(clock, target_ms);
      await second.stop();
      const { rows } = await sql<{ due_ms: bigint }>`select due_ms from done_window`.execute(database.db);
      const states = await database.db
        .selectFrom("job_state")
        .select(["name", "watermark", "last_error"])
        .orderBy("name")
        .execute();
      return { runs, hours, days: rows.map(({ due_ms }) => Number(due_ms)), states };
    }

    const { runs, ...undisturbed } = await afterCrash(0);
    const due = (count: number, step_ms: number) =>
      Array.from({ length: count }, (_, at) => MIDNIGHT_MS + (at + 1) * step_ms);
    assert.deepEqual([undisturbed.hours, undisturbed.days], [due(84, HOUR_ms), due(3, DAY_ms)]);
    for (let crashAfter = 1; crashAfter <= runs; crashAfter += 1) {
      const { runs: ran, ...left } = await afterCrash(crashAfter);
      assert.equal(ran, crashAfter);
      assert.deepEqual(left, undisturbed, `after run ${crashAfter}`);
    }
    await sql`drop table done_window`.execute(database.db);
  });

  it("a job may move the watermark with its work in some runs and leave it in others", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const scheduler = await started(
      clock,
      hourly(async ({ due_ms, moveWatermark }) => {
        const isEven = (due_ms / HOUR_ms) % 2 === 0;
        if (isEven) await database.db.transaction().execute((tx) => moveWatermark(tx));
      }),
    );
    const reports = await scheduler.advance(clock, MIDNIGHT_MS + 7 * HOUR_ms);
    assert.deepEqual(
      reports.filter(({ error }) => error !== undefined),
      [],
    );
    assert.deepEqual(await kept(), [7, 7, null]);
    await scheduler.stop();
  });
});
