import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Decimal } from "./decimal.ts";
import { divide, mulDiv, type Rounding } from "./rounding.ts";
import { assertRefused, ROUNDINGS_THAT_CHOOSE, roundRational } from "./testing.ts";

const nonZero = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).filter((value) => value !== 0n);
// Small divisors make exact quotients and ties common; large ones reach beyond any machine word.
const divisors = fc.oneof(fc.bigInt({ min: -12n, max: 12n }), nonZero).filter((value) => value !== 0n);
const factors = fc.oneof(fc.bigInt({ min: -50n, max: 50n }), fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }));

test("each rounding sends a quotient where its name says", () => {
  const expected: Record<Exclude<Rounding, "exact">, readonly bigint[]> = {
    floor: [2n, 2n, 2n, -3n, -3n, -3n, 1n],
    ceil: [3n, 3n, 3n, -2n, -2n, -2n, 2n],
    trunc: [2n, 2n, 2n, -2n, -2n, -2n, 1n],
    away: [3n, 3n, 3n, -3n, -3n, -3n, 2n],
    halfUp: [2n, 3n, 3n, -2n, -3n, -3n, 2n],
    halfEven: [2n, 2n, 3n, -2n, -2n, -3n, 2n],
  };
  const tenths = [24n, 25n, 26n, -24n, -25n, -26n, 15n];
  for (const rounding of ROUNDINGS_THAT_CHOOSE) {
    assert.deepEqual(
      tenths.map((value) => divide(value, 10n, rounding)),
      expected[rounding],
      rounding,
    );
    assert.deepEqual(
      tenths.map((value) => divide(-value, -10n, rounding)),
      expected[rounding],
      `${rounding} with a negative divisor`,
    );
  }
});

test("mulDiv equals the rounded rational for every rounding and sign", () => {
  fc.assert(
    fc.property(factors, factors, divisors, fc.constantFrom(...ROUNDINGS_THAT_CHOOSE), (a, b, divisor, rounding) => {
      assert.equal(mulDiv(a, b, divisor, rounding), roundRational(a * b, divisor, rounding));
    }),
    { numRuns: 5_000 },
  );
});

test("floor and ceil bracket the true value and every rounding answers one of the two", () => {
  fc.assert(
    fc.property(factors, divisors, fc.constantFrom(...ROUNDINGS_THAT_CHOOSE), (numerator, divisor, rounding) => {
      const below = divide(numerator, divisor, "floor");
      const above = divide(numerator, divisor, "ceil");
      const [n, d] = divisor < 0n ? [-numerator, -divisor] : [numerator, divisor];
      assert.ok(below * d <= n && n <= above * d);
      assert.ok(above - below === (n % d === 0n ? 0n : 1n));
      assert.ok([below, above].includes(divide(numerator, divisor, rounding)));
    }),
    { numRuns: 2_000 },
  );
});

test("exact answers whole quotients and refuses the others", () => {
  fc.assert(
    fc.property(factors, divisors, (quotient, divisor) => {
      assert.equal(divide(quotient * divisor, divisor, "exact"), quotient);
      if (divisor !== 1n && divisor !== -1n) {
        assertRefused("inexact", () => divide(quotient * divisor + 1n, divisor, "exact"));
      }
    }),
  );
});

test("a zero divisor is an error under every rounding", () => {
  for (const rounding of [...ROUNDINGS_THAT_CHOOSE, "exact"] as const) {
    assertRefused("division_by_zero", () => mulDiv(1n, 1n, 0n, rounding), rounding);
    assertRefused("division_by_zero", () => divide(0n, 0n, rounding), rounding);
  }
});

test("ERN-2: interest of 1,000 USDT at 1200 bps over 30 days is 9863013 units", () => {
  assert.equal(mulDiv(1000_000000n, 1200n * 2_592_000n, 10_000n * 31_536_000n, "floor"), 9863013n);
});

test("BRK-13: rebate parts are floored to six decimals and add up to nominal", () => {
  const floor6 = (value: Decimal) => value.round(6, "floor");
  const cases = [
    // fee, rate, customer ratio, share ratio → nominal, customer, share, net
    ["100", "0.40", "0.10", "0.5", "40", "10", "15", "15"],
    ["100", "0.40", "0", "0", "40", "0", "0", "40"],
    ["0.000003", "0.4", "0.35", "0.5", "0.000001", "0.000001", "0", "0"],
    ["12.345678", "0.333333", "0.111111", "0.25", "4.115221", "1.371740", "0.685870", "2.057611"],
    ["0.000001", "0.999999", "0.5", "1", "0", "0", "0", "0"],
  ] as const;
  for (const [feeText, rate, ratio, shareRatio, ...expected] of cases) {
    const fee = Decimal.parse(feeText);
    const nominal = floor6(fee.mul(Decimal.parse(rate)));
    const customer = floor6(fee.mul(Decimal.parse(ratio)));
    const share = floor6(nominal.sub(customer).mul(Decimal.parse(shareRatio)));
    const net = nominal.sub(customer).sub(share);
    assert.deepEqual(
      [nominal, customer, share, net].map((part) => part.toFixed(6, "exact")),
      expected.map((text) => Decimal.parse(text).toFixed(6, "exact")),
    );
    assert.ok(customer.add(share).add(net).equals(nominal) && nominal.lte(fee));
  }
});
