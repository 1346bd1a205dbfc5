import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Decimal, MAX_DIGITS } from "./decimal.ts";
import { MoneyError } from "./errors.ts";
import {
  assertRefused,
  canonicalText,
  ROUNDINGS_THAT_CHOOSE,
  roundRational,
  suspiciousText,
  valueOrRefusal,
} from "./testing.ts";
import { MAX_DECIMALS } from "./text.ts";

const dec = (text: string) => Decimal.parse(text);
const ALL_NINES = "9".repeat(MAX_DIGITS);

// Small enough that sums and products of three stay inside the limits, so the laws hold without exception.
const decimals = fc
  .tuple(fc.oneof(fc.bigInt({ min: -100n, max: 100n }), fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })), fc.nat(18))
  .map(([units, scale]) => Decimal.fromUnits(units, scale));

/** A decimal as its pair of integers, for checks that do not use the class's own arithmetic. */
const rational = (value: Decimal) => ({ n: value.coefficient, d: 10n ** BigInt(value.scale) });

test("parse and toString agree on one canonical text", () => {
  const cases = [
    ["1.50", "1.5"],
    ["-0", "0"],
    ["-0.000", "0"],
    ["000.100", "0.1"],
    ["100", "100"],
    ["-12.340", "-12.34"],
    ["0.0000001", "0.0000001"],
  ] as const;
  for (const [text, canonical] of cases) {
    assert.equal(dec(text).toString(), canonical);
    assert.equal(JSON.stringify({ rate: dec(text) }), `{"rate":"${canonical}"}`);
  }
});

test("text parses exactly when it is a plain decimal, and then to the number it writes", () => {
  fc.assert(
    fc.property(suspiciousText, (text) => {
      const result = valueOrRefusal(() => Decimal.parse(text));
      const canonical = canonicalText(text);
      if (result instanceof MoneyError) {
        assert.deepEqual([result.reason, canonical], ["malformed", null]);
      } else {
        assert.equal(result.toString(), canonical);
      }
    }),
    { numRuns: 20_000 },
  );
});

test("every decimal survives its own text", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 78n) + 1n, max: 10n ** 78n - 1n }), fc.nat(MAX_DECIMALS), (units, scale) => {
      const value = Decimal.fromUnits(units, scale);
      assert.ok(Decimal.parse(value.toString()).equals(value));
      assert.ok(Decimal.fromJson(JSON.parse(JSON.stringify(value))).equals(value));
      assert.equal(value.toUnits(scale, "exact"), units);
    }),
  );
  const longest = `-${ALL_NINES.slice(0, 18)}.${"9".repeat(60)}`;
  assert.equal(dec(longest).toString(), longest);
});

test("WIRE-2: a JSON number and a decimal string mean the same exact value", () => {
  const cases = [
    [0.1, "0.1"],
    [0.4, "0.4"],
    [1e-7, "0.0000001"],
    [-1.25e-9, "-0.00000000125"],
    [0.000001, "0.000001"],
    [-0, "0"],
    [100, "100"],
    [1.005, "1.005"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    [Number.MIN_SAFE_INTEGER, "-9007199254740991"],
    [0.1 + 0.2, "0.30000000000000004"],
  ] as const;
  for (const [number, text] of cases) {
    assert.equal(Decimal.fromJson(number).toString(), text);
    assert.ok(Decimal.fromJson(text).equals(Decimal.fromJson(number)));
  }
});

test("WIRE-2: every number of at most 15 significant digits arrives as it was written", () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15) + 1, max: 10 ** 15 - 1 }), fc.nat(30), (digits, scale) => {
      const written = Decimal.fromUnits(BigInt(digits), scale);
      assert.equal(Decimal.fromJson(JSON.parse(written.toString())).toString(), written.toString());
    }),
    { numRuns: 5_000 },
  );
});

test("WIRE-2: what is not a number of known value is refused", () => {
  for (const value of [Number.NaN, null, undefined, true, {}, [], ["1"], 1n, "", "1e3", "0x1", " 1"]) {
    assertRefused("malformed", () => Decimal.fromJson(value));
  }
  for (const value of [JSON.parse("1e999"), -Infinity, 2 ** 53, -(2 ** 53), 1e21, Number.MAX_VALUE]) {
    assertRefused("out_of_range", () => Decimal.fromJson(value));
  }
  assertRefused("too_many_decimals", () => Decimal.fromJson(Number.MIN_VALUE));
  assertRefused("too_many_decimals", () => Decimal.fromJson(1e-61));
  assert.equal(Decimal.fromJson(1e-60).scale, 60);
});

test("add, sub and mul are the exact rational results", () => {
  fc.assert(
    fc.property(decimals, decimals, (a, b) => {
      const [x, y] = [rational(a), rational(b)];
      const sum = rational(a.add(b));
      const difference = rational(a.sub(b));
      const product = rational(a.mul(b));
      assert.equal(sum.n * x.d * y.d, (x.n * y.d + y.n * x.d) * sum.d);
      assert.equal(difference.n * x.d * y.d, (x.n * y.d - y.n * x.d) * difference.d);
      assert.equal(product.n * x.d * y.d, x.n * y.n * product.d);
    }),
    { numRuns: 2_000 },
  );
});

