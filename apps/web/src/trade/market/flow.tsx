import type { ReactNode } from "react";
import { Age } from "../../kit/time.tsx";
import { cx } from "../../lib/cx.ts";
import { useStreamState } from "../../streams/page-stream.ts";

/** Market data that has stopped is dimmed, with its age; the panel keeps its size. */
export function FlowFrame({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  const state = useStreamState();
  const isStale = state.kind === "stale";
  return (
    <div className={cx("relative flex min-h-0 min-w-0 flex-1 flex-col", className)}>
      <div className={cx("flex min-h-0 min-w-0 flex-1 flex-col transition-opacity", isStale && "opacity-50")}>
        {children}
      </div>
      {isStale && (
        <p
          role="status"
          className="absolute inset-x-2 bottom-9 z-20 mx-auto w-fit max-w-[calc(100%-1rem)] rounded-md bg-warn-soft px-2.5 py-1 text-center text-xs text-warn shadow-float"
        >
          Reconnecting. This is as of <Age since={state.since} /> ago.
        </p>
      )}
    </div>
  );
}

const WORDS = {
  connecting: "Connecting to market data",
  live: "Market data is live",
  stale: "Market data has stopped; reconnecting",
};
const DOTS = { connecting: "bg-faint", live: "bg-up", stale: "bg-warn" };

/** A dot and a word of steady width: how market data flows. */
export function FlowBadge() {
  const { kind } = useStreamState();
  return (
    <span
      role="status"
      aria-label={WORDS[kind]}
      title={WORDS[kind]}
      className="inline-flex w-24 items-center justify-end gap-1.5 text-xs text-muted"
    >
      <span aria-hidden="true" className={cx("size-1.5 shrink-0 rounded-full", DOTS[kind])} />
      <span aria-hidden="true">{kind === "live" ? "Live" : kind === "stale" ? "Reconnecting" : "Connecting"}</span>
    </span>
  );
}
