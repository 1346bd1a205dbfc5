import type { CalculatedRebates } from "@bourse/api/client";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { Field, TextInput } from "../../kit/field.tsx";
import { Num } from "../../kit/number.tsx";
import { Badge, Page, Panel } from "../../kit/panel.tsx";
import { Async, EmptyState, Skeleton } from "../../kit/states.tsx";
import { Table } from "../../kit/table.tsx";
import { serverNow } from "../../lib/server-time.ts";
import { staffApi } from "../../session/session.ts";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { dayBefore, isDay, phaseOf } from "./days.ts";
import { readRecords, readRoot, useAllRecords, useRoot } from "./queries.ts";
import { RootPanel } from "./root-panel.tsx";
import { type Before, outcomeOf } from "./run-outcome.ts";
import { RunResult } from "./run-result.tsx";
import { owedOf, sumsByDay, sumsOf } from "./sums.ts";

/** What the day is before it is settled, to tell afterwards what has changed. */
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
  over: "The day is over: it is closed by this, and what is owed can be paid.",
  running: "The day still runs: the result is provisional and cannot be paid yet.",
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRun();
  };
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={submit}>
      <Field label="Day (UTC)" className="w-48">
        {(ids) => (
          <TextInput
            {...ids}
            type="date"
            className="num"
            value={period}
            onChange={(event) => onPeriod(event.target.value)}
          />
        )}
      </Field>
      <Button look="primary" type="submit" disabled={phase === undefined || phase === "ahead"}>
        Settle {isOk ? period : "the day"}
      </Button>
      <p className="w-full text-sm text-muted">
        {phase === undefined ? "Choose a day of the calendar." : PHASES[phase]}
      </p>
    </form>
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
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      onConfirm={settle}
    />
  );
}

/** Days that have records, with what they come to. */
function Days({ onChoose }: { readonly onChoose: (period: string) => void }) {
  const records = useAllRecords("all");
  return (
    <Panel title="Days with records" isFlush>
      <Async
        query={records}
        skeleton={<Skeleton rows={8} rowHeight={40} />}
        isEmpty={({ total }) => total === 0}
        empty={
          <EmptyState title="No day has records yet">They come with the first fees of invited traders.</EmptyState>
        }
      >
        {({ records: all, total }) => (
          <>
            {all.length < total && (
              <p className="px-3 text-xs text-muted">
                Of the newest {all.length} of {counted(total, "record")}; the last day shown may not be whole.
              </p>
            )}
            <Table
              label="Days with records"
              className="max-h-[32rem]"
              rows={sumsByDay(all)}
              keyOf={(day) => day.period}
              columns={[
                {
                  key: "period",
                  title: "Day (UTC)",
                  cell: ({ period }) => (
                    <button
                      type="button"
                      className="num text-accent underline-offset-2 hover:underline"
                      onClick={() => onChoose(period)}
                    >
                      {period}
                    </button>
                  ),
                },
                { key: "count", title: "Records", isNumber: true, cell: (day) => day.count },
                {
                  key: "fee",
                  title: "Fees",
                  isNumber: true,
                  isSecondary: true,
                  cell: (day) => <Num value={day.fee} decimals={2} />,
                },
                {
                  key: "owed",
                  title: "Rebates, USDT",
                  isNumber: true,
                  cell: (day) => <Num value={owedOf(day)} decimals={2} />,
                },
                {
                  key: "pending",
                  title: "Payment",
                  cell: (day) => (
                    <Link to="/admin/records" search={{ period: day.period, status: "all" }}>
                      <Badge tone={day.pending === 0 ? "accent" : "neutral"}>
                        {day.pending === 0 ? "all paid" : `${day.pending} pending`}
                      </Badge>
                    </Link>
                  ),
                },
              ]}
            />
          </>
        )}
      </Async>
    </Panel>
  );
}

/** Turns a day's fees into rebate records; a rerun changes nothing unless the fills do. */
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
    <Page title="Settlement" lead="Runs by itself ten minutes after every midnight UTC, and here at any time.">
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
