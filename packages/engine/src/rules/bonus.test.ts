import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  bonusLocked,
  type CostSplit,
  isAgainstNetSide,
  isBonusHeavy,
  isRefusedByBonusRatio,
  returnableBonus,
  splitCost,
} from "./bonus.ts";
import { withdrawable } from "./margin.ts";
import {
  anyAmount,
  anySignedAmount,
  assertInteger,
  assertOverflows,
  ceilDiv,
  maxOf,
  minOf,
  usdt,
} from "./testing/oracle.ts";

function split(cost: number, principal: number, bonus: number): CostSplit {
  const result = { fromPrincipal_micros: 7, fromBonus_micros: 7, shortfall_micros: 7 };
  splitCost(cost, principal, bonus, result);
  return result;
}

function paid(fromPrincipal_micros: number, fromBonus_micros: number, shortfall_micros = 0): CostSplit {
  return { fromPrincipal_micros, fromBonus_micros, shortfall_micros };
}

test("BON-7: Bonus 30, principal 100, loss 100 → bonus pays 30, principal 70", () => {
  assert.deepEqual(split(usdt(100), usdt(100), usdt(30)), paid(usdt(70), usdt(30)));
});

test("BON-7: Bonus 500, principal 5, fee 20 → principal pays 5, bonus 15", () => {
  assert.deepEqual(split(usdt(20), usdt(5), usdt(500)), paid(usdt(5), usdt(15)));
});

test("BON-7: half each, the odd unit from principal, and who has nothing pays nothing", () => {
  assert.deepEqual(split(101, 1_000, 1_000), paid(51, 50));
  assert.deepEqual(split(1, 1_000, 1_000), paid(1, 0));
  assert.deepEqual(split(101, 0, 1_000), paid(0, 101));
  assert.deepEqual(split(101, -40, 1_000), paid(0, 101));
  assert.deepEqual(split(101, 1_000, 0), paid(101, 0));
  assert.deepEqual(split(0, 1_000, 1_000), paid(0, 0));
});

test("BON-7: what neither has is a shortfall", () => {
  assert.deepEqual(split(101, 20, 30), paid(20, 30, 51));
  assert.deepEqual(split(101, 0, 0), paid(0, 0, 101));
});

/**
 * The rule applied micro by micro: principal and bonus pay in turn while both are positive, principal first; then the
 * one that is left.
 */
function splitUnitByUnit(cost: number, principal: number, bonus: number): CostSplit {
  const result = paid(0, 0);
  let isPrincipalsTurn = true;
  for (let i = 0; i < cost; i += 1) {
    const hasPrincipal = principal > result.fromPrincipal_micros;
    const hasBonus = bonus > result.fromBonus_micros;
    if (!hasPrincipal && !hasBonus) result.shortfall_micros += 1;
    else if (hasPrincipal && (isPrincipalsTurn || !hasBonus)) result.fromPrincipal_micros += 1;
    else result.fromBonus_micros += 1;
    isPrincipalsTurn = !isPrincipalsTurn;
  }
  return result;
}

test("BON-7: the split is that of paying unit by unit", () => {
  fc.assert(
    fc.property(fc.nat(60), fc.integer({ min: -5, max: 60 }), fc.nat(60), (cost, principal, bonus) => {
      assert.deepEqual(split(cost, principal, bonus), splitUnitByUnit(cost, principal, bonus));
    }),
    { numRuns: 1_000 },
  );
});

test("BON-7, INV-1: the parts add up to the cost and neither side pays more than it has", () => {
  fc.assert(
    fc.property(anyAmount, anySignedAmount, anyAmount, (cost, principal, bonus) => {
      const { fromPrincipal_micros, fromBonus_micros, shortfall_micros } = split(cost, principal, bonus);
      assertInteger(fromPrincipal_micros + fromBonus_micros + shortfall_micros, cost);
      assert.ok(fromPrincipal_micros >= 0 && fromPrincipal_micros <= Math.max(0, principal));
      assert.ok(fromBonus_micros >= 0 && fromBonus_micros <= bonus && shortfall_micros >= 0);
      if (shortfall_micros > 0) assert.equal(fromPrincipal_micros + fromBonus_micros, Math.max(0, principal) + bonus);
    }),
  );
});

