import { CEIL, FLOOR, mulDiv } from "../integers.ts";
import type { Bracket } from "./bracket.ts";
import { findRulesProblems, type MarketRules } from "./market-rules.ts";
import { ONE_e8, USDT_micros } from "./units.ts";

export type { Bracket };

/**
 * A bracket that also has its maintenance rate as a reduced fraction, which keeps the exact liquidation price within
 * range.
 */
export interface MarketBracket extends Bracket {
  readonly rateNumerator: number;
  readonly rateDenominator: number;
}

interface MarketLimits {
  readonly minNotional_micros: number;
  readonly maxNotional_micros: number;
  /** The largest distance of a limit price from the mark price (FUT-2). */
  readonly percentPrice_e8: number;
  /** The largest distance of a market order's fills from the mark price (FUT-4). */
  readonly marketBound_e8: number;
  readonly liquidationFee_e8: number;
  readonly defaultLeverage: number;
  readonly maxOpenOrders: number;
  readonly maxConditionalOrders: number;
}

/** What an admin states about a market. Sizes in 1e-8 allow a tick far below a micro for a cheap asset. */
export interface MarketDefinition extends MarketLimits {
  readonly symbol: string;
  readonly tickSize_e8: number;
  readonly lotSize_e8: number;
  readonly brackets: readonly Bracket[];
  /** From rules version 5 on; absent: those of its class. Before, `percentPrice_e8` and `marketBound_e8` hold. */
  readonly rules?: MarketRules;
}

/** A valid definition with precomputed values that the rules use often. */
export interface Market extends MarketDefinition {
  readonly brackets: readonly MarketBracket[];
  /** Value of one tick times one lot. */
  readonly unit_micros: number;
  /** Largest hourly funding rate in either direction (FUT-14). */
  readonly fundingCap_e8: number;
}

export class InvalidMarket extends Error {
  readonly problems: readonly string[];
  constructor(symbol: string, problems: readonly string[]) {
    super(`market ${symbol} is not valid: ${problems.join("; ")}`);
    this.name = "InvalidMarket";
    this.problems = problems;
  }
}

/** Notionals have the same bound as balances, one billion USDT, so that their products with rates stay in range. */
const MAX_CAP_micros = 1e15;

/** One lot at the highest price, 2^24 ticks, is then worth less than one billion USDT. */
const MAX_UNIT_micros = 10 * USDT_micros;

/** 1e-8 × 1e-8 is 1e-16; this many of them are one micro (1e-6). */
const E16_PER_MICRO = 1e10;

/** All problems of a definition, as text for people; empty if the definition is valid. FUT-2, FUT-10. */
export function findMarketProblems(definition: MarketDefinition): string[] {
  const problems: string[] = [];
  const ensure = (isFine: boolean, problem: string): void => {
    if (!isFine) problems.push(problem);
  };
  ensure(/^[A-Z0-9]{2,20}$/.test(definition.symbol), "the symbol is not 2 to 20 capital letters and digits");
  const hasSizes = isSize(definition.tickSize_e8) && isSize(definition.lotSize_e8);
  ensure(hasSizes, "tick and lot size are not positive and at most 10000");
  ensure(
    !hasSizes || wholeQuotient(definition.tickSize_e8, definition.lotSize_e8, E16_PER_MICRO) !== null,
    "tick × lot is not a whole number of 1e-6",
  );
  ensure(
    !hasSizes || mulDiv(definition.tickSize_e8, definition.lotSize_e8, E16_PER_MICRO, FLOOR) <= MAX_UNIT_micros,
    "tick × lot is above 10 USDT",
  );
  ensure(isCount(definition.minNotional_micros), "the minimum notional is not positive");
  ensure(
    isCount(definition.maxNotional_micros) &&
      definition.minNotional_micros <= definition.maxNotional_micros &&
      definition.maxNotional_micros <= MAX_CAP_micros,
    "the maximum notional is below the minimum or above one billion",
  );
  ensure(isFraction(definition.percentPrice_e8), "the price band is not between 0 and 1");
  ensure(isFraction(definition.marketBound_e8), "the market order bound is not between 0 and 1");
  // A market order must not reach prices at which a limit order is refused.
  ensure(
    definition.marketBound_e8 <= definition.percentPrice_e8,
    "the market order bound is wider than the price band",
  );
  ensure(isFraction(definition.liquidationFee_e8), "the liquidation fee is not between 0 and 1");
  ensure(isCount(definition.maxOpenOrders), "the limit of open orders is not positive");
  ensure(isCount(definition.maxConditionalOrders), "the limit of conditional orders is not positive");
  ensure(
    isCount(definition.defaultLeverage) && definition.defaultLeverage <= (definition.brackets[0]?.maxLeverage ?? 0),
    "the first bracket lacks the default leverage",
  );
  ensure(definition.brackets.length > 0, "there is no bracket");
  for (let i = 0; i < definition.brackets.length; i += 1) {
    const problem = findBracketProblem(definition.brackets[i]!, definition.brackets[i - 1]);
    if (problem !== null) problems.push(`bracket ${i + 1}: ${problem}`);
  }
  const { rules, brackets } = definition;
  return rules === undefined || problems.length > 0 ? problems : findRulesProblems(rules, brackets);
}

