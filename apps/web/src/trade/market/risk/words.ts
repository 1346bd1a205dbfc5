import type { RiskEvent } from "@bourse/api/client";
import { Decimal } from "../../../lib/decimal.ts";
import { formatMoney } from "../../../lib/format.ts";

/** Why a position was deleveraged. */
const ADL_REASONS: Readonly<Record<string, string>> = {
  fund_full: "the fund could hold no more",
  fund_capped: "the fund had reached its cap",
  fund_old: "the fund had held it too long",
  bankrupt: "the other side could pay no more",
};

const FUND = 0;

const nameOf = (account: number | null): string => (account === FUND ? "the fund" : `account ${account ?? "–"}`);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
/** Whoever sells to reduce a position was long. */
const reducedBy = (side: RiskEvent["side"]) => (side === "SELL" ? "long" : "short");

function deleveraged({ account, side, reason }: RiskEvent): string {
  const why = reason === null ? undefined : ADL_REASONS[reason];
  const what = `${capital(nameOf(account))}: ${reducedBy(side)} deleveraged`;
  return why === undefined ? what : `${what}, because ${why}`;
}

function capped({ outflow, cap, until }: RiskEvent): string {
  const lost = `The fund reached its cap: ${formatMoney(outflow ?? "0")} of ${formatMoney(cap ?? "0")} USDT`;
  return until === 0 ? `${lost}. Reduce-only until an operator resumes the market` : `${lost}. Reduce-only meanwhile`;
}

/** FUT-24: what happened, in one sentence; accounts by number. */
export function riskWords(event: RiskEvent): string {
  const { kind, account, side } = event;
  switch (kind) {
    case "liquidation":
      return `${capital(nameOf(account))}: ${reducedBy(side)} liquidated`;
    case "takeover":
      return `${capital(nameOf(account))}: ${reducedBy(side)} taken over by the fund`;
    case "fund":
      return side === "SELL" ? "The fund sold what it had taken over" : "The fund bought back what it had taken over";
    case "adl":
      return deleveraged(event);
    case "fund_capped":
      return capped(event);
  }
}

const FRACTION_DECIMALS = 6;

/** How far the price was from the mark, as a fraction with its sign; undefined where one of them is missing. */
export function offMark({ price, mark_price }: Pick<RiskEvent, "price" | "mark_price">): string | undefined {
  if (price === null || mark_price === null) return undefined;
  const mark = Decimal.parse(mark_price);
  if (mark.isZero()) return undefined;
  return Decimal.parse(price).sub(mark).div(mark, FRACTION_DECIMALS, "halfUp").toString();
}
