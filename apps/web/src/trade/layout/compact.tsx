import { CandlestickChart, ListOrdered, PenLine, Wallet } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../../kit/button.tsx";
import { cx } from "../../lib/cx.ts";
import { AccountPanel } from "../account/panel.tsx";
import { ticketIntent } from "../intents.ts";
import { ChartPanel } from "../market/chart/panel.tsx";
import type { Market } from "../market/market-data.ts";
import { Ticket } from "../ticket/ticket.tsx";
import { BookAndTrades } from "./book-and-trades.tsx";

type Place = "chart" | "book" | "form" | "account";

const PLACES: readonly { readonly place: Place; readonly label: string; readonly icon: ReactNode }[] = [
  { place: "chart", label: "Chart", icon: <CandlestickChart size={18} aria-hidden="true" /> },
  { place: "book", label: "Book", icon: <ListOrdered size={18} aria-hidden="true" /> },
  { place: "form", label: "Order", icon: <PenLine size={18} aria-hidden="true" /> },
  { place: "account", label: "Positions", icon: <Wallet size={18} aria-hidden="true" /> },
];

/** One thing at a time, with buying and selling one thumb away. */
export function CompactLayout({ market }: { readonly market: Market }) {
  const { symbol } = market;
  const [place, setPlace] = useState<Place>("chart");
  // A price from the book or a position to close is for the form: it comes into view.
  useEffect(() => ticketIntent.subscribe(() => setPlace("form")), []);

  return (
    <div className="flex min-h-0 flex-1 flex-col gap-1.5">
      <div className="flex min-h-0 flex-1 flex-col">
        {place === "chart" && <ChartPanel market={market} />}
        {place === "book" && <BookAndTrades market={market} />}
        {/* These two stay mounted: they keep what was typed, and receive intents and fills. */}
        <div hidden={place !== "form"} className="min-h-0 flex-1 overflow-y-auto rounded-lg bg-panel">
          <Ticket symbol={symbol} />
        </div>
        <div hidden={place !== "account"} className="min-h-0 flex-1 overflow-hidden rounded-lg bg-panel">
          <div className="flex h-full min-h-0 flex-col">
            <AccountPanel symbol={symbol} />
          </div>
        </div>
      </div>
      {place !== "form" && (
        <div className="flex shrink-0 gap-2 px-1">
          <Button look="buy" size="large" className="flex-1" onClick={() => ticketIntent.set({ side: "BUY" })}>
            Buy
          </Button>
          <Button look="sell" size="large" className="flex-1" onClick={() => ticketIntent.set({ side: "SELL" })}>
            Sell
          </Button>
        </div>
      )}
      <nav aria-label="Parts of the trade page" className="grid shrink-0 grid-cols-4 rounded-lg bg-panel">
        {PLACES.map(({ place: each, label, icon }) => (
          <button
            key={each}
            type="button"
            aria-current={place === each}
            onClick={() => setPlace(each)}
            className={cx(
              "flex h-13 flex-col items-center justify-center gap-0.5 text-xs",
              place === each ? "font-medium text-accent" : "text-muted",
            )}
          >
            {icon}
            {label}
          </button>
        ))}
      </nav>
    </div>
  );
}
