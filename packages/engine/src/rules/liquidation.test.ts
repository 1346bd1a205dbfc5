import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maintenanceMargin } from "./brackets.ts";
import { bankruptcyTicks, liquidationFee, liquidationPrice, reductionLots } from "./liquidation.ts";
import { isLiquidatable } from "./margin.ts";
import { MAJOR_BRACKETS, type Market } from "./market.ts";
import { notionalOf } from "./notional.ts";
import {
  absOf,
  anyAmount,
  anyMarket,
  anySignedLots,
  assertInteger,
  assertOverflows,
  ceilDiv,
  marketOf,
  maxOf,
  usdt,
} from "./testing/oracle.ts";

const BTC = marketOf("BTCUSDT");

/** A position, and beside it a balance from minus its cost to three times its cost. */
const anyHeld = fc
  .record({
    market: anyMarket,
    lots: anySignedLots,
    entryTicks: fc.integer({ min: 1, max: 100_000 }),
    balance_ppm: fc.integer({ min: -1_000_000, max: 3_000_000 }),
  })
  .map(({ market, lots, entryTicks, balance_ppm }) => {
    const cost_micros = notionalOf(entryTicks, lots, market.unit_micros);
    const balance_micros = Number((BigInt(Math.abs(cost_micros)) * BigInt(balance_ppm)) / 1_000_000n);
    return { market, lots, cost_micros, balance_micros };
  });

/** Margin balance less maintenance margin at a price, scaled by 1e14 so that it is whole. */
function exactExcess(market: Market, lots: number, cost: number, balance: number, microTicks: bigint): bigint {
  const value = BigInt(lots) * BigInt(market.unit_micros) * microTicks;
  // The table is convex, so the right row is the one with the largest maintenance margin.
  const maintenance = market.brackets.map(
    (row) => absOf(value) * BigInt(row.maintenanceRate_e8) - BigInt(row.cumulative_micros) * 10n ** 14n,
  );
  return BigInt(balance - cost) * 10n ** 14n + value * 10n ** 8n - maxOf(0n, ...maintenance);
}

function isLiquidatedAt(lots: number, cost: number, wallet: number, markTicks: number): boolean {
  const value = notionalOf(markTicks, lots, BTC.unit_micros);
  return isLiquidatable(maintenanceMargin(BTC.brackets, Math.abs(value)), wallet + value - cost);
}

test("FUT-11: long 0.5 BTC at 60,000 with 1,000 → 58,585.8585…", () => {
  assert.equal(liquidationPrice(BTC, 500, usdt(30_000), usdt(1_000)), 585_858_585_859);
  assert.equal(isLiquidatedAt(500, usdt(30_000), usdt(1_000), 585_858), true);
  assert.equal(isLiquidatedAt(500, usdt(30_000), usdt(1_000), 585_859), false);
});

test("FUT-11: short 0.5 BTC at 60,000 with 1,000 → 61,386.1386…", () => {
  assert.equal(liquidationPrice(BTC, -500, usdt(-30_000), usdt(1_000)), 613_861_386_138);
  assert.equal(isLiquidatedAt(-500, usdt(-30_000), usdt(1_000), 613_862), true);
  assert.equal(isLiquidatedAt(-500, usdt(-30_000), usdt(1_000), 613_861), false);
});

test("FUT-11: long 3 BTC at 60,000 with 20,000 → 54,081.6326…", () => {
  assert.equal(liquidationPrice(BTC, 3_000, usdt(180_000), usdt(20_000)), 540_816_326_531);
});

test("FUT-11: the bracket is the one at the liquidation price, not the one of today", () => {
  // 102,000 USDT are in the second bracket; at this long's liquidation price, 91,919 USDT are in the first.
  assert.equal(liquidationPrice(BTC, 1_700, usdt(102_000), usdt(11_000)), 540_701_128_937);
});

test("FUT-11: no position, a long that nothing can liquidate and a hopeless short have no price", () => {
  assert.equal(liquidationPrice(BTC, 0, 0, usdt(1_000)), 0);
  assert.equal(liquidationPrice(BTC, 500, usdt(30_000), usdt(30_000)), 0);
  assert.equal(liquidationPrice(BTC, 500, usdt(30_000), usdt(29_999)) > 0, true);
  assert.equal(liquidationPrice(BTC, -500, usdt(-30_000), usdt(-30_000)), 0);
});

test("FUT-11: the price is where margin balance and maintenance meet, to the last millionth of a tick", () => {
  fc.assert(
    fc.property(anyHeld, ({ market, lots, cost_micros, balance_micros }) => {
      const price = BigInt(liquidationPrice(market, lots, cost_micros, balance_micros));
      const excess = (microTicks: bigint): bigint => exactExcess(market, lots, cost_micros, balance_micros, microTicks);
      if (lots > 0) {
        assert.ok(excess(price) >= 0n, "a long is solvent at the shown price");
        assert.ok(price === 0n || excess(price - 1n) < 0n, "and not below it");
      } else {
        assert.ok(price === 0n || excess(price) >= 0n, "a short is solvent at the shown price");
        assert.ok(excess(price + 1n) < 0n, "and not above it");
      }
    }),
    { numRuns: 500 },
  );
});

