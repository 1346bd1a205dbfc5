import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isLiquidatable, isMarginCall, needsFurtherReduction, withdrawable } from "./margin.ts";
import { anyAmount, anySignedAmount, assertInteger, ceilDiv, maxOf, minOf, usdt } from "./testing/oracle.ts";

test("FUT-9: liquidation when maintenance reaches the margin balance, never without a position", () => {
  assert.equal(isLiquidatable(300, 301), false);
  assert.equal(isLiquidatable(300, 300), true);
  assert.equal(isLiquidatable(300, -5), true);
  assert.equal(isLiquidatable(0, 0), false);
  assert.equal(isLiquidatable(0, -5), false);
});

test("FUT-9, FUT-12: margin call at exactly 80 %, reduction down to below 90 %", () => {
  assert.equal(isMarginCall(800, 1_000), true);
  assert.equal(isMarginCall(799, 1_000), false);
  assert.equal(isMarginCall(0, 0), false);
  assert.equal(needsFurtherReduction(900, 1_000), true);
  assert.equal(needsFurtherReduction(899, 1_000), false);
  assert.equal(needsFurtherReduction(1, -1), true);
});

test("FUT-9, FUT-12: both ratios compare exactly, at any size and near the edge", () => {
  const near = fc
    .tuple(anyAmount, fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.8, 0.9))
    .map(([balance, step, ratio]) => [Math.max(0, Math.round(balance * ratio) + step), balance] as const);
  fc.assert(
    fc.property(fc.oneof(near, fc.tuple(anyAmount, anySignedAmount)), ([maintenance, balance]) => {
      const [m, b] = [BigInt(maintenance), BigInt(balance)];
      assert.equal(isMarginCall(maintenance, balance), m > 0n && 5n * m >= 4n * b);
      assert.equal(needsFurtherReduction(maintenance, balance), m > 0n && 10n * m >= 9n * b);
    }),
  );
  assert.equal(isMarginCall(1, Number.MAX_SAFE_INTEGER), false);
});

test("BON-10: withdrawable without a bonus is principal less open losses and initial margin", () => {
  assert.equal(withdrawable(usdt(1_000), 0, usdt(50), usdt(300)), usdt(700));
  assert.equal(withdrawable(usdt(1_000), 0, usdt(-50), usdt(300)), usdt(650));
  assert.equal(withdrawable(usdt(100), 0, 0, usdt(300)), 0);
});

test("BON-10: with a bonus, half the margin and all that the bonus does not cover stays in principal", () => {
  assert.equal(withdrawable(usdt(1_000), usdt(500), 0, usdt(300)), usdt(850));
  assert.equal(withdrawable(usdt(1_000), usdt(100), usdt(-50), usdt(300)), usdt(750));
  assert.equal(withdrawable(usdt(10), usdt(500), 0, 0), usdt(10));
  assert.equal(withdrawable(10, 500, 0, 5), 7);
});

test("BON-10: withdrawable against exact arithmetic; it never breaks the margin and never takes bonus", () => {
  fc.assert(
    fc.property(anySignedAmount, anyAmount, anySignedAmount, anyAmount, (principal, bonus, pnl, margin) => {
      const [p, b, u, m] = [BigInt(principal), BigInt(bonus), BigInt(pnl), BigInt(margin)];
      const amount = withdrawable(principal, bonus, pnl, margin);
      assertInteger(amount, maxOf(0n, p + minOf(0n, u) - maxOf(ceilDiv(m, 2n), m - b)));
      assert.ok(amount <= Math.max(0, principal));
      if (amount > 0) assert.ok(p - BigInt(amount) + b + u >= m, "what is left covers the initial margin");
    }),
  );
});
