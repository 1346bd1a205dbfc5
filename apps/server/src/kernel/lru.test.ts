import assert from "node:assert/strict";
import { test } from "node:test";
import { Lru } from "./lru.ts";

test("the entry unused longest makes room", () => {
  const lru = new Lru<number>(3);
  for (const [index, key] of ["a", "b", "c"].entries()) lru.set(key, index);
  assert.equal(lru.get("a"), 0);
  lru.set("d", 3);
  assert.deepEqual([lru.get("a"), lru.get("b"), lru.get("c"), lru.get("d"), lru.size], [0, undefined, 2, 3, 3]);
  lru.set("a", 9);
  lru.set("e", 4);
  assert.deepEqual([lru.get("a"), lru.get("c"), lru.get("d"), lru.size], [9, undefined, 3, 3]);
  lru.delete("a");
  assert.deepEqual([lru.get("a"), lru.size], [undefined, 2]);
});
