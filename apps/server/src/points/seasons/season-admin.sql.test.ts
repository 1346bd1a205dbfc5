import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { AdminPointsSeason } from "@bourse/api";
import { DAY_ms } from "../../kernel/dates.ts";
import { createTestPlatform } from "../../testing/test-platform.ts";
import { Epochs } from "../epochs.ts";
import { SCOPES } from "../tables.ts";
import { POINT_micros, PointsBooks, walletOf } from "../testing/points-books.ts";
import { ADMIN_SEASONS, SeasonScene, UNKNOWN_ID } from "../testing/season-scene.ts";

/** The test platform's clock starts on the Monday on which epoch 22 begins. */
const epochs = new Epochs(Date.UTC(2026, 0, 5));

describe("what admins decide about seasons", () => {
  let scene: SeasonScene;
  let books: PointsBooks;
  let running: AdminPointsSeason;
  let future: AdminPointsSeason;

  before(async () => {
    scene = await SeasonScene.on(await createTestPlatform());
    books = new PointsBooks(scene.platform.database, epochs);
  });
  after(() => scene.platform.close());

  const seasonTotals = async () => {
    const rows = await books.db
      .selectFrom("points_total")
      .select(["period", "address", "points_micros", "last_ms"])
      .where("scope", "=", SCOPES.season)
      .orderBy("period")
      .orderBy("address")
      .execute();
    return rows.map(({ period, address, points_micros, last_ms }) => [
      period,
      Number(address),
      points_micros / POINT_micros,
      last_ms,
    ]);
  };

  it("interface 2.13: the public list has exactly these fields and the root, by number", async () => {
    assert.deepEqual(await scene.list(), []);
    future = await scene.create({ start_epoch: 24, end_epoch: 25, season_no: 7 });
    running = await scene.create({ label: " First ", start_epoch: 22, end_epoch: 22, season_no: 1 });
    const all = await scene.list();
    assert.deepEqual(
      all.map(({ season_no, label, status }) => [season_no, label, status]),
      [
        [1, "First", "active"],
        [7, "Season", "pending"],
      ],
    );
    assert.deepEqual(all[1], {
      season_id: future.season_id,
      season_no: 7,
      label: "Season",
      start_epoch: 24,
      end_epoch: 25,
      user_pool_tokens: 1000,
      mm_pool_tokens: 500,
      status: "pending",
      snapshot_at: "2026-06-29T00:00:00.000Z",
      snapshot_taken_at: null,
      distribution_at: "2026-07-02T00:00:00.000Z",
      root: null,
    });
    assert.deepEqual(await scene.adminList(), [running, future]);
  });

  it("PTS-6: bad input of a new season is 400, and nothing changes", async () => {
    const before_ = await scene.fingerprint();
    const bad: object[] = [
      { label: undefined },
      { label: "" },
      { label: " \n " },
      { label: "x".repeat(81) },
      { label: "a\u202eb" },
      { label: 5 },
      { start_epoch: 0 },
      { start_epoch: 1.5 },
      { start_epoch: "30" },
      { end_epoch: 10_001 },
      { end_epoch: 29 },
      { start_epoch: 1, end_epoch: 21 },
      { user_pool_tokens: -1 },
      { user_pool_tokens: 1.5 },
      { user_pool_tokens: "1e3" },
      { user_pool_tokens: "1.000001" },
      { user_pool_tokens: "" },
      { mm_pool_tokens: "1000000000000001" },
      { mm_pool_tokens: null },
      { mm_pool_tokens: undefined },
      { distribution_at: "tomorrow" },
      { distribution_at: 1_780_272_000_000 },
      { distribution_at: "2026-02-30T00:00:00Z" },
      { distribution_at: new Date(epochs.end_ms(31) - 1).toISOString() },
      { distribution_at: new Date(epochs.end_ms(31) + 366 * DAY_ms).toISOString() },
      { season_no: 0 },
      { season_no: "3" },
    ];
    for (const change of bad) {
      const reply = await scene.send("POST", ADMIN_SEASONS, scene.draft(change));
      assert.equal(reply.statusCode, 400, `${JSON.stringify(change)}: ${reply.body}`);
      assert.match(reply.json().code, /^(?:INVALID_FIELD|FIELD_REQUIRED)$/);
    }
    assert.equal(await scene.fingerprint(), before_);
  });

  it("PTS-6: overlapping epochs and a number that is taken are 409", async () => {
    for (const [start_epoch, end_epoch] of [
      [22, 22],
      [22, 30],
      [25, 26],
      [23, 24],
      [1, 40],
    ]) {
      const payload = scene.draft({ start_epoch, end_epoch });
      await scene.refuses("POST", ADMIN_SEASONS, payload, 409, "SEASON_OVERLAPS");
    }
    await scene.refuses("POST", ADMIN_SEASONS, scene.draft({ season_no: 7 }), 409, "SEASON_NUMBER_TAKEN");
    const url = `${ADMIN_SEASONS}/${future.season_id}`;
    await scene.refuses("PUT", url, { start_epoch: 22 }, 409, "SEASON_OVERLAPS");
    await scene.refuses("PUT", url, { season_no: 1 }, 409, "SEASON_NUMBER_TAKEN");
  });

  it("PTS-6: of many who ask for the same epochs at once one gets them", async () => {
    const ask = (end_epoch: number) => scene.send("POST", ADMIN_SEASONS, scene.draft({ start_epoch: 40, end_epoch }));
    const replies = await Promise.all([40, 41, 42, 43, 44, 45].map(ask));
    assert.deepEqual(replies.map(({ statusCode }) => statusCode).sort(), [200, 409, 409, 409, 409, 409]);
    const [, , made] = await scene.list();
    assert.deepEqual([made!.season_no, made!.start_epoch], [8, 40], "the number after the highest");
  });

  it("PTS-6: a pending season can be changed in everything, and its distribution moves with its end", async () => {
    let now = await scene.change(future, { end_epoch: 26 });
    assert.deepEqual([now.snapshot_at, now.distribution_at], ["2026-07-06T00:00:00.000Z", "2026-07-09T00:00:00.000Z"]);
    now = await scene.change(future, {
      start_epoch: 23,
      season_no: 2,
      user_pool_tokens: "2000.0",
      label: "Second",
      distribution_at: "2026-07-07T02:00:00+02:00",
    });
    assert.deepEqual(
      [now.start_epoch, now.season_no, now.user_pool_tokens, now.label, now.distribution_at],
      [23, 2, 2000, "Second", "2026-07-07T00:00:00.000Z"],
    );
    const entry = await scene.lastAudit();
    assert.deepEqual([entry.action, entry.role, entry.target], ["points.season.change", "admin", future.season_id]);
    assert.deepEqual([entry.before?.season_no, entry.after?.season_no], [7, 2]);
    const url = `${ADMIN_SEASONS}/${future.season_id}`;
    for (const bad of [
      {},
      { end_epoch: 22 },
      { label: null },
      { distribution_at: "2026-07-05T00:00:00Z" },
      // The end would be after the unchanged distribution time.
      { end_epoch: 27, distribution_at: now.distribution_at },
    ]) {
      await scene.refuses("PUT", url, bad, 400, "INVALID_FIELD");
    }
    await scene.refuses("PUT", `${ADMIN_SEASONS}/${UNKNOWN_ID}`, { label: "x" }, 404, "SEASON_NOT_FOUND");
    await scene.refuses("PUT", `${ADMIN_SEASONS}/nothing`, { label: "x" }, 400, "INVALID_FIELD");
  });

  it("PTS-6: of an active season the start is fixed; values that are sent again change nothing", async () => {
    const url = `${ADMIN_SEASONS}/${running.season_id}`;
    await scene.refuses("PUT", url, { start_epoch: 20 }, 409, "INVALID_STATE");
    await scene.refuses("PUT", url, { season_no: 9 }, 409, "INVALID_STATE");
    await scene.refuses("PUT", url, { end_epoch: 21 }, 400, "INVALID_FIELD");
    const same = { start_epoch: 22, end_epoch: 22, season_no: 1, distribution_at: running.distribution_at };
    const changed = await scene.change(running, { ...same, user_pool_tokens: 1_000_000, mm_pool_tokens: 0 });
    assert.deepEqual([changed.user_pool_tokens, changed.mm_pool_tokens], [1_000_000, 0]);
  });

  it("PTS-2: a season starts with what was scored in its epochs, and so after every change of them", async () => {
    const score = (number: number, points: bigint, epoch: number, at = 5) =>
      books.scored(walletOf(number), points * POINT_micros, epochs.start_ms(epoch) + at);
    await score(1, 10n, 19);
    await score(1, 5n, 20);
    await score(2, 7n, 20);
    await score(3, 9n, 21);
    await score(4, 4n, 22);
    assert.deepEqual(await seasonTotals(), []);
    const second = await scene.change(future, {
      start_epoch: 60,
      end_epoch: 61,
      distribution_at: "2027-03-10T00:00:00Z",
    });
    assert.equal(second.status, "pending");
    await scene.change(running, { end_epoch: 23 });
    const of22 = BigInt(epochs.start_ms(22) + 5);
    assert.deepEqual(await seasonTotals(), [[1, 4, 4n, of22]]);
    // A season entirely in the past would be over at once; one that began in the past and still runs is active at once.
    await scene.refuses(
      "PUT",
      `${ADMIN_SEASONS}/${second.season_id}`,
      { start_epoch: 19, end_epoch: 20 },
      400,
      "INVALID_FIELD",
    );
    await scene.refuses(
      "PUT",
      `${ADMIN_SEASONS}/${second.season_id}`,
      { start_epoch: 19, end_epoch: 22 },
      409,
      "SEASON_OVERLAPS",
    );
    await books.db.deleteFrom("points_season").where("season_no", "=", 1).execute();
    await books.db.deleteFrom("points_total").where("scope", "=", SCOPES.season).execute();
    const moved = await scene.change(second, { start_epoch: 20, end_epoch: 22, season_no: 3 });
    assert.deepEqual([moved.status, moved.distribution_at], ["active", "2026-06-10T00:00:00.000Z"]);
    const [of20, of21] = [20, 21].map((epoch) => BigInt(epochs.start_ms(epoch) + 5));
    assert.deepEqual(await seasonTotals(), [
      [3, 1, 5n, of20],
      [3, 2, 7n, of20],
      [3, 3, 9n, of21],
      [3, 4, 4n, of22],
    ]);
  });
});
