import assert from "node:assert/strict";
import { test } from "node:test";
import { buildLadder, deepen, groupedPrice, groupSteps, step } from "./ladder.ts";

const TERMS = { price_decimals: 1, quantity_decimals: 3 };
const BOOK = {
  bids: [
    ["60024.9", "0.055"],
    ["60020.1", "0.047"],
    ["60019.9", "0.065"],
    ["59979.7", "0.119"],
  ],
  asks: [
    ["60025.1", "0.002"],
    ["60029.9", "0.050"],
    ["60030.0", "0.065"],
    ["60030.1", "0.119"],
  ],
} as const;

test("ungrouped levels stay as they are, with running totals and depths of the larger side", () => {
  const ladder = buildLadder(BOOK, "0.1", 30, TERMS);
  assert.deepEqual(
    ladder.bids.map(({ price, quantity, total }) => [price, quantity, total]),
    [
      ["60024.9", "0.055", "0.055"],
      ["60020.1", "0.047", "0.102"],
      ["60019.9", "0.065", "0.167"],
      ["59979.7", "0.119", "0.286"],
    ],
  );
  assert.equal(ladder.bids.at(-1)?.depth, 1);
  assert.equal(ladder.asks.at(-1)?.depth, 0.825);
  assert.deepEqual([ladder.spread, ladder.mid], ["0.2", "60025.00"]);
});

test("groups are exact sums, and no group looks better than what is in it", () => {
  const ladder = buildLadder(BOOK, "10", 30, TERMS);
  assert.deepEqual(
    ladder.bids.map(({ price, quantity }) => [price, quantity]),
    [
      ["60020", "0.102"],
      ["60010", "0.065"],
      ["59970", "0.119"],
    ],
  );
  assert.deepEqual(
    ladder.asks.map(({ price, quantity }) => [price, quantity]),
    [
      ["60030", "0.117"],
      ["60040", "0.119"],
    ],
  );
  assert.equal(ladder.spread, "0.2", "the spread is that of the book itself");
});

test("quantities that floating point would round add up", () => {
  const bids = [
    ["10.1", "0.1"],
    ["10.0", "0.2"],
  ] as const;
  const ladder = buildLadder({ bids, asks: [] }, "1", 30, { price_decimals: 1, quantity_decimals: 1 });
  assert.equal(ladder.bids[0]?.quantity, "0.3");
  assert.equal(ladder.mid, undefined);
});

test("half a tick is shown in the mid price", () => {
  const ladder = buildLadder({ bids: [["10.0", "1"]], asks: [["10.1", "1"]] }, "0.1", 30, TERMS);
  assert.deepEqual([ladder.mid, ladder.spreadFraction], ["10.05", "0.00995025"]);
});

test("steps grow tenfold while a group stays a small part of the price", () => {
  assert.deepEqual(groupSteps("0.1", "60000"), ["0.1", "1", "10", "100"]);
  assert.deepEqual(groupSteps("0.001", "29.8"), ["0.001", "0.01", "0.1"]);
  assert.deepEqual(groupSteps("0.01", "1"), ["0.01"]);
  assert.equal(groupSteps("0.1", null).length, 5);
});

test("a deeper book continues the live one and never contradicts it", () => {
  const deep = {
    bids: [
      ["60024.9", "9"],
      ["60020.1", "9"],
      ["59970.0", "1.000"],
    ],
    asks: [
      ["60025.1", "9"],
      ["60040.0", "2.000"],
    ],
  } as const;
  const merged = deepen(BOOK, deep, 4);
  assert.deepEqual(merged.bids, [...BOOK.bids, ["59970.0", "1.000"]]);
  assert.deepEqual(merged.asks, [...BOOK.asks, ["60040.0", "2.000"]]);
  assert.deepEqual(deepen(BOOK, deep, 30), BOOK, "a side that is not full has nothing behind it");
  assert.equal(deepen(BOOK, undefined, 4), BOOK);
});

test("arrows walk over the spread and stop at the ends", () => {
  const ladder = buildLadder(BOOK, "0.1", 30, TERMS);
  assert.deepEqual(step(ladder, { side: "asks", price: "60025.1" }, "down"), { side: "bids", price: "60024.9" });
  assert.deepEqual(step(ladder, { side: "bids", price: "60024.9" }, "up"), { side: "asks", price: "60025.1" });
  assert.deepEqual(step(ladder, { side: "asks", price: "60030.1" }, "up"), { side: "asks", price: "60030.1" });
  assert.deepEqual(step(ladder, { side: "bids", price: "59979.7" }, "down"), { side: "bids", price: "59979.7" });
  assert.deepEqual(step(ladder, { side: "bids", price: "1.0" }, "down"), { side: "bids", price: "60024.9" });
});

test("a price of one's own is found in the group that the ladder shows", () => {
  assert.equal(groupedPrice("60020.1", "10", "bids", TERMS), "60020");
  assert.equal(groupedPrice("60030.1", "10", "asks", TERMS), "60040");
  assert.equal(groupedPrice("60030", "0.1", "asks", TERMS), "60030.0");
});
