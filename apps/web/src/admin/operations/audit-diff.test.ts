import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { differencesOf } from "./audit-diff.ts";

describe("what an entry has changed", () => {
  it("is told leaf by leaf", () => {
    const before = { status: "active", rate: "0.3", tags: ["a", "b"] };
    const after = { status: "frozen", rate: "0.3", tags: ["a"], note: null };
    assert.deepEqual(differencesOf(before, after), [
      { path: "note", kind: "added", before: undefined, after: "null" },
      { path: "rate", kind: "same", before: "0.3", after: "0.3" },
      { path: "status", kind: "changed", before: "active", after: "frozen" },
      { path: "tags.0", kind: "same", before: "a", after: "a" },
      { path: "tags.1", kind: "removed", before: "b", after: undefined },
    ]);
  });

  it("of something new is all new, of something gone all gone", () => {
    const kinds = (before: unknown, after: unknown) => differencesOf(before, after).map(({ kind }) => kind);
    assert.deepEqual(kinds(null, { a: 1, b: { c: true } }), ["added", "added"]);
    assert.deepEqual(kinds({ a: 1 }, null), ["removed"]);
    assert.deepEqual(kinds(null, null), []);
  });

  it("tells an empty list from none, and a text from a number", () => {
    assert.deepEqual(differencesOf({ ids: [] }, { ids: ["x"] }), [
      { path: "ids", kind: "removed", before: "[]", after: undefined },
      { path: "ids.0", kind: "added", before: undefined, after: "x" },
    ]);
    assert.deepEqual(differencesOf(false, true), [{ path: "", kind: "changed", before: "false", after: "true" }]);
  });
});
