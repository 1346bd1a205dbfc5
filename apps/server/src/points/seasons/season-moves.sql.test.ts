import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { migrations } from "../../compose/migrations.ts";
import { ProjectionTimeout } from "../../exchange/projector/waiting.ts";
import { createAuditLog } from "../../kernel/audit/audit-log.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { openTestDatabase, type TestDatabase } from "../../kernel/database/testing.ts";
import { DAY_ms } from "../../kernel/dates.ts";
import { WITHOUT_NOTES } from "../../kernel/engine-requests/testing.ts";
import { Scheduler } from "../../kernel/jobs/scheduler.ts";
import { createJobStore } from "../../kernel/jobs/store.ts";
import { seededRandom } from "../../kernel/random.ts";
import { NotAllScored } from "../all-scored.ts";
import { Epochs } from "../epochs.ts";
import { pointsTx } from "../tables.ts";
import { POINT_micros, PointsBooks, walletOf } from "../testing/points-books.ts";
import { allocate, assertStillSame } from "./allocation.ts";
import { seasonJobs } from "./jobs.ts";
import { SeasonAdmin } from "./season-admin.ts";
import { SeasonMoments } from "./season-moments.ts";
import { SeasonMoves } from "./season-moves.ts";
import { findSeason, listSeasons, type Season } from "./season-store.ts";

const epochs = new Epochs(Date.UTC(2026, 0, 5));
const ACTOR = { actor: "admin-1", role: "admin" };

