import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { nearestIndex, scaleOf } from "./chart-scale.ts";

describe("scale of a chart", () => {
  it("round steps around the values", () => {
    assert.deepEqual(scaleOf([3, 97], true).ticks, [0, 25, 50, 75, 100]);
    assert.deepEqual(scaleOf([0.1, 0.3], false).ticks, [0.1, 0.15, 0.2, 0.25, 0.3]);
  });

  it("flat and empty series still have a height", () => {
    for (const values of [[], [0], [5, 5, 5], [-3]]) {
      const { min, max } = scaleOf(values, false);
      assert.ok(max > min, String(values));
    }
  });

  it("every value lies inside", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e13, max: 1e13 }), { minLength: 1 }), (micros) => {
        const values = micros.map((value) => value / 1e6);
        const { min, max, ticks } = scaleOf(values, false);
        const slack = (max - min) * 1e-9;
        assert.ok(ticks.length >= 2 && ticks.length <= 8);
        assert.ok(values.every((value) => value >= min - slack && value <= max + slack));
      }),
    );
  });

  it("the point under the pointer", () => {
    assert.equal(nearestIndex(0.5, 3), 1);
    assert.equal(nearestIndex(-1, 3), 0);
    assert.equal(nearestIndex(2, 3), 2);
    assert.equal(nearestIndex(0.7, 1), 0);
  });
});
