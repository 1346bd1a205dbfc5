import type { MarketRulesReply, MarketRulesRequest, MarketRulesView } from "@bourse/api";
import {
  findRulesProblems,
  type MarketRules,
  type MarketState,
  RULES_WITH_FAIR_MARKETS,
  rulesOf,
} from "@bourse/engine";
import { ApiError } from "../../kernel/errors.ts";
import { moneyText, rateText } from "../../kernel/units.ts";
import { exactUnits } from "./market-request.ts";

const E8_DIGITS = 8;
const MICRO_DIGITS = 6;

type RateName = Exclude<keyof MarketRules, "impactNotional_micros" | "openInterestFactor">;
type FractionName = Exclude<keyof MarketRulesView, "symbol" | "impact_notional" | "open_interest_factor">;

/** The engine's name of each fraction. */
const RATES: Readonly<Record<FractionName, RateName>> = {
  mark_clamp: "markClamp_e8",
  price_band: "priceBand_e8",
  market_order_bound: "marketBound_e8",
  triggered_bound: "triggeredBound_e8",
  trigger_clamp: "triggerClamp_e8",
  liquidation_bound: "liquidationBound_e8",
  unwind_bound: "unwindBound_e8",
  stress_bound: "stressBound_e8",
  fund_inventory: "fundInventory_e8",
  fund_outflow: "fundOutflow_e8",
  fair_bound: "fairBound_e8",
};
const FRACTIONS = Object.entries(RATES) as [FractionName, RateName][];

export function rulesView(symbol: string, rules: MarketRules): MarketRulesView {
  const fractions = FRACTIONS.map(([name, rate]) => [name, rateText(rules[rate])]);
  return {
    symbol,
    ...(Object.fromEntries(fractions) as Record<FractionName, string>),
    impact_notional: moneyText(rules.impactNotional_micros),
    open_interest_factor: rules.openInterestFactor,
  };
}

/** The rules of a market with those that a request names; a refusal lists every problem. */
export function readRules(request: MarketRulesRequest, { rules, definition }: MarketState): MarketRules {
  const changed: { -readonly [Name in keyof MarketRules]: number } = { ...rules };
  for (const [name, rate] of FRACTIONS) {
    const value = request[name];
    if (value !== undefined) changed[rate] = exactUnits(name, value, E8_DIGITS);
  }
  const { impact_notional, open_interest_factor } = request;
  if (impact_notional !== undefined) {
    changed.impactNotional_micros = exactUnits("impact_notional", impact_notional, MICRO_DIGITS);
  }
  if (open_interest_factor !== undefined) changed.openInterestFactor = open_interest_factor;
  const problems = findRulesProblems(changed, definition.brackets);
  if (problems.length > 0) {
    const why = `the rules are not valid: ${problems.join("; ")}`;
    throw new ApiError(400, "INVALID_MARKET_RULES", why, { details: { problems } });
  }
  return rulesOf(changed);
}

/** Before version 5 a market has the bounds of its definition, and nothing to change. */
export function assertFair(rulesVersion: number): void {
  if (rulesVersion >= RULES_WITH_FAIR_MARKETS) return;
  const why = `rules version ${rulesVersion} holds; a market has rules of its own from version ${RULES_WITH_FAIR_MARKETS} on`;
  throw new ApiError(409, "RULES_TOO_OLD", why, {
    details: { rule: "rules_version", limit: RULES_WITH_FAIR_MARKETS, actual: rulesVersion },
  });
}

export const rulesReply = (symbol: string, rules: MarketRules, dry_run: boolean): MarketRulesReply => ({
  ...rulesView(symbol, rules),
  dry_run,
});