test("FUT-11: more balance moves the price away from the market", () => {
  fc.assert(
    fc.property(anyHeld, anyAmount, ({ market, lots, cost_micros, balance_micros }, more) => {
      const before = liquidationPrice(market, lots, cost_micros, balance_micros);
      const after = liquidationPrice(market, lots, cost_micros, balance_micros + (more % 1e9));
      assert.ok(lots > 0 ? after <= before : after >= before);
    }),
  );
});

test("FUT-12: bankruptcy price of 0.5 BTC at 60,000 with 1,000: 58,000 and 62,000", () => {
  assert.equal(bankruptcyTicks(500, usdt(30_000), usdt(1_000), BTC.unit_micros), 580_000);
  assert.equal(bankruptcyTicks(-500, usdt(-30_000), usdt(1_000), BTC.unit_micros), 620_000);
  assert.equal(bankruptcyTicks(500, usdt(30_000), usdt(1_000) - 1, BTC.unit_micros), 580_001);
  assert.equal(bankruptcyTicks(-500, usdt(-30_000), usdt(1_000) - 1, BTC.unit_micros), 619_999);
});

test("FUT-12: a long's bankruptcy price is one tick at least, a hopeless short has none", () => {
  assert.equal(bankruptcyTicks(500, usdt(30_000), usdt(40_000), BTC.unit_micros), 1);
  assert.equal(bankruptcyTicks(-500, usdt(-30_000), usdt(-40_000), BTC.unit_micros), 0);
});

test("FUT-12: closed at the bankruptcy price an account keeps less than a tick's worth, and never owes", () => {
  fc.assert(
    fc.property(anyHeld, ({ market, lots, cost_micros, balance_micros }) => {
      const ticks = bankruptcyTicks(lots, cost_micros, balance_micros, market.unit_micros);
      const left = balance_micros + notionalOf(ticks, lots, market.unit_micros) - cost_micros;
      const tick_micros = Math.abs(lots) * market.unit_micros;
      if (lots < 0 && ticks === 0) return assert.ok(balance_micros - cost_micros < tick_micros);
      assert.ok(left >= 0);
      return assert.ok(left < tick_micros || ticks === 1);
    }),
  );
});

test("FUT-12: a step closes 20,000 USDT or less at once, else a quarter or down to the bracket below", () => {
  const step = (lots: number): number => reductionLots(MAJOR_BRACKETS, lots, 500_000, BTC.unit_micros);
  assert.equal(step(400), 400); // 20,000 USDT
  assert.equal(step(-400), 400);
  assert.equal(step(401), 101); // a quarter, rounded up
  assert.equal(step(2_000), 500); // 100,000 USDT: still the first bracket
  assert.equal(step(2_400), 600); // 20,000 USDT above the cap: the quarter is more
  assert.equal(step(8_000), 6_000); // 400,000 USDT: down to 100,000
  assert.equal(step(100_000), 60_000); // 5 M USDT: down to 2 M
});

test("FUT-12: a step never takes more than there is, lands in the bracket below, and steps come to an end", () => {
  fc.assert(
    fc.property(anyHeld, fc.integer({ min: 1, max: 100_000 }), ({ market, lots }, mark) => {
      let held = Math.abs(lots);
      let steps = 0;
      while (held > 0) {
        const before = notionalOf(mark, held, market.unit_micros);
        const taken = reductionLots(market.brackets, held, mark, market.unit_micros);
        assert.ok(taken >= 1 && taken <= held && taken * 4 >= held);
        held -= taken;
        const cap = market.brackets.findLast((row) => row.cap_micros < before)?.cap_micros ?? before;
        assert.ok(notionalOf(mark, held, market.unit_micros) <= cap);
        steps += 1;
      }
      assert.ok(steps <= 60, `${steps} steps`);
    }),
  );
});

test("FUT-12: the fee is 0.5 % of what was closed, at most what is left, never below zero", () => {
  assert.equal(liquidationFee(usdt(29_000), BTC.liquidationFee_e8, usdt(500)), usdt(145));
  assert.equal(liquidationFee(usdt(29_000), BTC.liquidationFee_e8, usdt(100)), usdt(100));
  assert.equal(liquidationFee(usdt(29_000), BTC.liquidationFee_e8, -1), 0);
  assert.equal(liquidationFee(201, BTC.liquidationFee_e8, usdt(1)), 2);
  fc.assert(
    fc.property(anyAmount, anyMarket, (notional, market) => {
      const exact = ceilDiv(BigInt(notional) * BigInt(market.liquidationFee_e8), 100_000_000n);
      assertInteger(liquidationFee(notional, market.liquidationFee_e8, Number.MAX_SAFE_INTEGER), exact);
    }),
  );
});

test("FUT-11, FUT-12: prices beyond the safe range overflow loudly", () => {
  assertOverflows(() => liquidationPrice(BTC, 1, 9e15, 0));
  assertOverflows(() => liquidationPrice(BTC, 2 ** 50, usdt(1), 0));
  assertOverflows(() => bankruptcyTicks(2 ** 50, usdt(1), 0, BTC.unit_micros));
});
