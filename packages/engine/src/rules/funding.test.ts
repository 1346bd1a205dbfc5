import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { averagePremium_e8, fundingPayment, fundingRate_e8, premiumSample_e8 } from "./funding.ts";
import {
  anyMarket,
  anySignedLots,
  anyTicks,
  assertInteger,
  assertOverflows,
  ceilDiv,
  marketOf,
  maxOf,
  minOf,
  truncDiv,
  usdt,
} from "./testing/oracle.ts";

const BTC = marketOf("BTCUSDT");
const SOL = marketOf("SOLUSDT");
const anyPremium = fc.oneof(fc.integer({ min: -200_000, max: 200_000 }), fc.integer({ min: -1e8, max: 1e8 }));

test("FUT-14: P 0 → 0.0000125; 0.001 → 0.0000625; −0.0008 → −0.0000375", () => {
  assert.equal(fundingRate_e8(0, BTC.fundingCap_e8), 1_250);
  assert.equal(fundingRate_e8(100_000, BTC.fundingCap_e8), 6_250);
  assert.equal(fundingRate_e8(-80_000, BTC.fundingCap_e8), -3_750);
});

test("FUT-14: capped at 0.09375 % for majors and 0.234375 % for others", () => {
  assert.equal(fundingRate_e8(10_000_000, BTC.fundingCap_e8), 93_750);
  assert.equal(fundingRate_e8(-10_000_000, BTC.fundingCap_e8), -93_750);
  assert.equal(fundingRate_e8(10_000_000, SOL.fundingCap_e8), 234_375);
  assert.equal(fundingRate_e8(-10_000_000, SOL.fundingCap_e8), -234_375);
});

test("FUT-14: the rate against exact arithmetic, and never falling with the premium", () => {
  fc.assert(
    fc.property(anyPremium, anyMarket, (premium, { fundingCap_e8 }) => {
      const p = BigInt(premium);
      const cap = BigInt(fundingCap_e8);
      const f8 = p + maxOf(-50_000n, minOf(50_000n, 10_000n - p));
      const rate = fundingRate_e8(premium, fundingCap_e8);
      assertInteger(rate, maxOf(-cap, minOf(cap, truncDiv(f8, 8n))));
      assert.ok(fundingRate_e8(premium + 1, fundingCap_e8) >= rate);
    }),
  );
  assert.equal(Object.is(fundingRate_e8(-80_000, 0), 0), true);
});

test("FUT-14: a sample is the impact bid's way above the index or the impact ask's below it", () => {
  assert.equal(premiumSample_e8(600_600, 600_700, 600_000), 100_000);
  assert.equal(premiumSample_e8(599_400, 599_520, 600_000), -80_000);
  assert.equal(premiumSample_e8(599_900, 600_100, 600_000), 0);
  assert.equal(premiumSample_e8(0, 600_100, 600_000), 0);
  assert.equal(premiumSample_e8(599_900, 0, 600_000), 0);
  assert.equal(premiumSample_e8(4, 5, 3), 33_333_333);
  assert.equal(premiumSample_e8(1, 2, 3), -33_333_333);
  assertOverflows(() => premiumSample_e8(1, 2, 0));
});

test("FUT-14: the average is the mean toward zero, 0 without samples", () => {
  assert.equal(averagePremium_e8(200_000, 3), 66_666);
  assert.equal(averagePremium_e8(-200_000, 3), -66_666);
  assert.equal(averagePremium_e8(0, 0), 0);
});

test("FUT-14: longs pay when the rate is positive, payers rounded up, receivers down", () => {
  // 0.5 BTC at 61,000 is 30,500 USDT; at 0.0000125 that is 0.38125 USDT
  assert.equal(fundingPayment(500, 610_000, BTC.unit_micros, 1_250), 381_250);
  assert.equal(fundingPayment(-500, 610_000, BTC.unit_micros, 1_250), -381_250);
  assert.equal(fundingPayment(500, 610_000, BTC.unit_micros, -3_750), -1_143_750);
  // 100.1 micros: 101 paid, 100 received
  assert.equal(fundingPayment(1, 80_080, BTC.unit_micros, 1_250), 101);
  assert.equal(fundingPayment(-1, 80_080, BTC.unit_micros, 1_250), -100);
  assert.equal(Object.is(fundingPayment(-1, 1, 1, 1), 0), true);
});

test("FUT-14, INV-2: a round leaves a residue of at least 0 and less than one unit per position", () => {
  fc.assert(
    fc.property(
      fc.array(anySignedLots, { minLength: 1, maxLength: 20 }),
      anyTicks,
      anyMarket,
      anyPremium,
      (held, mark, market, premium) => {
        const rate = fundingRate_e8(premium, market.fundingCap_e8);
        const lots = [...held, 0 - held.reduce((sum, one) => sum + one, 0)];
        const payments = lots.map((one) => fundingPayment(one, mark, market.unit_micros, rate));
        for (let i = 0; i < lots.length; i += 1) {
          const exact = BigInt(lots[i]!) * BigInt(mark) * BigInt(market.unit_micros) * BigInt(rate);
          assertInteger(payments[i]!, ceilDiv(exact, 100_000_000n));
        }
        const residue = payments.reduce((sum, one) => sum + one, 0);
        assert.ok(residue >= 0 && residue < lots.length, `a residue of ${residue}`);
      },
    ),
  );
});

test("FUT-14: a payment beyond range overflows loudly", () => {
  assertOverflows(() => fundingPayment(2 ** 50, 600_000, 100, 1_250));
  assert.equal(fundingPayment(1_000_000, 600_000, 100, 93_750), usdt(56_250));
});