function findBracketProblem(bracket: Bracket, below: Bracket | undefined): string | null {
  const problem = findRowProblem(bracket);
  if (problem !== null) return problem;
  if (below === undefined) {
    return bracket.cumulative_micros === 0 ? null : "the cumulative amount of the first bracket is not 0";
  }
  // An invalid row is reported on its own; comparing with it would add nothing.
  return findRowProblem(below) === null ? findStepProblem(bracket, below) : null;
}

function findRowProblem(bracket: Bracket): string | null {
  if (!isCount(bracket.cap_micros) || bracket.cap_micros > MAX_CAP_micros) return "the cap is not within one billion";
  if (!isCount(bracket.maxLeverage)) return "the leverage is not a positive whole number";
  if (!isFraction(bracket.maintenanceRate_e8)) return "the maintenance rate is not between 0 and 1";
  // Otherwise a position opened at full leverage would be liquidated at once.
  return bracket.maintenanceRate_e8 * bracket.maxLeverage < ONE_e8 ? null : "maintenance reaches the initial margin";
}

function findStepProblem(bracket: Bracket, below: Bracket): string | null {
  if (bracket.cap_micros <= below.cap_micros) return "the cap is not above the one before";
  if (bracket.maxLeverage > below.maxLeverage) return "the leverage is above the one before";
  const rateStep_e8 = bracket.maintenanceRate_e8 - below.maintenanceRate_e8;
  if (rateStep_e8 <= 0) return "the maintenance rate is not above the one before";
  const step_micros = wholeQuotient(below.cap_micros, rateStep_e8, ONE_e8);
  if (step_micros === null) return "the cumulative amount is not a whole number of 1e-6";
  const isContinuous = bracket.cumulative_micros === below.cumulative_micros + step_micros;
  return isContinuous ? null : "the cumulative amount does not follow from caps and rates";
}

/** The market of a definition. Throws `InvalidMarket` with every problem at once. */
export function buildMarket(definition: MarketDefinition): Market {
  const problems = findMarketProblems(definition);
  if (problems.length > 0) throw new InvalidMarket(definition.symbol, problems);
  const brackets = definition.brackets.map((bracket) => {
    const divisor = greatestCommonDivisor(bracket.maintenanceRate_e8, ONE_e8);
    return Object.freeze({
      ...bracket,
      rateNumerator: bracket.maintenanceRate_e8 / divisor,
      rateDenominator: ONE_e8 / divisor,
    });
  });
  return Object.freeze({
    ...definition,
    brackets: Object.freeze(brackets),
    unit_micros: mulDiv(definition.tickSize_e8, definition.lotSize_e8, E16_PER_MICRO, FLOOR),
    // FUT-14: 0.75 × the first maintenance rate, an eighth of it per hour. Rounded down, so that the cap is never
    // exceeded.
    fundingCap_e8: mulDiv(brackets[0]!.maintenanceRate_e8, 3, 32, FLOOR),
  });
}

/**
 * Ticks of a price in 1e-8 USDT, or 0 if the price is not a multiple of the tick or not positive: the caller refuses it
 * (-4014, WIRE-11), because the engine does not round a trader's price.
 */
export function ticksOfPrice(market: Market, price_e8: number): number {
  return price_e8 > 0 ? (wholeQuotient(price_e8, 1, market.tickSize_e8) ?? 0) : 0;
}

/** Whole lots of a quantity in 1e-8 of the base asset, floored (FUT-7); the caller refuses 0 lots (-1013). */
export function lotsOfQuantity(market: Market, quantity_e8: number): number {
  return mulDiv(quantity_e8, 1, market.lotSize_e8, FLOOR);
}