test("BON-7: locked bonus is half of the margin and what principal lacks", () => {
  assert.equal(bonusLocked(usdt(500), usdt(1_000), usdt(300)), usdt(150));
  assert.equal(bonusLocked(usdt(500), usdt(100), usdt(300)), usdt(200));
  assert.equal(bonusLocked(usdt(50), usdt(1_000), usdt(300)), usdt(50));
  assert.equal(bonusLocked(usdt(500), usdt(1_000), 0), 0);
  assert.equal(bonusLocked(500, 1_000, 5), 2);
});

test("BON-7: locked bonus against exact arithmetic, within the bonus, more with more margin", () => {
  fc.assert(
    fc.property(anyAmount, anySignedAmount, anyAmount, (bonus, principal, margin) => {
      const [b, p, m] = [BigInt(bonus), BigInt(principal), BigInt(margin)];
      const locked = bonusLocked(bonus, principal, margin);
      assertInteger(locked, minOf(b, m - minOf(p, ceilDiv(m, 2n))));
      assert.ok(locked >= 0 && locked <= bonus);
      assert.ok(bonusLocked(bonus, principal, margin + 1) >= locked);
    }),
  );
});

test("BON-7, BON-10, INV-3: after taking out all that is withdrawable, principal and locked bonus still cover the margin", () => {
  fc.assert(
    fc.property(anyAmount, anyAmount, anyAmount, (principal, bonus, margin) => {
      const left = principal - withdrawable(principal, bonus, 0, margin);
      if (principal + bonus < margin) return assert.equal(left, principal);
      return assert.ok(left + bonusLocked(bonus, left, margin) >= margin);
    }),
  );
});

test("BON-9: free bonus returns as far as margin allows", () => {
  assert.equal(returnableBonus(usdt(500), usdt(150), usdt(1_000)), usdt(350));
  assert.equal(returnableBonus(usdt(500), usdt(150), usdt(100)), usdt(100));
  assert.equal(returnableBonus(usdt(500), usdt(150), usdt(-1)), 0);
  assert.equal(returnableBonus(usdt(500), usdt(500), usdt(100)), 0);
});

test("BON-8: the ratio is above 60 %, exactly", () => {
  assert.equal(isBonusHeavy(usdt(60), usdt(40)), false);
  assert.equal(isBonusHeavy(usdt(60) + 1, usdt(40)), true);
  assert.equal(isBonusHeavy(1, -50), true);
  assert.equal(isBonusHeavy(0, 0), false);
  assert.equal(isBonusHeavy(0, -50), false);
  const near = fc
    .tuple(anyAmount, fc.integer({ min: -2, max: 2 }))
    .map(([bonus, step]) => [bonus, Math.floor((bonus * 2) / 3) + step] as const);
  fc.assert(
    fc.property(fc.oneof(near, fc.tuple(anyAmount, anySignedAmount)), ([bonus, principal]) => {
      const own = maxOf(0n, BigInt(principal));
      assert.equal(isBonusHeavy(bonus, principal), BigInt(bonus) * 100n > 60n * (BigInt(bonus) + own));
    }),
  );
  assertOverflows(() => isBonusHeavy(2 ** 53 - 1, 0));
});

test("BON-8: only exposure against the net side is refused; flat any side, reducing always", () => {
  assert.equal(isAgainstNetSide(0, 500, 0), false);
  assert.equal(isAgainstNetSide(0, -500, 300), false);
  assert.equal(isAgainstNetSide(100, 500, 0), false);
  assert.equal(isAgainstNetSide(-100, -500, 900), false);
  assert.equal(isAgainstNetSide(100, -100, 0), false);
  assert.equal(isAgainstNetSide(100, -101, 0), true);
  assert.equal(isAgainstNetSide(-100, 100, 0), false);
  assert.equal(isAgainstNetSide(-100, 101, 0), true);
});

test("BON-8: two orders that would each reduce are judged together", () => {
  assert.equal(isAgainstNetSide(100, -60, 40), false);
  assert.equal(isAgainstNetSide(100, -60, 41), true);
});

test("BON-8: the refusal needs both the ratio and the side", () => {
  assert.equal(isRefusedByBonusRatio(usdt(61), usdt(39), 100, -101, 0), true);
  assert.equal(isRefusedByBonusRatio(usdt(60), usdt(40), 100, -101, 0), false);
  assert.equal(isRefusedByBonusRatio(usdt(61), usdt(39), 100, -100, 0), false);
  assert.equal(isRefusedByBonusRatio(usdt(61), usdt(39), 0, -100, 0), false);
});
