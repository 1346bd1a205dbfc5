import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { applyFill, entryPrice, FillEffect } from "./position.ts";
import {
  anyLots,
  anyMarket,
  anySignedLots,
  anyTicks,
  assertInteger,
  assertOverflows,
  ceilDiv,
  floorDiv,
  marketOf,
  usdt,
} from "./testing/oracle.ts";

const { unit_micros: UNIT } = marketOf("BTCUSDT");

function fill(lots: number, cost: number, fillLots: number, ticks: number, unit = UNIT) {
  const effect = new FillEffect();
  effect.setPosition(7, 7);
  effect.setOutcome(7, 7, 7);
  applyFill(lots, cost, fillLots, ticks, unit, effect);
  return {
    lots: effect.lots,
    cost_micros: effect.cost_micros,
    realisedPnl_micros: effect.realisedPnl_micros,
    closedLots: effect.closedLots,
    openedLots: effect.openedLots,
  };
}

test("FUT-9: opening and increasing add to the cost and realise nothing", () => {
  const opened = { lots: 500, cost_micros: usdt(30_000), realisedPnl_micros: 0, closedLots: 0, openedLots: 500 };
  assert.deepEqual(fill(0, 0, 500, 600_000), opened);
  const raised = { lots: 700, cost_micros: usdt(42_200), realisedPnl_micros: 0, closedLots: 0, openedLots: 200 };
  assert.deepEqual(fill(500, usdt(30_000), 200, 610_000), raised);
  const short = { lots: -500, cost_micros: usdt(-30_000), realisedPnl_micros: 0, closedLots: 0, openedLots: 500 };
  assert.deepEqual(fill(0, 0, -500, 600_000), short);
});

test("FUT-9: a partial close realises its share, for longs and shorts", () => {
  const long = { lots: 300, cost_micros: usdt(18_000), realisedPnl_micros: usdt(200), closedLots: 200, openedLots: 0 };
  assert.deepEqual(fill(500, usdt(30_000), -200, 610_000), long);
  const short = {
    lots: -300,
    cost_micros: usdt(-18_000),
    realisedPnl_micros: usdt(-200),
    closedLots: 200,
    openedLots: 0,
  };
  assert.deepEqual(fill(-500, usdt(-30_000), 200, 610_000), short);
});

test("FUT-9: a full close leaves neither lots nor cost", () => {
  const flat = { lots: 0, cost_micros: 0, realisedPnl_micros: usdt(-500), closedLots: 500, openedLots: 0 };
  assert.deepEqual(fill(500, usdt(30_000), -500, 590_000), flat);
  assert.equal(Object.is(fill(-500, usdt(-30_000), 500, 590_000).cost_micros, 0), true);
});

test("FUT-9: one fill can turn a position through zero", () => {
  const turned = {
    lots: -300,
    cost_micros: usdt(-18_300),
    realisedPnl_micros: usdt(500),
    closedLots: 500,
    openedLots: 300,
  };
  assert.deepEqual(fill(500, usdt(30_000), -800, 610_000), turned);
});

test("INV-1: a share that is no whole micro stays in the rest's cost", () => {
  // Three lots for 100 micros in all (two at 33, one at 34, unit 1): one lot's share is 33 1/3, rounded to 34.
  const first = fill(3, 100, -1, 40, 1);
  assert.deepEqual([first.realisedPnl_micros, first.cost_micros], [6, 66]);
  const second = fill(2, 66, -1, 40, 1);
  const third = fill(second.lots, second.cost_micros, -1, 40, 1);
  assert.equal(first.realisedPnl_micros + second.realisedPnl_micros + third.realisedPnl_micros, 120 - 100);
  // A short's share of −33 1/3 is rounded to −33, again the smaller profit now.
  const short = fill(-3, -100, 1, 20, 1);
  assert.deepEqual([short.realisedPnl_micros, short.cost_micros], [13, -67]);
});

