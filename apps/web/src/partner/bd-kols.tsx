import type { AdminKol } from "@bourse/api/client";
import { useState } from "react";
import { TextInput } from "../kit/field.tsx";
import { Hash } from "../kit/hash.tsx";
import { QueryTable } from "../kit/list.tsx";
import { Num, Percent } from "../kit/number.tsx";
import { Badge } from "../kit/panel.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import type { Column } from "../kit/table.tsx";
import { DownlineTable } from "./downline-table.tsx";
import { filterDownlines, filterKols } from "./filters.ts";
import { useBdDownlines, useBdKols } from "./queries.ts";

function Search({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  return (
    <div className="px-4 py-2">
      <TextInput
        aria-label="Search by name or wallet"
        className="max-w-64"
        type="search"
        placeholder="Search a name or a wallet"
        value={text}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}

const KOL_COLUMNS: readonly Column<AdminKol>[] = [
  [
    "KOL",
    ({ nickname, wallet_address }) => (
      <span className="flex items-center gap-2">
        {nickname !== null && <span className="font-medium">{nickname}</span>} <Hash value={wallet_address} />
      </span>
    ),
  ],
  [
    "Tier",
    ({ level, parent_broker }) =>
      parent_broker === null ? (
        (level ?? "–")
      ) : (
        <span className="inline-flex items-center gap-1.5">
          sub-KOL of <Hash value={parent_broker} of="parent" />
        </span>
      ),
  ],
  ["Rate", ({ rebate_rate }) => <Percent fraction={rebate_rate} />, "number"],
  ["Downlines", ({ invitee_count }) => <Num value={invitee_count} />, "number"],
  ["State", ({ status }) => <Badge tone={status === "frozen" ? "warn" : "neutral"}>{status}</Badge>],
];

export function BdKols() {
  const [text, setText] = useState("");
  const query = useBdKols();
  return (
    <>
      <Search text={text} onChange={setText} />
      <QueryTable
        label="Your KOLs"
        height="32rem"
        className="px-1"
        query={query}
        rowsOf={(all) => filterKols(all, text)}
        keyOf={({ broker_id }) => broker_id}
        columns={KOL_COLUMNS}
        loadingRows={8}
        empty={
          query.data?.length === 0 ? (
            <EmptyState title="You have no KOLs yet">Make a code and send its link to the first one.</EmptyState>
          ) : (
            <EmptyState title="No KOL matches">Change the search.</EmptyState>
          )
        }
      />
    </>
  );
}

export function BdDownlineList() {
  const [text, setText] = useState("");
  return (
    <Async
      query={useBdDownlines()}
      rows={8}
      rowHeight={40}
      empty={<EmptyState title="No wallet has used your codes yet">A wallet that does becomes your KOL.</EmptyState>}
    >
      {(all) => (
        <>
          <Search text={text} onChange={setText} />
          <DownlineTable
            label="KOLs who used your codes"
            rows={filterDownlines(all, "all", text)}
            empty={<EmptyState title="No wallet matches">Change the search.</EmptyState>}
          />
        </>
      )}
    </Async>
  );
}
