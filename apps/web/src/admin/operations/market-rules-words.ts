import type { FundMarket, MarketRulesRequest, MarketRulesView } from "@bourse/api/client";
import type { Change } from "../../kit/dialog.tsx";
import { type Problems, problemsIn } from "../../kit/draft.ts";
import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { percentText } from "../frame/percent.ts";

type FractionName = Exclude<keyof MarketRulesView, "symbol" | "impact_notional" | "open_interest_factor">;
export type RulesDraft = { readonly [Name in FractionName | "impact_notional" | "open_interest_factor"]: string };

interface RuleWords {
  readonly label: string;
  readonly hint: string;
}

/** The bounds that are typed as per cent, in the order of the form. */
export const FRACTION_WORDS: Readonly<Record<FractionName, RuleWords>> = {
  mark_clamp: { label: "Mark from the index", hint: "The mark is never further away." },
  price_band: { label: "Limit price from the mark", hint: "To the account's disadvantage." },
  market_order_bound: { label: "Market order from the mark", hint: "Its fills end there." },
  triggered_bound: { label: "Triggered order from the mark", hint: "What is left is tried again." },
  trigger_clamp: { label: "Last price from the mark", hint: "Further away it fires no trigger." },
  liquidation_bound: { label: "Liquidation from the index", hint: "It sells no worse." },
  unwind_bound: { label: "Fund's orders from the index", hint: "While the index is calm." },
  stress_bound: { label: "The same at most", hint: "While the index runs." },
  fund_inventory: { label: "Fund's position", hint: "At most, of its equity." },
  fund_outflow: { label: "Fund's loss in an hour", hint: "At most, of its equity." },
  fair_bound: { label: "Fair price from the mark", hint: "Beyond it no bonus, volume or points." },
};
export const FRACTION_NAMES = Object.keys(FRACTION_WORDS) as readonly FractionName[];

const HUNDRED = Decimal.parse("100");
const MAX_DECIMALS = 8;

/** What was typed as per cent, as a fraction; undefined where it is no positive number of at most eight decimals. */
export function fractionOf(percent: string): string | undefined {
  const typed = parseTyped(percent);
  if (typed === undefined || typed.isZero()) return undefined;
  const fraction = typed.div(HUNDRED, MAX_DECIMALS + 2, "trunc");
  return fraction.equals(fraction.round(MAX_DECIMALS, "trunc")) ? fraction.toString() : undefined;
}

export function draftOf(rules: MarketRulesView): RulesDraft {
  const fractions = FRACTION_NAMES.map((name) => [name, percentText(rules[name])]);
  return {
    ...(Object.fromEntries(fractions) as Record<FractionName, string>),
    impact_notional: rules.impact_notional,
    open_interest_factor: String(rules.open_interest_factor),
  };
}

/** What no server would accept. How bounds fit together is the server's to say. */
export function problemsOfRules(draft: RulesDraft): Problems<RulesDraft> {
  const fractions = FRACTION_NAMES.map((name) => [
    name,
    fractionOf(draft[name]) === undefined && "Per cent above 0, with at most six decimals.",
  ]);
  const impact = parseTyped(draft.impact_notional);
  return problemsIn<RulesDraft>({
    ...(Object.fromEntries(fractions) as Record<FractionName, string | false>),
    impact_notional: (impact === undefined || impact.isZero()) && "An amount above 0.",
    open_interest_factor: !/^[1-9]\d{0,6}$/.test(draft.open_interest_factor) && "A whole number above 0.",
  });
}

/** Only what differs from what holds. The draft has no problems. */
export function changedRules(draft: RulesDraft, rules: MarketRulesView): MarketRulesRequest {
  const changed: Record<string, string | number> = {};
  for (const name of FRACTION_NAMES) {
    const fraction = fractionOf(draft[name])!;
    if (!Decimal.parse(fraction).equals(Decimal.parse(rules[name]))) changed[name] = fraction;
  }
  const impact = parseTyped(draft.impact_notional)!;
  if (!impact.equals(Decimal.parse(rules.impact_notional))) changed["impact_notional"] = impact.toString();
  const factor = Number(draft.open_interest_factor);
  if (factor !== rules.open_interest_factor) changed["open_interest_factor"] = factor;
  return changed as MarketRulesRequest;
}

/** The same for the second question. */
export function changesOf(draft: RulesDraft, rules: MarketRulesView): Change[] {
  const changed = changedRules(draft, rules);
  const before = draftOf(rules);
  const fractions = FRACTION_NAMES.filter((name) => changed[name] !== undefined).map((name) => ({
    what: FRACTION_WORDS[name].label,
    before: `${before[name]} %`,
    after: `${percentText(String(changed[name]))} %`,
  }));
  const others = [
    { name: "impact_notional", what: "Impact notional", unit: " USDT" },
    { name: "open_interest_factor", what: "Open interest", unit: " × the fund" },
  ] as const;
  const rest = others
    .filter(({ name }) => changed[name] !== undefined)
    .map(({ name, what, unit }) => ({ what, before: `${before[name]}${unit}`, after: `${changed[name]}${unit}` }));
  return [...fractions, ...rest];
}

/** INV-10: how a market of the fund is to be shown. */
export function toneOfMarket({ capped, outflow, cap }: Pick<FundMarket, "capped" | "outflow" | "cap">) {
  if (capped) return "warn" as const;
  const isHalfway = Decimal.parse(cap).lte(Decimal.parse(outflow).add(Decimal.parse(outflow)));
  return isHalfway && !Decimal.parse(outflow).isNegative() && !Decimal.parse(cap).isZero()
    ? ("warn" as const)
    : ("accent" as const);
}
