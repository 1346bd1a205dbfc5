import type { AdminKol } from "@bourse/api/client";
import { useState } from "react";
import { TextInput } from "../kit/field.tsx";
import { Hash } from "../kit/hash.tsx";
import { Num, Percent } from "../kit/number.tsx";
import { Badge } from "../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../kit/states.tsx";
import { type Column, VirtualTable } from "../kit/table.tsx";
import { DownlineTable } from "./downline-table.tsx";
import { filterDownlines, filterKols } from "./filters.ts";
import { useBdDownlines, useBdKols } from "./queries.ts";

const SKELETON = <Skeleton rows={8} rowHeight={40} />;

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
  {
    key: "name",
    title: "KOL",
    cell: ({ nickname, wallet_address }) => (
      <span className="flex items-center gap-2">
        {nickname !== null && <span className="font-medium">{nickname}</span>} <Hash value={wallet_address} />
      </span>
    ),
  },
  {
    key: "level",
    title: "Tier",
    cell: ({ level, parent_broker }) =>
      parent_broker === null ? (
        (level ?? "–")
      ) : (
        <span className="inline-flex items-center gap-1.5">
          sub-KOL of <Hash value={parent_broker} of="parent" />
        </span>
      ),
  },
  { key: "rate", title: "Rate", isNumber: true, cell: ({ rebate_rate }) => <Percent fraction={rebate_rate} /> },
  { key: "downlines", title: "Downlines", isNumber: true, cell: ({ invitee_count }) => <Num value={invitee_count} /> },
  {
    key: "status",
    title: "State",
    cell: ({ status }) => <Badge tone={status === "frozen" ? "warn" : "neutral"}>{status}</Badge>,
  },
];

export function BdKols() {
  const [text, setText] = useState("");
  return (
    <Async
      query={useBdKols()}
      skeleton={SKELETON}
      isEmpty={(all) => all.length === 0}
      empty={<EmptyState title="You have no KOLs yet">Make a code and send its link to the first one.</EmptyState>}
    >
      {(all) => (
        <>
          <Search text={text} onChange={setText} />
          <VirtualTable
            label="Your KOLs"
            height="32rem"
            className="px-1"
            rows={filterKols(all, text)}
            keyOf={({ broker_id }) => broker_id}
            columns={KOL_COLUMNS}
            empty={<EmptyState title="No KOL like that">Change the search.</EmptyState>}
          />
        </>
      )}
    </Async>
  );
}

export function BdDownlineList() {
  const [text, setText] = useState("");
  return (
    <Async
      query={useBdDownlines()}
      skeleton={SKELETON}
      isEmpty={(all) => all.length === 0}
      empty={
        <EmptyState title="Nobody has come by your codes yet">
          Who does becomes a KOL of yours and stands here.
        </EmptyState>
      }
    >
      {(all) => (
        <>
          <Search text={text} onChange={setText} />
          <DownlineTable
            label="KOLs who came by your codes"
            rows={filterDownlines(all, "all", text)}
            empty={<EmptyState title="Nobody like that">Change the search.</EmptyState>}
          />
        </>
      )}
    </Async>
  );
}
