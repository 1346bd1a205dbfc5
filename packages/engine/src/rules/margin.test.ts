import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  addExposure,
  availableBalance,
  clearTotals,
  isLiquidatable,
  isMarginCall,
  type MarginTotals,
  marginBalance,
  needsFurtherReduction,
  orderOpenLoss,
  symbolInitialMargin,
  unrealisedPnl,
  walletBalance,
  withdrawable,
} from "./margin.ts";
import {
  absOf,
  anyAmount,
  anyLeverage,
  anyLots,
  anyMarket,
  anySignedAmount,
  anySignedLots,
  anyTicks,
  assertInteger,
  assertOverflows,
  ceilDiv,
  marketOf,
  maxOf,
  minOf,
  usdt,
} from "./testing/oracle.ts";

const BTC = marketOf("BTCUSDT");
const ETH = marketOf("ETHUSDT");

function newTotals(): MarginTotals {
  return { initialMargin_micros: 7, maintenanceMargin_micros: 7, unrealisedPnl_micros: 7 };
}

test("FUT-9: unrealised PnL is value at the mark less cost, for both sides", () => {
  assert.equal(unrealisedPnl(500, usdt(30_000), 610_000, BTC.unit_micros), usdt(500));
  assert.equal(unrealisedPnl(-500, usdt(-30_000), 610_000, BTC.unit_micros), usdt(-500));
  assert.equal(unrealisedPnl(0, 0, 610_000, BTC.unit_micros), 0);
});

test("FUT-9: one side's open profit is the other's open loss", () => {
  fc.assert(
    fc.property(anyLots, anySignedAmount, anyTicks, anyMarket, (lots, cost, mark, market) => {
      const long = unrealisedPnl(lots, cost, mark, market.unit_micros);
      assert.equal(long + unrealisedPnl(-lots, 0 - cost, mark, market.unit_micros), 0);
    }),
  );
});

test("FUT-9: the worst side of the open orders counts, after the position itself", () => {
  // Long 1,000: 500 of buys lead to 1,500; 1,800 of sells to a short of 800; 3,000 of sells to one of 2,000.
  assert.equal(symbolInitialMargin(1_000, 0, 0, 10), 100);
  assert.equal(symbolInitialMargin(1_000, 500, 0, 10), 150);
  assert.equal(symbolInitialMargin(1_000, 500, 1_800, 10), 150);
  assert.equal(symbolInitialMargin(1_000, 0, 1_800, 10), 100);
  assert.equal(symbolInitialMargin(1_000, 500, 3_000, 10), 200);
  assert.equal(symbolInitialMargin(-1_000, 3_000, 500, 10), 200);
  assert.equal(symbolInitialMargin(0, 500, 400, 3), 167);
});

test("FUT-9: initial margin of a symbol against exact arithmetic; more orders never need less", () => {
  fc.assert(
    fc.property(anySignedAmount, anyAmount, anyAmount, anyLeverage, (position, buys, sells, leverage) => {
      const [p, b, s] = [BigInt(position), BigInt(buys), BigInt(sells)];
      const margin = symbolInitialMargin(position, buys, sells, leverage);
      assertInteger(margin, ceilDiv(maxOf(absOf(p), absOf(p + b), absOf(p - s)), BigInt(leverage)));
      if (position >= 0) assert.ok(symbolInitialMargin(position, buys + 1_000, sells, leverage) >= margin);
      assert.ok(margin >= symbolInitialMargin(position, 0, 0, leverage));
    }),
  );
  assertOverflows(() => symbolInitialMargin(Number.MAX_SAFE_INTEGER, 1, 0, 10));
});

test("FUT-9: an order loses at once what its price is worse than the mark", () => {
  assert.equal(orderOpenLoss(500, 603_000, 600_000, BTC.unit_micros), usdt(150));
  assert.equal(orderOpenLoss(500, 597_000, 600_000, BTC.unit_micros), 0);
  assert.equal(orderOpenLoss(-500, 597_000, 600_000, BTC.unit_micros), usdt(150));
  assert.equal(orderOpenLoss(-500, 603_000, 600_000, BTC.unit_micros), 0);
});

test("FUT-9: totals of an account over two symbols", () => {
  const totals = newTotals();
  clearTotals(totals);
  const long = {
    lots: 500,
    cost_micros: usdt(30_000),
    leverage: 20,
    openBuys_micros: usdt(6_000),
    openSells_micros: 0,
  };
  const short = { lots: -2_000, cost_micros: usdt(-6_000), leverage: 10, openBuys_micros: 0, openSells_micros: 0 };
  addExposure(totals, BTC, long, 610_000);
  addExposure(totals, ETH, short, 310_000);
  assert.deepEqual(totals, {
    initialMargin_micros: usdt(1_825 + 620),
    maintenanceMargin_micros: usdt(305 + 62),
    unrealisedPnl_micros: usdt(500 - 200),
  });
  const balance = marginBalance(usdt(3_000), usdt(500), totals.unrealisedPnl_micros);
  assert.equal(balance, usdt(3_800));
  assert.equal(availableBalance(balance, totals.initialMargin_micros), usdt(1_355));
});

test("FUT-9: open orders without a position need initial but no maintenance margin", () => {
  const totals = newTotals();
  clearTotals(totals);
  const resting = { lots: 0, cost_micros: 0, leverage: 10, openBuys_micros: usdt(1_000), openSells_micros: usdt(400) };
  addExposure(totals, BTC, resting, 600_000);
  assert.deepEqual(totals, { initialMargin_micros: usdt(100), maintenanceMargin_micros: 0, unrealisedPnl_micros: 0 });
});

test("WIRE-6: the wallet balance is principal and bonus", () => {
  assert.equal(walletBalance(usdt(100), usdt(30)), usdt(130));
});

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

test("FUT-9: a mark that no account could hold overflows loudly", () => {
  const totals = newTotals();
  const held = { lots: 2 ** 40, cost_micros: 0, leverage: 10, openBuys_micros: 0, openSells_micros: 0 };
  assertOverflows(() => addExposure(totals, BTC, held, 600_000));
  assertOverflows(() => marginBalance(Number.MAX_SAFE_INTEGER, 1, 0));
});

test("FUT-9: totals are the sums over the symbols, whatever was in the struct before", () => {
  const exposure = fc.record({
    lots: anySignedLots,
    cost_micros: anySignedAmount,
    leverage: anyLeverage,
    openBuys_micros: anyAmount,
    openSells_micros: anyAmount,
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(exposure, anyMarket, fc.integer({ min: 1, max: 20_000 })), { maxLength: 3 }),
      (held) => {
        const totals = newTotals();
        clearTotals(totals);
        let pnl = 0n;
        for (const [one, market, mark] of held) {
          addExposure(totals, market, one, mark);
          pnl += BigInt(one.lots) * BigInt(mark) * BigInt(market.unit_micros) - BigInt(one.cost_micros);
        }
        assertInteger(totals.unrealisedPnl_micros, pnl);
        assert.ok(totals.initialMargin_micros >= 0 && totals.maintenanceMargin_micros >= 0);
      },
    ),
  );
});
