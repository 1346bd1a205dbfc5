import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BUY, SELL } from "../side.ts";
import { lotsForQuote, notionalOf, worstTicks } from "./notional.ts";
import {
  anyAmount,
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

const BTC = marketOf("BTCUSDT");

test("FUT-9: 0.5 BTC at 60,000 is 30,000 USDT, with the sign of the lots", () => {
  assert.equal(notionalOf(600_000, 500, BTC.unit_micros), usdt(30_000));
  assert.equal(notionalOf(600_000, -500, BTC.unit_micros), usdt(-30_000));
  assert.equal(Object.is(notionalOf(600_000, -0, BTC.unit_micros), 0), true);
});

test("FUT-9: a notional is the exact product or an overflow", () => {
  fc.assert(
    fc.property(anyTicks, anySignedLots, anyMarket, (ticks, lots, market) => {
      assertInteger(
        notionalOf(ticks, lots, market.unit_micros),
        BigInt(ticks) * BigInt(lots) * BigInt(market.unit_micros),
      );
    }),
  );
  assertOverflows(() => notionalOf(2 ** 40, 2 ** 20, 1));
  assertOverflows(() => notionalOf(2 ** 26, 2 ** 26, 100));
});

test("FUT-5: 1,000 USDT at 60,000.1 buy 16 lots of BTC, 59 USDT buy none", () => {
  assert.equal(lotsForQuote(usdt(1_000), 600_001, BTC.unit_micros), 16);
  assert.equal(lotsForQuote(usdt(59), 600_001, BTC.unit_micros), 0);
});

test("FUT-5: lots for an amount are the most that do not cost more", () => {
  fc.assert(
    fc.property(anyAmount, anyTicks, anyMarket, (quote, ticks, market) => {
      const lots = lotsForQuote(quote, ticks, market.unit_micros);
      const lot_micros = BigInt(ticks) * BigInt(market.unit_micros);
      assertInteger(lots, floorDiv(BigInt(quote), lot_micros));
      assert.ok(BigInt(lots) * lot_micros <= BigInt(quote) && BigInt(lots + 1) * lot_micros > BigInt(quote));
    }),
  );
  assertOverflows(() => lotsForQuote(usdt(1), 0, 100));
});

test("FUT-2, FUT-4: the worst price for each side is rounded toward the mark", () => {
  // 60,000.3 ± 5 % is 63,000.315 and 57,000.285
  assert.equal(worstTicks(BUY, 600_003, 5_000_000), 630_003);
  assert.equal(worstTicks(SELL, 600_003, 5_000_000), 570_003);
  assert.equal(worstTicks(SELL, 1, 15_000_000), 1);
  fc.assert(
    fc.property(anyTicks, fc.integer({ min: 1, max: 99_999_999 }), (mark, distance) => {
      assertInteger(worstTicks(BUY, mark, distance), floorDiv(BigInt(mark) * BigInt(1e8 + distance), 100_000_000n));
      assertInteger(worstTicks(SELL, mark, distance), ceilDiv(BigInt(mark) * BigInt(1e8 - distance), 100_000_000n));
      assert.ok(worstTicks(SELL, mark, distance) >= 1);
    }),
  );
});

test("FUT-2: PERCENT_PRICE ends 5 % from the mark in majors and 15 % in others", () => {
  assert.equal(worstTicks(BUY, 600_000, BTC.percentPrice_e8), 630_000);
  assert.equal(worstTicks(SELL, 600_000, BTC.percentPrice_e8), 570_000);
  const sol = marketOf("SOLUSDT");
  assert.equal(worstTicks(BUY, 15_000, sol.percentPrice_e8), 17_250);
  assert.equal(worstTicks(SELL, 15_000, sol.percentPrice_e8), 12_750);
});
