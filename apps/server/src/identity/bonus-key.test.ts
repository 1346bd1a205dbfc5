import assert from "node:assert/strict";
import { test } from "node:test";
import { BonusKey } from "./bonus-key.ts";

test("SEC-7: only the exact bonus key matches, keys of other lengths are compared too", () => {
  const key = new BonusKey("correct horse battery staple 1234");
  assert.equal(key.matches("correct horse battery staple 1234"), true);
  for (const wrong of [
    "",
    "c",
    "correct horse battery staple 1235",
    "correct horse battery staple 12345",
    "x".repeat(9999),
  ]) {
    assert.equal(key.matches(wrong), false);
  }
  assert.equal(key.matches(undefined), false);
});

test("SEC-7: an empty bonus key is no key", () => {
  assert.throws(() => new BonusKey(""), /must not be empty/);
});
