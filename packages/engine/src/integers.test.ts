import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  AWAY,
  addChecked,
  CEIL,
  EngineOverflow,
  FLOOR,
  mulChecked,
  mulDiv,
  type Rounding,
  subChecked,
  TRUNC,
} from "./integers.ts";

const MAX = Number.MAX_SAFE_INTEGER;
const ROUNDINGS = [FLOOR, CEIL, TRUNC, AWAY] as const;
const MAGNITUDES = [
  ...[0, 1, 2, 3, 7, 10, 99_999_999, 1e8, 1e15, 94_906_265, 94_906_266, 6_361_069_441, MAX - 2, MAX - 1, MAX],
  ...[26, 27, 32, 52].flatMap((bits) => [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]),
];
const EDGES = [...MAGNITUDES, ...MAGNITUDES.slice(1).map((value) => -value)];

/** The reference: BigInt arithmetic, with every rounding derived from floor. Null stands for a refusal. */
function expectedMulDiv(a: number, b: number, divisor: number, rounding: Rounding): number | null {
  if (divisor === 0) return null;
  const sign = divisor < 0 ? -1n : 1n;
  const n = BigInt(a) * BigInt(b) * sign;
  const d = BigInt(divisor) * sign;
  const below = n >= 0n ? n / d : -((-n + d - 1n) / d);
  const above = below * d === n ? below : below + 1n;
  const goesUp = rounding === CEIL || (rounding === TRUNC && n < 0n) || (rounding === AWAY && n > 0n);
  return safeOrNull(goesUp ? above : below);
}

function safeOrNull(value: bigint): number | null {
  return value <= BigInt(MAX) && value >= -BigInt(MAX) ? Number(value) : null;
}

/** Returns null for an overflow; anything else that is thrown fails the test. */
function resultOrNull(action: () => number): number | null {
  try {
    return action();
  } catch (error) {
    if (error instanceof EngineOverflow) return null;
    throw error;
  }
}

function checkMulDiv(a: number, b: number, divisor: number, rounding: Rounding): void {
  const expected = expectedMulDiv(a, b, divisor, rounding);
  const actual = resultOrNull(() => mulDiv(a, b, divisor, rounding));
  // Object.is also distinguishes −0 from 0. The message is built only on failure, because there are hundreds of
  // thousands of cases.
  if (!Object.is(actual, expected)) {
    assert.fail(`mulDiv(${a}, ${b}, ${divisor}, ${rounding}) is ${expected}, got ${actual}`);
  }
}

/** Whole numbers of every length in bits, so that products fall on both sides of 2^53 and quotients near the limit. */
const integers = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.maxSafeInteger(), fc.nat(52)).map(([n, bits]) => Math.trunc(n / 2 ** bits) + 0) },
  { weight: 1, arbitrary: fc.constantFrom(...EDGES) },
);

test("each rounding sends a quotient where its name says, on both sides of 2^53", () => {
  const cases = [
    { operands: [7, 1, 2], results: [3, 4, 3, 4] },
    { operands: [-7, 1, 2], results: [-4, -3, -3, -4] },
    { operands: [7, -1, -2], results: [3, 4, 3, 4] },
    { operands: [7, 1, -2], results: [-4, -3, -3, -4] },
    { operands: [1e15 + 1, 1e8, 1e9], results: [1e14, 1e14 + 1, 1e14, 1e14 + 1] },
    { operands: [1e15 + 1, -1e8, 1e9], results: [-1e14 - 1, -1e14, -1e14, -1e14 - 1] },
    { operands: [-1e15 - 1, -1e8, -1e9], results: [-1e14 - 1, -1e14, -1e14, -1e14 - 1] },
  ] as const;
  for (const { operands, results } of cases) {
    const [a, b, divisor] = operands;
    assert.deepEqual(
      ROUNDINGS.map((rounding) => mulDiv(a, b, divisor, rounding)),
      results,
    );
  }
});

test("mulDiv agrees with BigInt on every combination of edge values", () => {
  let cases = 0;
  for (const a of EDGES) {
    for (const b of EDGES) {
      for (const divisor of EDGES) {
        checkMulDiv(a, b, divisor, ROUNDINGS[cases % 4]!);
        cases += 1;
      }
    }
  }
  assert.ok(cases > 100_000);
});

test("mulDiv agrees with BigInt on random operands", () => {
  fc.assert(
    fc.property(integers, integers, integers, fc.constantFrom(...ROUNDINGS), (a, b, divisor, rounding) => {
      checkMulDiv(a, b, divisor, rounding);
    }),
    { numRuns: 150_000 },
  );
});

test("mulDiv agrees with BigInt where the product lies next to a multiple of the divisor", () => {
  // For chosen q and d, the b nearest to q·d/a puts the product within a of that multiple; a small a makes it adjacent,
  // which is where an estimated quotient is most easily one off.
  const nearMultiples = fc.tuple(fc.integer({ min: 1, max: 2 ** 20 }), fc.nat(MAX), fc.nat(MAX), fc.nat(2));
  let checked = 0;
  fc.assert(
    fc.property(nearMultiples, fc.constantFrom(...ROUNDINGS), ([a, q, d, offset], rounding) => {
      const b = (BigInt(q) * BigInt(d)) / BigInt(a) + BigInt(offset) - 1n;
      if (d === 0 || b > BigInt(MAX) || b < 0n) return;
      checked += 1;
      checkMulDiv(a, Number(b), d, rounding);
      checkMulDiv(-a, Number(b), d, rounding);
    }),
    { numRuns: 50_000 },
  );
  assert.ok(checked > 5_000);
});

