import assert from "node:assert/strict";
import { test } from "node:test";
import { arrangementOf } from "./arrangement.ts";

test("book and trades are both in sight where there is room for both", () => {
  assert.equal(arrangementOf(280, 500), "tabs");
  assert.equal(arrangementOf(280, 700), "stack");
  assert.equal(arrangementOf(560, 500), "columns");
  assert.equal(arrangementOf(560, 900), "columns");
});
