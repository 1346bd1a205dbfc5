import type { ExplainedRecord } from "@bourse/api/client";
import { Dialog } from "../../kit/dialog.tsx";
import { Hash } from "../../kit/hash.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge } from "../../kit/panel.tsx";
import { Async } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { Time } from "../../kit/time.tsx";
import { counted } from "../frame/words.ts";
import { useExplained } from "./queries.ts";

const LINE_WORDS: Readonly<Record<ExplainedRecord["lines"][number]["kind"], string>> = {
  customer: "Downline",
  kol: "KOL",
  share: "Parent KOL",
  affiliate: "Affiliate",
};

const STATUS_TONES = { pending: "neutral", in_batch: "neutral", paid: "accent" } as const;
const STATUS_WORDS = { pending: "pending", in_batch: "in a batch", paid: "paid" } as const;

function Groups({ groups }: Pick<ExplainedRecord, "groups">) {
  return (
    <ul className="flex flex-col gap-2">
      {groups.map((group) => (
        <li key={group.terms_versions.join()} className="rounded-md bg-raised p-3 text-sm">
          <p className="text-muted">
            {group.scenario.replaceAll("_", " ")} · terms {group.terms_versions.join(", ")}
          </p>
          <p className="mt-1 font-mono text-xs break-words">{group.formula}</p>
        </li>
      ))}
    </ul>
  );
}

function Fills({ fills, total }: { readonly fills: ExplainedRecord["fills"]; readonly total: number }) {
  return (
    <details className="text-sm">
      <summary className="text-muted">
        {counted(total, "fill")} behind it{total > fills.length ? `, the newest ${fills.length} below` : ""}
      </summary>
      <Table
        label="Fills"
        className="mt-2 max-h-64"
        isDense
        rows={fills}
        keyOf={(fill) => `${fill.symbol} ${fill.trade_id} ${fill.side}`}
        columns={[
          ["Time", (fill) => <Time at={fill.time} precision="second" />],
          ["Trade", (fill) => `${fill.symbol} ${fill.trade_id}`],
          ["Side", (fill) => fill.side],
          ["Fee", (fill) => <Num value={fill.fee} decimals={6} />, "number"],
          ["Counts", (fill) => <Num value={fill.counted} decimals={6} />, "number"],
          ["Why not all", (fill) => fill.reason_text ?? ""],
        ]}
      />
    </details>
  );
}

function Explained({ of }: { readonly of: ExplainedRecord }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">{of.formula}</p>
      <Groups groups={of.groups} />
      <Table
        label="Who is owed what"
        isDense
        rows={of.lines}
        keyOf={(line) => `${line.kind} ${line.payee}`}
        columns={[
          ["Part of", (line) => LINE_WORDS[line.kind]],
          ["Wallet", (line) => <Hash value={line.payee} of="wallet" />],
          ["USDT", (line) => <Num value={line.amount} decimals={6} />, "number"],
          ["Payment", (line) => <Badge tone={STATUS_TONES[line.status]}>{STATUS_WORDS[line.status]}</Badge>],
        ]}
      />
      {of.other_revisions.length > 0 && (
        <p className="text-sm text-muted">
          {counted(of.other_revisions.length, "other record")} of the same day and downline: together they are the sums
          above.
        </p>
      )}
      <Fills fills={of.fills} total={of.fills_total} />
    </div>
  );
}

/** How a record was calculated: terms, formula, lines, fills. */
export function ExplainDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const query = useExplained(id);
  return (
    <Dialog title="How this record was calculated" isWide onClose={onClose}>
      <Async query={query} rows={10} rowHeight={28}>
        {(explained) => <Explained of={explained} />}
      </Async>
    </Dialog>
  );
}
