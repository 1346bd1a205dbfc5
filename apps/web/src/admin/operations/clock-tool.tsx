import type { ClockReply } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { SelectField, TextField } from "../../kit/field.tsx";
import { Badge, Fact, Facts } from "../../kit/panel.tsx";
import { Time } from "../../kit/time.tsx";
import { alignClock, useServerNow } from "../../lib/server-time.ts";
import { formatDuration } from "../../lib/time.ts";
import { api, staffApi } from "../../session/session.ts";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { leadWords, stepMs, UNITS, type Unit } from "./clock-words.ts";

/** Jobs that ran: how often each, and how many runs failed. */
function JobsRun({ reply }: { readonly reply: ClockReply }) {
  const byName = Map.groupBy(reply.jobs_run, ({ name }) => name);
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md bg-raised p-3 text-sm">
      <p>
        Moved forward by {formatDuration(reply.advanced_ms)}; {counted(reply.jobs_run.length, "job run")} fell due.
      </p>
      <ul className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {[...byName].map(([name, runs]) => {
          const failed = runs.filter(({ ok }) => !ok);
          return (
            <li key={name} className="flex justify-between gap-2">
              <span className="truncate">{name}</span>
              <span className="num text-muted">
                {runs.length}× {failed.length > 0 && <Badge tone="warn">{failed.length} failed</Badge>}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const UNIT_OPTIONS = (Object.keys(UNITS) as Unit[]).map((value) => ({ value, label: `${value}s` }));

export function ClockTool() {
  const write = useWrite();
  const now_ms = useServerNow();
  const [amount, setAmount] = useState("1");
  const [unit, setUnit] = useState<Unit>("day");
  const [isAsking, setAsking] = useState(false);
  const [reply, setReply] = useState<ClockReply>();
  const step_ms = stepMs(amount, unit);
  const move = async (by_ms: number) => {
    const moved = await write(
      () => staffApi.dev.moveClock({ advance_ms: by_ms }),
      ({ advanced_ms }) => `The clock is ${formatDuration(advanced_ms)} further.`,
    );
    setReply(moved);
    await alignClock(() => api.market.serverTime());
  };
  return (
    <div className="flex flex-col gap-4">
      <Facts>
        <Fact name="The platform's time" value={<Time at={now_ms} precision="second" />} />
        <Fact name="Against this browser" value={leadWords(now_ms - Date.now())} />
      </Facts>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Move forward by"
          error={step_ms === undefined ? "A whole number from 1 on." : undefined}
          className="w-28"
          kind="decimal"
          value={amount}
          onChange={setAmount}
        />
        <SelectField label="Unit" className="w-32" options={UNIT_OPTIONS} value={unit} onChange={setUnit} />
        <Button look="primary" disabled={step_ms === undefined} onClick={() => setAsking(true)}>
          Move the clock
        </Button>
      </div>
      <p className="text-sm text-muted">
        Everything that falls due in between happens in order: funding, settlement, expiries, seasons. The clock cannot
        be moved back.
      </p>
      {reply !== undefined && <JobsRun reply={reply} />}
      {isAsking && step_ms !== undefined && (
        <ConfirmAction
          title="Move the platform's clock"
          changes={[
            { what: "The platform's time", before: <Time at={now_ms} />, after: <Time at={now_ms + step_ms} /> },
            { what: "Affects", after: "everyone on this server" },
          ]}
          warning="The clock cannot be moved back: this cannot be undone."
          actionLabel={`Move the clock by ${formatDuration(step_ms)}`}
          onClose={() => setAsking(false)}
          onConfirm={() => move(step_ms)}
        />
      )}
    </div>
  );
}
