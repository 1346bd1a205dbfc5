import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { MoneyError } from "./errors.ts";
import { checkRange, INT64, INT256, SAFE_INTEGER, UINT256 } from "./range.ts";
import { assertRefused, canonicalText, suspiciousText, valueOrRefusal } from "./testing.ts";
import { MAX_DECIMALS } from "./text.ts";
import { formatUnits, formatUnitsTrimmed, parseUnits } from "./units.ts";

const MALFORMED = [
  ..." |.|-|+|1.|.5|-.5|+1|--1|1-|1e3|1E3|1e-3|NaN|Infinity|0x10|0b1|1_000|1,000|1.2.3| 1|1 |1\n|\t1|1n|−1|１|٣|1.٣|¼|null".split(
    "|",
  ),
  "",
  "1\u0000",
];

test("parseUnits reads whole and fractional text", () => {
  assert.equal(parseUnits("1.5", 6), 1_500_000n);
  assert.equal(parseUnits("0", 6), 0n);
  assert.equal(parseUnits("0.000001", 6), 1n);
  assert.equal(parseUnits("1.500000", 6), 1_500_000n);
  assert.equal(parseUnits("007.10", 6), 7_100_000n);
  assert.equal(parseUnits("12", 0), 12n);
  assert.equal(parseUnits("-1.5", 6, { signed: true }), -1_500_000n);
  assert.equal(parseUnits("-0", 6, { signed: true }), 0n);
  assert.equal(parseUnits(`0.${"0".repeat(59)}1`, 60), 1n);
});

test("parseUnits refuses every other way to write a number", () => {
  for (const text of MALFORMED) {
    assertRefused("malformed", () => parseUnits(text, 6, { signed: true }), JSON.stringify(text));
  }
});

test("parseUnits refuses a sign unless it was asked for", () => {
  for (const text of ["-1", "-0", "-0.5"]) {
    assertRefused("malformed", () => parseUnits(text, 6), text);
    assertRefused("malformed", () => parseUnits(text, 6, { range: INT64 }), `${text} in a range that has negatives`);
  }
});

test("parseUnits never rounds: decimals beyond the unit are refused, zeros too", () => {
  assertRefused("too_many_decimals", () => parseUnits("0.0000001", 6));
  assertRefused("too_many_decimals", () => parseUnits("1.0000000", 6));
  assertRefused("too_many_decimals", () => parseUnits("1.0", 0));
});

test("parseUnits refuses text longer than 80 characters whatever it says", () => {
  assert.equal(parseUnits("0".repeat(80), 6), 0n);
  assertRefused("malformed", () => parseUnits("0".repeat(81), 6));
  assertRefused("malformed", () => parseUnits("9".repeat(1_000_000), 6));
});

test("parseUnits holds its result to the range", () => {
  const largest = UINT256.max.toString();
  assert.equal(parseUnits(largest, 0), UINT256.max);
  assertRefused("out_of_range", () => parseUnits((UINT256.max + 1n).toString(), 0));
  assertRefused("out_of_range", () => parseUnits(largest, 1));
  assert.equal(parseUnits("9223372036854.775807", 6, { range: INT64 }), INT64.max);
  assertRefused("out_of_range", () => parseUnits("9223372036854.775808", 6, { range: INT64 }));
  assert.equal(parseUnits("-9223372036854.775808", 6, { range: INT64, signed: true }), INT64.min);
  assertRefused("out_of_range", () => parseUnits("-9223372036854.775809", 6, { range: INT64, signed: true }));
  assertRefused("out_of_range", () => parseUnits((INT256.max + 1n).toString(), 0, { signed: true }));
});

test("checkRange answers what lies inside, ends included, and refuses the neighbours outside", () => {
  for (const range of [INT64, INT256, UINT256, SAFE_INTEGER]) {
    assert.equal(checkRange(range.min, range), range.min);
    assert.equal(checkRange(range.max, range), range.max);
    assertRefused("out_of_range", () => checkRange(range.min - 1n, range));
    assertRefused("out_of_range", () => checkRange(range.max + 1n, range));
  }
});

test("a count of decimals no program should pass is a RangeError, not the user's error", () => {
  for (const decimals of [-1, 1.5, Number.NaN, MAX_DECIMALS + 1]) {
    assert.throws(() => parseUnits("1", decimals), RangeError);
    assert.throws(() => formatUnits(1n, decimals), RangeError);
    assert.throws(() => formatUnitsTrimmed(1n, decimals), RangeError);
  }
});

test("formatUnits keeps all decimals, formatUnitsTrimmed only those that say something", () => {
  const cases = [
    [1_500_000n, 6, "1.500000", "1.5"],
    [0n, 6, "0.000000", "0"],
    [-1n, 6, "-0.000001", "-0.000001"],
    [100_000_000n, 6, "100.000000", "100"],
    [-100_010_000n, 6, "-100.010000", "-100.01"],
    [1200n, 0, "1200", "1200"],
    [0n, 0, "0", "0"],
  ] as const;
  for (const [units, decimals, fixed, trimmed] of cases) {
    assert.equal(formatUnits(units, decimals), fixed);
    assert.equal(formatUnitsTrimmed(units, decimals), trimmed);
  }
});

test("parseUnits undoes both formats for every amount and count of decimals", () => {
  const amounts = fc.oneof(fc.bigInt({ min: -1_000_000n, max: 1_000_000n }), fc.bigInt({ ...INT256 }));
  fc.assert(
    fc.property(amounts, fc.nat(MAX_DECIMALS), (units, decimals) => {
      for (const text of [formatUnits(units, decimals), formatUnitsTrimmed(units, decimals)]) {
        assert.equal(parseUnits(text, decimals, { signed: true }), units);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("text parses exactly when it is a plain decimal, and then to the number it writes", () => {
  fc.assert(
    fc.property(suspiciousText, fc.nat(8), (text, decimals) => {
      const canonical = canonicalText(text);
      const result = valueOrRefusal(() => parseUnits(text, decimals, { signed: true }));
      if (canonical === null) {
        assert.ok(result instanceof MoneyError && result.reason === "malformed", text);
      } else if ((text.split(".")[1] ?? "").length > decimals) {
        assert.ok(result instanceof MoneyError && result.reason === "too_many_decimals", text);
      } else {
        assert.ok(typeof result === "bigint", text);
        assert.equal(formatUnitsTrimmed(result, decimals), canonical);
      }
    }),
    { numRuns: 20_000 },
  );
});
