import type { StreamTrade } from "@bourse/api/client";
import { memo, useEffect, useRef } from "react";
import { EmptyState, Skeleton } from "../../../kit/states.tsx";
import { Time } from "../../../kit/time.tsx";
import { cx } from "../../../lib/cx.ts";
import { groupDigits } from "../../../lib/format.ts";
import { tradesOf, useChannel } from "../channels.ts";
import type { Market } from "../market-data.ts";

const COLUMNS = "grid grid-cols-[1fr_1fr_1fr] gap-2 px-3";

const TradeRow = memo(function TradeRow({ trade, isNew }: { readonly trade: StreamTrade; readonly isNew: boolean }) {
  const { price, quantity, side, time } = trade;
  return (
    <li className={cx(COLUMNS, "h-5 items-center text-xs", isNew && "slide-in")}>
      <span className={cx("num", side === "BUY" ? "text-up" : "text-down")}>
        <span className="sr-only">{side === "BUY" ? "Bought at " : "Sold at "}</span>
        {groupDigits(price)}
      </span>
      <span className="num text-right">{groupDigits(quantity)}</span>
      <span className="text-right text-muted">
        <Time at={time} precision="clock" />
      </span>
    </li>
  );
});

/** What was traded last, the newest first. */
export function TradeList({ market }: { readonly market: Market }) {
  const trades = useChannel(tradesOf(market.symbol));
  const newestAtFirst = useRef<number | undefined>(undefined);
  useEffect(() => {
    newestAtFirst.current ??= trades?.[0]?.id;
  }, [trades]);
  return (
    <section aria-label="Trades" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className={`${COLUMNS} h-7 shrink-0 items-center text-xs text-faint`}>
        <span>Price</span>
        <span className="text-right">Size ({market.base_asset})</span>
        <span className="text-right">Time</span>
      </div>
      {trades === undefined ? (
        <div className="px-3">
          <Skeleton rows={10} rowHeight={20} label="Loading trades" />
        </div>
      ) : trades.length === 0 ? (
        <EmptyState title="No trades yet">The first one appears here.</EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling part must be reachable by keyboard
        <ul tabIndex={0} aria-label="Latest trades" className="min-h-0 flex-1 overflow-y-auto [scrollbar-width:thin]">
          {trades.map((trade) => (
            <TradeRow
              key={trade.id}
              trade={trade}
              isNew={newestAtFirst.current !== undefined && trade.id > newestAtFirst.current}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
