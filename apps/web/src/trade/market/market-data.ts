import type { MarketInfo, MarkPriceData, TickerData } from "@bourse/api/client";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { decimalsOf } from "../../lib/format.ts";
import { api } from "../../session/session.ts";
import { bookOf, markOf, tickerOf, useChannel, useChannelText } from "./channels.ts";

/** The terms of a market, with the decimals that its prices and quantities are shown with. */
export interface Market extends MarketInfo {
  readonly price_decimals: number;
  readonly quantity_decimals: number;
}

/** Terms and status change rarely, by an operator's hand. */
const TERMS_REFRESH_MS = 60_000;

const withDecimals = (info: MarketInfo): Market => ({
  ...info,
  price_decimals: decimalsOf(info.tick_size),
  quantity_decimals: decimalsOf(info.lot_size),
});

export const marketsQuery = {
  queryKey: ["market", "list"],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly Market[]> =>
    (await api.market.markets({ signal })).items.map(withDecimals),
  staleTime: TERMS_REFRESH_MS,
  refetchInterval: TERMS_REFRESH_MS,
} as const;

export const useMarkets = (): UseQueryResult<readonly Market[]> => useQuery(marketsQuery);

/** Undefined while the markets are being read, and where there is no such market. */
export function useMarket(symbol: string): Market | undefined {
  const { data } = useMarkets();
  return useMemo(() => data?.find((market) => market.symbol === symbol), [data, symbol]);
}

/** Last price, change, high, low and volume of 24 hours, live; undefined before the first trade. */
export const useTicker = (symbol: string): TickerData | undefined => useChannel(tickerOf(symbol));

/** Mark and index price, funding rate and the next funding time, live. */
export const useMark = (symbol: string): MarkPriceData | undefined => useChannel(markOf(symbol));

/** Only the mark price, so that other changes do not render again. */
export const useMarkPrice = (symbol: string): string | undefined =>
  useChannelText(markOf(symbol), ({ mark_price }) => mark_price);

export interface BestPrices {
  readonly bid: string | undefined;
  readonly ask: string | undefined;
}

/** The best of each side of the book, live; a new object only where one of them has changed. */
export function useBestPrices(symbol: string): BestPrices {
  const bid = useChannelText(bookOf(symbol), ({ bids }) => bids[0]?.[0]);
  const ask = useChannelText(bookOf(symbol), ({ asks }) => asks[0]?.[0]);
  return useMemo(() => ({ bid, ask }), [bid, ask]);
}
