import type { RebateRecord } from "@bourse/api/client";
import { Hash } from "../kit/hash.tsx";
import { Percent } from "../kit/number.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import { type Column, VirtualTable } from "../kit/table.tsx";
import { shortHash } from "../lib/format.ts";
import { filterRecords, type RecordStatus } from "./filters.ts";
import { dayColumn, Footnote, HEIGHT, nothingOn, type PeriodProps, SKELETON, Usdt } from "./list-parts.tsx";
import { OwnRebateTable } from "./own-rebate-table.tsx";
import { useMyRebates, useRecords } from "./queries.ts";
import { ExplainLink, Payment, Revision } from "./record-parts.tsx";

const RECORD_COLUMNS: readonly Column<RebateRecord>[] = [
  {
    ...dayColumn<RebateRecord>(),
    cell: ({ period, revision, downline_wallet }) => (
      <span className="num flex items-center gap-2">
        <span>
          {period}
          {/* A phone has no room for a column of its own. */}
          <code className="block font-mono text-xs text-muted md:hidden">{shortHash(downline_wallet)}</code>
        </span>
        <Revision revision={revision} />
      </span>
    ),
  },
  {
    key: "wallet",
    title: "Downline",
    isSecondary: true,
    cell: ({ downline_wallet }) => <Hash value={downline_wallet} />,
  },
  {
    key: "fee",
    title: "Fees",
    isNumber: true,
    isSecondary: true,
    cell: ({ fee_amount }) => <Usdt value={fee_amount} />,
  },
  {
    key: "rate",
    title: "Rate",
    isNumber: true,
    isSecondary: true,
    cell: ({ kol_rebate_rate }) => <Percent fraction={kol_rebate_rate} />,
  },
  {
    key: "customer",
    title: "Back",
    isNumber: true,
    isSecondary: true,
    cell: ({ customer_rebate }) => <Usdt value={customer_rebate} />,
  },
  {
    key: "share",
    title: "Up",
    isNumber: true,
    isSecondary: true,
    cell: ({ share_amount }) => <Usdt value={share_amount} />,
  },
  {
    key: "net",
    title: "You",
    isNumber: true,
    cell: ({ kol_net_rebate }) => <Usdt value={kol_net_rebate} className="font-medium" />,
  },
  {
    key: "status",
    title: "Payment",
    cell: ({ payment_status, provisional }) => <Payment status={payment_status} provisional={provisional} />,
  },
  {
    key: "tx",
    title: "Transaction",
    isSecondary: true,
    cell: ({ payment_tx_hash }) => <Hash value={payment_tx_hash} of="transaction" />,
  },
  {
    key: "explain",
    title: <span className="sr-only">Details</span>,
    cell: ({ id, period, downline_wallet }) => (
      <ExplainLink id={id} of={`record of ${period} for ${downline_wallet}`} />
    ),
  },
];

interface DownlineRecordsProps extends PeriodProps {
  readonly status: RecordStatus;
  readonly search: string;
}

export function DownlineRecords({ period, status, search }: DownlineRecordsProps) {
  return (
    <Async
      query={useRecords(period)}
      skeleton={SKELETON}
      isEmpty={(all) => all.length === 0}
      empty={nothingOn(period, "No records yet", "A record is made for each downline and day with fees that count.")}
    >
      {(all) => (
        <>
          <VirtualTable
            label="Rebate records"
            height={HEIGHT}
            className="px-1"
            rows={filterRecords(all, status, search)}
            keyOf={({ id }) => id}
            columns={RECORD_COLUMNS}
            empty={<EmptyState title="No record like that">Change the search, the state or the day.</EmptyState>}
          />
          <Footnote count={all.length} what="record" />
        </>
      )}
    </Async>
  );
}

export function OwnRebates({ period }: PeriodProps) {
  return (
    <Async
      query={useMyRebates(period)}
      skeleton={SKELETON}
      isEmpty={(all) => all.length === 0}
      empty={nothingOn(
        period,
        "No rebates of your own trades",
        "What you trade yourself is given back at your own rate.",
      )}
    >
      {(all) => (
        <>
          <OwnRebateTable records={all} />
          <Footnote count={all.length} what="record" />
        </>
      )}
    </Async>
  );
}
