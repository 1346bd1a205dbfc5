import assert from "node:assert/strict";
import { test } from "node:test";
import { lineAt, snapToTick } from "./line-places.ts";

test("a pointer means the nearest line within reach", () => {
  const lines = [
    { id: "a", y: 100 },
    { id: "b", y: 104 },
    { id: "c", y: null },
  ];
  assert.equal(lineAt(lines, 101, 5), "a");
  assert.equal(lineAt(lines, 103, 5), "b");
  assert.equal(lineAt(lines, 110, 5), undefined);
  assert.equal(lineAt([], 100, 5), undefined);
});

test("a dropped line lands on the tick, exactly", () => {
  assert.equal(snapToTick(60012.3499999, "0.1"), "60012.3");
  assert.equal(snapToTick(60012.36, "0.1"), "60012.4");
  assert.equal(snapToTick(0.30000000000000004, "0.1"), "0.3");
  assert.equal(snapToTick(29.84499, "0.005"), "29.845");
  assert.equal(snapToTick(149.993, "0.25"), "150");
});

test("a line cannot be dragged below the first tick", () => {
  assert.equal(snapToTick(-5, "0.01"), "0.01");
  assert.equal(snapToTick(0.001, "0.01"), "0.01");
});
