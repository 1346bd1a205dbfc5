import assert from "node:assert/strict";
import { test } from "node:test";
import type { StreamTrade } from "@bourse/api/client";
import { mergeTrades } from "./trade-list.ts";

const trade = (id: number): StreamTrade => ({ id, price: "1.0", quantity: "1", side: "BUY", time: id });
const trades = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => trade(from + place));
const ids = (list: readonly StreamTrade[]) => list.map(({ id }) => id);

test("the newest stands first, and what is known already is not repeated", () => {
  const first = mergeTrades([], trades(1, 3));
  assert.deepEqual(ids(first), [3, 2, 1]);
  assert.deepEqual(ids(mergeTrades(first, trades(3, 5))), [5, 4, 3, 2, 1]);
});

test("nothing new leaves the list as it is, so that nothing is drawn again", () => {
  const first = mergeTrades([], trades(1, 3));
  assert.equal(mergeTrades(first, trades(2, 3)), first);
  assert.deepEqual(mergeTrades([], []), []);
});

test("a page in the background does not fill up", () => {
  let list: readonly StreamTrade[] = [];
  for (let at = 0; at < 100; at += 1) list = mergeTrades(list, trades(at * 50, at * 50 + 49));
  assert.equal(list.length, 60);
  assert.equal(list[0]?.id, 4_999);
});
