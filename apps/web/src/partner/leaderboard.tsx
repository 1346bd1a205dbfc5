import type { BrokerLeaderboard } from "@bourse/api/client";
import { useState } from "react";
import { Hash } from "../kit/hash.tsx";
import { Money, Num, Percent } from "../kit/number.tsx";
import { Pager } from "../kit/pager.tsx";
import { Badge, Panel } from "../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { type Column, Table } from "../kit/table.tsx";
import { useBrokerBoard, useOverview } from "./queries.ts";

const PAGE = 50;

type Entry = BrokerLeaderboard["leaderboard"][number];

const columnsFor = (ownId: string | undefined): readonly Column<Entry>[] => [
  { key: "rank", title: "Rank", isNumber: true, width: "4rem", cell: ({ rank }) => <Num value={rank} /> },
  {
    key: "who",
    title: "Partner",
    cell: ({ nickname, wallet_address, broker_id }) => (
      <span className="flex items-center gap-2">
        {nickname ?? <Hash value={wallet_address} />}
        {broker_id === ownId && <Badge tone="accent">you</Badge>}
      </span>
    ),
  },
  { key: "net", title: "Net rebate", isNumber: true, cell: (entry) => <Money value={entry.total_kol_net_rebate} /> },
  { key: "fee", title: "Fees", isNumber: true, cell: ({ total_fee }) => <Money value={total_fee} /> },
  {
    key: "volume",
    title: "Traded",
    isNumber: true,
    isSecondary: true,
    cell: ({ traded_volume }) => <Money value={traded_volume} decimals={0} />,
  },
  {
    key: "downlines",
    title: "Downlines",
    isNumber: true,
    cell: ({ downline_count }) => <Num value={downline_count} />,
  },
  {
    key: "rate",
    title: "Rate",
    isNumber: true,
    isSecondary: true,
    cell: ({ rebate_rate }) => <Percent fraction={rebate_rate} />,
  },
];

/** All partners by what they have earned net. */
export function Leaderboard() {
  const [offset, setOffset] = useState(0);
  const board = useBrokerBoard(offset, PAGE);
  const ownId = useOverview().data?.broker_id;
  return (
    <Panel
      title="Partners by net rebate"
      isFlush
      actions={
        <Pager label="partners" offset={offset} pageSize={PAGE} total={board.data?.total ?? 0} onChange={setOffset} />
      }
    >
      <Async
        query={board}
        skeleton={<Skeleton rows={10} rowHeight={40} />}
        isEmpty={({ total }) => total === 0}
        empty={<EmptyState title="No partner has a record yet">The first settled fee opens the list.</EmptyState>}
      >
        {({ leaderboard }) => (
          <Table
            label="Partners by net rebate"
            className="px-1"
            rows={leaderboard}
            keyOf={({ broker_id }) => broker_id}
            rowClass={({ broker_id }) => broker_id === ownId && "bg-accent-soft"}
            columns={columnsFor(ownId)}
          />
        )}
      </Async>
    </Panel>
  );
}
