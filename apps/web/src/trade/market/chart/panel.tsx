import type { FapiInterval } from "@bourse/api/client";
import { useCallback, useEffect, useState } from "react";
import { Button } from "../../../kit/button.tsx";
import { Segmented } from "../../../kit/field.tsx";
import { EmptyState, Skeleton } from "../../../kit/states.tsx";
import { cx } from "../../../lib/cx.ts";
import { createKeptStore, useStore } from "../../../lib/store.ts";
import { wordsOf } from "../../../lib/words.ts";
import { FlowFrame } from "../flow.tsx";
import type { Market } from "../market-data.ts";
import type { CandleChart } from "./candle-chart.tsx";
import { INTERVAL_MS } from "./candles.ts";

const USUAL: readonly FapiInterval[] = ["1m", "5m", "15m", "1h", "4h", "1d"];
const MORE = (Object.keys(INTERVAL_MS) as FapiInterval[]).filter((interval) => !USUAL.includes(interval));

const chosenInterval = createKeptStore(
  "bourse.chart.interval",
  (kept): FapiInterval =>
    typeof kept === "string" && Object.hasOwn(INTERVAL_MS, kept) ? (kept as FapiInterval) : "1m",
);

type Loading =
  | { readonly kind: "waiting" }
  | { readonly kind: "loaded"; readonly CandleChart: typeof CandleChart }
  | { readonly kind: "failed"; readonly error: unknown };
const WAITING: Loading = { kind: "waiting" };

/**
 * The page is drawn before the chart and its library are even asked for. Where they do not come (a new version was put
 * on the server since the page was opened), the rest of the page goes on.
 */
function useChart() {
  const [loading, setLoading] = useState<Loading>(WAITING);
  const load = useCallback(async () => {
    setLoading(WAITING);
    try {
      const chart = await import("./candle-chart.tsx");
      setLoading({ kind: "loaded", CandleChart: chart.CandleChart });
    } catch (error) {
      setLoading({ kind: "failed", error });
    }
  }, []);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => void load());
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [load]);
  return { loading, load };
}

const waiting = (
  <div className="min-h-0 flex-1 overflow-hidden px-3 pt-2">
    <Skeleton rows={8} rowHeight={36} label="Loading the chart" />
  </div>
);

export function ChartPanel({ market }: { readonly market: Market }) {
  const interval = useStore(chosenInterval);
  const { loading, load } = useChart();
  return (
    <section aria-label="Chart" className="flex h-full min-h-0 min-w-0 flex-col overflow-hidden rounded-lg bg-panel">
      <div className="flex h-10 shrink-0 items-center gap-1.5 px-2">
        <Segmented
          label="Interval"
          options={USUAL.map((value) => ({ value, label: value }))}
          value={interval}
          onChange={chosenInterval.set}
          className="bg-transparent"
        />
        <select
          aria-label="Other intervals"
          value={MORE.includes(interval) ? interval : ""}
          onChange={(event) => chosenInterval.set(event.target.value as FapiInterval)}
          className={cx(
            "h-7 rounded-sm px-1 text-sm",
            MORE.includes(interval) ? "bg-hover font-medium text-text" : "bg-panel text-muted",
          )}
        >
          <option value="" disabled hidden>
            More
          </option>
          {MORE.map((value) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </select>
      </div>
      <FlowFrame>
        {loading.kind === "waiting" && waiting}
        {loading.kind === "loaded" && <loading.CandleChart market={market} interval={interval} />}
        {loading.kind === "failed" && (
          <EmptyState
            title="The chart could not be loaded"
            className="flex-1"
            action={
              <div className="flex gap-2">
                <Button onClick={() => void load()}>Try again</Button>
                <Button onClick={() => location.reload()}>Reload the page</Button>
              </div>
            }
          >
            {wordsOf(loading.error).title} If there is a new version of this page, reloading it helps.
          </EmptyState>
        )}
      </FlowFrame>
    </section>
  );
}
