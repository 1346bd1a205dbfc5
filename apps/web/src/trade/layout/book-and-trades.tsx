import { useEffect, useRef, useState } from "react";
import { type TabItem, Tabs } from "../../kit/tabs.tsx";
import { OrderBook } from "../market/book/book.tsx";
import { FlowFrame } from "../market/flow.tsx";
import type { Market } from "../market/market-data.ts";
import { RiskEventList } from "../market/risk/risk-events.tsx";
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

type FlowTab = "trades" | "risk";

const TABS = "min-h-0 flex-1 [&>[role=tabpanel]]:flex-col [&>[role=tabpanel][data-state=active]]:flex";
const HEADING = "flex h-10 shrink-0 items-center px-3 text-sm font-semibold";

export function BookAndTrades({ market }: { readonly market: Market }) {
  const { place, arrangement } = useArrangement();
  const [tab, setTab] = useState<"book" | FlowTab>("book");
  const [flow, setFlow] = useState<FlowTab>("trades");
  const book = <OrderBook market={market} />;
  const flowItems: readonly TabItem<FlowTab>[] = [
    { value: "trades", label: "Trades", content: <TradeList market={market} /> },
    { value: "risk", label: "Risk events", content: <RiskEventList market={market} /> },
  ];
  return (
    <div ref={place} className="flex h-full min-h-0 min-w-0 flex-col overflow-hidden rounded-lg bg-panel">
      <FlowFrame>
        {arrangement === "tabs" ? (
          <Tabs
            label="Order book and trades"
            value={tab}
            onChange={setTab}
            className={TABS}
            items={[{ value: "book", label: "Order book", content: book }, ...flowItems]}
          />
        ) : (
          <div className={`flex min-h-0 flex-1 ${arrangement === "stack" ? "flex-col" : ""}`}>
            <div className="flex min-h-0 min-w-0 flex-[2] flex-col">
              <h2 className={HEADING}>Order book</h2>
              {book}
            </div>
            <div className="flex min-h-0 min-w-0 flex-1 flex-col">
              <Tabs label="Trades and risk events" value={flow} onChange={setFlow} className={TABS} items={flowItems} />
            </div>
          </div>
        )}
      </FlowFrame>
    </div>
  );
}
