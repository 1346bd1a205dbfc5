import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "../kernel/clock.ts";
import { REVOCATION_LIFE_MS, Revocations } from "./revocations.ts";

test("SEC-3: a revoked session is remembered for as long as a token of it can be alive, and no longer", () => {
  const clock = new ManualClock(1_000_000);
  const revocations = new Revocations(clock);
  revocations.add("old", clock.now());
  clock.advance(REVOCATION_LIFE_MS - 1);
  revocations.add("new", clock.now());
  assert.deepEqual([revocations.has("old"), revocations.has("new"), revocations.has("other")], [true, true, false]);
  clock.advance(1);
  revocations.add("newest", clock.now());
  assert.deepEqual([revocations.has("old"), revocations.has("new"), revocations.size], [false, true, 2]);
  assert.ok(REVOCATION_LIFE_MS >= 61 * 60_000);
});
