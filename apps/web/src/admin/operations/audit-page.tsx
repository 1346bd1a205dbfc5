import type { AuditEntry } from "@bourse/api/client";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { TextField } from "../../kit/field.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Page, Panel } from "../../kit/panel.tsx";
import { EmptyState, ErrorState, Skeleton } from "../../kit/states.tsx";
import { type Column, VirtualTable } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { counted } from "../frame/words.ts";
import { AuditEntryDialog } from "./audit-entry-dialog.tsx";
import { findEntries, wordsOfAction } from "./audit-words.ts";
import { ChainCheckPanel } from "./chain-check.tsx";
import { type AuditFilter, useAuditLog } from "./queries.ts";

const columnsOf = (onOpen: (entry: AuditEntry) => void): readonly Column<AuditEntry>[] => [
  { key: "seq", title: "No.", isNumber: true, isSecondary: true, width: "4rem", cell: ({ seq }) => seq },
  ["When", ({ at }) => <Time at={at} precision="second" />],
  [
    "What",
    (entry) => (
      <button type="button" className="text-accent hover:underline" onClick={() => onOpen(entry)}>
        {wordsOfAction(entry.action)}
      </button>
    ),
  ],
  ["Of", ({ target }) => <Hash value={target} of="target" />],
  [
    "Who",
    ({ actor, role }) => (
      <span className="inline-flex items-center gap-1">
        <span className="text-muted">{role}</span>
        {actor !== role && <Hash value={actor} of="actor" />}
      </span>
    ),
  ],
  [
    "Why",
    ({ reason }) => (
      <span className="block max-w-56 truncate" title={reason ?? undefined}>
        {reason ?? <span className="text-faint">–</span>}
      </span>
    ),
    "secondary",
  ],
];

interface FilterProps {
  readonly find: string;
  readonly onFind: (text: string) => void;
  readonly filter: AuditFilter;
  readonly onClear: () => void;
}

function FilterBar({ find, onFind, filter, onClear }: FilterProps) {
  const asked = [
    ...(filter.action === undefined ? [] : [wordsOfAction(filter.action)]),
    ...(filter.actor === undefined ? [] : [`by ${filter.actor}`]),
  ];
  return (
    <div className="flex flex-wrap items-end gap-3 px-4 pt-3 pb-2">
      <TextField
        label="Find in what is loaded"
        className="w-full sm:w-80"
        type="search"
        placeholder="Action, wallet, id, reason"
        value={find}
        onChange={onFind}
      />
      {asked.length > 0 && (
        <Button onClick={onClear} title="Show everything again">
          Only: {asked.join(", ")} ✕
        </Button>
      )}
    </div>
  );
}

/** SEC-8: who did what, newest first, each entry chained to the previous one. */
export function AuditPage() {
  const filter = useSearch({ from: "/admin/audit" });
  const navigate = useNavigate({ from: "/admin/audit" });
  const log = useAuditLog(filter);
  const [find, setFind] = useState("");
  const [opened, setOpened] = useState<AuditEntry>();
  const entries = log.data?.pages.flatMap((page) => page.items);
  const shown = findEntries(entries ?? [], find);
  const narrow = (next: AuditFilter) => {
    setOpened(undefined);
    void navigate({ search: next });
  };
  return (
    <Page
      title="Audit log"
      lead="Every change by staff, wallets' keys and the platform itself. Nothing in it can be altered."
    >
      <ChainCheckPanel entries={entries ?? []} />
      <Panel isFlush className="overflow-hidden">
        <FilterBar find={find} onFind={setFind} filter={filter} onClear={() => narrow({})} />
        {entries === undefined ? (
          log.error ? (
            <ErrorState error={log.error} onRetry={() => void log.refetch()} />
          ) : (
            <Skeleton rows={12} rowHeight={40} />
          )
        ) : (
          <VirtualTable
            label="Audit log"
            height="60dvh"
            rows={shown}
            keyOf={(entry) => entry.seq}
            columns={columnsOf(setOpened)}
            empty={
              <EmptyState title="Nothing matches">
                {find === ""
                  ? "No entry of this kind is in the log."
                  : "Load older entries, or look for something else."}
              </EmptyState>
            }
          />
        )}
        <div className="flex flex-wrap items-center justify-between gap-2 px-4 py-2 text-sm text-muted">
          <span role="status" className="num">
            {entries === undefined ? "" : `${counted(shown.length, "entry", "entries")} of ${entries.length} loaded`}
          </span>
          <Button
            size="small"
            isBusy={log.isFetchingNextPage}
            disabled={!log.hasNextPage}
            onClick={() => void log.fetchNextPage()}
          >
            {log.hasNextPage ? "Load older" : "That is all"}
          </Button>
        </div>
      </Panel>
      {opened !== undefined && (
        <AuditEntryDialog entry={opened} onNarrow={narrow} onClose={() => setOpened(undefined)} />
      )}
    </Page>
  );
}
