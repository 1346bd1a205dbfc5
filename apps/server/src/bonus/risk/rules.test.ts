import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { actionOf, areSizesAlike, areSymmetric, LINK_POINTS, MAX_score } from "./rules.ts";

const USDT = 1_000_000n;

describe("rules of linked wallets", () => {
  it("BON-12: the points are 40, 30, 20 and 10, and add up to the most there can be", () => {
    assert.deepEqual(LINK_POINTS, { funding: 40, mirrored: 30, pnl: 20, ip: 10 });
    assert.equal(
      Object.values(LINK_POINTS).reduce((sum, points) => sum + points, 0),
      MAX_score,
    );
  });

  it("BON-12: from 80 on a pair is proposed for freezing", () => {
    assert.deepEqual([50, 79, 80, 100].map(actionOf), ["watch", "watch", "freeze", "freeze"]);
  });

  it("BON-12: sizes are alike within 10 % of the larger one, whichever way round", () => {
    for (const [one, other, isAlike] of [
      [100, 90, true],
      [100, 89, false],
      [100, 111, true],
      [100, 112, false],
      [1, 1, true],
      [1, 2, false],
    ] as const) {
      assert.equal(areSizesAlike(one, other), isAlike, `${one} ${other}`);
      assert.equal(areSizesAlike(other, one), isAlike, `${other} ${one}`);
    }
  });

  it("BON-12: PnL is symmetric with opposite signs, within 10 %, from 1 USDT on", () => {
    for (const [one, other, isSymmetric] of [
      [100n * USDT, -100n * USDT, true],
      [100n * USDT, -90n * USDT, true],
      [100n * USDT, -90n * USDT + 1n, false],
      [100n * USDT, 100n * USDT, false],
      [-100n * USDT, -100n * USDT, false],
      [USDT, -USDT, true],
      [USDT, -USDT + 1n, false],
      [0n, 0n, false],
      [100n * USDT, 0n, false],
    ] as const) {
      assert.equal(areSymmetric(one, other), isSymmetric, `${one} ${other}`);
      assert.equal(areSymmetric(other, one), isSymmetric, `${other} ${one}`);
    }
  });
});
