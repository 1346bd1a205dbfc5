import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Bracket,
  buildMarket,
  FIRST_MARKETS,
  findMarketProblems,
  InvalidMarket,
  lotsOfQuantity,
  MAJOR_BRACKETS,
  type MarketDefinition,
  OTHER_BRACKETS,
  ticksOfPrice,
} from "./market.ts";
import { marketOf, usdt } from "./testing/oracle.ts";

const BTC = marketOf("BTCUSDT");

function problemsOf(change: Partial<MarketDefinition>): string[] {
  return findMarketProblems({ ...BTC, ...change });
}

function withBracket(index: number, change: Partial<Bracket>): Partial<MarketDefinition> {
  return { brackets: MAJOR_BRACKETS.map((row, i) => (i === index ? { ...row, ...change } : row)) };
}

test("FUT-2: the first markets have the stated tick and lot, and a whole unit", () => {
  const sizes = FIRST_MARKETS.map((market) => [
    market.symbol,
    market.tickSize_e8,
    market.lotSize_e8,
    market.unit_micros,
  ]);
  assert.deepEqual(sizes, [
    ["BTCUSDT", 10_000_000, 100_000, 100],
    ["ETHUSDT", 1_000_000, 100_000, 10],
    ["SOLUSDT", 1_000_000, 10_000_000, 1_000],
    ["AVAXUSDT", 100_000, 100_000_000, 1_000],
  ]);
});

test("FUT-2, FUT-4, FUT-12: limits, bands and fees of majors and others", () => {
  for (const market of FIRST_MARKETS) {
    const isMajor = market.symbol === "BTCUSDT" || market.symbol === "ETHUSDT";
    assert.equal(market.minNotional_micros, usdt(5));
    assert.equal(market.maxNotional_micros, usdt(10_000_000));
    assert.equal(market.maxOpenOrders, 200);
    assert.equal(market.maxConditionalOrders, 100);
    assert.equal(market.defaultLeverage, 10);
    assert.equal(market.percentPrice_e8, isMajor ? 5_000_000 : 15_000_000);
    assert.equal(market.marketBound_e8, isMajor ? 5_000_000 : 10_000_000);
    assert.equal(market.liquidationFee_e8, isMajor ? 500_000 : 1_000_000);
  }
});

test("FUT-14: the funding cap follows from the first maintenance rate", () => {
  assert.deepEqual(
    FIRST_MARKETS.map((market) => market.fundingCap_e8),
    [93_750, 93_750, 234_375, 234_375],
  );
});

test("FUT-10: the brackets are those of the rule, and their cumulative amounts follow from caps and rates", () => {
  const shown = (rows: readonly Bracket[]): number[][] =>
    rows.map((row) => [
      row.cap_micros / 1e6,
      row.maxLeverage,
      row.maintenanceRate_e8 / 1e6,
      row.cumulative_micros / 1e6,
    ]);
  assert.deepEqual(shown(MAJOR_BRACKETS), [
    [100_000, 50, 1, 0],
    [500_000, 25, 2, 1_000],
    [2_000_000, 20, 2.5, 3_500],
    [5_000_000, 10, 5, 53_500],
    [10_000_000, 5, 10, 303_500],
    [20_000_000, 2, 25, 1_803_500],
  ]);
  assert.deepEqual(shown(OTHER_BRACKETS), [
    [25_000, 20, 2.5, 0],
    [100_000, 10, 5, 625],
    [250_000, 5, 10, 5_625],
    [1_000_000, 2, 25, 43_125],
    [2_000_000, 1, 50, 293_125],
  ]);
  for (const rows of [MAJOR_BRACKETS, OTHER_BRACKETS]) {
    let cumulative = 0n;
    for (let i = 1; i < rows.length; i += 1) {
      const step = BigInt(rows[i]!.maintenanceRate_e8 - rows[i - 1]!.maintenanceRate_e8);
      cumulative += (BigInt(rows[i - 1]!.cap_micros) * step) / 100_000_000n;
      assert.equal(BigInt(rows[i]!.cumulative_micros), cumulative);
    }
  }
});

test("FUT-10: maintenance rates in lowest terms", () => {
  const parts = BTC.brackets.map((row) => `${row.rateNumerator}/${row.rateDenominator}`);
  assert.deepEqual(parts, ["1/100", "1/50", "1/40", "1/20", "1/10", "1/4"]);
});

test("FUT-2: a valid definition has no problems and the built market cannot be changed", () => {
  assert.deepEqual(problemsOf({}), []);
  assert.ok(Object.isFrozen(BTC) && Object.isFrozen(BTC.brackets) && Object.isFrozen(BTC.brackets[0]));
});

test("FUT-2, FUT-10: a definition may go up to each limit", () => {
  assert.deepEqual(problemsOf({ minNotional_micros: usdt(10), maxNotional_micros: usdt(10) }), []);
  assert.deepEqual(problemsOf({ maxNotional_micros: 1e15 }), []);
  assert.deepEqual(problemsOf(withBracket(5, { cap_micros: 1e15 })), []);
  assert.deepEqual(problemsOf(withBracket(2, { maxLeverage: 25 })), []);
});

