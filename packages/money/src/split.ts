import { MoneyError } from "./errors.ts";

/**
 * Splits `total` in proportion to `weights` so that the parts add up to it exactly. Each part is first rounded down;
 * the remaining units go one each to the largest remainders, the lower index first among equals. No part is more than
 * one unit from its exact share, and a weight of zero gets nothing.
 */
export function splitByLargestRemainder(total: bigint, weights: readonly bigint[]): bigint[] {
  if (total < 0n) throw new MoneyError("out_of_range", "a negative total cannot be split");
  if (weights.some((weight) => weight < 0n)) throw new MoneyError("out_of_range", "a weight is negative");
  const weightTotal = weights.reduce((sum, weight) => sum + weight, 0n);
  if (weightTotal === 0n) throw new MoneyError("division_by_zero", "the weights add up to zero");

  const shares = weights.map((weight, index) => {
    const scaled = total * weight;
    return { index, part: scaled / weightTotal, remainder: scaled % weightTotal };
  });
  const handedOut = shares.reduce((sum, share) => sum + share.part, 0n);
  const leftOver = Number(total - handedOut);
  const parts = shares.map((share) => share.part);
  const byRemainder = shares.toSorted((a, b) => {
    if (a.remainder === b.remainder) return a.index - b.index;
    return a.remainder > b.remainder ? -1 : 1;
  });
  for (const { index, part } of byRemainder.slice(0, leftOver)) parts[index] = part + 1n;
  return parts;
}