test("INV-1: a fill against exact arithmetic", () => {
  fc.assert(
    fc.property(anySignedLots, anyTicks, anySignedLots, anyTicks, anyMarket, (lots, entry, fillLots, ticks, market) => {
      const unit = market.unit_micros;
      // An entry price between two ticks: the last lot was one tick better.
      const cost = lots * entry * unit + (lots > 1 ? unit : 0);
      const effect = fill(lots, cost, fillLots, ticks, unit);
      const closed = lots < 0 === fillLots < 0 ? 0 : Math.min(Math.abs(lots), Math.abs(fillLots));
      const value = BigInt(fillLots) * BigInt(ticks) * BigInt(unit);
      const share = ceilDiv(BigInt(cost) * BigInt(closed), BigInt(Math.abs(lots)));
      const closedValue = BigInt(Math.sign(lots) * closed) * BigInt(ticks) * BigInt(unit);
      assertInteger(effect.lots, lots + fillLots);
      assertInteger(effect.closedLots, closed);
      assertInteger(effect.openedLots, Math.abs(fillLots) - closed);
      assertInteger(effect.realisedPnl_micros, closedValue - share);
      assertInteger(effect.cost_micros, BigInt(cost) + value + BigInt(effect.realisedPnl_micros));
      assert.ok(effect.lots === 0 ? effect.cost_micros === 0 : effect.cost_micros < 0 === effect.lots < 0);
    }),
  );
});

test("INV-1, INV-2: fills between accounts create and lose nothing, at any mark, to the unit", () => {
  const trade = fc.record({ buyer: fc.nat(3), seller: fc.nat(3), lots: anyLots, ticks: anyTicks });
  fc.assert(
    fc.property(fc.array(trade, { maxLength: 40 }), anyMarket, anyTicks, (trades, market, mark) => {
      const accounts = Array.from({ length: 4 }, () => ({ lots: 0, cost: 0, realised: 0 }));
      const settle = (index: number, fillLots: number, ticks: number): void => {
        const account = accounts[index]!;
        const effect = fill(account.lots, account.cost, fillLots, ticks, market.unit_micros);
        account.lots = effect.lots;
        account.cost = effect.cost_micros;
        account.realised += effect.realisedPnl_micros;
      };
      for (const { buyer, seller, lots, ticks } of trades) {
        settle(buyer, lots, ticks);
        settle(seller, -lots, ticks);
        const sum = (of: (account: { lots: number; cost: number; realised: number }) => bigint): bigint =>
          accounts.reduce((total, account) => total + of(account), 0n);
        assert.equal(
          sum((account) => BigInt(account.lots)),
          0n,
        );
        assert.equal(
          sum((account) => BigInt(account.realised) - BigInt(account.cost)),
          0n,
        );
        const value = (account: { lots: number; cost: number; realised: number }): bigint =>
          BigInt(account.realised) +
          BigInt(account.lots) * BigInt(mark) * BigInt(market.unit_micros) -
          BigInt(account.cost);
        assert.equal(sum(value), 0n);
      }
    }),
  );
});

test("FUT-9: closing lot by lot realises what closing at once does", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 30 }),
      fc.boolean(),
      fc.nat(1_000),
      anyTicks,
      (size, isShort, extra, ticks) => {
        const sign = isShort ? -1 : 1;
        const cost = sign * (size * 1_000 + extra);
        let position = { lots: sign * size, cost_micros: cost };
        let realised = 0;
        while (position.lots !== 0) {
          const effect = fill(position.lots, position.cost_micros, -sign, ticks, 1);
          realised += effect.realisedPnl_micros;
          position = effect;
        }
        assert.equal(realised, fill(sign * size, cost, -sign * size, ticks, 1).realisedPnl_micros);
      },
    ),
  );
});

test("FUT-9: the shown entry price is exact to a millionth of a tick and rounded against the account", () => {
  assert.equal(entryPrice(700, usdt(42_200), UNIT), 602_857_142_858);
  assert.equal(entryPrice(-700, usdt(-42_200), UNIT), 602_857_142_857);
  assert.equal(entryPrice(500, usdt(30_000), UNIT), 600_000_000_000);
  assert.equal(entryPrice(0, 0, UNIT), 0);
  fc.assert(
    fc.property(anySignedLots, anyTicks, anyMarket, (lots, ticks, market) => {
      const cost = lots * ticks * market.unit_micros + (lots % 3);
      const [n, d] = [BigInt(cost) * 1_000_000n, BigInt(lots) * BigInt(market.unit_micros)];
      assertInteger(entryPrice(lots, cost, market.unit_micros), lots > 0 ? ceilDiv(n, d) : floorDiv(n, d));
    }),
  );
});

test("FUT-9: a position too large to count overflows loudly", () => {
  assertOverflows(() => fill(Number.MAX_SAFE_INTEGER, 0, 1, 1, 1));
  assertOverflows(() => fill(0, 0, 2 ** 50, 600_000));
  assertOverflows(() => fill(1, 9e15, 1, 90_000_000, 10_000_000));
});
