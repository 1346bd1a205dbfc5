import assert from "node:assert/strict";
import { test } from "node:test";
import { PrivateSequence, placeOf } from "./sequence.ts";

test("an update of a public channel is the next, known already, or behind a gap", () => {
  assert.equal(placeOf(7, 8), "next");
  assert.equal(placeOf(7, 7), "known");
  assert.equal(placeOf(7, 3), "known");
  assert.equal(placeOf(7, 9), "gap");
});

test("channels that overtake each other lose nothing and repeat nothing", () => {
  const sequence = new PrivateSequence();
  sequence.begin(100);
  assert.equal(sequence.take(106, 0), true);
  assert.equal(sequence.take(104, 1), true, "overtaken by 106, and still new");
  assert.equal(sequence.take(106, 2), false);
  assert.equal(sequence.take(100, 3), false);
});

test("what has just arrived is asked for again after a break, and recognised", () => {
  const sequence = new PrivateSequence();
  sequence.begin(100);
  sequence.take(110, 0);
  sequence.settle(2_000);
  assert.equal(sequence.settled, 110);
  sequence.take(120, 3_000);
  // 118 of another channel may have been under way.
  sequence.cut();
  sequence.settle(60_000);
  assert.equal(sequence.settled, 110);
  assert.equal(sequence.take(118, 60_000), true);
  assert.equal(sequence.take(120, 60_000), false);
  sequence.begin(120);
  assert.equal(sequence.settled, 120);
});

test("a long quiet while settles what came before it only when something else arrives", () => {
  const sequence = new PrivateSequence();
  sequence.begin(0);
  sequence.take(5, 0);
  assert.equal(sequence.settled, 0);
  sequence.settle(999);
  assert.equal(sequence.settled, 0);
  sequence.settle(1_000);
  assert.equal(sequence.settled, 5);
});

test("forgetting makes a new beginning", () => {
  const sequence = new PrivateSequence();
  sequence.begin(50);
  sequence.take(60, 0);
  sequence.reset();
  assert.equal(sequence.settled, undefined);
  assert.equal(sequence.take(3, 0), true);
});
