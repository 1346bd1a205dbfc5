import { Navigate, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { Button } from "../kit/button.tsx";
import { Notice } from "../kit/panel.tsx";
import { EmptyState, ErrorState, Skeleton } from "../kit/states.tsx";
import { useMedia } from "../lib/use-media.ts";
import { lastSymbol } from "./last-symbol.ts";
import { CompactLayout } from "./layout/compact.tsx";
import { WideLayout } from "./layout/wide.tsx";
import { MarketHeader } from "./market/header/header.tsx";
import { HelpDialog } from "./market/header/help.tsx";
import { useTradeKeys } from "./market/keys.ts";
import { type Market, useMarkets } from "./market/market-data.ts";

/** Narrower than this the page shows one part at a time. */
const WIDE = "(min-width: 900px)";

export function TradePage() {
  const { symbol } = useParams({ from: "/trade/$symbol" });
  const markets = useMarkets();
  const market = markets.data?.find((each) => each.symbol === symbol);
  if (symbol !== symbol.toUpperCase()) {
    return <Navigate to="/trade/$symbol" params={{ symbol: symbol.toUpperCase() }} replace />;
  }
  if (market !== undefined) return <MarketPage market={market} />;
  if (markets.data !== undefined) return <UnknownMarket symbol={symbol} markets={markets.data} />;
  if (markets.error !== null) return <ErrorState error={markets.error} onRetry={() => void markets.refetch()} />;
  return (
    <div className="p-3">
      <Skeleton rows={16} rowHeight={40} label="Loading the market" />
    </div>
  );
}

function MarketPage({ market }: { readonly market: Market }) {
  const navigate = useNavigate();
  const isWide = useMedia(WIDE);
  const { symbol, status } = market;
  useTradeKeys();
  useEffect(() => lastSymbol.set(symbol), [symbol]);
  return (
    <div className="flex h-[calc(100dvh-3rem)] min-h-[34rem] flex-col gap-1.5 px-1.5 pb-[max(0.375rem,env(safe-area-inset-bottom))]">
      <h1 className="sr-only">Trade {symbol}</h1>
      <MarketHeader
        market={market}
        isCompact={!isWide}
        onChoose={(chosen) => void navigate({ to: "/trade/$symbol", params: { symbol: chosen } })}
      />
      {status !== "trading" && (
        <Notice>
          {status === "halted"
            ? "Trading on this market is halted. Orders can be cancelled; new ones are not taken until it opens again."
            : "This market only takes orders that reduce positions."}
        </Notice>
      )}
      {isWide ? <WideLayout market={market} /> : <CompactLayout market={market} />}
      <HelpDialog />
    </div>
  );
}

function UnknownMarket({ symbol, markets }: { readonly symbol: string; readonly markets: readonly Market[] }) {
  const navigate = useNavigate();
  return (
    <EmptyState
      title={`There is no market called ${symbol}`}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {markets.map((market) => (
            <Button
              key={market.symbol}
              onClick={() => void navigate({ to: "/trade/$symbol", params: { symbol: market.symbol } })}
            >
              {market.symbol}
            </Button>
          ))}
        </div>
      }
    >
      It may be mistyped, or the market is no longer listed. These markets exist:
    </EmptyState>
  );
}