describe("PTS-2: seasons move on", () => {
  let database: TestDatabase;
  let books: PointsBooks;
  let clock: ManualClock;
  let moments: SeasonMoments;
  let onWait: () => Promise<void>;
  const exchange = { waiting: 0, current: () => undefined, engine: { state: { time_ms: 0, commandNumber: 0 } } };

  before(async () => {
    database = await openTestDatabase(migrations);
    books = new PointsBooks(database, epochs);
  });
  after(() => database.close());
  beforeEach(async () => {
    for (const table of ["points_allocation", "points_season", "points_total", "job_state"] as const) {
      await books.db.deleteFrom(table).execute();
    }
    clock = new ManualClock(epochs.start_ms(10));
    moments = new SeasonMoments(books.db, epochs);
    exchange.waiting = 0;
    onWait = async () => {};
    await books.earnDone(Number.MAX_SAFE_INTEGER / 2 ** 10);
  });

  const options = (audit = createAuditLog({ clock })) => ({
    database,
    clock,
    audit,
    epochs,
    moments,
    engineRequests: WITHOUT_NOTES,
    random: seededRandom("seasons"),
    exchange: exchange as never,
    projector: { waitForAll: () => onWait() } as never,
    patience_ms: 60,
  });
  const newMoves = (audit?: ReturnType<typeof createAuditLog>) => new SeasonMoves(options(audit));
  const read = async ({ id }: Season) => (await findSeason(books.db, id))!;
  const allocations = () => books.db.selectFrom("points_allocation").selectAll().execute();
  const ended = async (): Promise<Season> => {
    const season = await books.season({ start_epoch: 10, end_epoch: 11 });
    await books.total("season", season.season_no, walletOf(1), 5n * POINT_micros);
    clock.advanceTo(epochs.end_ms(11));
    return season;
  };

  it("PTS-2: after a long pause every step is made, in order, and once", async () => {
    const season = await books.season({ start_epoch: 11, end_epoch: 12, status: "pending" });
    await books.total("season", season.season_no, walletOf(1), 5n * POINT_micros);
    clock.advanceTo(epochs.end_ms(12) + 93 * DAY_ms);
    const steps = await newMoves().runDue();
    assert.deepEqual(
      steps.map(({ status }) => status),
      ["active", "snapshot", "distributing", "completed"],
    );
    const { status, snapshot_taken_at, distribution_started_at, completed_at, leaf_count } = await read(season);
    assert.deepEqual([status, leaf_count], ["completed", 1]);
    for (const stamp of [snapshot_taken_at, distribution_started_at, completed_at]) {
      assert.equal(stamp?.getTime(), clock.now());
    }
    assert.deepEqual(await newMoves().runDue(), []);
    const entries = await createAuditLog({ clock }).list(database.db, { limit: 4 });
    assert.deepEqual(
      entries.map(({ action, actor, target }) => [action, actor, target]),
      ["completed", "distributing", "snapshot", "active"].map((step) => [`points.season.${step}`, "system", season.id]),
    );
  });

  it("PTS-2: a clock that is moved far meets every step at its own moment", async () => {
    const season = await books.season({ start_epoch: 11, end_epoch: 12, status: "pending" });
    await moments.load();
    const onBookkeepingError = (name: string, error: unknown) => assert.fail(`${name}: ${error}`);
    const store = createJobStore(database.db);
    const scheduler = new Scheduler({ clock, store, jobs: seasonJobs(newMoves(), moments), onBookkeepingError });
    await scheduler.start();
    await scheduler.advance(clock, epochs.end_ms(12) + 100 * DAY_ms);
    await scheduler.stop();
    const { status, snapshot_taken_at, distribution_started_at, completed_at } = await read(season);
    assert.deepEqual(
      [status, snapshot_taken_at, distribution_started_at, completed_at],
      ["completed", season.snapshot_at, season.distribution_at, new Date(epochs.end_ms(12) + 93 * DAY_ms)],
    );
  });

  it("PTS-2: nothing happens a millisecond before its time", async () => {
    const season = await books.season({ start_epoch: 11, end_epoch: 12, status: "pending" });
    const end_ms = epochs.end_ms(12);
    for (const [at_ms, before_, after_] of [
      [epochs.start_ms(11), "pending", "active"],
      [end_ms, "active", "snapshot"],
      [end_ms + 3 * DAY_ms, "snapshot", "distributing"],
      [end_ms + 93 * DAY_ms, "distributing", "completed"],
    ] as const) {
      clock.advanceTo(at_ms - 1);
      await newMoves().runDue();
      assert.equal((await read(season)).status, before_);
      clock.advanceTo(at_ms);
      await newMoves().runDue();
      assert.equal((await read(season)).status, after_);
    }
  });

  it("PTS-2: the snapshot waits until the season's trades are all written", async () => {
    const season = await ended();
    onWait = () => Promise.reject(new ProjectionTimeout(7, 1));
    await assert.rejects(newMoves().runDue(), NotAllScored);
    exchange.waiting = 2;
    exchange.engine.state.time_ms = epochs.end_ms(11) - 1;
    onWait = async () => {};
    await assert.rejects(newMoves().runDue(), NotAllScored);
    assert.deepEqual([(await read(season)).status, (await allocations()).length], ["active", 0]);
    exchange.engine.state.time_ms = epochs.end_ms(11);
    await newMoves().runDue();
    assert.equal((await read(season)).status, "snapshot");
  });

  it("PTS-2: the snapshot waits for the earn points of the season's last day", async () => {
    const season = await ended();
    const lastMidnight_ms = epochs.end_ms(11) - DAY_ms;
    await books.db.deleteFrom("job_state").execute();
    await assert.rejects(newMoves().runDue(), /points-earn has not come to its last day/);
    await books.earnDone(lastMidnight_ms - 1);
    await assert.rejects(newMoves().runDue(), /points-earn has not come to its last day/);
    assert.equal((await read(season)).status, "active");
    await books.earnDone(lastMidnight_ms);
    await newMoves().runDue();
    assert.equal((await read(season)).status, "snapshot");
  });

  it("PTS-2: a season that cannot go on holds up no other", async () => {
    const waiting = await ended();
    const next = await books.season({ start_epoch: 12, end_epoch: 13, status: "pending" });
    onWait = () => Promise.reject(new ProjectionTimeout(7, 1));
    await assert.rejects(newMoves().runDue(), NotAllScored);
    assert.deepEqual([(await read(waiting)).status, (await read(next)).status], ["active", "active"]);
  });

  it("PTS-5: tokens and status are one: where the last statement fails there is neither", async () => {
    const season = await ended();
    const broken = createAuditLog({ clock });
    const audit = { ...broken, append: () => Promise.reject(new Error("the disk is full")) };
    await assert.rejects(newMoves(audit).runDue(), /the disk is full/);
    const { status, root, snapshot_taken_at } = await read(season);
    assert.deepEqual([status, root, snapshot_taken_at], ["active", null, null]);
    assert.deepEqual(await allocations(), []);
    await newMoves().runDue();
    assert.equal((await allocations()).length, 1);
  });

  it("PTS-5: points that come in while the tokens are split keep the snapshot from being taken", async () => {
    const season = await ended();
    await database.db.transaction().execute(async (tx) => {
      await allocate(pointsTx(tx), season);
      await assertStillSame(pointsTx(tx), season);
      await pointsTx(tx).updateTable("points_total").set({ points_micros: 6n }).execute();
      await assert.rejects(assertStillSame(pointsTx(tx), season), /points were scored while/);
      await pointsTx(tx).deleteFrom("points_allocation").execute();
    });
    await newMoves().runDue();
    assert.equal((await allocations())[0]!.points_micros, 6n);
  });

  it("PTS-2: two runs at once make each step once", async () => {
    const season = await ended();
    clock.advanceTo(epochs.end_ms(11) + 4 * DAY_ms);
    const steps = (await Promise.all([newMoves().runDue(), newMoves().runDue(), newMoves().runDue()])).flat();
    assert.deepEqual(steps.map(({ status }) => status).sort(), ["distributing", "snapshot"]);
    assert.equal((await read(season)).status, "distributing");
    assert.equal((await allocations()).length, 1);
  });

  it("PTS-5: what nobody has a claim to is said to be unallocated", async () => {
    await books.season({ start_epoch: 10, end_epoch: 10, mm_pool_tokens: 70n });
    clock.advanceTo(epochs.end_ms(10));
    const [step] = await newMoves().runDue();
    const { unallocated_user_tokens, unallocated_mm_tokens, leaf_count, user_tokens } = step!.snapshot!;
    assert.deepEqual([unallocated_user_tokens, unallocated_mm_tokens, leaf_count, user_tokens], [1_000_000, 70, 0, 0]);
  });

  it("PTS-2: an end that is moved while the snapshot waits keeps it from being taken", async () => {
    const season = await ended();
    onWait = async () => {
      onWait = async () => {};
      await new SeasonAdmin(options()).change(season.id, { end_epoch: 12 }, ACTOR);
    };
    assert.deepEqual(await newMoves().runDue(), []);
    assert.deepEqual([(await read(season)).status, (await read(season)).end_epoch], ["active", 12]);
  });

  it("PTS-2: the job is due at every moment of a season, known after a start and after each change", async () => {
    const [job] = seasonJobs(newMoves(), moments);
    const due = (after_ms: number) => job!.dueBesides!(after_ms);
    assert.equal(due(0), undefined);
    const admin = new SeasonAdmin(options());
    const made = await admin.create(
      { label: "S", start_epoch: 11, end_epoch: 12, user_pool_tokens: 1, mm_pool_tokens: 1 },
      ACTOR,
    );
    const end_ms = epochs.end_ms(12);
    const expected = [epochs.start_ms(11), end_ms, end_ms + 3 * DAY_ms, end_ms + 93 * DAY_ms];
    for (const [place, at_ms] of expected.entries()) {
      assert.equal(due(at_ms - 1), at_ms);
      assert.equal(due(at_ms), expected[place + 1]);
    }
    await admin.change(made.season_id, { end_epoch: 13 }, ACTOR);
    assert.equal(due(epochs.start_ms(11)), epochs.end_ms(13));
    const restarted = new SeasonMoments(books.db, epochs);
    await restarted.load();
    assert.equal(restarted.nextAfter(0), epochs.start_ms(11));
    clock.advanceTo(epochs.end_ms(13) + 93 * DAY_ms);
    await newMoves().runDue();
    assert.equal((await listSeasons(books.db))[0]!.status, "completed");
    assert.equal(due(0), undefined, "a completed season needs no more");
  });
});
