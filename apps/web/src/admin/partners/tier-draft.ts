import type { Tier, TierThresholdsRequest } from "@bourse/api/client";
import type { Change } from "../../kit/dialog.tsx";
import { Decimal, parseTyped } from "../../lib/decimal.ts";
import { formatDecimal } from "../../lib/format.ts";
import { fractionOfTyped, percentText } from "../frame/percent.ts";

/** A row of the editor, as typed. */
export interface TierDraft {
  /** Names the row while its fields change. */
  readonly key: number;
  readonly level: string;
  readonly label: string;
  /** In per cent. */
  readonly rate: string;
  readonly minFee: string;
}

export type TierField = "level" | "label" | "rate" | "minFee";
export type TierProblems = ReadonlyMap<number, Readonly<Partial<Record<TierField, string>>>>;

export const MAX_TIERS = 20;
const MAX_LEVEL = 1_000;
const MAX_LABEL = 40;
const MONEY_DECIMALS = 6;

export const draftOfTier = (tier: Tier, key: number): TierDraft => ({
  key,
  level: String(tier.level),
  label: tier.label,
  rate: percentText(tier.rebate_rate),
  minFee: Decimal.parse(tier.min_fee_30d).toString(),
});

/** A row above all others, which is valid as it is. */
export function nextDraft(rows: readonly TierDraft[], key: number): TierDraft {
  const levels = rows.map(({ level }) => levelOf(level) ?? 0);
  const top = rows.toSorted((one, other) => (levelOf(one.level) ?? 0) - (levelOf(other.level) ?? 0)).at(-1);
  return {
    key,
    level: String(Math.max(0, ...levels) + 1),
    label: "",
    rate: top?.rate ?? "",
    minFee: top?.minFee ?? "0",
  };
}

function levelOf(text: string): number | undefined {
  if (!/^\d{1,4}$/.test(text.trim())) return undefined;
  const level = Number(text);
  return level >= 1 && level <= MAX_LEVEL ? level : undefined;
}

function moneyOf(text: string): Decimal | undefined {
  const amount = parseTyped(text);
  return amount?.equals(amount.round(MONEY_DECIMALS, "trunc")) ? amount : undefined;
}

function ownProblems({ level, label, rate, minFee }: TierDraft): Partial<Record<TierField, string>> {
  const name = label.trim();
  return {
    ...(levelOf(level) === undefined ? { level: `A whole number from 1 to ${MAX_LEVEL}.` } : {}),
    ...(name.length < 1 || name.length > MAX_LABEL ? { label: `1 to ${MAX_LABEL} characters.` } : {}),
    ...(fractionOfTyped(rate) === undefined ? { rate: "0 to 100 % with at most 4 decimals." } : {}),
    ...(moneyOf(minFee) === undefined ? { minFee: "An amount with at most 6 decimals." } : {}),
  };
}

/** A row must not have a lower rate or lower fees than the level below it. */
function problemsBeside(row: TierDraft, below: TierDraft): Partial<Record<TierField, string>> {
  const [rate, rateBelow] = [fractionOfTyped(row.rate), fractionOfTyped(below.rate)];
  const [fee, feeBelow] = [moneyOf(row.minFee), moneyOf(below.minFee)];
  const isLowerRate = rate !== undefined && rateBelow !== undefined && Decimal.parse(rate).lt(Decimal.parse(rateBelow));
  const isLowerFee = fee !== undefined && feeBelow !== undefined && fee.lt(feeBelow);
  return {
    ...(levelOf(row.level) === levelOf(below.level) ? { level: `Level ${row.level.trim()} is there twice.` } : {}),
    ...(isLowerRate ? { rate: `Not below level ${below.level}'s ${below.rate} %.` } : {}),
    ...(isLowerFee ? { minFee: `Not below level ${below.level}'s ${formatDecimal(feeBelow.toString())}.` } : {}),
  };
}

const byLevel = (one: TierDraft, other: TierDraft) => (levelOf(one.level) ?? 0) - (levelOf(other.level) ?? 0);

/** Everything that the server would refuse, by row and field. Empty: it can be sent. */
export function problemsOfTiers(rows: readonly TierDraft[]): TierProblems {
  const sorted = rows.filter(({ level }) => levelOf(level) !== undefined).toSorted(byLevel);
  const found = rows.map((row) => {
    const below = sorted[sorted.indexOf(row) - 1];
    return [row.key, { ...(below === undefined ? {} : problemsBeside(row, below)), ...ownProblems(row) }] as const;
  });
  return new Map(found.filter(([, problems]) => Object.keys(problems).length > 0));
}

/** What is sent; only for rows without a problem. */
export const requestOfTiers = (rows: readonly TierDraft[]): TierThresholdsRequest["tiers"] =>
  rows.toSorted(byLevel).map(({ level, label, rate, minFee }) => ({
    level: Number(level),
    label: label.trim(),
    rebate_rate: fractionOfTyped(rate) ?? rate,
    min_fee_30d: moneyOf(minFee)?.toString() ?? minFee,
  }));

const summary = (label: string, rate: string, minFee: string) =>
  `${label}, ${percentText(rate)} % from ${formatDecimal(minFee)} USDT`;

const summaryOf = ({ label, rebate_rate, min_fee_30d }: TierThresholdsRequest["tiers"][number]) =>
  summary(label, String(rebate_rate), Decimal.parse(String(min_fee_30d)).toString());

/** Level by level what is added, removed or changed. Empty: nothing changes. */
export function changesOfTiers(before: readonly Tier[], after: TierThresholdsRequest["tiers"]): Change[] {
  const levels = [...new Set([...before, ...after].map(({ level }) => level))].toSorted((a, b) => a - b);
  return levels.flatMap((level) => {
    const was = before.find((tier) => tier.level === level);
    const becomes = after.find((tier) => tier.level === level);
    const [old, next] = [was && summaryOf(was), becomes && summaryOf(becomes)];
    if (old === next) return [];
    return [{ what: `Level ${level}`, ...(old === undefined ? {} : { before: old }), after: next ?? "removed" }];
  });
}
