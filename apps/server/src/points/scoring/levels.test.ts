import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Level, levelOf } from "./levels.ts";

const LEVELS: readonly Level[] = [
  { level: 0, points_min: 0, points_max: 999, weight: 4 },
  { level: 1, points_min: 1_000, points_max: 9_999, weight: 8 },
  { level: 2, points_min: 10_000, points_max: 49_999, weight: 12 },
  { level: 3, points_min: 50_000, points_max: 199_999, weight: 25 },
  { level: 4, points_min: 200_000, points_max: 499_999, weight: 60 },
  { level: 5, points_min: 500_000, points_max: null, weight: 120 },
];

describe("levels", () => {
  const vectors: [points_micros: bigint, level: number][] = [
    [0n, 0],
    [1n, 0],
    [999_000_000n, 0],
    [999_999_999n, 0],
    [1_000_000_000n, 1],
    [9_999_999_999n, 1],
    [10_000_000_000n, 2],
    [49_999_999_999n, 2],
    [50_000_000_000n, 3],
    [199_999_999_999n, 3],
    [200_000_000_000n, 4],
    [499_999_999_999n, 4],
    [500_000_000_000n, 5],
    [9_007_199_254_740_991n, 5],
  ];
  for (const [points_micros, level] of vectors) {
    it(`T10: ${points_micros} micros are of level ${level}, as bigint and as number`, () => {
      assert.equal(levelOf(LEVELS, points_micros).level, level);
      assert.equal(levelOf(LEVELS, Number(points_micros)).level, level);
    });
  }

  it("T10: a micro below a bound is below it, however large the bound", () => {
    // 9000000000.000000 less one micro: divided as a float it would round up to the bound.
    const high = LEVELS.map((row) => (row.level === 5 ? { ...row, points_min: 9_000_000_000 } : row));
    assert.equal(levelOf(high, 8_999_999_999_999_999).level, 4);
    assert.equal(levelOf(high, 9_000_000_000_000_000).level, 5);
  });

  it("no levels, no answer", () => {
    assert.throws(() => levelOf([], 1n), RangeError);
  });
});
