import type { Downline } from "@bourse/api/client";
import { useMemo, useState } from "react";
import { Segmented, TextInput } from "../kit/field.tsx";
import { Panel } from "../kit/panel.tsx";
import { Async, EmptyState } from "../kit/states.tsx";
import { groupDigits } from "../lib/format.ts";
import { DownlineTable } from "./downline-table.tsx";
import { type DownlineKind, filterDownlines } from "./filters.ts";
import { useDownlines } from "./queries.ts";

const KINDS: readonly { readonly value: DownlineKind; readonly label: string }[] = [
  { value: "all", label: "All" },
  { value: "direct", label: "Customers" },
  { value: "sub_kol", label: "Sub-KOLs" },
];

/** All wallets that used the partner's codes. */
export function Downlines() {
  const downlines = useDownlines();
  const [kind, setKind] = useState<DownlineKind>("all");
  const [text, setText] = useState("");
  return (
    <Panel
      title="Downlines"
      isFlush
      actions={
        <>
          <Segmented label="Which downlines" options={KINDS} value={kind} onChange={setKind} />
          <TextInput
            aria-label="Search by wallet"
            className="w-48!"
            type="search"
            placeholder="Search a wallet"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </>
      }
    >
      <Async
        query={downlines}
        rows={10}
        rowHeight={40}
        empty={
          <EmptyState title="No wallet has used your codes yet">
            Share a link from the codes page. Wallets that sign in by it are listed here.
          </EmptyState>
        }
      >
        {(all) => <Filtered all={all} kind={kind} text={text} />}
      </Async>
    </Panel>
  );
}

interface FilteredProps {
  readonly all: readonly Downline[];
  readonly kind: DownlineKind;
  readonly text: string;
}

function Filtered({ all, kind, text }: FilteredProps) {
  const shown = useMemo(() => filterDownlines(all, kind, text), [all, kind, text]);
  return (
    <>
      <DownlineTable
        label="Downlines"
        rows={shown}
        empty={<EmptyState title="No wallet matches">Change the search or the filter.</EmptyState>}
      />
      <p className="num px-4 py-2 text-xs text-muted">
        {groupDigits(String(shown.length))} of {groupDigits(String(all.length))} downlines, amounts in USDT
      </p>
    </>
  );
}
