import type { MarketHistory as StoredMarkets } from "../history/market-history.ts";
import { INTERVALS } from "./kline-series.ts";
import type { MarketHistory } from "./market-data.ts";

/** Reads the market data of a restart from the tables. */
export function marketHistoryFrom(stored: Pick<StoredMarkets, "trades" | "klines" | "fundingRates">): MarketHistory {
  return {
    async trades(market, limit) {
      const trades = await stored.trades(market, { limit });
      return trades.map(({ trade, ticks, lots, quote_micros, time_ms, isBuyerMaker }) => ({
        id: trade,
        ticks,
        lots,
        quote_micros: Number(quote_micros),
        time_ms,
        isBuyerMaker,
      }));
    },
    async klines(market, interval, limit) {
      const interval_ms = INTERVALS[interval];
      const klines = await stored.klines({ market, interval_ms, limit });
      return klines.map((kline) => ({
        open_ms: kline.open_ms,
        close_ms: kline.open_ms + interval_ms - 1,
        open: kline.openTicks,
        high: kline.highTicks,
        low: kline.lowTicks,
        close: kline.closeTicks,
        lots: kline.lots,
        quote_micros: Number(kline.quote_micros),
        trades: kline.trades,
        takerLots: kline.takerBuyLots,
        takerQuote_micros: Number(kline.takerBuyQuote_micros),
        firstTrade: 0,
        lastTrade: 0,
      }));
    },
    async lastFunding(market) {
      const [last] = await stored.fundingRates({ market, limit: 1 });
      return last === undefined ? undefined : { rate_e8: last.rate_e8, time_ms: last.time_ms };
    },
  };
}
