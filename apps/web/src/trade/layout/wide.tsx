import { AccountPanel } from "../account/panel.tsx";
import { ChartPanel } from "../market/chart/panel.tsx";
import type { Market } from "../market/market-data.ts";
import { Ticket } from "../ticket/ticket.tsx";
import { BookAndTrades } from "./book-and-trades.tsx";
import { keptSizes, Split } from "./split.tsx";

const formSizes = keptSizes("bourse.layout.form");
const accountSizes = keptSizes("bourse.layout.account");
const bookSizes = keptSizes("bourse.layout.book");

const SURFACE = "flex h-full min-h-0 min-w-0 flex-col overflow-hidden rounded-lg bg-panel";

/** Everything visible: chart and book above the account, the form at the right. */
export function WideLayout({ market }: { readonly market: Market }) {
  const { symbol } = market;
  const chartAndBook = (
    <Split
      direction="horizontal"
      sizes={bookSizes}
      label="Width of the order book"
      parts={[
        { id: "chart", minSize: 320, content: <ChartPanel market={market} /> },
        { id: "book", minSize: 220, size: 280, content: <BookAndTrades market={market} /> },
      ]}
    />
  );
  const marketAndAccount = (
    <Split
      direction="vertical"
      sizes={accountSizes}
      label="Height of the account"
      parts={[
        { id: "market", minSize: 240, content: chartAndBook },
        {
          id: "account",
          minSize: 120,
          size: 252,
          content: (
            <div className={SURFACE}>
              <AccountPanel symbol={symbol} />
            </div>
          ),
        },
      ]}
    />
  );
  return (
    <Split
      direction="horizontal"
      sizes={formSizes}
      label="Width of the order form"
      parts={[
        { id: "left", minSize: 560, content: marketAndAccount },
        {
          id: "form",
          minSize: 264,
          size: 304,
          content: (
            <div className={SURFACE}>
              <Ticket symbol={symbol} />
            </div>
          ),
        },
      ]}
    />
  );
}
