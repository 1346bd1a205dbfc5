import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  decideTier,
  effectiveRate_e8,
  FEE_TIERS,
  TIER_DOWNGRADE,
  TIER_SCHEDULE,
  TIER_STAYS,
  TIER_UNSCHEDULE,
  TIER_UPGRADE,
  tierOfVolume,
  tradeFee,
} from "./fees.ts";
import { anyAmount, assertInteger, assertOverflows, ceilDiv, usdt } from "./testing/oracle.ts";

const anyRate = fc.constantFrom(...FEE_TIERS.flatMap((tier) => [tier.maker_e8, tier.taker_e8]));
const anyDiscount = fc.integer({ min: 0, max: 10_000 });

test("FUT-15: the table of tiers", () => {
  const shown = FEE_TIERS.map((row) => [
    row.tier,
    row.minVolume14d_micros / 1e12,
    row.maker_e8 / 1e6,
    row.taker_e8 / 1e6,
  ]);
  assert.deepEqual(shown, [
    [0, 0, 0.02, 0.05],
    [1, 1, 0.018, 0.045],
    [2, 5, 0.014, 0.04],
    [3, 25, 0.01, 0.035],
    [4, 100, 0.005, 0.03],
    [5, 500, 0, 0.025],
  ]);
});

test("FUT-15: taker fee of 30,000 USDT is 15, with a discount of 10 % 13.5 USDT", () => {
  assert.equal(tradeFee(usdt(30_000), 50_000, 0), usdt(15));
  assert.equal(tradeFee(usdt(30_000), 50_000, 1_000), usdt(13.5));
  assert.equal(tradeFee(usdt(30_000), 50_000, 10_000), 0);
  assert.equal(tradeFee(usdt(30_000), 0, 0), 0);
});

test("FUT-15: a fee is rounded up once, not once for the rate and once for the amount", () => {
  // 1,000,000 USDT × 0.018 % × 0.9667 = 174.006 USDT; with a rate rounded first it would be 174.01.
  assert.equal(tradeFee(usdt(1_000_000), 18_000, 333), usdt(174.006));
  assert.equal(effectiveRate_e8(18_000, 333), 17_401);
  assert.equal(tradeFee(1, 20_000, 0), 1);
});

test("FUT-15: fees against exact arithmetic; never above the shown rate by more than the last unit", () => {
  fc.assert(
    fc.property(anyAmount, anyRate, anyDiscount, (notional, rate, discount) => {
      const exact = BigInt(notional) * BigInt(rate) * BigInt(10_000 - discount);
      const fee = tradeFee(notional, rate, discount);
      assertInteger(fee, ceilDiv(exact, 10n ** 12n));
      const shown = effectiveRate_e8(rate, discount);
      assertInteger(shown, ceilDiv(BigInt(rate) * BigInt(10_000 - discount), 10_000n));
      assert.ok(fee <= tradeFee(notional, shown, 0));
    }),
  );
});

test("FUT-15: a discount beyond the fee and an amount beyond range are refused", () => {
  assert.throws(() => tradeFee(usdt(1), 50_000, 10_001), RangeError);
  assert.throws(() => effectiveRate_e8(50_000, -1), RangeError);
  assertOverflows(() => tradeFee(2 ** 53, 50_000, 0));
  assertOverflows(() => tradeFee(usdt(1), 2 ** 50, 0));
});

test("FUT-15: tier by 14-day volume, each threshold itself being enough", () => {
  const cases = [
    [0, 0],
    [999_999.999999, 0],
    [1_000_000, 1],
    [4_999_999, 1],
    [5_000_000, 2],
    [25_000_000, 3],
    [100_000_000, 4],
    [499_999_999, 4],
    [500_000_000, 5],
    [9_000_000_000, 5],
  ] as const;
  for (const [volume, tier] of cases) assert.equal(tierOfVolume(Math.round(volume * 1e6)), tier, `${volume}`);
});

test("FUT-15: upgrade at once, downgrade announced, applied at the next midnight unless regained", () => {
  const cases = [
    { current: 1, byVolume: 2, isScheduled: false, isMidnight: false, action: TIER_UPGRADE },
    { current: 1, byVolume: 3, isScheduled: true, isMidnight: true, action: TIER_UPGRADE },
    { current: 2, byVolume: 2, isScheduled: false, isMidnight: true, action: TIER_STAYS },
    { current: 2, byVolume: 2, isScheduled: true, isMidnight: false, action: TIER_UNSCHEDULE },
    { current: 2, byVolume: 1, isScheduled: false, isMidnight: true, action: TIER_SCHEDULE },
    { current: 2, byVolume: 1, isScheduled: true, isMidnight: false, action: TIER_STAYS },
    { current: 2, byVolume: 0, isScheduled: true, isMidnight: true, action: TIER_DOWNGRADE },
  ];
  for (const { current, byVolume, isScheduled, isMidnight, action } of cases) {
    assert.equal(decideTier(current, byVolume, isScheduled, isMidnight), action);
  }
});

test("FUT-15: every combination of tiers has an answer that fits it", () => {
  for (const current of [0, 1, 2, 3, 4, 5]) {
    for (const byVolume of [0, 1, 2, 3, 4, 5]) {
      for (const isScheduled of [false, true]) {
        for (const isMidnight of [false, true]) {
          const action = decideTier(current, byVolume, isScheduled, isMidnight);
          assert.equal(action === TIER_UPGRADE, byVolume > current);
          assert.equal(action === TIER_DOWNGRADE, byVolume < current && isScheduled && isMidnight);
          assert.equal(action === TIER_SCHEDULE, byVolume < current && !isScheduled);
          assert.equal(action === TIER_UNSCHEDULE, byVolume === current && isScheduled);
        }
      }
    }
  }
});
