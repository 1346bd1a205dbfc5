import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUY } from "./codes.ts";
import { BookFault, MAX_ORDER_ID } from "./limits.ts";
import { OrderIndex } from "./order-index.ts";
import { NO_SLOT, OrderPool } from "./order-pool.ts";
import { Prng } from "./testing/prng.ts";

function emptyIndex() {
  const pool = new OrderPool();
  return { pool, index: new OrderIndex(pool), take: (id: number) => pool.take(id, 1, 1, BUY, 1, 1, 0) };
}

/** Ids in sequence as an engine assigns them, ids that share their low 32 bits, and others. */
const anyId = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: 0, max: 200 }).map((high) => high * 2 ** 32 + 5),
  fc.integer({ min: 1, max: MAX_ORDER_ID }),
);

test("the index answers as a Map does, whatever is added and deleted", () => {
  fc.assert(
    fc.property(fc.array(anyId, { maxLength: 400 }), (ids) => {
      const { index, take, pool } = emptyIndex();
      const expected = new Map<number, number>();
      for (const id of ids) {
        const slot = expected.get(id);
        if (slot === undefined) {
          expected.set(id, take(id));
          index.add(expected.get(id)!);
        } else {
          index.delete(slot);
          pool.release(slot);
          expected.delete(id);
        }
        for (const known of ids) assert.equal(index.get(known), expected.get(known) ?? NO_SLOT);
        assert.equal(index.size, expected.size);
      }
    }),
    { numRuns: 100, seed: 20260801 },
  );
});

test("a crowded index that grows and shrinks loses no order", () => {
  const { index, take, pool } = emptyIndex();
  const random = new Prng(11);
  const live: number[] = [];
  let id = 0;
  for (let step = 0; step < 60_000; step++) {
    if (live.length === 0 || random.isIn(step < 40_000 ? 60 : 30)) {
      id += random.between(1, 3);
      live.push(take(id));
      index.add(live.at(-1)!);
    } else {
      const at = random.below(live.length);
      const slot = live[at]!;
      live[at] = live.at(-1)!;
      live.pop();
      index.delete(slot);
      assert.equal(index.get(pool.id(slot)), NO_SLOT);
      pool.release(slot);
    }
    if (step % 2_000 === 0) for (const slot of live) assert.equal(index.get(pool.id(slot)), slot);
  }
  assert.equal(index.size, live.length);
  for (const slot of live) assert.equal(index.get(pool.id(slot)), slot);
});

test("orders that rest for ages are found among millions of ids that came and went, and pin no memory", () => {
  const { index, take, pool } = emptyIndex();
  const old = [1, 2, 3, 2048 + 2].map((id) => take(id));
  for (const slot of old) index.add(slot);
  for (let id = 1_000_000; id < 1_200_000; id++) {
    const slot = take(id);
    index.add(slot);
    assert.equal(index.get(id), slot);
    index.delete(slot);
    pool.release(slot);
  }
  assert.deepEqual(
    old.map((slot) => index.get(pool.id(slot))),
    old,
  );
  assert.equal(index.size, old.length);
  assert.equal(pool.capacity, 1024);
});

test("an id that is there already and a slot that is not are faults", () => {
  const { index, take } = emptyIndex();
  const slot = take(42);
  index.add(slot);
  assert.throws(() => index.add(take(42)), BookFault);
  assert.throws(() => index.delete(take(43)), BookFault);
  assert.equal(index.get(42), slot);
  assert.equal(index.size, 1);
});
