import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pauseAfter } from "./retry.ts";

describe("pauses between attempts", () => {
  it("double with every failure, up to the longest", () => {
    const pauses = [1, 2, 3, 4, 5, 1_000, 1e9].map((failures) => pauseAfter(failures, { first: 100, max: 1_000 }));
    assert.deepEqual(pauses, [100, 200, 400, 800, 1_000, 1_000, 1_000]);
  });
});
