import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MarketDefinition } from "@bourse/engine";
import {
  bankruptcyTicks,
  bonusShare,
  ceilDiv,
  changePosition,
  floorDiv,
  fundingCap_e8,
  fundingPayment,
  highestBuy,
  isHeavy,
  liquidationFee,
  lockedBonus,
  lowestSell,
  maintenanceMargin,
  type OracleBracket,
  reductionLots,
  tierOf,
  toNumber,
  tradeFee,
  withdrawable,
} from "./arithmetic.ts";
import { MAJOR, OTHER } from "./random-markets.ts";

const USDT = 1_000_000n;
const BTC_UNIT = 100n;

function bracketsOf({ brackets }: MarketDefinition): OracleBracket[] {
  return brackets.map((bracket) => ({
    cap_micros: BigInt(bracket.cap_micros),
    maxLeverage: BigInt(bracket.maxLeverage),
    rate_e8: BigInt(bracket.maintenanceRate_e8),
    cumulative_micros: BigInt(bracket.cumulative_micros),
  }));
}

const MAJORS = bracketsOf(MAJOR.definition);

/** The examples of docs/rules/engine-arithmetic.md. */
describe("the model's own arithmetic", () => {
  it("rounds toward the named side on either side of zero", () => {
    assert.deepEqual([floorDiv(7n, 2n), floorDiv(-7n, 2n), floorDiv(-8n, 2n)], [3n, -4n, -4n]);
    assert.deepEqual([ceilDiv(7n, 2n), ceilDiv(-7n, 2n), ceilDiv(-8n, 2n)], [4n, -3n, -4n]);
    assert.equal(toNumber(10n ** 20n), Number.MAX_SAFE_INTEGER);
  });

  it("FUT-4: bounds a price toward the mark", () => {
    assert.equal(highestBuy(600_003n, 5_000_000n), 630_003n);
    assert.equal(lowestSell(600_003n, 5_000_000n), 570_003n);
    assert.equal(lowestSell(1n, 100_000_000n), 1n);
  });

  it("FUT-9: takes the maintenance margin from the bracket of the notional", () => {
    assert.equal(maintenanceMargin(MAJORS, 30_000n * USDT), 300n * USDT);
    assert.equal(maintenanceMargin(MAJORS, 180_000n * USDT), 2_600n * USDT);
    assert.equal(maintenanceMargin(MAJORS, 100_000n * USDT), 1_000n * USDT);
    assert.equal(maintenanceMargin(MAJORS, 1n), 1n);
  });

  it("FUT-14: caps the hourly rate and rounds payments up", () => {
    assert.equal(fundingCap_e8(MAJORS), 93_750n);
    assert.equal(fundingCap_e8(bracketsOf(OTHER.definition)), 234_375n);
    assert.equal(fundingPayment(500n * 610_000n * BTC_UNIT, 1_250n), 381_250n);
    assert.equal(fundingPayment(80_080n * BTC_UNIT, 1_250n), 101n);
    assert.equal(fundingPayment(-80_080n * BTC_UNIT, 1_250n), -100n);
  });

  it("FUT-11: finds the bankruptcy price", () => {
    assert.equal(bankruptcyTicks(500n, 30_000n * USDT, 1_000n * USDT, BTC_UNIT), 580_000n);
    assert.equal(bankruptcyTicks(-500n, -30_000n * USDT, 1_000n * USDT, BTC_UNIT), 620_000n);
    assert.equal(bankruptcyTicks(500n, 1n, 1_000n, BTC_UNIT), 1n);
    assert.equal(bankruptcyTicks(-500n, -1n, -1_000n, BTC_UNIT), 0n);
  });

  it("FUT-12: reduces by bracket or quarter, small positions at once", () => {
    const lotValue = 500_000n * BTC_UNIT;
    assert.equal(reductionLots(MAJORS, 400n, lotValue), 400n);
    assert.equal(reductionLots(MAJORS, -401n, lotValue), 101n);
    assert.equal(reductionLots(MAJORS, 8_000n, lotValue), 6_000n);
    assert.equal(liquidationFee(29_000n * USDT, 500_000n, 1_000n * USDT), 145n * USDT);
    assert.equal(liquidationFee(29_000n * USDT, 500_000n, 100n * USDT), 100n * USDT);
    assert.equal(liquidationFee(29_000n * USDT, 500_000n, -1n), 0n);
  });

  it("INV-1: closes a share of the cost, rounded toward positive infinity", () => {
    const long = { lots: 500n, cost: 30_000n * USDT };
    const part = changePosition(long, -200n, 61_000n * 1_000n);
    assert.deepEqual([part.lots, part.cost, part.realised], [300n, 18_000n * USDT, 200n * USDT]);
    const turned = changePosition(long, -800n, 61_000n * 1_000n);
    assert.deepEqual([turned.lots, turned.cost, turned.realised], [-300n, -18_300n * USDT, 500n * USDT]);
    const odd = changePosition({ lots: 3n, cost: 100n }, -1n, 40n);
    assert.deepEqual([odd.realised, odd.cost, odd.closed, odd.opened], [6n, 66n, 1n, 0n]);
  });

  it("FUT-15: rounds a fee up once", () => {
    assert.equal(tradeFee(30_000n * USDT, 0, false, 0n), 15n * USDT);
    assert.equal(tradeFee(30_000n * USDT, 0, false, 1_000n), 13_500_000n);
    assert.equal(tradeFee(1_000_000n * USDT, 1, true, 333n), 174_006_000n);
    assert.equal(tradeFee(1n, 0, true, 0n), 1n);
    assert.deepEqual(
      [0n, 999_999n, 1_000_000n, 500_000_000n].map((volume) => tierOf(volume * USDT)),
      [0, 0, 1, 5],
    );
  });

  it("BON-7: splits a cost between bonus and principal", () => {
    assert.equal(bonusShare(100n, 100n, 30n), 30n);
    assert.equal(bonusShare(20n, 5n, 500n), 15n);
    assert.equal(bonusShare(7n, 100n, 100n), 3n);
    assert.equal(bonusShare(20n, -5n, 100n), 20n);
    assert.equal(bonusShare(20n, 5n, 10n), 10n);
  });

  it("BON-8, BON-10: locks, lets withdraw and weighs a bonus", () => {
    assert.equal(lockedBonus(500n, 100n, 300n), 200n);
    assert.equal(lockedBonus(100n, 100n, 60n), 30n);
    assert.equal(withdrawable(1_000n, 100n, -50n, 300n), 750n);
    assert.equal(isHeavy(60n, 40n), false);
    assert.equal(isHeavy(61n, 40n), true);
    assert.equal(isHeavy(0n, -5n), false);
  });
});
