import type { MarketDefinition } from "@bourse/engine";

const USDT = 1e6;

/** A market and the price around which it is traded at random. */
export interface RandomMarket {
  readonly definition: MarketDefinition;
  readonly baseTicks: number;
}

type Row = readonly [cap_usdt: number, maxLeverage: number, maintenanceRate_e8: number, cumulative_usdt: number];

function bracketsOf(rows: readonly Row[]): MarketDefinition["brackets"] {
  return rows.map(([cap, maxLeverage, maintenanceRate_e8, cumulative]) => ({
    cap_micros: cap * USDT,
    maxLeverage,
    maintenanceRate_e8,
    cumulative_micros: cumulative * USDT,
  }));
}

const COMMON = {
  minNotional_micros: 5 * USDT,
  maxNotional_micros: 1e7 * USDT,
  defaultLeverage: 10,
  maxOpenOrders: 200,
  maxConditionalOrders: 100,
};

export const MAJOR: RandomMarket = {
  baseTicks: 600_000,
  definition: {
    ...COMMON,
    symbol: "BTCUSDT",
    tickSize_e8: 1e7,
    lotSize_e8: 1e5,
    percentPrice_e8: 5e6,
    marketBound_e8: 5e6,
    liquidationFee_e8: 5e5,
    brackets: bracketsOf([
      [1e5, 50, 1e6, 0],
      [5e5, 25, 2e6, 1_000],
      [2e6, 20, 2.5e6, 3_500],
      [5e6, 10, 5e6, 53_500],
      [1e7, 5, 1e7, 303_500],
      [2e7, 2, 2.5e7, 1_803_500],
    ]),
  },
};

export const OTHER: RandomMarket = {
  baseTicks: 15_000,
  definition: {
    ...COMMON,
    symbol: "SOLUSDT",
    tickSize_e8: 1e6,
    lotSize_e8: 1e7,
    percentPrice_e8: 1.5e7,
    marketBound_e8: 1e7,
    liquidationFee_e8: 1e6,
    brackets: bracketsOf([
      [25_000, 20, 2.5e6, 0],
      [1e5, 10, 5e6, 625],
      [250_000, 5, 1e7, 5_625],
      [1e6, 2, 2.5e7, 43_125],
      [2e6, 1, 5e7, 293_125],
    ]),
  },
};

/** An odd unit (21 micros), few orders, and brackets with low caps. */
const ODD: RandomMarket = {
  baseTicks: 7_001,
  definition: {
    ...COMMON,
    symbol: "ODDUSDT",
    tickSize_e8: 7,
    lotSize_e8: 3e10,
    minNotional_micros: 1 * USDT,
    maxNotional_micros: 50_000 * USDT,
    percentPrice_e8: 1e7,
    marketBound_e8: 3e6,
    liquidationFee_e8: 1_234_567,
    defaultLeverage: 7,
    maxOpenOrders: 2,
    maxConditionalOrders: 2,
    brackets: bracketsOf([
      [1_000, 33, 1e6, 0],
      [20_000, 13, 3e6, 20],
      [70_000, 3, 1e7, 1_420],
    ]),
  },
};

/** Prices of a few ticks and values up to the limits of the engine. */
const HUGE: RandomMarket = {
  baseTicks: 60,
  definition: {
    ...COMMON,
    symbol: "HUGEUSDT",
    tickSize_e8: 1,
    lotSize_e8: 1e10,
    minNotional_micros: 1,
    maxNotional_micros: 1e15,
    percentPrice_e8: 2e7,
    marketBound_e8: 2e7,
    liquidationFee_e8: 5e5,
    defaultLeverage: 20,
    maxOpenOrders: 10,
    maxConditionalOrders: 6,
    brackets: bracketsOf([
      [1e6, 100, 5e5, 0],
      [1e9, 20, 2e6, 15_000],
    ]),
  },
};

/** High ticks and a coarse unit: 300,000 micros. */
const HIGH: RandomMarket = {
  baseTicks: 13_000_000,
  definition: {
    ...COMMON,
    symbol: "HIGHUSDT",
    tickSize_e8: 3e5,
    lotSize_e8: 1e4,
    percentPrice_e8: 4e7,
    marketBound_e8: 1e7,
    liquidationFee_e8: 0,
    defaultLeverage: 2,
    maxOpenOrders: 12,
    maxConditionalOrders: 8,
    brackets: bracketsOf([
      [50_000, 40, 1e6, 0],
      [1e6, 4, 1.5e6, 250],
    ]),
  },
};

export const CUSTOM: readonly RandomMarket[] = [ODD, HUGE, HIGH];
