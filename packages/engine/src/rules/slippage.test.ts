import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUY, SELL } from "../side.ts";
import { estimatedSlippage_e8, exceedsMaxSlippage } from "./slippage.ts";
import { anyLots, anyTicks, assertInteger, assertOverflows, ceilDiv, maxOf } from "./testing/oracle.ts";

/** 300 lots at 60,000.0 and 200 at 60,600.0: the average of 60,240 is 0.4 % above the best ask. */
const BUY_SCAN = { filledLots: 500, filledTickLots: 300 * 600_000 + 200 * 606_000, referenceTicks: 600_000 };
const SELL_SCAN = { filledLots: 500, filledTickLots: 300 * 600_000 + 200 * 594_000, referenceTicks: 600_000 };

test("FUT-4: slippage of a walk through two levels, for both sides", () => {
  assert.equal(estimatedSlippage_e8(BUY_SCAN, BUY), 400_000);
  assert.equal(estimatedSlippage_e8(SELL_SCAN, SELL), 400_000);
  assert.equal(estimatedSlippage_e8({ ...BUY_SCAN, filledTickLots: BUY_SCAN.filledTickLots + 1 }, BUY), 400_001);
});

test("FUT-4: a better price than the reference is no slippage, and neither is nothing", () => {
  assert.equal(estimatedSlippage_e8(SELL_SCAN, BUY), 0);
  assert.equal(estimatedSlippage_e8({ filledLots: 0, filledTickLots: 0, referenceTicks: 0 }, BUY), 0);
});

test("FUT-4: max_slippage refuses beyond the limit, not at it", () => {
  for (const [scan, side] of [
    [BUY_SCAN, BUY],
    [SELL_SCAN, SELL],
  ] as const) {
    assert.equal(exceedsMaxSlippage(scan, side, 500, 400_000), false);
    assert.equal(exceedsMaxSlippage(scan, side, 500, 399_999), true);
    assert.equal(exceedsMaxSlippage(scan, side, 500, 0), true);
  }
});

test("FUT-4: an allowance of part of a tick allows no tick", () => {
  const scan = { filledLots: 1, filledTickLots: 151, referenceTicks: 150 };
  assert.equal(exceedsMaxSlippage(scan, BUY, 1, 500_000), true);
  assert.equal(exceedsMaxSlippage({ ...scan, filledTickLots: 150 }, BUY, 1, 500_000), false);
});

test("FUT-4: an order the book cannot fill within the bound is refused as a whole", () => {
  assert.equal(exceedsMaxSlippage(BUY_SCAN, BUY, 501, 50_000_000), true);
  assert.equal(exceedsMaxSlippage({ filledLots: 0, filledTickLots: 0, referenceTicks: 0 }, BUY, 1, 1e8), true);
});

test("FUT-4: the check agrees with the exact fraction and with the shown estimate", () => {
  const scan = fc.tuple(anyLots, anyTicks, fc.integer({ min: -1_000, max: 1_000_000 })).map(([lots, ticks, extra]) => ({
    filledLots: lots,
    filledTickLots: Math.max(lots, lots * ticks + extra),
    referenceTicks: ticks,
  }));
  fc.assert(
    fc.property(scan, fc.constantFrom(BUY, SELL), fc.nat(10_000_000), (found, side, max) => {
      const reference = BigInt(found.filledLots) * BigInt(found.referenceTicks);
      const excess = (side === BUY ? 1n : -1n) * (BigInt(found.filledTickLots) - reference);
      const estimate = estimatedSlippage_e8(found, side);
      assertInteger(estimate, maxOf(0n, ceilDiv(excess * 100_000_000n, reference)));
      const isExceeded = exceedsMaxSlippage(found, side, found.filledLots, max);
      assert.equal(isExceeded, excess * 100_000_000n > BigInt(max) * reference);
      assert.equal(isExceeded, estimate > max);
    }),
  );
  assertOverflows(() => estimatedSlippage_e8({ filledLots: 2 ** 40, filledTickLots: 1, referenceTicks: 2 ** 20 }, BUY));
});
