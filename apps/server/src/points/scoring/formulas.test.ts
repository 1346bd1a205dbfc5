import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { earnPoints, fillPoints, type Rule, referralPoints } from "./formulas.ts";

const V1: Rule = { version: 1, points_per_fee: 10, maker_e2: 150, usdt_per_earn_point: 100, referral_e2: 10 };

describe("PTS-3: the formulas", () => {
  const vectors: [counted_micros: number, isMaker: boolean, boost_e2: number, points_micros: bigint][] = [
    // A fee of 1.234567 USDT.
    [1_234_567, false, 100, 12_345_670n],
    [1_234_567, true, 100, 18_518_505n],
    [1_234_567, false, 137, 16_913_567n],
    [1_234_567, true, 137, 25_370_351n],
    [1_234_567, true, 200, 37_037_010n],
    // The smallest fee: 1 µUSDT.
    [1, false, 100, 10n],
    [1, false, 101, 10n],
    [1, true, 101, 15n],
    [0, true, 200, 0n],
    // The product exceeds the exact range of a float.
    [9_007_199_254_740_991, true, 200, 270_215_977_642_229_730n],
  ];
  for (const [counted_micros, isMaker, boost_e2, points_micros] of vectors) {
    it(`a fee of ${counted_micros} micros, ${isMaker ? "maker" : "taker"}, boost ${boost_e2} → ${points_micros}`, () => {
      assert.equal(fillPoints(V1, { counted_micros, isMaker, boost_e2 }), points_micros);
    });
  }

  it("points are floored once, at the end", () => {
    // 1 × 1 × 1.5 × 1.5 = 2.25; rounding down in between would give 1.
    const rule = { ...V1, points_per_fee: 1 };
    assert.equal(fillPoints(rule, { counted_micros: 1, isMaker: true, boost_e2: 150 }), 2n);
  });

  it("never more than the exact value, and less than one micro below it", () => {
    const rule = fc.record({
      version: fc.constant(1),
      points_per_fee: fc.integer({ min: 0, max: 1_000 }),
      maker_e2: fc.integer({ min: 0, max: 1_000 }),
      usdt_per_earn_point: fc.integer({ min: 1, max: 1_000_000 }),
      referral_e2: fc.integer({ min: 0, max: 100 }),
    });
    const fill = fc.record({
      counted_micros: fc.maxSafeNat(),
      isMaker: fc.boolean(),
      boost_e2: fc.integer({ min: 100, max: 200 }),
    });
    fc.assert(
      fc.property(rule, fill, fc.bigInt(0n, 10n ** 18n), (by, of, principal_micros) => {
        const points = fillPoints(by, of);
        const exact_e4 =
          BigInt(of.counted_micros) *
          BigInt(by.points_per_fee) *
          BigInt(of.isMaker ? by.maker_e2 : 100) *
          BigInt(of.boost_e2);
        assert.ok(points * 10_000n <= exact_e4 && exact_e4 < (points + 1n) * 10_000n);
        const earned = earnPoints(by, principal_micros);
        const each = BigInt(by.usdt_per_earn_point);
        assert.ok(earned * each <= principal_micros && principal_micros < (earned + 1n) * each);
        const share_e2 = points * BigInt(by.referral_e2);
        assert.ok(referralPoints(by, points) * 100n <= share_e2 && share_e2 < (referralPoints(by, points) + 1n) * 100n);
      }),
    );
  });

  it("earn: a point for each 100 USDT, parts of it for less", () => {
    assert.equal(earnPoints(V1, 100_000_000n), 1_000_000n);
    assert.equal(earnPoints(V1, 99_999_999n), 999_999n);
    assert.equal(earnPoints(V1, 99n), 0n);
    assert.equal(earnPoints(V1, 12_345_678_901n), 123_456_789n);
  });

  it("referral: a tenth on top, floored", () => {
    assert.equal(referralPoints(V1, 16_913_567n), 1_691_356n);
    assert.equal(referralPoints(V1, 9n), 0n);
    assert.equal(referralPoints({ ...V1, referral_e2: 0 }, 10n ** 12n), 0n);
  });
});
