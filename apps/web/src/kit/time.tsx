import { useEffect, useState } from "react";
import { useServerNow } from "../lib/server-time.ts";
import { formatClock, formatDuration, formatLocal, formatUtc, type Instant, msOf } from "../lib/time.ts";

interface TimeProps {
  readonly at: Instant | null | undefined;
  readonly precision?: "second" | "minute" | "day" | "clock";
}

/** In the reader's zone, with UTC on hover. */
export function Time({ at, precision = "minute" }: TimeProps) {
  if (at === null || at === undefined) return <span className="text-faint">–</span>;
  const text = precision === "clock" ? formatClock(at) : formatLocal(at, precision);
  return (
    <time className="num" dateTime={new Date(msOf(at)).toISOString()} title={formatUtc(at)}>
      {text}
    </time>
  );
}

/** The time left, by the platform's clock. */
export function Countdown({ until, done = "now" }: { readonly until: Instant; readonly done?: string }) {
  const left_ms = msOf(until) - useServerNow();
  return (
    <span className="num" title={formatUtc(until)}>
      {left_ms > 0 ? formatDuration(left_ms) : done}
    </span>
  );
}

/** How long ago, by this browser's clock. */
export function Age({ since }: { readonly since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span className="num">{formatDuration(now - since)}</span>;
}
