import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changesOfLevels, draftOfLevels, type LevelDraft, levelsOf, problemsOfLevels } from "./level-draft.ts";

const LEVELS = [
  { level: 0, points_min: 0, points_max: 999, weight: 4 },
  { level: 1, points_min: 1_000, points_max: 9_999, weight: 8 },
  { level: 2, points_min: 10_000, points_max: 49_999, weight: 12 },
  { level: 3, points_min: 50_000, points_max: 199_999, weight: 25 },
  { level: 4, points_min: 200_000, points_max: 499_999, weight: 60 },
  { level: 5, points_min: 500_000, points_max: null, weight: 120 },
];
const rows = draftOfLevels(LEVELS);
const withRow = (level: number, change: Partial<LevelDraft>) =>
  rows.map((row) => (row.level === level ? { ...row, ...change } : row));

describe("levels", () => {
  it("go out as they came in", () => {
    assert.deepEqual(levelsOf(rows), LEVELS);
    assert.deepEqual(changesOfLevels(LEVELS, LEVELS), []);
  });

  it("never have a gap: each ends where the next one begins", () => {
    const moved = levelsOf(withRow(2, { from: "12,000" }));
    assert.ok(moved);
    assert.deepEqual(
      moved.slice(1, 3).map(({ points_min, points_max }) => [points_min, points_max]),
      [
        [1_000, 11_999],
        [12_000, 49_999],
      ],
    );
    assert.deepEqual(
      changesOfLevels(LEVELS, moved).map(({ what }) => what),
      ["L1", "L2"],
    );
  });

  it("are refused before they are sent", () => {
    const wrong = (level: number, change: Partial<LevelDraft>) => {
      const changed = withRow(level, change);
      assert.equal(levelsOf(changed), undefined);
      return problemsOfLevels(changed)[level];
    };
    assert.deepEqual(wrong(1, { from: "0" }), { from: "A whole number from 1 on." });
    assert.match(wrong(2, { from: "1000" })?.from ?? "", /Above 1,000/);
    assert.deepEqual(wrong(3, { weight: "1000001" }), { weight: "0 to 1,000,000." });
    assert.deepEqual(wrong(3, { weight: "" }), { weight: "0 to 1,000,000." });
  });
});
