import type { Job, JobRun } from "@bourse/api/client";
import { useState } from "react";
import { useIsDevelopment } from "../../app/config.ts";
import { Button } from "../../kit/button.tsx";
import { Badge, Notice, Page, Panel } from "../../kit/panel.tsx";
import { Async } from "../../kit/states.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { useTask } from "../../kit/task.tsx";
import { Countdown, Time } from "../../kit/time.tsx";
import { toastError } from "../../kit/toast.tsx";
import { staffApi } from "../../session/session.ts";
import { useWrite } from "../frame/write.ts";
import { meaningOfJob, scheduleWords, stateOfJob, tookMs } from "./job-words.ts";
import { useJobs } from "./queries.ts";

function State({ job }: { readonly job: Job }) {
  const { tone, words } = stateOfJob(job);
  return <Badge tone={tone}>{words}</Badge>;
}

function LastRun({ job }: { readonly job: Job }) {
  const took_ms = tookMs(job);
  return (
    <span className="inline-flex items-baseline gap-2">
      <Time at={job.last_finished_at} precision="second" />
      {took_ms !== undefined && <span className="num text-xs text-faint">{took_ms} ms</span>}
    </span>
  );
}

/** Development only: runs a job at once. */
function RunNow({ name, onRun }: { readonly name: string; readonly onRun: (run: JobRun) => void }) {
  const write = useWrite();
  const { isBusy, run } = useTask(toastError);
  const runJob = async () => {
    const said = ({ ok, error }: JobRun) => (ok ? `${name} has run.` : `${name} failed: ${error}`);
    onRun(await write(() => staffApi.dev.runJob(name), said));
  };
  return (
    <Button size="small" aria-label={`Run now: ${name}`} isBusy={isBusy} onClick={() => void run(runJob)}>
      Run now
    </Button>
  );
}

function columnsOf(isDevelopment: boolean, onRun: (run: JobRun) => void): readonly Column<Job>[] {
  const runNow: Column<Job> = ["Run", ({ name }) => <RunNow name={name} onRun={onRun} />, "number", "untitled"];
  return [
    [
      "Job",
      (job) => (
        <span className="flex flex-col py-1">
          <span className="font-medium">{job.name}</span>
          <span className="text-xs text-faint max-lg:hidden">{meaningOfJob(job.name)}</span>
        </span>
      ),
    ],
    ["State", (job) => <State job={job} />],
    ["When", (job) => <span title={job.schedule}>{scheduleWords(job.schedule)}</span>, "secondary"],
    ["Next", (job) => <Countdown until={job.next_due_at} done="due" />, "number"],
    ["Last run", (job) => <LastRun job={job} />, "secondary"],
    ["Done up to", (job) => <Time at={job.watermark} />, "secondary"],
    ...(isDevelopment ? [runNow] : []),
  ];
}

function Failing({ jobs }: { readonly jobs: readonly Job[] }) {
  const failing = jobs.filter(({ consecutive_failures }) => consecutive_failures > 0);
  if (failing.length === 0) return null;
  return (
    <Notice>
      {failing.map(({ name, consecutive_failures, last_error }) => (
        <p key={name}>
          {name} has failed {consecutive_failures === 1 ? "once" : `${consecutive_failures} times`}: {last_error}. It is
          retried automatically, and nothing is skipped.
        </p>
      ))}
    </Notice>
  );
}

/** Background jobs and their state. */
export function JobsPage() {
  const jobs = useJobs();
  const isDevelopment = useIsDevelopment();
  const [run, setRun] = useState<JobRun>();
  return (
    <Page
      title="Jobs"
      lead="Background work. A job that fails is retried, and its watermark does not move until the work is done."
    >
      {run !== undefined && (
        <Panel title={`${run.name}, run by hand`}>
          <div role="status" className="flex flex-col gap-2">
            <p className="text-sm">
              <Badge tone={run.ok ? "accent" : "warn"}>{run.ok ? "done" : "failed"}</Badge> {run.error}
            </p>
            <pre className="max-h-48 overflow-auto rounded-md bg-raised p-3 font-mono text-xs whitespace-pre-wrap">
              {JSON.stringify(run.result ?? null, undefined, 2)}
            </pre>
          </div>
        </Panel>
      )}
      <Async query={jobs} rows={16} rowHeight={48}>
        {(rows) => (
          <>
            <Failing jobs={rows} />
            <Panel isFlush className="overflow-hidden">
              <Table label="Jobs" rows={rows} keyOf={(job) => job.name} columns={columnsOf(isDevelopment, setRun)} />
            </Panel>
          </>
        )}
      </Async>
    </Page>
  );
}
