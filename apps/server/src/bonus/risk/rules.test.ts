import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { actionOf, areSizesAlike, areSymmetric, isMostVolume, isOffMark, LINK_POINTS } from "./rules.ts";

const USDT = 1_000_000n;

describe("rules of linked wallets", () => {
  it("BON-12: the points of each reason", () => {
    assert.deepEqual(LINK_POINTS, {
      ...{ funding: 40, mirrored: 30, pnl: 20, ip: 10 },
      ...{ off_mark: 40, volume: 20, opposite: 30 },
    });
  });

  it("BON-12: off-mark money counts from 10 USDT and from 2 % of the grant on", () => {
    assert.equal(isOffMark(10n * USDT, 500n * USDT), true);
    assert.equal(isOffMark(10n * USDT - 1n, 100n * USDT), false);
    assert.equal(isOffMark(10n * USDT, 500n * USDT + 1n), false);
    assert.equal(isOffMark(20n * USDT, 1_000n * USDT), true);
  });

  it("BON-12: a counterparty with half of the volume or more has most of it, and nobody has most of nothing", () => {
    assert.deepEqual([isMostVolume(50n, 100n), isMostVolume(49n, 100n), isMostVolume(0n, 0n)], [true, false, false]);
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
