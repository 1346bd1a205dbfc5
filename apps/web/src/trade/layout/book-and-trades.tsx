import { useEffect, useRef, useState } from "react";
import { Tabs } from "../../kit/tabs.tsx";
import { OrderBook } from "../market/book/book.tsx";
import { FlowFrame } from "../market/flow.tsx";
import type { Market } from "../market/market-data.ts";
import { TradeList } from "../market/trades/trades.tsx";
import { type Arrangement, arrangementOf } from "./arrangement.ts";

function useArrangement() {
  const place = useRef<HTMLDivElement>(null);
  const [arrangement, setArrangement] = useState<Arrangement>("tabs");
  useEffect(() => {
    if (place.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setArrangement(arrangementOf(entry.contentRect.width, entry.contentRect.height));
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return { place, arrangement };
}

const HEADING = "flex h-10 shrink-0 items-center px-3 text-sm font-semibold";

export function BookAndTrades({ market }: { readonly market: Market }) {
  const { place, arrangement } = useArrangement();
  const [tab, setTab] = useState<"book" | "trades">("book");
  const book = <OrderBook market={market} />;
  const trades = <TradeList market={market} />;
  return (
    <div ref={place} className="flex h-full min-h-0 min-w-0 flex-col overflow-hidden rounded-lg bg-panel">
      <FlowFrame>
        {arrangement === "tabs" ? (
          <Tabs
            label="Order book and trades"
            value={tab}
            onChange={setTab}
            className="flex-1 [&>[role=tabpanel]]:flex-col [&>[role=tabpanel][data-state=active]]:flex"
            items={[
              { value: "book", label: "Order book", content: book },
              { value: "trades", label: "Trades", content: trades },
            ]}
          />
        ) : (
          <div className={`flex min-h-0 flex-1 ${arrangement === "stack" ? "flex-col" : ""}`}>
            <div className="flex min-h-0 min-w-0 flex-[2] flex-col">
              <h2 className={HEADING}>Order book</h2>
              {book}
            </div>
            <div className="flex min-h-0 min-w-0 flex-1 flex-col">
              <h2 className={HEADING}>Trades</h2>
              {trades}
            </div>
          </div>
        )}
      </FlowFrame>
    </div>
  );
}
