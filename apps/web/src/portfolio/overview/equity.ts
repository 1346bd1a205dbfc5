import type { AccountIncome, EquityPoint, UnifiedAccount } from "@bourse/api/client";
import type { Point } from "../../kit/chart-scale.ts";
import { Decimal, sum } from "../../lib/decimal.ts";
import { formatLocal } from "../../lib/time.ts";

const DAY_MS = 86_400_000;

export const RANGES = [
  { value: "1d", label: "1 d", ms: DAY_MS },
  { value: "7d", label: "7 d", ms: 7 * DAY_MS },
  { value: "30d", label: "30 d", ms: 30 * DAY_MS },
  { value: "all", label: "All", ms: undefined },
] as const;
export type RangeName = (typeof RANGES)[number]["value"];

export const rangeOf = (name: RangeName) => RANGES.find(({ value }) => value === name) ?? RANGES[3];

type Held = Pick<UnifiedAccount, "margin_balance" | "positions">;

/** What the account is worth now, as the hourly history counts it: isolated positions included. */
export function equityNow({ margin_balance, positions }: Held): string {
  const isolated = positions.filter(({ margin_mode }) => margin_mode === "isolated");
  const worth = isolated.flatMap(({ isolated_margin, unrealized_pnl }) => [isolated_margin, unrealized_pnl]);
  return sum([margin_balance, ...worth]).toString();
}

type Empty = Pick<
  UnifiedAccount,
  "principal" | "bonus" | "isolated_margin" | "in_flight" | "margin_balance" | "positions"
>;

/** SEC-11: nothing is there, as before the first deposit or bonus, which opens the account. */
export const isWithoutFunds = ({ positions, ...account }: Empty): boolean =>
  positions.length === 0 &&
  [account.principal, account.bonus, account.isolated_margin, account.in_flight, account.margin_balance].every(
    (amount) => Decimal.parse(amount).isZero(),
  );

/** Of all positions, in both margin modes. */
export const unrealisedNow = ({ positions }: Pick<UnifiedAccount, "positions">): string =>
  sum(positions.map(({ unrealized_pnl }) => unrealized_pnl)).toString();

/** At most `most` of them, evenly spaced; always with the last one. */
export function thinned<T>(points: readonly T[], most: number): readonly T[] {
  if (points.length <= most) return points;
  const step = (points.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, index) => points[Math.round(index * step)]).filter(
    (point) => point !== undefined,
  );
}

const MAX_POINTS = 400;

/** The line of the chart: full hours, and what it is worth now at its end. */
export function chartPoints(
  history: readonly EquityPoint[],
  now: { readonly time: number; readonly equity: string },
): Point[] {
  const points = [...history.filter(({ time }) => time < now.time), now];
  return thinned(points, MAX_POINTS).map(({ time, equity }) => ({
    label: formatLocal(time, "minute"),
    value: equity,
  }));
}

export interface Profit {
  readonly amount: string;
  /** From when on; undefined where the account's whole life is meant. */
  readonly since: number | undefined;
}

/**
 * What the account has gained apart from money that came in or went out: equity now, less equity then, less transfers and
 * bonus since. Without a figure of then it is the account's whole life.
 */
export function profitOver(
  first: EquityPoint | undefined,
  equity: string,
  flows: readonly Pick<AccountIncome, "amount" | "time">[],
): Profit {
  const since = first?.time;
  const moved = sum(flows.filter(({ time }) => since === undefined || time > since).map(({ amount }) => amount));
  const before = Decimal.parse(first?.equity ?? "0");
  return { amount: Decimal.parse(equity).sub(before).sub(moved).toString(), since };
}
