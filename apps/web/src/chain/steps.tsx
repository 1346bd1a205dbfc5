import { Check, Minus, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../kit/button.tsx";
import { Hash } from "../kit/hash.tsx";
import { RefusalLine } from "../kit/task.tsx";
import { cx } from "../lib/cx.ts";
import { useStore } from "../lib/store.ts";
import { type Flow, lookOf, type StepLook, type StepMark } from "./flow.ts";

const DOTS: Record<StepLook, string> = {
  waiting: "bg-raised text-faint",
  running: "bg-accent-soft text-accent",
  failed: "bg-bad-soft text-bad",
  done: "bg-accent-solid text-on-accent",
  skipped: "bg-raised text-muted",
};
const SAID: Record<StepLook, string> = {
  waiting: "next",
  running: "under way",
  failed: "failed",
  done: "done",
  skipped: "not needed",
};

function Dot({ look, number }: { readonly look: StepLook; readonly number: number }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        "num flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-medium",
        DOTS[look],
      )}
    >
      {look === "done" ? <Check size={13} /> : look === "skipped" ? <Minus size={13} /> : null}
      {look === "failed" ? <X size={13} /> : look === "waiting" || look === "running" ? number : null}
    </span>
  );
}

function Line({ mark, error }: { readonly mark: StepMark | undefined; readonly error: unknown }) {
  return (
    <>
      {mark?.note !== undefined && <span className="text-xs text-muted">{mark.note}</span>}
      {mark?.hash !== undefined && (
        <span className="flex items-center gap-1 text-xs text-faint">
          Transaction <Hash value={mark.hash} of="transaction hash" />
        </span>
      )}
      <RefusalLine error={error} />
    </>
  );
}

interface StepListProps {
  readonly label: string;
  readonly flow: Flow;
  /** Under a step while it is under way: what the person has to do. */
  readonly hint?: (stepId: string) => ReactNode;
}

/** The steps of a flow, each with its state, its transaction and what to do where it failed. */
export function StepList({ label, flow, hint }: StepListProps) {
  const state = useStore(flow.state);
  return (
    <div className="flex flex-col gap-3">
      <ol aria-label={label} className="flex flex-col gap-3">
        {flow.steps.map((step, index) => {
          const look = lookOf(state, index);
          return (
            <li key={step.id} aria-current={look === "running" ? "step" : undefined} className="flex gap-3">
              <Dot look={look} number={index + 1} />
              <div className="flex min-h-6 min-w-0 flex-1 flex-col gap-0.5">
                <span className="flex items-baseline justify-between gap-2">
                  <span className={cx("text-sm", look === "waiting" ? "text-muted" : "font-medium")}>{step.label}</span>
                  <span className="text-xs text-faint">{SAID[look]}</span>
                </span>
                {look === "running" && <span className="text-xs text-muted">{hint?.(step.id)}</span>}
                <Line mark={state.marks[index]} error={look === "failed" ? state.error : undefined} />
              </div>
            </li>
          );
        })}
      </ol>
      {state.reason !== undefined && state.phase !== "done" && (
        <p role="status" className="text-xs text-muted">
          {state.reason}
        </p>
      )}
      {state.phase === "failed" && (
        <Button look="primary" onClick={flow.retry}>
          Try this step again
        </Button>
      )}
    </div>
  );
}
