import { FLOOR, mulDiv } from "../integers.ts";
import type { Bracket } from "./bracket.ts";
import { ONE_e8, USDT_micros } from "./units.ts";

/** The bounds of a market from rules version 5 on. Data: an admin changes them by `set_market_rules`. */
export type MarketRules = {
  /** FUT-13: the largest distance of the mark from the index. */
  readonly markClamp_e8: number;
  /** FUT-13, FUT-14: the value whose average price is an impact price. The engine keeps it for the server. */
  readonly impactNotional_micros: number;
  /** FUT-2: the largest distance of a limit price from the mark, to the account's disadvantage. */
  readonly priceBand_e8: number;
  /** FUT-4: the same for the fills of a market order. */
  readonly marketBound_e8: number;
  /** FUT-8: the same for a market order that a trigger produced. */
  readonly triggeredBound_e8: number;
  /** FUT-8: how far from the mark the last price counts for triggers. */
  readonly triggerClamp_e8: number;
  /** FUT-12: how far from the index a liquidation sells. */
  readonly liquidationBound_e8: number;
  /** FUT-21: how far from the index the fund unwinds while the index is calm. */
  readonly unwindBound_e8: number;
  /** FUT-21: the same at most, while the index runs. */
  readonly stressBound_e8: number;
  /** FUT-21: the fund's largest position in the market, as a part of its equity. */
  readonly fundInventory_e8: number;
  /** FUT-22: what the fund may lose in the market in an hour, as a part of its equity. */
  readonly fundOutflow_e8: number;
  /** BON-7, FUT-15: how far from the mark a price is fair. */
  readonly fairBound_e8: number;
  /** FUT-10: the open interest at most, as a multiple of the fund's equity. */
  readonly openInterestFactor: number;
};

const MAJOR_RULES: MarketRules = Object.freeze({
  markClamp_e8: 400_000,
  impactNotional_micros: 10_000 * USDT_micros,
  priceBand_e8: 5_000_000,
  marketBound_e8: 2_000_000,
  triggeredBound_e8: 1_000_000,
  triggerClamp_e8: 400_000,
  liquidationBound_e8: 2_000_000,
  unwindBound_e8: 300_000,
  stressBound_e8: 2_000_000,
  fundInventory_e8: ONE_e8,
  fundOutflow_e8: 10_000_000,
  fairBound_e8: 300_000,
  openInterestFactor: 200,
});

const OTHER_RULES: MarketRules = Object.freeze({
  markClamp_e8: 1_000_000,
  impactNotional_micros: 4_000 * USDT_micros,
  priceBand_e8: 8_000_000,
  marketBound_e8: 5_000_000,
  triggeredBound_e8: 2_000_000,
  triggerClamp_e8: 1_000_000,
  liquidationBound_e8: 4_000_000,
  unwindBound_e8: 500_000,
  stressBound_e8: 4_000_000,
  fundInventory_e8: 50_000_000,
  fundOutflow_e8: 5_000_000,
  fairBound_e8: 500_000,
  openInterestFactor: 50,
});

export const MARKET_RULE_NAMES = Object.keys(MAJOR_RULES) as readonly (keyof MarketRules)[];

/** Of majors, whose first maintenance rate is 1 % or less. */
const MAJOR_RATE_e8 = 1_000_000;
/** Ten times the fund's equity: more would be no limit. */
const MAX_INVENTORY_e8 = 10 * ONE_e8;
const MAX_FACTOR = 1_000_000;
const MAX_IMPACT_micros = 1e15;

/** The class of a market. */
export const isMajor = (brackets: readonly Bracket[]): boolean => brackets[0]!.maintenanceRate_e8 <= MAJOR_RATE_e8;

/**
 * The rules of a market whose definition states none: those of its class. A market whose brackets leave less room than
 * the class's has narrower bounds, so that the inequalities of `findRulesProblems` hold, in whole 1e-8 and at least one.
 */
export function defaultRules(brackets: readonly Bracket[]): MarketRules {
  const { maintenanceRate_e8, maxLeverage } = brackets[0]!;
  const rules = isMajor(brackets) ? MAJOR_RULES : OTHER_RULES;
  const clampBelow_e8 = mulDiv(ONE_e8 - maintenanceRate_e8 * maxLeverage - 1, 1, 2 * maxLeverage, FLOOR);
  const clamp_e8 = Math.max(1, Math.min(rules.markClamp_e8, clampBelow_e8));
  const unwind_e8 = Math.max(1, Math.min(rules.unwindBound_e8, mulDiv(maintenanceRate_e8 - 1, 1, 2, FLOOR)));
  return Object.freeze({
    ...rules,
    markClamp_e8: clamp_e8,
    triggerClamp_e8: clamp_e8,
    unwindBound_e8: unwind_e8,
  });
}

/** All problems of a market's rules, as text for people; empty if they are valid. The brackets are valid. */
export function findRulesProblems(rules: MarketRules, brackets: readonly Bracket[]): string[] {
  const problems: string[] = [];
  const ensure = (isFine: boolean, problem: string): void => {
    if (!isFine) problems.push(problem);
  };
  for (const name of MARKET_RULE_NAMES) ensure(isWithin(rules[name], highestOf(name)), `${name} is out of its range`);
  const { maintenanceRate_e8, maxLeverage } = brackets[0]!;
  ensure(
    2 * rules.markClamp_e8 * maxLeverage < ONE_e8 - maintenanceRate_e8 * maxLeverage,
    "the mark clamp reaches half of initial less maintenance margin: quotes alone could liquidate",
  );
  ensure(
    2 * rules.unwindBound_e8 < maintenanceRate_e8,
    "the unwind bound reaches half of the first maintenance rate: the fund would lose by take-overs",
  );
  ensure(rules.unwindBound_e8 <= rules.stressBound_e8, "the unwind bound is wider than the stress bound");
  ensure(rules.marketBound_e8 <= rules.priceBand_e8, "the market order bound is wider than the price band");
  ensure(rules.triggeredBound_e8 <= rules.marketBound_e8, "the triggered bound is wider than the market order bound");
  ensure(rules.fairBound_e8 <= rules.marketBound_e8, "the fair bound is wider than the market order bound");
  ensure(rules.triggerClamp_e8 <= rules.priceBand_e8, "the trigger clamp is wider than the price band");
  return problems;
}

function highestOf(name: keyof MarketRules): number {
  if (name === "impactNotional_micros") return MAX_IMPACT_micros;
  if (name === "fundInventory_e8") return MAX_INVENTORY_e8;
  return name === "openInterestFactor" ? MAX_FACTOR : ONE_e8 - 1;
}

function isWithin(value: number, highest: number): boolean {
  return Number.isSafeInteger(value) && value >= 1 && value <= highest;
}

/** FUT-21: w, how far from the index the fund trades when the index has run so far in a minute. */
export function unwindDistance_e8({ stressBound_e8, unwindBound_e8 }: MarketRules, run_e8: number): number {
  return Math.min(stressBound_e8, unwindBound_e8 + Math.floor(run_e8 / 2));
}

/** These rules and nothing else that an object holds. */
export function rulesOf(rules: MarketRules): MarketRules {
  return Object.freeze(
    Object.fromEntries(MARKET_RULE_NAMES.map((name) => [name, rules[name]])) as unknown as MarketRules,
  );
}