/** `a × b / divisor` if it is whole and positive, else null. */
function wholeQuotient(a: number, b: number, divisor: number): number | null {
  const below = mulDiv(a, b, divisor, FLOOR);
  return below > 0 && below === mulDiv(a, b, divisor, CEIL) ? below : null;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** At most 10,000 whole units, so that tick × lot stays in range. */
function isSize(size_e8: number): boolean {
  return isCount(size_e8) && size_e8 <= 1e12;
}

function isFraction(value_e8: number): boolean {
  return isCount(value_e8) && value_e8 < ONE_e8;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function bracket(capUsdt: number, maxLeverage: number, rate_bps: number, cumulativeUsdt: number): Bracket {
  return Object.freeze({
    cap_micros: capUsdt * USDT_micros,
    maxLeverage,
    maintenanceRate_e8: rate_bps * 10_000,
    cumulative_micros: cumulativeUsdt * USDT_micros,
  });
}

/** FUT-10, majors. */
export const MAJOR_BRACKETS: readonly Bracket[] = Object.freeze([
  bracket(100_000, 50, 100, 0),
  bracket(500_000, 25, 200, 1_000),
  bracket(2_000_000, 20, 250, 3_500),
  bracket(5_000_000, 10, 500, 53_500),
  bracket(10_000_000, 5, 1_000, 303_500),
  bracket(20_000_000, 2, 2_500, 1_803_500),
]);

/** FUT-10, the other markets. */
export const OTHER_BRACKETS: readonly Bracket[] = Object.freeze([
  bracket(25_000, 20, 250, 0),
  bracket(100_000, 10, 500, 625),
  bracket(250_000, 5, 1_000, 5_625),
  bracket(1_000_000, 2, 2_500, 43_125),
  bracket(2_000_000, 1, 5_000, 293_125),
]);

const COMMON_TERMS = {
  minNotional_micros: 5 * USDT_micros,
  maxNotional_micros: 10_000_000 * USDT_micros,
  defaultLeverage: 10,
  maxOpenOrders: 200,
  maxConditionalOrders: 100,
} as const;

const MAJOR_TERMS = {
  ...COMMON_TERMS,
  percentPrice_e8: 5_000_000,
  marketBound_e8: 5_000_000,
  liquidationFee_e8: 500_000,
  brackets: MAJOR_BRACKETS,
} as const;

const OTHER_TERMS = {
  ...COMMON_TERMS,
  percentPrice_e8: 15_000_000,
  marketBound_e8: 10_000_000,
  liquidationFee_e8: 1_000_000,
  brackets: OTHER_BRACKETS,
} as const;

/** The markets of a new exchange (FUT-2). They are data: an admin adds others at run time. */
export const FIRST_MARKETS: readonly Market[] = Object.freeze([
  buildMarket({ symbol: "BTCUSDT", tickSize_e8: 10_000_000, lotSize_e8: 100_000, ...MAJOR_TERMS }),
  buildMarket({ symbol: "ETHUSDT", tickSize_e8: 1_000_000, lotSize_e8: 100_000, ...MAJOR_TERMS }),
  buildMarket({ symbol: "SOLUSDT", tickSize_e8: 1_000_000, lotSize_e8: 10_000_000, ...OTHER_TERMS }),
  buildMarket({ symbol: "AVAXUSDT", tickSize_e8: 100_000, lotSize_e8: 100_000_000, ...OTHER_TERMS }),
]);

/** A market without the values that the engine computes from its definition. */
export function definitionOf(market: MarketDefinition): MarketDefinition {
  return {
    symbol: market.symbol,
    tickSize_e8: market.tickSize_e8,
    lotSize_e8: market.lotSize_e8,
    minNotional_micros: market.minNotional_micros,
    maxNotional_micros: market.maxNotional_micros,
    percentPrice_e8: market.percentPrice_e8,
    marketBound_e8: market.marketBound_e8,
    liquidationFee_e8: market.liquidationFee_e8,
    defaultLeverage: market.defaultLeverage,
    maxOpenOrders: market.maxOpenOrders,
    maxConditionalOrders: market.maxConditionalOrders,
    brackets: market.brackets.map(({ cap_micros, maxLeverage, maintenanceRate_e8, cumulative_micros }) => ({
      cap_micros,
      maxLeverage,
      maintenanceRate_e8,
      cumulative_micros,
    })),
    ...(market.rules === undefined ? {} : { rules: market.rules }),
  };
}
