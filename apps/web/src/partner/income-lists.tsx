import type { AffiliateRecord, ShareIncome, SkippedFills } from "@bourse/api/client";
import { Hash } from "../kit/hash.tsx";
import { Percent } from "../kit/number.tsx";
import { Async } from "../kit/states.tsx";
import { type Column, VirtualTable } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { dayColumn, Footnote, HEIGHT, nothingOn, type PeriodProps, SKELETON, Usdt } from "./list-parts.tsx";
import { useAffiliateRecords, useShareIncome, useSkippedFills } from "./queries.ts";
import { ExplainLink, Payment } from "./record-parts.tsx";

const SHARE_COLUMNS: readonly Column<ShareIncome>[] = [
  dayColumn(),
  { key: "sub", title: "Sub-KOL", cell: ({ sub_kol_wallet }) => <Hash value={sub_kol_wallet} /> },
  { key: "wallet", title: "Its customer", cell: ({ downline_wallet }) => <Hash value={downline_wallet} /> },
  { key: "ratio", title: "Share", isNumber: true, cell: ({ share_ratio }) => <Percent fraction={share_ratio} /> },
  {
    key: "amount",
    title: "You",
    isNumber: true,
    cell: ({ share_amount }) => <Usdt value={share_amount} className="font-medium" />,
  },
  {
    key: "status",
    title: "Payment",
    cell: ({ payment_status, provisional }) => <Payment status={payment_status} provisional={provisional} />,
  },
  {
    key: "explain",
    title: <span className="sr-only">Details</span>,
    cell: ({ record_id, period }) => <ExplainLink id={record_id} of={`share of ${period}`} />,
  },
];

export function ShareList({ period }: PeriodProps) {
  return (
    <Async
      query={useShareIncome(period)}
      skeleton={SKELETON}
      isEmpty={(all) => all.length === 0}
      empty={nothingOn(period, "No shares yet", "Sub-KOLs who came by your codes share what their customers bring.")}
    >
      {(all) => (
        <>
          <VirtualTable
            label="Shares of sub-KOLs"
            height={HEIGHT}
            className="px-1"
            rows={all}
            keyOf={({ record_id }) => record_id}
            columns={SHARE_COLUMNS}
          />
          <Footnote count={all.length} what="share" />
        </>
      )}
    </Async>
  );
}

const AFFILIATE_COLUMNS: readonly Column<AffiliateRecord>[] = [
  dayColumn(),
  { key: "wallet", title: "Trader", cell: ({ downline_wallet }) => <Hash value={downline_wallet} /> },
  {
    key: "fee",
    title: "Fees",
    isNumber: true,
    isSecondary: true,
    cell: ({ fee_amount }) => <Usdt value={fee_amount} />,
  },
  { key: "rate", title: "Rate", isNumber: true, cell: ({ reward_rate }) => <Percent fraction={reward_rate} /> },
  {
    key: "reward",
    title: "You",
    isNumber: true,
    cell: ({ reward }) => <Usdt value={reward} className="font-medium" />,
  },
  {
    key: "status",
    title: "Payment",
    cell: ({ payment_status, provisional }) => <Payment status={payment_status} provisional={provisional} />,
  },
  {
    key: "explain",
    title: <span className="sr-only">Details</span>,
    cell: ({ id, period }) => <ExplainLink id={id} of={`reward of ${period}`} />,
  },
];

export function AffiliateList({ period }: PeriodProps) {
  return (
    <Async
      query={useAffiliateRecords(period)}
      skeleton={SKELETON}
      isEmpty={(all) => all.length === 0}
      empty={nothingOn(
        period,
        "No rewards of an on-chain code",
        "Whoever owns a code on the chain gets a part of its traders' fees.",
      )}
    >
      {(all) => (
        <>
          <VirtualTable
            label="Rewards of your on-chain code"
            height={HEIGHT}
            className="px-1"
            rows={all}
            keyOf={({ id }) => id}
            columns={AFFILIATE_COLUMNS}
          />
          <Footnote count={all.length} what="reward" />
        </>
      )}
    </Async>
  );
}

type SkippedFill = SkippedFills["fills"][number];

const SKIPPED_COLUMNS: readonly Column<SkippedFill>[] = [
  { key: "time", title: "Time", cell: ({ time }) => <Time at={time} /> },
  { key: "wallet", title: "Wallet", cell: ({ downline_wallet }) => <Hash value={downline_wallet} /> },
  {
    key: "trade",
    title: "Trade",
    cell: ({ symbol, trade_id, side }) => `${symbol} #${trade_id} ${side.toLowerCase()}`,
  },
  { key: "fee", title: "Fee", isNumber: true, cell: ({ fee }) => <Usdt value={fee} decimals={6} /> },
  { key: "counted", title: "Counts", isNumber: true, cell: ({ counted }) => <Usdt value={counted} decimals={6} /> },
  { key: "reason", title: "Why", cell: ({ reason_text, reason }) => reason_text ?? reason },
];

export function SkippedList({ period }: PeriodProps) {
  return (
    <Async
      query={useSkippedFills(period, period)}
      skeleton={SKELETON}
      isEmpty={({ fills }) => fills.length === 0}
      empty={nothingOn(
        period,
        "Every fee of 30 days counted in full",
        "Self-trades, liquidations and fees paid by bonus would stand here with their reason.",
      )}
    >
      {({ fills }) => (
        <VirtualTable
          label="Fills that do not count in full"
          height={HEIGHT}
          className="px-1"
          rows={fills}
          keyOf={({ symbol, trade_id, side, downline_wallet }) => `${symbol} ${trade_id} ${side} ${downline_wallet}`}
          columns={SKIPPED_COLUMNS}
        />
      )}
    </Async>
  );
}
