import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fundingBasis_e8, indexOfSources, markPrice, meanBookOffset, medianOfThree } from "./prices.ts";
import { absOf, anyTicks, assertInteger, assertOverflows, floorDiv, truncDiv } from "./testing/oracle.ts";

function indexOf(...prices: number[]): number {
  return indexOfSources(Float64Array.from(prices));
}

test("FUT-13: the index is the mean of the sources, to the nearest tick", () => {
  assert.equal(indexOf(600_000, 600_100, 600_050), 600_050);
  assert.equal(indexOf(600_000, 600_001), 600_001);
  assert.equal(indexOf(100, 100, 101), 100);
  assert.equal(indexOf(100, 101, 101), 101);
});

test("FUT-13: sources more than 5 % from the median are dropped, exactly 5 % stays", () => {
  assert.equal(indexOf(600_000, 700_000, 600_100), 600_050);
  assert.equal(indexOf(1_000, 1_000, 1_050), 1_017);
  assert.equal(indexOf(1_000, 1_000, 1_051), 1_000);
  assert.equal(indexOf(1_000, 950, 1_000), 983);
  assert.equal(indexOf(949, 1_000, 1_000), 1_000);
});

test("FUT-13: fewer than two fresh or two agreeing sources give no index", () => {
  assert.equal(indexOf(), 0);
  assert.equal(indexOf(600_000), 0);
  assert.equal(indexOf(1_000, 1_106), 0);
  assert.equal(indexOf(1_000, 1_100, 1_200), 0);
});

test("FUT-13: the index against exact arithmetic, in any order of sources", () => {
  const sources = fc
    .tuple(fc.integer({ min: 100, max: 1_000_000 }), fc.array(fc.integer({ min: -70, max: 70 }), { maxLength: 7 }))
    .map(([base, offsets]) => offsets.map((offset) => base + Math.trunc((base * offset) / 1_000)));
  fc.assert(
    fc.property(sources, (prices) => {
      const sorted = [...prices].sort((a, b) => a - b).map(BigInt);
      const half = sorted.length / 2;
      const median2 = sorted.length === 0 ? 0n : sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!;
      const kept = sorted.filter((price) => absOf(2n * price - median2) * 100n <= 5n * median2);
      const sum = kept.reduce((total, price) => total + price, 0n);
      const count = BigInt(kept.length);
      assertInteger(indexOf(...prices), count < 2n ? 0n : floorDiv(2n * sum + count, 2n * count));
      assert.equal(indexOf(...prices.toReversed()), indexOf(...prices));
    }),
  );
  assertOverflows(() => indexOf(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER));
});

test("FUT-13: the funding basis is the rate still to come", () => {
  assert.equal(fundingBasis_e8(6_250, 3_600_000, 3_600_000), 6_250);
  assert.equal(fundingBasis_e8(6_250, 900_000, 3_600_000), 1_562);
  assert.equal(fundingBasis_e8(-6_250, 900_000, 3_600_000), -1_562);
  assert.equal(fundingBasis_e8(6_250, 0, 3_600_000), 0);
});

test("FUT-13: the mean of (mid − index) counts half ticks and goes toward the index", () => {
  assert.equal(meanBookOffset(61, 3), 10);
  assert.equal(meanBookOffset(-61, 3), -10);
  assert.equal(meanBookOffset(0, 0), 0);
});

test("FUT-13: the mark is the median of three", () => {
  // index 60,000 with 0.0625 ‰ of funding to come is 60,003.7; the book gives 60,010.0; the last trade 60,500.0
  assert.equal(markPrice(600_000, 6_250, 100, 605_000, true), 600_100);
  assert.equal(markPrice(600_000, 6_250, 100, 600_050, true), 600_050);
  assert.equal(markPrice(600_000, 6_250, 100, 590_000, true), 600_037);
  assert.equal(markPrice(600_000, -6_250, -100, 590_000, true), 599_900);
});

test("FUT-13: without a book the mark is the index, before the first trade the index replaces the last price", () => {
  assert.equal(markPrice(600_000, 6_250, 100, 605_000, false), 600_000);
  assert.equal(markPrice(600_000, 6_250, 100, 0, true), 600_037);
  assert.equal(markPrice(2, 0, -5, 1, true), 1);
  assert.equal(markPrice(2, -1e8, -5, 2, true), 1);
});

test("FUT-13: the mark is one of the three and lies between the other two", () => {
  const basis = fc.integer({ min: -234_375, max: 234_375 });
  fc.assert(
    fc.property(anyTicks, basis, fc.integer({ min: -50, max: 50 }), anyTicks, (index, rate, offset, last) => {
      const byFunding = index + Number(truncDiv(BigInt(index) * BigInt(rate), 100_000_000n));
      const sorted = [byFunding, index + offset, last].sort((a, b) => a - b);
      assertInteger(markPrice(index, rate, offset, last, true), Math.max(1, sorted[1]!));
    }),
  );
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.integer(), (a, b, c) => {
      assert.equal(medianOfThree(a, b, c), [a, b, c].sort((x, y) => x - y)[1]);
    }),
  );
});