test("addition and multiplication keep their laws", () => {
  fc.assert(
    fc.property(decimals, decimals, decimals, (a, b, c) => {
      assert.deepEqual(a.add(b), b.add(a));
      assert.deepEqual(a.mul(b), b.mul(a));
      assert.deepEqual(a.add(b).add(c), a.add(b.add(c)));
      assert.deepEqual(a.mul(b.add(c)), a.mul(b).add(a.mul(c)));
      assert.deepEqual(a.add(b).sub(b), a);
      assert.deepEqual(a.mul(Decimal.ONE), a);
      assert.deepEqual(a.sub(a), Decimal.ZERO);
    }),
    { numRuns: 2_000 },
  );
});

test("div, round, toUnits and toFixed round the true value once, where the caller says", () => {
  const scales = fc.nat(12);
  fc.assert(
    fc.property(decimals, decimals, scales, fc.constantFrom(...ROUNDINGS_THAT_CHOOSE), (a, b, scale, rounding) => {
      const step = 10n ** BigInt(scale);
      const [x, y] = [rational(a), rational(b)];
      const rounded = roundRational(x.n * step, x.d, rounding);
      assert.deepEqual(a.round(scale, rounding), Decimal.fromUnits(rounded, scale));
      assert.equal(a.toUnits(scale, rounding), rounded);
      assert.deepEqual(Decimal.parse(a.toFixed(scale, rounding)), Decimal.fromUnits(rounded, scale));
      if (b.isZero()) {
        assertRefused("division_by_zero", () => a.div(b, scale, rounding));
      } else {
        const quotient = roundRational(x.n * y.d * step, x.d * y.n, rounding);
        assert.deepEqual(a.div(b, scale, rounding), Decimal.fromUnits(quotient, scale));
      }
    }),
    { numRuns: 5_000 },
  );
});

test("WIRE-4b: percentages are written with their fixed decimals", () => {
  const percentOf = (part: string, whole: string, scale: number) =>
    dec(part).mul(dec("100")).div(dec(whole), scale, "halfUp").toFixed(scale, "exact");
  assert.equal(percentOf("1200", "10000", 2), "12.00");
  assert.equal(percentOf("9.863013", "1000", 4), "0.9863");
  assert.equal(percentOf("455", "1000", 2), "45.50");
});

test("exact refuses to lose a digit and loses nothing otherwise", () => {
  assertRefused("inexact", () => dec("1.25").round(1, "exact"));
  assertRefused("inexact", () => dec("0.0000001").toUnits(6, "exact"));
  assertRefused("inexact", () => Decimal.ONE.div(dec("3"), 60, "exact"));
  assert.equal(dec("1.2500").toUnits(2, "exact"), 125n);
  assert.equal(dec("1.25").toFixed(4, "exact"), "1.2500");
  assert.equal(Decimal.ONE.div(dec("8"), 3, "exact").toString(), "0.125");
});

test("comparison is the order of the values", () => {
  fc.assert(
    fc.property(decimals, decimals, (a, b) => {
      const [x, y] = [rational(a), rational(b)];
      const [left, right] = [x.n * y.d, y.n * x.d];
      assert.equal(a.compare(b), left < right ? -1 : left > right ? 1 : 0);
      assert.equal(a.equals(b), left === right);
      assert.deepEqual(
        [a.lt(b), a.lte(b), a.gt(b), a.gte(b)],
        [left < right, left <= right, left > right, left >= right],
      );
      assert.equal(Decimal.min(a, b), left <= right ? a : b);
      assert.equal(Decimal.max(a, b), left >= right ? a : b);
    }),
  );
  assert.ok(dec("1.10").equals(dec("1.1")));
  assert.deepEqual([dec("-0").isZero(), dec("-0").isNegative(), dec("-0.1").isNegative()], [true, false, true]);
});

test("operators on decimals throw instead of comparing texts", () => {
  assert.throws(() => dec("9") < dec("10"), TypeError);
  assert.equal(`${dec("9.50")}`, "9.5");
});

test("results beyond the digit limits are errors", () => {
  const largest = dec(ALL_NINES);
  const smallestStep = Decimal.fromUnits(1n, MAX_DECIMALS);
  assertRefused("overflow", () => largest.add(Decimal.ONE));
  assertRefused("overflow", () => dec(`-${ALL_NINES}`).sub(Decimal.ONE));
  assertRefused("overflow", () => largest.add(smallestStep));
  assertRefused("overflow", () => largest.mul(dec("2")));
  assertRefused("overflow", () => largest.div(smallestStep, 0, "floor"));
  assertRefused("overflow", () =>
    dec(`${ALL_NINES.slice(1)}.9`)
      .round(0, "ceil")
      .mul(dec("10")),
  );
  assertRefused("overflow", () => largest.toUnits(1, "exact"));
  assertRefused("overflow", () => dec(`1${ALL_NINES}`));
  assertRefused("overflow", () => Decimal.fromUnits(10n ** 78n, 0));
  assertRefused("too_many_decimals", () => smallestStep.mul(dec("0.1")));
  assertRefused("too_many_decimals", () => dec(`0.${"0".repeat(MAX_DECIMALS)}1`));
  assert.ok(dec(`0.${"0".repeat(MAX_DECIMALS + 5)}`).isZero());
  assert.equal(smallestStep.mul(dec("10")).scale, MAX_DECIMALS - 1);
});

test("a scale no program should pass is a RangeError, not the user's error", () => {
  for (const scale of [-1, 0.5, MAX_DECIMALS + 1]) {
    assert.throws(() => Decimal.ONE.round(scale, "floor"), RangeError);
    assert.throws(() => Decimal.ONE.div(Decimal.ONE, scale, "floor"), RangeError);
    assert.throws(() => Decimal.ONE.toUnits(scale, "floor"), RangeError);
    assert.throws(() => Decimal.fromUnits(1n, scale), RangeError);
  }
});
