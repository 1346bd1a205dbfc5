import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Prng } from "../book/testing/prng.ts";
import { Expiries } from "./expiries.ts";

function drained(expiries: Expiries, time_ms: number): number[] {
  const ids: number[] = [];
  for (let id = expiries.nextDue(time_ms); id !== undefined; id = expiries.nextDue(time_ms)) {
    ids.push(id);
    expiries.remove(id);
  }
  return ids;
}

describe("expiries", () => {
  it("FUT-25: come up by time, then by id, once each, and not before their time", () => {
    const random = new Prng(5);
    const expiries = new Expiries();
    const ends = Array.from({ length: 2_000 }, (_, place) => ({ id: place + 1, time_ms: random.between(1, 300) }));
    for (const { id, time_ms } of ends) expiries.add(id, time_ms);
    const gone = ends.filter(() => random.isIn(40));
    for (const { id } of gone) expiries.remove(id);
    // A modified order leaves and comes back.
    for (const { id, time_ms } of ends.filter((end) => !gone.includes(end) && random.isIn(20))) {
      expiries.remove(id);
      expiries.add(id, time_ms);
    }
    const left = ends.filter((end) => !gone.includes(end)).sort((a, b) => a.time_ms - b.time_ms || a.id - b.id);
    assert.equal(expiries.mayBeDue(0), false);
    const ids = [150, 300].flatMap((time_ms) => {
      const due = drained(expiries, time_ms);
      assert.ok(due.every((id) => ends[id - 1]!.time_ms <= time_ms));
      return due;
    });
    assert.deepEqual(
      ids,
      left.map(({ id }) => id),
    );
    assert.equal(expiries.count, 0);
    assert.equal(expiries.mayBeDue(Number.MAX_SAFE_INTEGER), false);
  });

  it("FUT-25: orders that are placed and cancelled for ever leave nothing behind", () => {
    const expiries = new Expiries();
    expiries.add(1, 10);
    for (let id = 2; id < 100_000; id += 1) {
      expiries.add(id, 1_000_000 + id);
      expiries.remove(id);
      assert.ok(expiries.entries < 200);
    }
    assert.deepEqual(drained(expiries, 10), [1]);
  });
});
