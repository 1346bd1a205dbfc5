import type { CalculatedRebates } from "@bourse/api/client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { TextField } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { QueryTable } from "../../kit/list.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { EmptyState } from "../../kit/states.tsx";
import type { Column } from "../../kit/table.tsx";
import { serverNow } from "../../lib/server-time.ts";
import { staffApi } from "../../session/session.ts";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { dayBefore, isDay, phaseOf } from "./days.ts";
import { readRecords, readRoot, useAllRecords, useRoot } from "./queries.ts";
import { RootPanel } from "./root-panel.tsx";
import { type Before, outcomeOf } from "./run-outcome.ts";
import { RunResult } from "./run-result.tsx";
import { type DaySums, owedOf, sumsByDay, sumsOf } from "./sums.ts";

/** The day before it is settled, to show afterwards what changed. */
async function readBefore(period: string): Promise<Before> {
  const [root, all] = await Promise.all([readRoot(period), readRecords({ period, status: "all" })]);
  const isWhole = all.records.length === all.total;
  return { root: root ?? undefined, sums: isWhole ? sumsOf(all.records) : undefined };
}

interface Run {
  readonly before: Before;
  readonly result: CalculatedRebates;
}

const PHASES = {
  over: "The day is over: settling closes it, and what is owed can be paid.",
  running: "The day is not over: the result is provisional and cannot be paid yet.",
  ahead: "The day has not begun: there is nothing to settle.",
};

interface DayFormProps {
  readonly period: string;
  readonly onPeriod: (period: string) => void;
  readonly onRun: () => void;
}

function DayForm({ period, onPeriod, onRun }: DayFormProps) {
  const isOk = isDay(period);
  const phase = isOk ? phaseOf(period, serverNow()) : undefined;
  return (
    <Form className="flex flex-wrap items-end gap-3" onSubmit={onRun}>
      <TextField label="Day (UTC)" className="w-48" kind="date" value={period} onChange={onPeriod} />
      <Button look="primary" type="submit" disabled={phase === undefined || phase === "ahead"}>
        Settle {isOk ? period : "the day"}
      </Button>
      <p className="w-full text-sm text-muted">
        {phase === undefined ? "Choose a day of the calendar." : PHASES[phase]}
      </p>
    </Form>
  );
}

function ConfirmRun({
  period,
  onClose,
  onRun,
}: {
  readonly period: string;
  readonly onClose: () => void;
  readonly onRun: (run: Run) => void;
}) {
  const write = useWrite();
  const root = useRoot(period);
  const isRunning = phaseOf(period, serverNow()) === "running";
  const settle = async () => {
    const before = await readBefore(period);
    const result = await write(
      () => staffApi.brokerAdmin.calculateRebates(period),
      (run) => `${run.period} is settled: ${counted(run.total_records, "record")}.`,
    );
    onRun({ before, result });
  };
  return (
    <ConfirmAction
      title={`Settle ${period}`}
      changes={[
        {
          what: "State of the day",
          ...(root.data ? { before: root.data.status } : { before: "not settled" }),
          after: isRunning ? "provisional" : "closed",
        },
        { what: "Records that are not paid", after: "computed again from the fills" },
        { what: "Records that are paid or in a batch", after: "stay; a difference becomes an adjustment" },
      ]}
      actionLabel={`Settle ${period}`}
      onClose={onClose}
      onConfirm={settle}
    />
  );
}

const columnsOf = (onChoose: (period: string) => void): readonly Column<DaySums>[] => [
  [
    "Day (UTC)",
    ({ period }) => (
      <button
        type="button"
        className="num text-accent underline-offset-2 hover:underline"
        onClick={() => onChoose(period)}
      >
        {period}
      </button>
    ),
  ],
  ["Records", ({ count }) => count, "number"],
  ["Fees", ({ fee }) => <Num value={fee} decimals={2} />, "number", "secondary"],
  ["Rebates, USDT", (day) => <Num value={owedOf(day)} decimals={2} />, "number"],
  [
    "Payment",
    ({ period, pending }) => (
      <Link to="/admin/records" search={{ period, status: "all" }}>
        <Badge tone={pending === 0 ? "accent" : "neutral"}>{pending === 0 ? "all paid" : `${pending} pending`}</Badge>
      </Link>
    ),
  ],
];

/** Days that have records, with their sums. */
function Days({ onChoose }: { readonly onChoose: (period: string) => void }) {
  return (
    <Panel title="Days with records" isFlush>
      <QueryTable
        label="Days with records"
        className="max-h-[32rem]"
        query={useAllRecords("all")}
        rowsOf={({ records }) => sumsByDay(records)}
        keyOf={({ period }) => period}
        columns={columnsOf(onChoose)}
        loadingRows={8}
        empty={
          <EmptyState title="No day has records yet">Records come with the first fees of invited traders.</EmptyState>
        }
        foot={({ records, total }) =>
          records.length < total && (
            <p className="px-3 py-1 text-xs text-muted">
              From the newest {records.length} of {counted(total, "record")}; the last day may be incomplete.
            </p>
          )
        }
      />
    </Panel>
  );
}

/** Turns a day's fees into rebate records. Settling again changes nothing unless the fills changed. */
export function SettlementPage() {
  const search = useSearch({ from: "/admin/settlement" });
  const navigate = useNavigate({ from: "/admin/settlement" });
  const [period, setPeriod] = useState(() => search.period ?? dayBefore(serverNow()));
  const [isAsking, setAsking] = useState(false);
  const [run, setRun] = useState<Run>();
  const choose = (next: string) => {
    setPeriod(next);
    void navigate({ replace: true, search: isDay(next) ? { period: next } : {} });
  };
  return (
    <Page title="Settlement" lead="Runs automatically ten minutes after midnight UTC. It can be run here at any time.">
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="Settle a day">
            <DayForm period={period} onPeriod={choose} onRun={() => setAsking(true)} />
          </Panel>
          {run?.result.period === period && <RunResult outcome={outcomeOf(run.before, run.result)} run={run.result} />}
          {isDay(period) && <RootPanel period={period} />}
        </div>
        <Days onChoose={choose} />
      </div>
      {isAsking && <ConfirmRun period={period} onClose={() => setAsking(false)} onRun={setRun} />}
    </Page>
  );
}
