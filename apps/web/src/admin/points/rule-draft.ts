import type { PointsRule } from "@bourse/api/client";
import type { Change } from "../../kit/dialog.tsx";
import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { groupDigits } from "../../lib/format.ts";
import { wholeOf } from "../frame/typed.ts";

/** A rule as it is typed; the inviter's share in per cent. */
export interface RuleDraft {
  readonly perFee: string;
  readonly maker: string;
  readonly perEarnPoint: string;
  readonly share: string;
  /** By market; empty for none. */
  readonly boosts: Readonly<Record<string, string>>;
}

export interface RuleProblems {
  readonly perFee?: string;
  readonly maker?: string;
  readonly perEarnPoint?: string;
  readonly share?: string;
  readonly boosts: Readonly<Record<string, string>>;
}

const FACTOR_DECIMALS = 2;
const HUNDRED = Decimal.parse("100");
const ONE = Decimal.parse("1");

export function draftOfRule(rule: PointsRule, markets: readonly string[]): RuleDraft {
  const names = [...new Set([...markets, ...Object.keys(rule.boosts)])].toSorted();
  return {
    perFee: String(rule.points_per_fee),
    maker: rule.maker_multiplier,
    perEarnPoint: String(rule.usdt_per_earn_point),
    share: Decimal.parse(rule.referral_share).mul(HUNDRED).toString(),
    boosts: Object.fromEntries(names.map((name) => [name, rule.boosts[name] ?? ""])),
  };
}

/** A factor with at most two decimals between two bounds. */
function factorOf(text: string, least: string, most: string): Decimal | undefined {
  const factor = parseTyped(text);
  if (!factor?.equals(factor.round(FACTOR_DECIMALS, "trunc"))) return undefined;
  return factor.gte(Decimal.parse(least)) && factor.lte(Decimal.parse(most)) ? factor : undefined;
}

/** Whole per cent, as the exchange keeps hundredths. */
const shareOf = (text: string): Decimal | undefined => {
  const percent = wholeOf(text, 0n, 100n);
  return percent === undefined ? undefined : Decimal.parse(String(percent)).div(HUNDRED, FACTOR_DECIMALS, "trunc");
};

export function problemsOfRule({ perFee, maker, perEarnPoint, share, boosts }: RuleDraft): RuleProblems {
  const wrong = Object.entries(boosts).filter(([, text]) => text.trim() !== "" && !factorOf(text, "1", "2"));
  return {
    ...(wholeOf(perFee, 0n, 1_000n) === undefined ? { perFee: "A whole number from 0 to 1,000." } : {}),
    ...(factorOf(maker, "0", "10") === undefined ? { maker: "0 to 10 with at most 2 decimals." } : {}),
    ...(wholeOf(perEarnPoint, 1n, 1_000_000n) === undefined
      ? { perEarnPoint: "A whole number from 1 to 1,000,000." }
      : {}),
    ...(shareOf(share) === undefined ? { share: "0 to 100, whole per cent." } : {}),
    boosts: Object.fromEntries(wrong.map(([name]) => [name, "1 to 2 with at most 2 decimals."])),
  };
}

/** What a rule says, without its version. */
export type RuleTerms = Pick<
  PointsRule,
  "points_per_fee" | "maker_multiplier" | "usdt_per_earn_point" | "referral_share" | "boosts"
>;

/** What is sent; undefined while something is wrong. A boost of 1 is none. */
export function requestOfRule(draft: RuleDraft): RuleTerms | undefined {
  const perFee = wholeOf(draft.perFee, 0n, 1_000n);
  const maker = factorOf(draft.maker, "0", "10");
  const perEarnPoint = wholeOf(draft.perEarnPoint, 1n, 1_000_000n);
  const share = shareOf(draft.share);
  const hasWrongBoost = Object.keys(problemsOfRule(draft).boosts).length > 0;
  if (perFee === undefined || perEarnPoint === undefined || !maker || !share || hasWrongBoost) return undefined;
  const boosts = Object.entries(draft.boosts).flatMap(([name, text]) => {
    const boost = factorOf(text, "1", "2");
    return boost === undefined || boost.equals(ONE) ? [] : [[name, boost.toString()] as const];
  });
  return {
    boosts: Object.fromEntries(boosts),
    points_per_fee: Number(perFee),
    maker_multiplier: maker.toString(),
    usdt_per_earn_point: Number(perEarnPoint),
    referral_share: share.toString(),
  };
}

/** A rule in words, one line for each of its numbers. */
export function linesOfRule(rule: RuleTerms): readonly { readonly what: string; readonly is: string }[] {
  return [
    { what: "Points for each USDT of fee", is: groupDigits(String(rule.points_per_fee)) },
    { what: "Makers get", is: `× ${rule.maker_multiplier}` },
    { what: "USDT of savings for a point a day", is: groupDigits(String(rule.usdt_per_earn_point)) },
    { what: "Inviter's share", is: `${Decimal.parse(rule.referral_share).mul(HUNDRED).toString()} %` },
    ...Object.entries(rule.boosts).map(([symbol, boost]) => ({ what: `Boost of ${symbol}`, is: `× ${boost}` })),
  ];
}

/** Line by line what is added, removed or changed. */
export function changesOfRule(before: PointsRule, after: RuleTerms): Change[] {
  const old = new Map(linesOfRule(before).map(({ what, is }) => [what, is]));
  const next = new Map(linesOfRule(after).map(({ what, is }) => [what, is]));
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((what) => {
    const [was, becomes] = [old.get(what), next.get(what)];
    if (was === becomes) return [];
    return [{ what, ...(was === undefined ? {} : { before: was }), after: becomes ?? "none" }];
  });
}
