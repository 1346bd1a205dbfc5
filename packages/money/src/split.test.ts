import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { splitByLargestRemainder } from "./split.ts";
import { assertRefused } from "./testing.ts";

const totals = fc.bigInt({ min: 0n, max: 10n ** 30n });
const weightLists = fc
  .array(fc.oneof(fc.bigInt({ min: 0n, max: 5n }), fc.bigInt({ min: 0n, max: 10n ** 24n })), {
    minLength: 1,
    maxLength: 20,
  })
  .filter((weights) => weights.some((weight) => weight > 0n));

test("units left over go to the largest remainders, the lower index first among equals", () => {
  assert.deepEqual(splitByLargestRemainder(100n, [1n, 1n, 1n]), [34n, 33n, 33n]);
  assert.deepEqual(splitByLargestRemainder(101n, [1n, 1n, 1n]), [34n, 34n, 33n]);
  assert.deepEqual(splitByLargestRemainder(10n, [1n, 2n, 4n]), [1n, 3n, 6n]);
  assert.deepEqual(splitByLargestRemainder(1n, [1n, 5n, 0n, 5n]), [0n, 1n, 0n, 0n]);
  assert.deepEqual(splitByLargestRemainder(7n, [3n]), [7n]);
  assert.deepEqual(splitByLargestRemainder(0n, [1n, 2n]), [0n, 0n]);
});

test("weights that add up to zero, negative weights and negative totals are errors", () => {
  assertRefused("division_by_zero", () => splitByLargestRemainder(5n, []));
  assertRefused("division_by_zero", () => splitByLargestRemainder(5n, [0n, 0n]));
  assertRefused("out_of_range", () => splitByLargestRemainder(5n, [1n, -1n]));
  assertRefused("out_of_range", () => splitByLargestRemainder(-5n, [1n]));
});

test("the parts add up to the total and none is a whole unit from its exact share", () => {
  fc.assert(
    fc.property(totals, weightLists, (total, weights) => {
      const parts = splitByLargestRemainder(total, weights);
      const weightTotal = weights.reduce((sum, weight) => sum + weight, 0n);
      assert.equal(parts.length, weights.length);
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0n),
        total,
      );
      for (const [index, weight] of weights.entries()) {
        const distance = parts[index]! * weightTotal - total * weight;
        assert.ok(-weightTotal < distance && distance < weightTotal);
        if (weight === 0n) assert.equal(parts[index], 0n);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("no part that was passed over has a better claim than one that was rounded up", () => {
  fc.assert(
    fc.property(totals, weightLists, (total, weights) => {
      const parts = splitByLargestRemainder(total, weights);
      const weightTotal = weights.reduce((sum, weight) => sum + weight, 0n);
      const claims = weights.map((weight, index) => {
        const remainder = (total * weight) % weightTotal;
        return { index, remainder, roundedUp: parts[index] !== (total * weight) / weightTotal };
      });
      for (const winner of claims.filter((claim) => claim.roundedUp)) {
        for (const loser of claims.filter((claim) => !claim.roundedUp)) {
          const isBetter = winner.remainder > loser.remainder;
          assert.ok(isBetter || (winner.remainder === loser.remainder && winner.index < loser.index));
        }
      }
    }),
  );
});
