import assert from "node:assert/strict";
import { test } from "node:test";
import { type Candle, mergeCandles, missingBetween } from "./candles.ts";

const MINUTE_MS = 60_000;
const candle = (minute: number, close = 1): Candle => ({
  open_ms: minute * MINUTE_MS,
  open: 1,
  high: 2,
  low: 0.5,
  close,
  volume: 1,
});
const candles = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => candle(from + place));
const minutes = (list: readonly Candle[]) => list.map(({ open_ms }) => open_ms / MINUTE_MS);

test("an update takes the place of the last candle, the next one is added behind it", () => {
  const known = candles(1, 3);
  const updated = mergeCandles(known, [candle(3, 7)]);
  assert.equal(updated.changedFrom, 2);
  assert.equal(updated.candles.at(-1)?.close, 7);
  const added = mergeCandles(updated.candles, [candle(3, 8), candle(4)]);
  assert.deepEqual(minutes(added.candles), [1, 2, 3, 4]);
  assert.equal(added.candles[2]?.close, 8);
});

test("older candles go before the known ones, whatever overlaps stands there once", () => {
  const { candles: merged, changedFrom } = mergeCandles(candles(10, 12), candles(7, 10));
  assert.deepEqual(minutes(merged), [7, 8, 9, 10, 11, 12]);
  assert.equal(changedFrom, 0);
});

test("what was missed is put in between", () => {
  const { candles: merged } = mergeCandles([...candles(1, 3), ...candles(8, 9)], candles(4, 7));
  assert.deepEqual(minutes(merged), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("nothing that arrives changes nothing", () => {
  const known = candles(1, 2);
  assert.deepEqual(mergeCandles(known, []), { candles: known, changedFrom: 2 });
  assert.deepEqual(minutes(mergeCandles([], candles(1, 2)).candles), [1, 2]);
});

test("a break that is longer than the snapshot is found, with the candle that was open then", () => {
  assert.deepEqual(missingBetween(candles(1, 3), candles(8, 9), "1m"), {
    startTime: 3 * MINUTE_MS,
    endTime: 8 * MINUTE_MS - 1,
  });
  assert.equal(missingBetween(candles(1, 3), candles(4, 9), "1m"), undefined);
  assert.equal(missingBetween(candles(1, 3), candles(2, 9), "1m"), undefined);
  assert.equal(missingBetween([], candles(2, 9), "1m"), undefined);
});
