import type { RebateRecord } from "@bourse/api/client";
import { Hash } from "../kit/hash.tsx";
import { QueryTable } from "../kit/list.tsx";
import { Percent } from "../kit/number.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import type { Column } from "../kit/table.tsx";
import { shortHash } from "../lib/format.ts";
import { filterRecords, type RecordStatus } from "./filters.ts";
import { Footnote, HEIGHT, nothingOn, type PeriodProps, Usdt } from "./list-parts.tsx";
import { OwnRebateTable } from "./own-rebate-table.tsx";
import { useMyRebates, useRecords } from "./queries.ts";
import { ExplainLink, Payment, Revision } from "./record-parts.tsx";

const RECORD_COLUMNS: readonly Column<RebateRecord>[] = [
  [
    "Day (UTC)",
    ({ period, revision, downline_wallet }) => (
      <span className="num flex items-center gap-2">
        <span>
          {period}
          {/* A phone has no room for a column of its own. */}
          <code className="block font-mono text-xs text-muted md:hidden">{shortHash(downline_wallet)}</code>
        </span>
        <Revision revision={revision} />
      </span>
    ),
  ],
  ["Downline", ({ downline_wallet }) => <Hash value={downline_wallet} />, "secondary"],
  ["Fees", ({ fee_amount }) => <Usdt value={fee_amount} />, "number", "secondary"],
  ["Rate", ({ kol_rebate_rate }) => <Percent fraction={kol_rebate_rate} />, "number", "secondary"],
  ["Back", ({ customer_rebate }) => <Usdt value={customer_rebate} />, "number", "secondary"],
  ["Up", ({ share_amount }) => <Usdt value={share_amount} />, "number", "secondary"],
  ["You", ({ kol_net_rebate }) => <Usdt value={kol_net_rebate} className="font-medium" />, "number"],
  ["Payment", ({ payment_status, provisional }) => <Payment status={payment_status} provisional={provisional} />],
  ["Transaction", ({ payment_tx_hash }) => <Hash value={payment_tx_hash} of="transaction" />, "secondary"],
  [
    "Details",
    ({ id, period, downline_wallet }) => <ExplainLink id={id} of={`record of ${period} for ${downline_wallet}`} />,
    "untitled",
  ],
];

interface DownlineRecordsProps extends PeriodProps {
  readonly status: RecordStatus;
  readonly search: string;
}

export function DownlineRecords({ period, status, search }: DownlineRecordsProps) {
  const query = useRecords(period);
  return (
    <QueryTable
      label="Rebate records"
      height={HEIGHT}
      className="px-1"
      query={query}
      rowsOf={(all) => filterRecords(all, status, search)}
      keyOf={({ id }) => id}
      columns={RECORD_COLUMNS}
      loadingRows={10}
      empty={
        query.data?.length === 0 ? (
          nothingOn(period, "No records yet", "A record is made for each downline and day with fees that count.")
        ) : (
          <EmptyState title="No record matches">Change the search, the status or the day.</EmptyState>
        )
      }
      foot={(all) => <Footnote count={all.length} what="record" />}
    />
  );
}

export function OwnRebates({ period }: PeriodProps) {
  return (
    <Async
      query={useMyRebates(period)}
      rows={10}
      rowHeight={40}
      empty={nothingOn(period, "No rebates of your own trades", "Your own fees are given back at your own rate.")}
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
