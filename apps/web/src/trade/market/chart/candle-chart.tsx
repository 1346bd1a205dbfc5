import type { FapiInterval } from "@bourse/api/client";
import { useEffect, useRef, useState } from "react";
import { ErrorState, Skeleton } from "../../../kit/states.tsx";
import { groupDigits } from "../../../lib/format.ts";
import { useChartLines } from "../../account/chart-lines.ts";
import type { Market } from "../market-data.ts";
import { CandleView } from "./candle-view.ts";
import type { Candle } from "./candles.ts";
import { KlineFeed } from "./kline-feed.ts";

/** Loaded after the first paint, with the library that it draws with. */
export function CandleChart({ market, interval }: { readonly market: Market; readonly interval: FapiInterval }) {
  const { symbol, tick_size, price_decimals, quantity_decimals } = market;
  const container = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLParagraphElement>(null);
  const decimals = useRef({ price_decimals, quantity_decimals });
  const feed = useRef<KlineFeed>(undefined);
  const [view, setView] = useState<CandleView>();
  const [failure, setFailure] = useState<{ readonly error: unknown }>();
  const [isEmpty, setEmpty] = useState(true);
  const [round, setRound] = useState(0);
  const lines = useChartLines(symbol);
  decimals.current = { price_decimals, quantity_decimals };

  useEffect(() => {
    if (container.current === null) return;
    const made = new CandleView({
      container: container.current,
      // Written past React: it follows the pointer.
      onPointed: (candle) => legend.current && writeLegend(legend.current, candle, decimals.current),
      onOlderWanted: () => void feed.current?.loadOlder(),
    });
    setView(made);
    return () => made.dispose();
  }, []);

  useEffect(() => view?.setTerms({ tick_size, price_decimals }), [view, tick_size, price_decimals]);
  useEffect(() => view?.setLines(lines), [view, lines]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is another try
  useEffect(() => {
    if (view === undefined) return;
    setFailure(undefined);
    setEmpty(true);
    view.clear();
    const made = new KlineFeed(symbol, interval, {
      onCandles: (candles, changedFrom) => {
        setEmpty(candles.length === 0);
        view.show(candles, changedFrom);
      },
      onFailure: (error) => setFailure({ error }),
    });
    feed.current = made;
    made.start();
    return () => made.stop();
  }, [view, symbol, interval, round]);

  return (
    <figure aria-label={`Candles of ${symbol}, ${interval}`} className="relative min-h-0 flex-1">
      <div ref={container} className="absolute inset-0" />
      <p
        ref={legend}
        className="num pointer-events-none absolute top-1 left-3 z-10 text-xs text-muted max-md:hidden"
        aria-hidden="true"
      />
      {isEmpty && failure === undefined && (
        <div className="absolute inset-0 z-10 bg-panel px-3 pt-2">
          <Skeleton rows={8} rowHeight={36} label="Loading candles" />
        </div>
      )}
      {isEmpty && failure !== undefined && (
        <div className="absolute inset-0 z-10 flex items-center justify-center bg-panel">
          <ErrorState error={failure.error} onRetry={() => setRound((now) => now + 1)} />
        </div>
      )}
    </figure>
  );
}

interface LegendDecimals {
  readonly price_decimals: number;
  readonly quantity_decimals: number;
}

function writeLegend(place: HTMLElement, candle: Candle | undefined, decimals: LegendDecimals): void {
  if (candle === undefined) {
    place.textContent = "";
    return;
  }
  const price = (value: number) => groupDigits(value.toFixed(decimals.price_decimals));
  const { open, high, low, close, volume } = candle;
  const figures = [
    ["O", price(open)],
    ["H", price(high)],
    ["L", price(low)],
    ["C", price(close)],
    ["V", groupDigits(volume.toFixed(decimals.quantity_decimals))],
  ];
  place.textContent = figures.map(([name, figure]) => `${name} ${figure}`).join("   ");
}