test("mulDiv agrees with BigInt where the quotient lies next to the largest safe integer", () => {
  const nearLimit = fc.tuple(fc.nat(2 ** 12), fc.nat(2 ** 12), fc.nat(2 ** 12), fc.integer({ min: 0, max: 40 }));
  fc.assert(
    fc.property(nearLimit, fc.constantFrom(...ROUNDINGS), fc.boolean(), ([i, j, k, bits], rounding, isNegative) => {
      const divisor = Math.floor((MAX - k) / 2 ** bits);
      const b = Math.min(MAX, divisor + (i % 5) - 2);
      checkMulDiv(isNegative ? j - MAX : MAX - j, b, divisor, rounding);
    }),
    { numRuns: 100_000 },
  );
});

test("mulDiv answers MAX exactly and refuses one beyond it", () => {
  assert.equal(mulDiv(MAX, MAX, MAX, FLOOR), MAX);
  assert.equal(mulDiv(-MAX, MAX, MAX, AWAY), -MAX);
  assert.equal(mulDiv(MAX, 1e8, 1e8, CEIL), MAX);
  // (2^53 − 1)·(2^53 − 2) / (2^53 − 3) lies a little above 2^53: the floor itself is out of reach.
  assert.throws(() => mulDiv(MAX, MAX - 1, MAX - 2, FLOOR), EngineOverflow);
  // (2^52 + 1)·(2^53 − 2) / 2^52 lies a little below 2^53: only the rounding decides whether the result still fits.
  assert.equal(mulDiv(2 ** 52 + 1, MAX - 1, 2 ** 52, FLOOR), MAX);
  assert.throws(() => mulDiv(2 ** 52 + 1, MAX - 1, 2 ** 52, CEIL), EngineOverflow);
  assert.throws(() => mulDiv(-(2 ** 52) - 1, MAX - 1, 2 ** 52, FLOOR), EngineOverflow);
});

test("mulDiv keeps figures of the size the exchange meets", () => {
  // A fee of 0.05 % (rate in 1e-8) on one billion USDT in 1e-6.
  assert.equal(mulDiv(1_000_000_000_000_000, 50_000, 100_000_000, CEIL), 500_000_000_000);
  // One unit more must cost one unit more when fees round up.
  assert.equal(mulDiv(1_000_000_000_000_001, 50_000, 100_000_000, CEIL), 500_000_000_001);
  assert.equal(mulDiv(1_000_000_000_000_001, 50_000, 100_000_000, FLOOR), 500_000_000_000);
});

test("addChecked, subChecked and mulChecked agree with BigInt or refuse", () => {
  const operations = [
    [addChecked, (x: bigint, y: bigint) => x + y],
    [subChecked, (x: bigint, y: bigint) => x - y],
    [mulChecked, (x: bigint, y: bigint) => x * y],
  ] as const;
  const check = (a: number, b: number) => {
    for (const [checked, exact] of operations) {
      const expected = safeOrNull(exact(BigInt(a), BigInt(b)));
      const actual = resultOrNull(() => checked(a, b));
      if (!Object.is(actual, expected)) assert.fail(`${checked.name}(${a}, ${b}) is ${expected}, got ${actual}`);
    }
  };
  for (const a of EDGES) for (const b of EDGES) check(a, b);
  fc.assert(fc.property(integers, integers, check), { numRuns: 30_000 });
});

test("no operation answers negative zero", () => {
  const zeros = [
    addChecked(-0, -0),
    subChecked(-0, 0),
    mulChecked(0, -5),
    mulDiv(0, -5, 3, FLOOR),
    mulDiv(-1, 1, 3, CEIL),
    mulDiv(-1, 1, 3, TRUNC),
    mulDiv(0, 1, -3, AWAY),
  ];
  for (const zero of zeros) assert.ok(Object.is(zero, 0));
});

test("operands that are not safe integers are refused even where the result would look right", () => {
  for (const bad of [0.5, Number.NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53)]) {
    // 0.5 makes the result whole, and the others bring it back into the safe range, so only a check of the operand
    // finds them.
    for (const other of [0.5, 1, -1, 0]) {
      for (const operation of [addChecked, subChecked, mulChecked]) {
        assert.throws(() => operation(bad, other), EngineOverflow);
        assert.throws(() => operation(other, bad), EngineOverflow);
      }
    }
    assert.throws(() => mulDiv(bad, 4, 1, FLOOR), EngineOverflow);
    assert.throws(() => mulDiv(4, bad, 1, FLOOR), EngineOverflow);
    assert.throws(() => mulDiv(4, 1, bad, FLOOR), EngineOverflow);
  }
});

test("division by zero is refused", () => {
  for (const a of [0, 1, MAX]) {
    assert.throws(() => mulDiv(a, MAX, 0, FLOOR), EngineOverflow);
    assert.throws(() => mulDiv(a, 1, -0, FLOOR), EngineOverflow);
  }
});
