import type { AffiliateRecord, ShareIncome, SkippedFills } from "@bourse/api/client";
import { Hash } from "../kit/hash.tsx";
import { QueryTable } from "../kit/list.tsx";
import { Percent } from "../kit/number.tsx";
import type { Column } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { dayColumn, Footnote, HEIGHT, nothingOn, type PeriodProps, Usdt } from "./list-parts.tsx";
import { useAffiliateRecords, useShareIncome, useSkippedFills } from "./queries.ts";
import { ExplainLink, Payment } from "./record-parts.tsx";

const SHARE_COLUMNS: readonly Column<ShareIncome>[] = [
  dayColumn(),
  ["Sub-KOL", ({ sub_kol_wallet }) => <Hash value={sub_kol_wallet} />],
  ["Its customer", ({ downline_wallet }) => <Hash value={downline_wallet} />],
  ["Share", ({ share_ratio }) => <Percent fraction={share_ratio} />, "number"],
  ["You", ({ share_amount }) => <Usdt value={share_amount} className="font-medium" />, "number"],
  ["Payment", ({ payment_status, provisional }) => <Payment status={payment_status} provisional={provisional} />],
  ["Details", ({ record_id, period }) => <ExplainLink id={record_id} of={`share of ${period}`} />, "untitled"],
];

export function ShareList({ period }: PeriodProps) {
  return (
    <QueryTable
      query={useShareIncome(period)}
      rowsOf={(all) => all}
      label="Shares of sub-KOLs"
      height={HEIGHT}
      className="px-1"
      keyOf={({ record_id }) => record_id}
      columns={SHARE_COLUMNS}
      loadingRows={10}
      empty={nothingOn(period, "No shares yet", "Sub-KOLs who used your codes share a part of their customers' fees.")}
      foot={(all) => <Footnote count={all.length} what="share" />}
    />
  );
}

const AFFILIATE_COLUMNS: readonly Column<AffiliateRecord>[] = [
  dayColumn(),
  ["Trader", ({ downline_wallet }) => <Hash value={downline_wallet} />],
  ["Fees", ({ fee_amount }) => <Usdt value={fee_amount} />, "number", "secondary"],
  ["Rate", ({ reward_rate }) => <Percent fraction={reward_rate} />, "number"],
  ["You", ({ reward }) => <Usdt value={reward} className="font-medium" />, "number"],
  ["Payment", ({ payment_status, provisional }) => <Payment status={payment_status} provisional={provisional} />],
  ["Details", ({ id, period }) => <ExplainLink id={id} of={`reward of ${period}`} />, "untitled"],
];

export function AffiliateList({ period }: PeriodProps) {
  return (
    <QueryTable
      query={useAffiliateRecords(period)}
      rowsOf={(all) => all}
      label="Rewards of your on-chain code"
      height={HEIGHT}
      className="px-1"
      keyOf={({ id }) => id}
      columns={AFFILIATE_COLUMNS}
      loadingRows={10}
      empty={nothingOn(
        period,
        "No rewards of an on-chain code",
        "The owner of an on-chain code gets a part of its traders' fees.",
      )}
      foot={(all) => <Footnote count={all.length} what="reward" />}
    />
  );
}

type SkippedFill = SkippedFills["items"][number];

const SKIPPED_COLUMNS: readonly Column<SkippedFill>[] = [
  ["Time", ({ time }) => <Time at={time} />],
  ["Wallet", ({ downline_wallet }) => <Hash value={downline_wallet} />],
  ["Trade", ({ symbol, trade_id, side }) => `${symbol} #${trade_id} ${side.toLowerCase()}`],
  ["Fee", ({ fee }) => <Usdt value={fee} decimals={6} />, "number"],
  ["Counts", ({ counted }) => <Usdt value={counted} decimals={6} />, "number"],
  ["Why", ({ reason_text, reason }) => reason_text ?? reason],
];

export function SkippedList({ period }: PeriodProps) {
  return (
    <QueryTable
      query={useSkippedFills(period, period)}
      rowsOf={({ items }) => items}
      label="Fills that do not count in full"
      height={HEIGHT}
      className="px-1"
      keyOf={({ symbol, trade_id, side, downline_wallet }) => `${symbol} ${trade_id} ${side} ${downline_wallet}`}
      columns={SKIPPED_COLUMNS}
      loadingRows={10}
      empty={nothingOn(
        period,
        "Every fee of 30 days counted in full",
        "Self-trades, liquidations and fees paid by bonus are listed here with their reason.",
      )}
    />
  );
}
