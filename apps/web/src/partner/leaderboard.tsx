import type { BrokerLeaderboard } from "@bourse/api/client";
import { useState } from "react";
import { Hash } from "../kit/hash.tsx";
import { QueryTable } from "../kit/list.tsx";
import { Money, Num, Percent } from "../kit/number.tsx";
import { Pager } from "../kit/pager.tsx";
import { Badge, Panel } from "../kit/panel.tsx";
import { EmptyState } from "../kit/states.tsx";
import type { Column } from "../kit/table.tsx";
import { useBrokerBoard, useOverview } from "./queries.ts";

const PAGE = 50;

type Entry = BrokerLeaderboard["leaderboard"][number];

const columnsFor = (ownId: string | undefined): readonly Column<Entry>[] => [
  { key: "rank", title: "Rank", isNumber: true, width: "4rem", cell: ({ rank }) => <Num value={rank} /> },
  [
    "Partner",
    ({ nickname, wallet_address, broker_id }) => (
      <span className="flex items-center gap-2">
        {nickname ?? <Hash value={wallet_address} />}
        {broker_id === ownId && <Badge tone="accent">you</Badge>}
      </span>
    ),
  ],
  ["Net rebate", (entry) => <Money value={entry.total_kol_net_rebate} />, "number"],
  ["Fees", ({ total_fee }) => <Money value={total_fee} />, "number"],
  ["Traded", ({ traded_volume }) => <Money value={traded_volume} decimals={0} />, "number", "secondary"],
  ["Downlines", ({ downline_count }) => <Num value={downline_count} />, "number"],
  ["Rate", ({ rebate_rate }) => <Percent fraction={rebate_rate} />, "number", "secondary"],
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
      <QueryTable
        query={board}
        rowsOf={({ leaderboard }) => leaderboard}
        label="Partners by net rebate"
        className="px-1"
        keyOf={({ broker_id }) => broker_id}
        rowClass={({ broker_id }) => broker_id === ownId && "bg-accent-soft"}
        columns={columnsFor(ownId)}
        loadingRows={10}
        empty={<EmptyState title="No partner has a record yet">The first settled fee opens the list.</EmptyState>}
      />
    </Panel>
  );
}
