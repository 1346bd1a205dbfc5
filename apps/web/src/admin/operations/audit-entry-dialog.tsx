import type { AuditEntry } from "@bourse/api/client";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Fact, Facts } from "../../kit/panel.tsx";
import { Time } from "../../kit/time.tsx";
import { type Difference, differencesOf } from "./audit-diff.ts";
import { wordsOfAction } from "./audit-words.ts";
import type { AuditFilter } from "./queries.ts";

const MARKS: Readonly<Record<Difference["kind"], string>> = { added: "+", removed: "−", changed: "≠", same: " " };
const KIND_WORDS: Readonly<Record<Difference["kind"], string>> = {
  added: "new",
  removed: "removed",
  changed: "changed",
  same: "as before",
};

function DifferenceRow({ difference: { path, kind, before, after } }: { readonly difference: Difference }) {
  return (
    <tr className={kind === "same" ? "text-faint" : ""}>
      <td className="py-1 pr-2 text-center font-mono" title={KIND_WORDS[kind]}>
        <span aria-hidden="true">{MARKS[kind]}</span>
        <span className="sr-only">{KIND_WORDS[kind]}</span>
      </td>
      <th scope="row" className="py-1 pr-3 text-left font-mono font-normal break-all">
        {path === "" ? "value" : path}
      </th>
      <td className="py-1 pr-3 font-mono break-all">
        {before !== undefined && <span className={kind === "same" ? "" : "line-through opacity-80"}>{before}</span>}
      </td>
      <td className="py-1 font-mono break-all">{after}</td>
    </tr>
  );
}

/** The values before and after, leaf by leaf. */
function Differences({ entry }: { readonly entry: AuditEntry }) {
  const differences = differencesOf(entry.before, entry.after);
  if (differences.length === 0) {
    return <p className="text-sm text-muted">The entry has no values, only the action.</p>;
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard
    <div tabIndex={0} className="max-h-80 overflow-auto rounded-md bg-raised px-3 py-2">
      <table aria-label="What changed" className="w-full border-collapse text-xs">
        <thead className="text-left text-faint">
          <tr>
            <th scope="col">
              <span className="sr-only">Kind</span>
            </th>
            <th scope="col" className="font-medium">
              Field
            </th>
            <th scope="col" className="font-medium">
              Before
            </th>
            <th scope="col" className="font-medium">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <DifferenceRow key={difference.path} difference={difference} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface AuditEntryDialogProps {
  readonly entry: AuditEntry;
  readonly onNarrow: (filter: AuditFilter) => void;
  readonly onClose: () => void;
}

export function AuditEntryDialog({ entry, onNarrow, onClose }: AuditEntryDialogProps) {
  return (
    <Dialog title={`${wordsOfAction(entry.action)} (entry ${entry.seq})`} isWide onClose={onClose}>
      <Differences entry={entry} />
      <Facts>
        <Fact name="When" value={<Time at={entry.at} precision="second" />} />
        <Fact name={`Who (${entry.role})`} value={<Hash value={entry.actor} of="actor" />} />
        <Fact name="Action" value={<span className="font-mono text-xs">{entry.action}</span>} />
        <Fact name="Of" value={<Hash value={entry.target} of="target" />} />
        <Fact name="From address" value={entry.ip ?? "–"} />
        <Fact name="Reason" value={entry.reason ?? "none given"} />
        <Fact name="Request" value={<Hash value={entry.request_id} of="request id" />} />
        <Fact name="Hash" value={<Hash value={entry.hash} of="hash" />} />
        <Fact name="Hash before it" value={<Hash value={entry.prev_hash} of="previous hash" />} />
      </Facts>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={() => onNarrow({ actor: entry.actor })}>Only by this actor</Button>
        <Button onClick={() => onNarrow({ action: entry.action })}>Only this action</Button>
      </div>
    </Dialog>
  );
}
