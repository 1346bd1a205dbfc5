import type { PointsLedger } from "@bourse/api/client";
import { Decimal } from "../lib/decimal.ts";

export type PointsLine = PointsLedger["items"][number];

export const SOURCE_WORDS: Readonly<Record<PointsLine["source"], string>> = {
  trade: "Trade",
  earn: "Earn",
  referral: "Invitee",
};

const BASE_WORDS: Readonly<Record<PointsLine["source"], string>> = {
  trade: "USDT of fee",
  earn: "USDT of principal",
  referral: "points of the invitee",
};

export interface Calculation {
  readonly base: string;
  readonly baseWords: string;
  /** The factor of the rule: the line's points divided by its base. */
  readonly factor: string;
}

/** Points are rounded down to a millionth, so the factor is right to two decimals where the base is not tiny. */
export function calculationOf({ source, base, points }: Pick<PointsLine, "source" | "base" | "points">): Calculation {
  const from = Decimal.parse(base);
  const factor = from.isZero() ? Decimal.ZERO : Decimal.parse(points).div(from, 4, "halfUp");
  return { base, baseWords: BASE_WORDS[source], factor: factor.toString() };
}