test("FUT-14: a funding cap that is no whole 1e-8 is rounded down", () => {
  const brackets = [{ ...MAJOR_BRACKETS[0]!, maintenanceRate_e8: 1_000_001 }];
  assert.equal(buildMarket({ ...BTC, brackets }).fundingCap_e8, 93_750);
});

test("FUT-2: a very cheap asset is possible, with a tick below a micro", () => {
  const market = buildMarket({ ...BTC, symbol: "PEPEUSDT", tickSize_e8: 1, lotSize_e8: 1e12 });
  assert.equal(market.unit_micros, 100);
});

test("FUT-2: what cannot be traded is named", () => {
  const cases: [Partial<MarketDefinition>, string][] = [
    [{ symbol: "btcusdt" }, "the symbol is not 2 to 20 capital letters and digits"],
    [{ tickSize_e8: 0 }, "tick and lot size are not positive and at most 10000"],
    [{ lotSize_e8: 2e12 }, "tick and lot size are not positive and at most 10000"],
    [{ lotSize_e8: 100 }, "tick × lot is not a whole number of 1e-6"],
    [{ minNotional_micros: 0 }, "the minimum notional is not positive"],
    [{ maxNotional_micros: usdt(4) }, "the maximum notional is below the minimum or above one billion"],
    [{ percentPrice_e8: 1e8 }, "the price band is not between 0 and 1"],
    [{ marketBound_e8: 0 }, "the market order bound is not between 0 and 1"],
    [{ marketBound_e8: 5_000_001 }, "the market order bound is wider than the price band"],
    [{ liquidationFee_e8: 0.5 }, "the liquidation fee is not between 0 and 1"],
    [{ maxOpenOrders: 0 }, "the limit of open orders is not positive"],
    [{ maxConditionalOrders: -1 }, "the limit of conditional orders is not positive"],
    [{ defaultLeverage: 51 }, "the first bracket lacks the default leverage"],
  ];
  for (const [change, problem] of cases) assert.deepEqual(problemsOf(change), [problem]);
  assert.deepEqual(problemsOf({ brackets: [] }), [
    "the first bracket lacks the default leverage",
    "there is no bracket",
  ]);
});

test("FUT-10: brackets that do not fit together are named", () => {
  const cases: [Partial<MarketDefinition>, string][] = [
    [withBracket(0, { cumulative_micros: 1 }), "bracket 1: the cumulative amount of the first bracket is not 0"],
    [
      withBracket(1, { cumulative_micros: usdt(1_001) }),
      "bracket 2: the cumulative amount does not follow from caps and rates",
    ],
    [withBracket(5, { cap_micros: usdt(10_000_000) }), "bracket 6: the cap is not above the one before"],
    [withBracket(5, { cap_micros: 2e15 }), "bracket 6: the cap is not within one billion"],
    [withBracket(5, { maxLeverage: 0 }), "bracket 6: the leverage is not a positive whole number"],
    [withBracket(5, { maxLeverage: 4 }), "bracket 6: maintenance reaches the initial margin"],
    [withBracket(5, { maintenanceRate_e8: 10_000_000 }), "bracket 6: the maintenance rate is not above the one before"],
    [withBracket(5, { maintenanceRate_e8: 9_000_000 }), "bracket 6: the maintenance rate is not above the one before"],
    [withBracket(5, { maintenanceRate_e8: Number.NaN }), "bracket 6: the maintenance rate is not between 0 and 1"],
  ];
  for (const [change, problem] of cases) assert.ok(problemsOf(change).includes(problem), problem);
  assert.deepEqual(problemsOf(withBracket(3, { maxLeverage: 11, maintenanceRate_e8: Number.NaN })), [
    "bracket 4: the maintenance rate is not between 0 and 1",
  ]);
  assert.deepEqual(problemsOf(withBracket(0, { maxLeverage: 20 })), [
    "bracket 2: the leverage is above the one before",
  ]);
  assert.deepEqual(problemsOf(withBracket(0, { cap_micros: usdt(100_000) + 1 })), [
    "bracket 2: the cumulative amount is not a whole number of 1e-6",
  ]);
});

test("FUT-2: building an invalid market throws with every problem", () => {
  assert.throws(
    () => buildMarket({ ...BTC, symbol: "x", maxOpenOrders: 0 }),
    (error: unknown) =>
      error instanceof InvalidMarket && error.problems.length === 2 && error.message.includes("market x"),
  );
});

test("WIRE-11: a price off the tick has no ticks", () => {
  assert.equal(ticksOfPrice(BTC, 6_000_010_000_000), 600_001);
  assert.equal(ticksOfPrice(BTC, 6_000_010_000_001), 0);
  assert.equal(ticksOfPrice(BTC, 9_999_999), 0);
  assert.equal(ticksOfPrice(BTC, 0), 0);
  assert.equal(ticksOfPrice(BTC, -10_000_000), 0);
});

test("FUT-7: quantities are floored to the lot", () => {
  assert.equal(lotsOfQuantity(BTC, 50_000_000), 500);
  assert.equal(lotsOfQuantity(BTC, 199_999), 1);
  assert.equal(lotsOfQuantity(BTC, 99_999), 0);
});
