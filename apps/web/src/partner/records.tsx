import { useState } from "react";
import { Button } from "../kit/button.tsx";
import { Segmented, TextInput } from "../kit/field.tsx";
import { Panel } from "../kit/panel.tsx";
import { Tabs } from "../kit/tabs.tsx";
import { ExportDialog } from "./export-dialog.tsx";
import type { RecordStatus } from "./filters.ts";
import { AffiliateList, ShareList, SkippedList } from "./income-lists.tsx";
import { DownlineRecords, OwnRebates } from "./record-lists.tsx";

const STATUSES: readonly { readonly value: RecordStatus; readonly label: string }[] = [
  { value: "all", label: "All" },
  { value: "pending", label: "Pending" },
  { value: "paid", label: "Paid" },
];

type View = "downlines" | "shares" | "own" | "affiliate" | "skipped";

/** Every amount the partner is owed, by day and downline; each leads to its fills, its formula and its proof. */
export function Records() {
  const [view, setView] = useState<View>("downlines");
  const [day, setDay] = useState("");
  const [status, setStatus] = useState<RecordStatus>("all");
  const [search, setSearch] = useState("");
  const [isExporting, setExporting] = useState(false);
  const period = day === "" ? undefined : day;
  return (
    <Panel
      title="Records"
      isFlush
      actions={
        <>
          {view === "downlines" && (
            <>
              <Segmented label="Which records" options={STATUSES} value={status} onChange={setStatus} />
              <TextInput
                aria-label="Search by wallet"
                type="search"
                placeholder="Search a wallet"
                className="w-40!"
                value={search}
                onChange={({ target }) => setSearch(target.value)}
              />
            </>
          )}
          <TextInput
            aria-label="Day, UTC"
            type="date"
            className="w-40!"
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
          {day !== "" && (
            <Button look="quiet" onClick={() => setDay("")}>
              All days
            </Button>
          )}
          <Button onClick={() => setExporting(true)}>Export CSV</Button>
        </>
      }
    >
      <Tabs
        label="Kinds of records"
        value={view}
        onChange={setView}
        items={[
          {
            value: "downlines",
            label: "Downlines",
            content: <DownlineRecords period={period} status={status} search={search} />,
          },
          { value: "shares", label: "Shares of sub-KOLs", content: <ShareList period={period} /> },
          { value: "own", label: "Own trades", content: <OwnRebates period={period} /> },
          { value: "affiliate", label: "On-chain code", content: <AffiliateList period={period} /> },
          { value: "skipped", label: "Not counted", content: <SkippedList period={period} /> },
        ]}
      />
      {isExporting && <ExportDialog onClose={() => setExporting(false)} />}
    </Panel>
  );
}
