import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { PointsLevels } from "@bourse/api";
import { sql } from "kysely";
import { AdminScene } from "./testing/admin-scene.ts";

const LEVELS = [
  { level: 0, points_min: 0, points_max: 999, weight: 4 },
  { level: 1, points_min: 1_000, points_max: 9_999, weight: 8 },
  { level: 2, points_min: 10_000, points_max: 49_999, weight: 12 },
  { level: 3, points_min: 50_000, points_max: 199_999, weight: 25 },
  { level: 4, points_min: 200_000, points_max: 499_999, weight: 60 },
  { level: 5, points_min: 500_000, points_max: null, weight: 120 },
];

describe("PTS-6: the administration of levels", () => {
  let scene: AdminScene;
  before(async () => {
    scene = await AdminScene.open();
  });
  after(() => scene.close());

  it("interface 2.13: anyone reads the six documented rows as a bare array", async () => {
    const reply = await scene.platform.get("/api/v1/points/earn-level-config");
    assert.equal(reply.statusCode, 200);
    assert.deepEqual(reply.json(), LEVELS);
    assert.deepEqual(await scene.read("/levels"), { levels: LEVELS });
  });

  it("set, in any order, they hold at once, also where they were kept in memory, and the audit log has both", async () => {
    const levels = LEVELS.map((row) => ({
      ...row,
      points_min: row.points_min * 2,
      points_max: row.points_max === null ? null : row.points_max * 2 + 1,
      weight: row.level === 0 ? 0 : 1_000_000,
    }));
    const reply = await scene.set<PointsLevels>("/levels", { levels: levels.toReversed(), reason: "a new season" });
    assert.deepEqual(reply, { levels });
    assert.deepEqual(await scene.levels(), levels);
    assert.deepEqual(await scene.read("/levels"), { levels });
    assert.deepEqual(await scene.lastAudit(), {
      action: "points.levels.set",
      role: "admin",
      target: "levels",
      before: { levels: LEVELS },
      after: { levels },
      reason: "a new season",
    });
    await scene.set("/levels", { levels: LEVELS });
    assert.deepEqual(await scene.levels(), LEVELS);
  });

  it("what another process has set is seen after 10 seconds at the latest", async () => {
    await scene.levels();
    await sql`update points_level set weight = 5 where level = 0`.execute(scene.platform.database.db);
    const weight = async () => (await scene.levels())[0]!.weight;
    assert.equal(await weight(), 4);
    scene.platform.realTime.advance(10_000);
    assert.equal(await weight(), 5);
    await scene.set("/levels", { levels: LEVELS });
  });

  it("several at once: one after the other, and what is read is what was set last", async () => {
    const sets = [1, 2, 3, 4].map((weight) => ({ levels: LEVELS.map((row) => ({ ...row, weight })) }));
    await Promise.all(sets.map((levels) => scene.set("/levels", levels)));
    const { levels } = await scene.read<PointsLevels>("/levels");
    assert.deepEqual(await scene.levels(), levels);
    assert.deepEqual((await scene.lastAudit())["after"], { levels });
    assert.equal(new Set(levels.map(({ weight }) => weight)).size, 1, "two of them were mixed");
    await scene.set("/levels", { levels: LEVELS });
  });

  const with_ = (place: number, change: object) =>
    LEVELS.map((row, at) => (at === place ? { ...row, ...change } : row));
  const bad: [string, unknown][] = [
    ["null", null],
    ["text", "all"],
    ["none", []],
    ["five", LEVELS.slice(1)],
    ["seven", [...LEVELS, { level: 5, points_min: 1, points_max: null, weight: 1 }]],
    ["one twice", with_(1, { level: 2 })],
    ["level 6", with_(5, { level: 6 })],
    ["level -1", with_(0, { level: -1 })],
    ["level 0.5", with_(0, { level: 0.5 })],
    ["a level as text", with_(0, { level: "0" })],
    ["a first one that begins at 1", with_(0, { points_min: 1 })],
    ["negative points", with_(0, { points_min: -1 })],
    ["a gap", with_(1, { points_min: 1_001 })],
    ["an overlap", with_(1, { points_min: 999 })],
    ["a level that ends before it begins", with_(2, { points_max: 9_999 })],
    ["a last one with an end", with_(5, { points_max: 600_000 })],
    ["one without an end in between", with_(3, { points_max: null })],
    ["parts of points", with_(0, { points_max: 998.5 })],
    ["too many points", with_(4, { points_max: 1e15 + 1 })],
    ["a negative weight", with_(0, { weight: -1 })],
    ["a weight above a million", with_(0, { weight: 1_000_001 })],
    ["a weight of parts", with_(0, { weight: 1.5 })],
    ["a weight as text", with_(0, { weight: "4" })],
  ];
  for (const [what, levels] of bad) {
    it(`refuses ${what}`, () => scene.refuses("/levels", { levels: levels as object }, "INVALID_FIELD", /^levels/));
  }
  it("refuses missing fields and a reason that is none", async () => {
    await scene.refuses("/levels", {}, "FIELD_REQUIRED", /^levels is required/);
    for (const name of ["level", "points_min", "points_max", "weight"]) {
      await scene.refuses("/levels", { levels: with_(2, { [name]: undefined }) }, "FIELD_REQUIRED");
    }
    for (const reason of [12, null, "x".repeat(501), "a\u0000b"]) {
      await scene.refuses("/levels", { levels: LEVELS, reason }, "INVALID_FIELD", /^reason/);
    }
  });
});
