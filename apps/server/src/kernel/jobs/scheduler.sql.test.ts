import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { ManualClock } from "../clock.ts";
import type { Database } from "../database/database.ts";
import { kernelMigrations } from "../database/kernel-migrations.ts";
import { openTestDatabase } from "../database/testing.ts";
import { HOUR_ms } from "../dates.ts";
import type { JobDefinition, JobRunReport, JobWindow } from "./job.ts";
import { Scheduler } from "./scheduler.ts";
import { createJobStore } from "./store.ts";

const MIDNIGHT_MS = Date.UTC(2026, 0, 1);

describe("scheduler", () => {
  let database: Database;
  before(async () => {
    database = await openTestDatabase(kernelMigrations);
  });
  after(() => database.close());
  beforeEach(async () => {
    await database.db.deleteFrom("job_state").execute();
  });

  function schedulerOf(clock: ManualClock, jobs: readonly JobDefinition[], onRun?: (report: JobRunReport) => void) {
    return new Scheduler({
      clock,
      store: createJobStore(database.db),
      jobs,
      ...(onRun ? { onRun } : {}),
      onBookkeepingError: (_name, error) => {
        throw error;
      },
    });
  }
  const job = (
    name: string,
    schedule: string,
    run: JobDefinition["run"],
    missed: JobDefinition["missed"] = "each",
  ) => ({
    name,
    schedule,
    missed,
    run,
  });

  it("RUN-6: a clock jump runs every timer that fell due, in due order, at its own time", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const seen: string[] = [];
    const note = (name: string) => async (window: JobWindow) => {
      seen.push(`${name}@${(clock.now() - MIDNIGHT_MS) / HOUR_ms}h due ${(window.due_ms - MIDNIGHT_MS) / HOUR_ms}h`);
    };
    const scheduler = schedulerOf(clock, [
      job("daily", "0 0 * * *", note("daily")),
      job("hourly", "0 * * * *", note("hourly")),
      job("sweep", "*/10 * * * *", note("sweep"), "latest"),
    ]);
    await scheduler.start();
    const reports = await scheduler.advance(clock, MIDNIGHT_MS + 25.2 * HOUR_ms);
    await scheduler.stop();
    const hours = Array.from({ length: 25 }, (_, i) => i + 1);
    const expected = hours.flatMap((h) =>
      h === 24 ? ["daily@24h due 24h", "hourly@24h due 24h"] : [`hourly@${h}h due ${h}h`],
    );
    const sweepDue = (MIDNIGHT_MS + 25 * HOUR_ms + 10 * 60_000 - MIDNIGHT_MS) / HOUR_ms;
    assert.deepEqual(seen, [...expected, `sweep@${sweepDue}h due ${sweepDue}h`]);
    assert.equal(reports.length, 27);
    assert.equal(clock.now(), MIDNIGHT_MS + 25.2 * HOUR_ms);
  });

  it("windows are half open and join without gap or overlap, over restarts too", async () => {
    const clock = new ManualClock(MIDNIGHT_MS + 1_000);
    const windows: [number, number][] = [];
    const hourly = job("hourly", "0 * * * *", async (window) => {
      windows.push([window.since_ms, window.due_ms]);
    });
    for (let restart = 1; restart <= 3; restart++) {
      const scheduler = schedulerOf(clock, [hourly]);
      await scheduler.start();
      await scheduler.advance(clock, clock.now() + 2 * HOUR_ms);
      await scheduler.stop();
    }
    assert.equal(windows.length, 6);
    assert.equal(windows[0]![0], MIDNIGHT_MS + 1_000);
    for (let i = 1; i < windows.length; i++) assert.equal(windows[i]![0], windows[i - 1]![1]);
    assert.equal(windows.at(-1)![1], MIDNIGHT_MS + 6 * HOUR_ms);
  });

  it("runs that were missed while the process was down are made up for", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    let runs = 0;
    const counting = () => job("hourly", "0 * * * *", async () => ++runs);
    const first = schedulerOf(clock, [counting()]);
    await first.start();
    await first.stop();
    clock.advance(5 * HOUR_ms);
    const reached = Promise.withResolvers<void>();
    const second = schedulerOf(clock, [counting()], () => runs === 5 && reached.resolve());
    await second.start();
    await reached.promise;
    await second.stop();
    assert.equal(runs, 5);
  });

  it("a failing job is kept, shown and repeated; its watermark stays behind", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    let isBroken = true;
    const windows: number[] = [];
    const scheduler = schedulerOf(clock, [
      job("fragile", "0 * * * *", async (window) => {
        if (isBroken) throw new Error("the disk is full");
        windows.push(window.due_ms);
      }),
    ]);
    await scheduler.start();
    const reports = await scheduler.advance(clock, MIDNIGHT_MS + 3 * HOUR_ms);
    assert.deepEqual(
      reports.map((report) => report.error),
      ["the disk is full"],
    );
    const [shown] = scheduler.list();
    assert.equal(shown!.lastError, "the disk is full");
    assert.ok(shown!.consecutiveFailures >= 1);
    assert.equal(shown!.watermark_ms, MIDNIGHT_MS);
    const row = await database.db.selectFrom("job_state").selectAll().executeTakeFirstOrThrow();
    assert.equal(row.last_error, "the disk is full");

    isBroken = false;
    await scheduler.advance(clock, MIDNIGHT_MS + 3 * HOUR_ms + 1);
    assert.deepEqual(
      windows,
      [1, 2, 3].map((h) => MIDNIGHT_MS + h * HOUR_ms),
    );
    assert.equal(scheduler.list()[0]!.consecutiveFailures, 0);
    assert.equal(scheduler.list()[0]!.lastError, undefined);
    await scheduler.stop();
  });

  it("a job's own transaction moves the watermark with its work, or neither", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    let failAfterWork = true;
    const scheduler = schedulerOf(clock, [
      job("atomic", "0 * * * *", (window) =>
        database.db.transaction().execute(async (tx) => {
          await window.moveWatermark(tx);
          if (failAfterWork) throw new Error("crash before commit");
        }),
      ),
    ]);
    await scheduler.start();
    await scheduler.advance(clock, MIDNIGHT_MS + HOUR_ms);
    const watermark = async () =>
      (await database.db.selectFrom("job_state").select("watermark").executeTakeFirstOrThrow()).watermark.getTime();
    assert.equal(await watermark(), MIDNIGHT_MS);
    failAfterWork = false;
    await scheduler.advance(clock, MIDNIGHT_MS + HOUR_ms + 1);
    assert.equal(await watermark(), MIDNIGHT_MS + HOUR_ms);
    await scheduler.stop();
  });

  it("a failure does not outlive the work that was done since, also where the process ends before it is recorded", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const store = createJobStore(database.db);
    await store.create("atomic", MIDNIGHT_MS);
    const failed = { watermark_ms: MIDNIGHT_MS, lastStarted_ms: MIDNIGHT_MS, lastFinished_ms: MIDNIGHT_MS };
    await store.recordOutcome("atomic", { ...failed, lastError: "too early", consecutiveFailures: 2 }, 1);
    await database.db
      .transaction()
      .execute((tx) => store.moveWatermark("atomic", MIDNIGHT_MS, MIDNIGHT_MS + HOUR_ms, tx));
    clock.advanceTo(MIDNIGHT_MS + HOUR_ms);
    const scheduler = schedulerOf(clock, [job("atomic", "0 * * * *", async () => assert.fail("nothing is due"))]);
    await scheduler.start();
    const [{ lastError, consecutiveFailures } = assert.fail()] = scheduler.list();
    assert.deepEqual([lastError, consecutiveFailures], [undefined, 0]);
    await scheduler.stop();
  });

  it("two processes cannot both answer for the same stretch of time", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    const make = () => schedulerOf(clock, [job("shared", "0 * * * *", async () => undefined)]);
    const [one, two] = [make(), make()];
    await one.start();
    await two.start();
    const first = await one.advance(clock, MIDNIGHT_MS + HOUR_ms);
    const second = await two.advance(clock, MIDNIGHT_MS + HOUR_ms);
    assert.equal(first[0]!.error, undefined);
    assert.match(second[0]!.error!, /another process/);
    await one.stop();
    await two.stop();
  });

  it("a job never overlaps itself, whoever starts it", async () => {
    const clock = new ManualClock(MIDNIGHT_MS);
    let running = 0;
    let most = 0;
    const scheduler = schedulerOf(clock, [
      job("slow", "0 * * * *", async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
      }),
    ]);
    await scheduler.start();
    const byHand = [scheduler.runNow("slow"), scheduler.runNow("slow")];
    const reports = await scheduler.advance(clock, MIDNIGHT_MS + 3 * HOUR_ms);
    await Promise.all(byHand);
    await scheduler.stop();
    assert.equal(reports.length, 3);
    assert.equal(most, 1);
  });

  it("RUN-6: a run by hand leaves the schedule alone and answers with what it did", async () => {
    const clock = new ManualClock(MIDNIGHT_MS + 5);
    const scheduler = schedulerOf(clock, [
      job("by-hand", "0 * * * *", async (window) => ({ manual: window.isManual })),
    ]);
    await scheduler.start();
    const report = await scheduler.runNow("by-hand");
    assert.deepEqual(report.result, { manual: true });
    assert.equal(scheduler.list()[0]!.watermark_ms, MIDNIGHT_MS + 5);
    await assert.rejects(() => scheduler.runNow("unknown"), RangeError);
    await scheduler.stop();
  });

  describe("timers that lie in the data", () => {
    const MINUTE_ms = 60_000;
    /** The next of these moments, as a job that keeps them in memory returns it. */
    const of = (moments_ms: readonly number[]) => (after_ms: number) =>
      moments_ms.filter((moment_ms) => moment_ms > after_ms).toSorted((a, b) => a - b)[0];

    it("RUN-6: a clock jump stops at each of them, between the runs of the schedule and of other jobs", async () => {
      const clock = new ManualClock(MIDNIGHT_MS);
      const seen: [string, number, number][] = [];
      const note = (name: string) => async (window: JobWindow) => {
        seen.push([name, clock.now() - MIDNIGHT_MS, window.due_ms - window.since_ms]);
      };
      const moments = [1, 90.5 * MINUTE_ms, 90.5 * MINUTE_ms, 3 * HOUR_ms, 10 * HOUR_ms].map((at) => MIDNIGHT_MS + at);
      const scheduler = schedulerOf(clock, [
        { ...job("sweep", "* * * * *", note("sweep"), "latest"), dueBesides: of(moments) },
        job("hourly", "0 * * * *", note("hourly")),
      ]);
      await scheduler.start();
      assert.equal(scheduler.list()[0]!.nextDue_ms, MIDNIGHT_MS + 1);
      await scheduler.advance(clock, MIDNIGHT_MS + 3.5 * HOUR_ms);
      await scheduler.stop();
      assert.deepEqual(seen, [
        ["sweep", 1, 1],
        ["hourly", HOUR_ms, HOUR_ms],
        ["sweep", 90.5 * MINUTE_ms, 90.5 * MINUTE_ms - 1],
        ["hourly", 2 * HOUR_ms, HOUR_ms],
        // At the same moment in the order of the jobs.
        ["sweep", 3 * HOUR_ms, 89.5 * MINUTE_ms],
        ["hourly", 3 * HOUR_ms, HOUR_ms],
        ["sweep", 3.5 * HOUR_ms, 0.5 * HOUR_ms],
      ]);
    });

    it("none is passed over where only the latest of the schedule is made up for, over restarts too", async () => {
      const clock = new ManualClock(MIDNIGHT_MS);
      const due: number[] = [];
      const sweep = {
        ...job("sweep", "0 * * * *", async ({ due_ms }) => void due.push(due_ms - MIDNIGHT_MS), "latest"),
        dueBesides: of([MIDNIGHT_MS + 5, MIDNIGHT_MS + 7, MIDNIGHT_MS + HOUR_ms + 1]),
      };
      const first = schedulerOf(clock, [sweep]);
      await first.start();
      await first.advance(clock, MIDNIGHT_MS + 5);
      await first.stop();
      clock.advance(4 * HOUR_ms);
      const done = Promise.withResolvers<void>();
      const second = schedulerOf(clock, [sweep], () => due.length === 4 && done.resolve());
      await second.start();
      await done.promise;
      await second.stop();
      assert.deepEqual(due, [5, 7, HOUR_ms + 1, 4 * HOUR_ms]);
    });

    it("what a run brings about may be due on the same way; a failed one is due again", async () => {
      const clock = new ManualClock(MIDNIGHT_MS);
      const moments = [MIDNIGHT_MS + 10];
      let failures = 1;
      const due: number[] = [];
      const scheduler = schedulerOf(clock, [
        {
          ...job("chain", "0 0 1 1 *", async ({ due_ms }) => {
            if (failures-- > 0) throw new Error("not yet");
            due.push(due_ms - MIDNIGHT_MS);
            if (due.length < 3) moments.push(due_ms + 10);
          }),
          dueBesides: (after_ms) => of(moments)(after_ms),
        },
      ]);
      await scheduler.start();
      const [failed] = await scheduler.advance(clock, MIDNIGHT_MS + 100);
      assert.equal(failed?.error, "not yet");
      await scheduler.advance(clock, MIDNIGHT_MS + 101);
      await scheduler.stop();
      assert.deepEqual(due, [10, 20, 30]);
    });

    it("in real time it wakes for them, not only for its schedule", async () => {
      const clock = { now: () => Date.now() };
      const at_ms = clock.now() + 60;
      const ran = Promise.withResolvers<JobWindow>();
      const scheduler = new Scheduler({
        clock,
        store: createJobStore(database.db),
        jobs: [{ ...job("soon", "0 0 1 1 *", async (window) => ran.resolve(window)), dueBesides: of([at_ms]) }],
        onBookkeepingError: (_name, error) => assert.fail(String(error)),
      });
      await scheduler.start();
      const { due_ms } = await ran.promise;
      await scheduler.stop();
      assert.equal(due_ms, at_ms);
      assert.ok(clock.now() >= at_ms);
    });
  });
});
