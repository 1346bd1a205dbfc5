import type { MarketInfo, PriceReport } from "@bourse/api/client";
import { type Problems, problemsIn } from "../../kit/draft.ts";
import type { Tone } from "../../kit/panel.tsx";
import { Decimal, parseTyped } from "../../lib/decimal.ts";

export type MarketStatus = MarketInfo["status"];
export const MARKET_STATUSES: readonly MarketStatus[] = ["trading", "reduce_only", "halted"];

export const STATUS_LABELS: Readonly<Record<MarketStatus, string>> = {
  trading: "trading",
  reduce_only: "reduce-only",
  halted: "halted",
};
export const STATUS_TONES: Readonly<Record<MarketStatus, Tone>> = {
  trading: "accent",
  reduce_only: "warn",
  halted: "warn",
};

/** What each status means for traders. */
export const STATUS_EFFECTS: Readonly<Record<MarketStatus, { readonly orders: string; readonly risk: string }>> = {
  trading: { orders: "all orders are taken", risk: "liquidations run" },
  reduce_only: { orders: "only orders that reduce are taken", risk: "liquidations run" },
  halted: { orders: "no orders are taken, none match", risk: "nothing is liquidated here" },
};

export const STATUS_VERBS: Readonly<Record<MarketStatus, string>> = {
  trading: "Let trade",
  reduce_only: "Let only reduce",
  halted: "Halt",
};

export const STATUS_ACTIONS: Readonly<Record<MarketStatus, (symbol: string) => string>> = {
  trading: (symbol) => `Let ${symbol} trade`,
  reduce_only: (symbol) => `Let ${symbol} only reduce`,
  halted: (symbol) => `Halt ${symbol}`,
};

/** How many of a market's sources are fresh. Below two it has no index. */
export const freshSources = ({ sources }: Pick<PriceReport, "sources">): number =>
  sources.filter(({ fresh }) => fresh).length;

const USE_LABELS = {
  clamped: "clamped to the median",
  dropped: "dropped, over 5 % away",
} as const;

/** What is said about a source besides its age; undefined if it simply counts. */
export const wordsOfUse = ({
  use,
  age_ms,
}: Pick<PriceReport["sources"][number], "use" | "age_ms">): string | undefined => {
  if (use === "stale") return `stale, ${Math.round(age_ms / 1000)} s`;
  return use === "counted" ? undefined : USE_LABELS[use];
};

const NO_INDEX_LABELS = { too_few_sources: "too few sources", sources_disagree: "sources disagree" } as const;
const GUARD_LABELS = { reduce_only: "reduce-only", halted: "halted", resuming: "reduce-only, resuming" } as const;

/** FUT-13: why a market is held; undefined if it is not held for want of an index. */
export const guardWords = ({ guard, no_index }: Pick<PriceReport, "guard" | "no_index">): string | undefined => {
  const why = no_index === null ? undefined : NO_INDEX_LABELS[no_index];
  if (guard === null) return why;
  return why === undefined ? GUARD_LABELS[guard.phase] : `${GUARD_LABELS[guard.phase]}: ${why}`;
};

export interface MarketDraft {
  readonly symbol: string;
  readonly tickSize: string;
  readonly lotSize: string;
  readonly startPrice: string;
}

const SYMBOL = /^[A-Z0-9]{2,16}USDT$/;

export const isPositive = (text: string): boolean => {
  const value = parseTyped(text);
  return value !== undefined && !value.isZero();
};

const isMultiple = (text: string, step: string): boolean => {
  const [value, of] = [parseTyped(text), parseTyped(step)];
  if (value === undefined || of === undefined || of.isZero()) return false;
  return value.div(of, 0, "trunc").mul(of).equals(value);
};

/** Everything that the server would refuse. */
export const problemsOfMarket = ({ symbol, tickSize, lotSize, startPrice }: MarketDraft): Problems<MarketDraft> =>
  problemsIn<MarketDraft>({
    symbol: !SYMBOL.test(symbol) && "Capital letters and digits that end in USDT: DOGEUSDT.",
    tickSize: !isPositive(tickSize) && "An amount above 0.",
    lotSize: !isPositive(lotSize) && "An amount above 0.",
    startPrice:
      (!isPositive(startPrice) && "A price above 0.") ||
      (!isMultiple(startPrice, tickSize) && "It must be a multiple of the tick."),
  });

export const plain = (text: string): string => parseTyped(text)?.toString() ?? Decimal.ZERO.toString();
