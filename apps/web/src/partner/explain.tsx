import type { ExplainedGroup, ExplainedRecord } from "@bourse/api/client";
import type { ReactNode } from "react";
import { Hash } from "../kit/hash.tsx";
import { Money, Num, Percent } from "../kit/number.tsx";
import { Badge, Fact, Facts, Notice } from "../kit/panel.tsx";
import { type Column, Table, VirtualTable } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { groupDigits } from "../lib/format.ts";
import { formulaSteps, LINE_STATES, LINE_WORDS, ROLE_WORDS, SCENARIO_WORDS, SHARE_SOURCES } from "./explain-words.ts";

/** A record taken apart: sums, formula with its numbers, rates and where they come from, fills, and who gets what. */
export function Explained({ explained }: { readonly explained: ExplainedRecord }) {
  const { record, groups, other_revisions, unsettled, lines, fills, fills_total } = explained;
  return (
    <div className="flex min-w-0 flex-col gap-5 pt-3">
      <Part title="The record">
        <Facts>
          <Fact name="Downline">
            <Hash value={record.downline_wallet} />
          </Fact>
          <Fact name="Fees that count">
            <Money value={record.fee} decimals={6} />
          </Fact>
          <Fact name="Shared out">
            <Money value={record.nominal} decimals={6} />
          </Fact>
          <Fact name="Back to the downline">
            <Money value={record.customer} decimals={6} />
          </Fact>
          <Fact name="Up to the parent">
            <Money value={record.share} decimals={6} />
          </Fact>
          <Fact name={record.kind === "affiliate" ? "Reward of the code's owner" : "Net of the partner"}>
            <Money value={record.net} decimals={6} className="font-semibold" />
          </Fact>
        </Facts>
        {record.revision > 0 && (
          <Notice tone="neutral">
            Adjustment {record.revision}: an earlier record of this day is in a payout and cannot change, so the
            difference stands here.
          </Notice>
        )}
        {record.status === "provisional" && (
          <Notice tone="neutral">The day still runs; these figures grow with it.</Notice>
        )}
      </Part>
      {groups.map((group) => (
        <Group key={group.terms_versions.join()} group={group} />
      ))}
      {other_revisions.length > 0 && <Revisions explained={explained} />}
      {unsettled.fee !== "0.00" && (
        <p className="text-sm text-muted">
          Since the last settlement <Money value={unsettled.fee} decimals={6} /> more fees came in; the next one counts
          them.
        </p>
      )}
      <Part title="Who gets what">
        <Table
          label="Who gets what"
          isDense
          rows={lines}
          keyOf={({ kind, payee }) => `${kind} ${payee}`}
          columns={LINE_COLUMNS}
        />
      </Part>
      <Part title={`Fills, ${groupDigits(String(fills_total))}`}>
        <VirtualTable
          label="Fills of the record"
          isDense
          height="18rem"
          rows={fills}
          keyOf={({ symbol, trade_id, side }) => `${symbol} ${trade_id} ${side}`}
          columns={FILL_COLUMNS}
        />
        {fills_total > fills.length && (
          <p className="text-xs text-muted">The newest {groupDigits(String(fills.length))} of them.</p>
        )}
      </Part>
    </div>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** Fees under one set of rates, with the formula and its numbers put in. */
function Group({ group }: { readonly group: ExplainedGroup }) {
  return (
    <Part title={SCENARIO_WORDS[group.scenario]}>
      <Facts>
        {group.chain.map(({ wallet, role, rate }) => (
          <Fact
            key={`${role} ${wallet}`}
            name={
              <span className="inline-flex items-center gap-1.5">
                Rate of the {ROLE_WORDS[role] ?? role} <Hash value={wallet} />
              </span>
            }
          >
            <Percent fraction={rate} />
          </Fact>
        ))}
        <Fact name="Of the downline, after the cap">
          <Percent fraction={group.customer_ratio} />
          {group.customer_ratio_of_code !== null && group.customer_ratio_of_code !== group.customer_ratio && (
            <span className="text-faint">
              {" "}
              (the code says <Percent fraction={group.customer_ratio_of_code} />)
            </span>
          )}
        </Fact>
        {group.share_ratio_from !== "none" && (
          <Fact name={`Of the parent, ${SHARE_SOURCES[group.share_ratio_from] ?? group.share_ratio_from}`}>
            <Percent fraction={group.share_ratio} />
          </Fact>
        )}
      </Facts>
      <ol aria-label="Formula" className="flex flex-col gap-1.5 rounded-md bg-raised p-3 font-mono text-xs">
        {formulaSteps(group.formula).map((step) => (
          <li key={step} className="break-words">
            {step}
          </li>
        ))}
      </ol>
      <p className="text-xs text-faint">
        floor6 rounds down to a millionth of a USDT. Terms{" "}
        {group.terms_versions.map((version) => `v${version}`).join(", ")}.
      </p>
    </Part>
  );
}

function Revisions({ explained: { other_revisions } }: { readonly explained: ExplainedRecord }) {
  return (
    <Part title="Other records of the same day and downline">
      <Table
        label="Other records of the same day"
        isDense
        rows={other_revisions}
        keyOf={({ id }) => id}
        columns={[
          {
            key: "revision",
            title: "Record",
            cell: ({ revision }) => (revision === 0 ? "first" : `adjustment ${revision}`),
          },
          { key: "fee", title: "Fees", isNumber: true, cell: ({ fee }) => <Money value={fee} decimals={6} /> },
          { key: "net", title: "Net", isNumber: true, cell: ({ net }) => <Money value={net} decimals={6} /> },
        ]}
      />
    </Part>
  );
}

const LINE_COLUMNS: readonly Column<ExplainedRecord["lines"][number]>[] = [
  { key: "kind", title: "As", cell: ({ kind }) => LINE_WORDS[kind] },
  { key: "payee", title: "Wallet", cell: ({ payee }) => <Hash value={payee} /> },
  { key: "amount", title: "USDT", isNumber: true, cell: ({ amount }) => <Num value={amount} decimals={6} /> },
  {
    key: "status",
    title: "Payment",
    cell: ({ status }) => <Badge tone={status === "paid" ? "accent" : "neutral"}>{LINE_STATES[status]}</Badge>,
  },
];

const FILL_COLUMNS: readonly Column<ExplainedRecord["fills"][number]>[] = [
  { key: "time", title: "Time", cell: ({ time }) => <Time at={time} precision="second" /> },
  {
    key: "trade",
    title: "Trade",
    cell: ({ symbol, trade_id, side }) => `${symbol} #${trade_id} ${side.toLowerCase()}`,
  },
  { key: "fee", title: "Fee", isNumber: true, cell: ({ fee }) => <Num value={fee} decimals={6} /> },
  { key: "counted", title: "Counts", isNumber: true, cell: ({ counted }) => <Num value={counted} decimals={6} /> },
  {
    key: "reason",
    title: "Note",
    cell: ({ reason, reason_text }) =>
      reason === null ? <span className="text-faint">counts in full</span> : (reason_text ?? reason),
  },
];
