import type { ExplainedGroup, ExplainedRecord } from "@bourse/api/client";
import type { ReactNode } from "react";
import { Hash } from "../kit/hash.tsx";
import { Money, Num, Percent } from "../kit/number.tsx";
import { Badge, Fact, Facts, Notice } from "../kit/panel.tsx";
import { type Column, Table, VirtualTable } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { groupDigits } from "../lib/format.ts";
import { formulaSteps, LINE_STATES, LINE_WORDS, ROLE_WORDS, SCENARIO_WORDS, SHARE_SOURCES } from "./explain-words.ts";

/** How a record was calculated: sums, formula with its numbers, rates and their sources, fills, and who gets what. */
export function Explained({ explained }: { readonly explained: ExplainedRecord }) {
  const { record, groups, other_revisions, unsettled, lines, fills, fills_total } = explained;
  return (
    <div className="flex min-w-0 flex-col gap-5 pt-3">
      <Part title="The record">
        <Facts>
          <Fact name="Downline" value={<Hash value={record.downline_wallet} />} />
          <Fact name="Fees that count" value={<Money value={record.fee} decimals={6} />} />
          <Fact name="Shared out" value={<Money value={record.nominal} decimals={6} />} />
          <Fact name="Back to the downline" value={<Money value={record.customer} decimals={6} />} />
          <Fact name="Up to the parent" value={<Money value={record.share} decimals={6} />} />
          <Fact
            name={record.kind === "affiliate" ? "Reward of the code's owner" : "Net of the partner"}
            value={<Money value={record.net} decimals={6} className="font-semibold" />}
          />
        </Facts>
        {record.revision > 0 && (
          <Notice tone="neutral">
            Adjustment {record.revision}: an earlier record of this day is in a payout and cannot change, so this record
            holds the difference.
          </Notice>
        )}
        {record.status === "provisional" && (
          <Notice tone="neutral">The day is not over; these figures are provisional.</Notice>
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

/** Fees under one set of rates, with the formula and its numbers. */
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
            value={<Percent fraction={rate} />}
          />
        ))}
        <Fact
          name="Of the downline, after the cap"
          value={
            <>
              <Percent fraction={group.customer_ratio} />
              {group.customer_ratio_of_code !== null && group.customer_ratio_of_code !== group.customer_ratio && (
                <span className="text-faint">
                  {" "}
                  (the code says <Percent fraction={group.customer_ratio_of_code} />)
                </span>
              )}
            </>
          }
        />
        {group.share_ratio_from !== "none" && (
          <Fact
            name={`Of the parent, ${SHARE_SOURCES[group.share_ratio_from] ?? group.share_ratio_from}`}
            value={<Percent fraction={group.share_ratio} />}
          />
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
          ["Record", ({ revision }) => (revision === 0 ? "first" : `adjustment ${revision}`)],
          ["Fees", ({ fee }) => <Money value={fee} decimals={6} />, "number"],
          ["Net", ({ net }) => <Money value={net} decimals={6} />, "number"],
        ]}
      />
    </Part>
  );
}

const LINE_COLUMNS: readonly Column<ExplainedRecord["lines"][number]>[] = [
  ["As", ({ kind }) => LINE_WORDS[kind]],
  ["Wallet", ({ payee }) => <Hash value={payee} />],
  ["USDT", ({ amount }) => <Num value={amount} decimals={6} />, "number"],
  ["Payment", ({ status }) => <Badge tone={status === "paid" ? "accent" : "neutral"}>{LINE_STATES[status]}</Badge>],
];

const FILL_COLUMNS: readonly Column<ExplainedRecord["fills"][number]>[] = [
  ["Time", ({ time }) => <Time at={time} precision="second" />],
  ["Trade", ({ symbol, trade_id, side }) => `${symbol} #${trade_id} ${side.toLowerCase()}`],
  ["Fee", ({ fee }) => <Num value={fee} decimals={6} />, "number"],
  ["Counts", ({ counted }) => <Num value={counted} decimals={6} />, "number"],
  [
    "Note",
    ({ reason, reason_text }) =>
      reason === null ? <span className="text-faint">counts in full</span> : (reason_text ?? reason),
  ],
];
