import type { ClockReply } from "@bourse/api/client";
import { useState } from "react";
import { Button } from "../../kit/button.tsx";
import { ConfirmAction } from "../../kit/dialog.tsx";
import { DecimalInput, Field, Select } from "../../kit/field.tsx";
import { Badge, Fact, Facts } from "../../kit/panel.tsx";
import { Time } from "../../kit/time.tsx";
import { alignClock, useServerNow } from "../../lib/server-time.ts";
import { formatDuration } from "../../lib/time.ts";
import { api, staffApi } from "../../session/session.ts";
import { counted } from "../frame/words.ts";
import { useWrite } from "../frame/write.ts";
import { leadWords, stepMs, UNITS, type Unit } from "./clock-words.ts";

/** Jobs that ran on the way: how often each, and whether all went well. */
function JobsRun({ reply }: { readonly reply: ClockReply }) {
  const byName = Map.groupBy(reply.jobs_run, ({ name }) => name);
  return (
    <div role="status" className="flex flex-col gap-2 rounded-md bg-raised p-3 text-sm">
      <p>
        Moved forward by {formatDuration(reply.advanced_ms)}; {counted(reply.jobs_run.length, "job run")} fell due on
        the way.
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
      () => staffApi.dev.advanceClock(by_ms),
      ({ advanced_ms }) => `The clock is ${formatDuration(advanced_ms)} further.`,
    );
    setReply(moved);
    await alignClock(() => api.market.serverTime());
  };
  return (
    <div className="flex flex-col gap-4">
      <Facts>
        <Fact name="The platform's time">
          <Time at={now_ms} precision="second" />
        </Fact>
        <Fact name="Against this browser">{leadWords(now_ms - Date.now())}</Fact>
      </Facts>
      <div className="flex flex-wrap items-end gap-3">
        <Field
          label="Move forward by"
          error={step_ms === undefined ? "A whole number from 1 on." : undefined}
          className="w-28"
        >
          {(ids) => <DecimalInput {...ids} value={amount} onChange={(event) => setAmount(event.target.value)} />}
        </Field>
        <Field label="Unit" className="w-32">
          {(ids) => (
            <Select {...ids} value={unit} onChange={(event) => setUnit(event.target.value as Unit)}>
              {Object.keys(UNITS).map((name) => (
                <option key={name} value={name}>
                  {name}s
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Button look="primary" disabled={step_ms === undefined} onClick={() => setAsking(true)}>
          Move the clock
        </Button>
      </div>
      <p className="text-sm text-muted">
        Everything that falls due on the way happens in its order: funding, settlement, expiries, seasons. It cannot be
        moved back.
      </p>
      {reply !== undefined && <JobsRun reply={reply} />}
      {isAsking && step_ms !== undefined && (
        <ConfirmAction
          title="Move the platform's clock"
          changes={[
            { what: "The platform's time", before: <Time at={now_ms} />, after: <Time at={now_ms + step_ms} /> },
            { what: "Whom it concerns", after: "everyone on this server" },
          ]}
          warning="The clock only moves forward: this cannot be undone."
          actionLabel={`Move the clock by ${formatDuration(step_ms)}`}
          isOpen
          onOpenChange={setAsking}
          onConfirm={() => move(step_ms)}
        />
      )}
    </div>
  );
}
