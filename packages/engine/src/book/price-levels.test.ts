import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUY, SELL, type Side } from "./codes.ts";
import { MAX_TICKS } from "./limits.ts";
import { OrderPool } from "./order-pool.ts";
import { PageSet } from "./page-set.ts";
import { NO_TICKS, PriceLevels } from "./price-levels.ts";
import { Prng } from "./testing/prng.ts";

const EDGES = [1, 2, 31, 32, 33, 1023, 1024, 1025, 32_768, 2 ** 20, 2 ** 23, MAX_TICKS - 1, MAX_TICKS];
const anyTicks = fc.oneof(
  fc.constantFrom(...EDGES),
  fc.integer({ min: 5_000, max: 5_100 }),
  fc.integer({ min: 1, max: MAX_TICKS }),
);
const anySide = fc.constantFrom<Side>(BUY, SELL);

/** All occupied prices from best to worst, found by the same calls as the book makes. */
function walk(levels: PriceLevels): number[] {
  const prices: number[] = [];
  for (let ticks = levels.bestTicks; ticks !== NO_TICKS; ticks = levels.ticksWorseThan(ticks)) prices.push(ticks);
  return prices;
}

test("the levels are the sorted prices of what was appended and not unlinked", () => {
  fc.assert(
    fc.property(anySide, fc.array(anyTicks, { maxLength: 80 }), (side, prices) => {
      const pool = new OrderPool();
      const levels = new PriceLevels(side, pool);
      const resting = new Map<number, number[]>();
      prices.forEach((ticks, i) => {
        const queue = resting.get(ticks) ?? [];
        if (queue.length === 2) {
          for (const slot of queue) levels.unlink(slot);
          resting.delete(ticks);
        } else {
          const slot = pool.take(i + 1, 1, 1, side, ticks, i + 1, 0);
          levels.append(slot);
          resting.set(ticks, [...queue, slot]);
        }
        const sorted = [...resting.keys()].sort((a, b) => (side === BUY ? b - a : a - b));
        assert.deepEqual(walk(levels), sorted);
        for (const [at, slots] of resting) {
          const key = levels.keyOf(at);
          assert.equal(levels.ordersAt(key), slots.length);
          assert.equal(levels.headAt(key), slots[0]);
          assert.equal(levels.tailAt(key), slots.at(-1));
          const lots = slots.reduce((sum, slot) => sum + pool.remainingLots(slot), 0);
          assert.equal(levels.lotsAt(key), lots);
        }
        assert.equal(levels.pages, new Set([...resting.keys()].map((at) => levels.keyOf(at) >> 10)).size);
      });
    }),
    { numRuns: 300, seed: 20260801 },
  );
});

test("the next worse level is found from prices that have none, however far", () => {
  for (const side of [BUY, SELL] as const) {
    const pool = new OrderPool();
    const levels = new PriceLevels(side, pool);
    assert.equal(levels.bestTicks, NO_TICKS);
    for (const [i, ticks] of EDGES.entries()) levels.append(pool.take(i + 1, 1, 1, side, ticks, 1, 0));
    for (const from of [1, 16, 500, 2_000, 70_000, 2 ** 21, MAX_TICKS]) {
      const worse = side === BUY ? EDGES.filter((at) => at < from).at(-1) : EDGES.find((at) => at > from);
      assert.equal(levels.ticksWorseThan(from), worse ?? NO_TICKS, `side ${side}, from ${from}`);
    }
  }
});

test("pages go back with their last order, so a price that travels keeps the memory of one", () => {
  const pool = new OrderPool();
  const levels = new PriceLevels(BUY, pool);
  for (let ticks = 1; ticks <= MAX_TICKS; ticks += 1_000) {
    const slot = pool.take(ticks, 1, 1, BUY, ticks, 1, 0);
    levels.append(slot);
    assert.equal(levels.pages, 1);
    levels.unlink(slot);
    pool.release(slot);
    assert.equal(levels.pages, 0);
  }
  assert.equal(levels.pagesMade, 1);
  assert.equal(levels.lots, 0);
  assert.equal(levels.orders, 0);
});

test("there are never more pages than were in use at one time, whichever empty and fill again", () => {
  const pool = new OrderPool();
  const levels = new PriceLevels(SELL, pool);
  const random = new Prng(5);
  const resting: number[] = [];
  let maxPages = 0;
  for (let id = 1; id <= 20_000; id++) {
    if (resting.length > 0 && random.isIn(resting.length < 60 ? 40 : 60)) {
      const at = random.below(resting.length);
      levels.unlink(resting[at]!);
      pool.release(resting[at]!);
      resting[at] = resting.at(-1)!;
      resting.pop();
    } else {
      const slot = pool.take(id, 1, 1, SELL, 1_000 * random.between(1, 200), id, 0);
      levels.append(slot);
      resting.push(slot);
    }
    maxPages = Math.max(maxPages, levels.pages);
    assert.equal(levels.pagesMade, maxPages);
  }
  const prices = new Set(resting.map((slot) => pool.ticks(slot)));
  assert.deepEqual(
    walk(levels),
    [...prices].sort((a, b) => a - b),
  );
  assert.equal(
    levels.lots,
    resting.reduce((sum, slot) => sum + pool.remainingLots(slot), 0),
  );
});

test("the set of pages finds its highest member below any bound", () => {
  const anyMember = fc.oneof(fc.integer({ min: 0, max: 16_383 }), fc.constantFrom(0, 31, 32, 1023, 1024, 16_383));
  fc.assert(
    fc.property(fc.array(anyMember), fc.array(anyMember), anyMember, (added, deleted, bound) => {
      const set = new PageSet();
      const expected = new Set(added);
      for (const member of added) set.add(member);
      for (const member of deleted) {
        set.delete(member);
        expected.delete(member);
      }
      assert.equal(set.highestBelow(bound), Math.max(-1, ...[...expected].filter((member) => member < bound)));
    }),
    { numRuns: 500, seed: 20260801 },
  );
});
