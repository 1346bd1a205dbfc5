import type { RiskEvent, RiskEvents } from "@bourse/api/client";
import { memo } from "react";
import { Async, EmptyState } from "../../../kit/states.tsx";
import { Time } from "../../../kit/time.tsx";
import { cx } from "../../../lib/cx.ts";
import { groupDigits, percentOf } from "../../../lib/format.ts";
import { useRead } from "../../../lib/use-read.ts";
import { api } from "../../../session/session.ts";
import type { Market } from "../market-data.ts";
import { offMark, riskWords } from "./words.ts";

const SHOWN = 50;
/** No channel of the stream has them. */
const REFRESH_MS = 5_000;

/** The last risk events of a market, while they are shown. */
const useRiskEvents = (symbol: string) =>
  useRead<RiskEvents>(
    ["trade", "market", symbol, "risk-events"],
    (call) => api.market.riskEvents(symbol, { order: "desc", limit: SHOWN }, call),
    { refetchInterval: REFRESH_MS },
  );

/** FUT-24: liquidations, take-overs, deleveraging and the fund's fills, the newest first. */
export function RiskEventList({ market }: { readonly market: Market }) {
  const query = useRiskEvents(market.symbol);
  return (
    <section aria-label="Risk events" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Async
        query={query}
        rows={8}
        rowHeight={36}
        loadingLabel="Loading risk events"
        empty={
          <EmptyState title="No risk events yet">
            Liquidations, deleveraging and what the insurance fund does in this market are listed here for everybody.
          </EmptyState>
        }
        isEmpty={({ items }) => items.length === 0}
      >
        {({ items }) => <RiskEventRows events={items} baseAsset={market.base_asset} />}
      </Async>
    </section>
  );
}

interface RiskEventRowsProps {
  readonly events: readonly RiskEvent[];
  readonly baseAsset: string;
}

export function RiskEventRows({ events, baseAsset }: RiskEventRowsProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard
    <ul tabIndex={0} aria-label="Latest risk events" className="min-h-0 flex-1 overflow-y-auto [scrollbar-width:thin]">
      {events.map((event) => (
        <RiskEventRow key={event.id} event={event} baseAsset={baseAsset} />
      ))}
    </ul>
  );
}

const RiskEventRow = memo(function RiskEventRow(props: { readonly event: RiskEvent; readonly baseAsset: string }) {
  const { event, baseAsset } = props;
  const isGrave = event.kind === "adl" || event.kind === "fund_capped";
  return (
    <li className="px-3 py-1.5 text-xs">
      <div className="flex items-baseline justify-between gap-2">
        <span className={cx("min-w-0", isGrave && "text-warn")}>{riskWords(event)}</span>
        <span className="shrink-0 text-muted">
          <Time at={event.time} precision="second" />
        </span>
      </div>
      <RiskFigures event={event} baseAsset={baseAsset} />
    </li>
  );
});

/** Size and price, and how far from the mark that was. */
function RiskFigures({ event, baseAsset }: { readonly event: RiskEvent; readonly baseAsset: string }) {
  const { quantity, price, mark_price } = event;
  if (quantity === null || price === null) return null;
  const distance = offMark(event);
  return (
    <div className="flex flex-wrap gap-x-2 text-muted">
      <span className="num">
        {groupDigits(quantity)} {baseAsset} at {groupDigits(price)}
      </span>
      {mark_price !== null && distance !== undefined && (
        <span className="num">
          mark {groupDigits(mark_price)} ({percentOf(distance)} %)
        </span>
      )}
    </div>
  );
}
