import { BUY, type Market } from "@bourse/engine";
import { averagePriceText, decimalText, moneyText, priceText, quantityText, rateText } from "../../kernel/units.ts";
import { aggTradeView } from "../fapi/market-views.ts";
import type { Interval, Kline } from "../market-data/kline-series.ts";
import type { AggTrade, Level, Ticker, Trade } from "../market-data/market-board.ts";
import type { BookTicker, MarkPriceInfo } from "../market-data/market-data.ts";
import type { TrackedOrder } from "../market-data/tracked-orders.ts";

/** The events of the bots' market streams. `E` is the time of the event, `T` the time of the trade or change. */

export const levelTexts = (terms: Market, levels: readonly Level[]) =>
  levels.map(([ticks, lots]) => [priceText(terms, ticks), lots === 0 ? "0" : quantityText(terms, lots)]);

export interface DepthSpan {
  readonly time_ms: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly previousId: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export function depthUpdate(terms: Market, now_ms: number, span: DepthSpan): object {
  return {
    e: "depthUpdate",
    E: now_ms,
    T: span.time_ms,
    s: terms.symbol,
    U: span.firstId,
    u: span.lastId,
    pu: span.previousId,
    b: levelTexts(terms, span.bids),
    a: levelTexts(terms, span.asks),
  };
}

export function tradeEvent(terms: Market, { id, ticks, lots, time_ms, isBuyerMaker }: Trade): object {
  return {
    e: "trade",
    E: time_ms,
    T: time_ms,
    s: terms.symbol,
    t: id,
    p: priceText(terms, ticks),
    q: quantityText(terms, lots),
    X: "MARKET",
    m: isBuyerMaker,
  };
}

export function aggTradeEvent(terms: Market, trade: AggTrade): object {
  return { e: "aggTrade", E: trade.time_ms, s: terms.symbol, ...aggTradeView(terms, trade) };
}

/** An empty side is "0". */
const sidePrice = (terms: Market, ticks: number) => (ticks === 0 ? "0" : priceText(terms, ticks));
const sideQuantity = (terms: Market, lots: number) => (lots === 0 ? "0" : quantityText(terms, lots));

export function bookTickerEvent(terms: Market, now_ms: number, ticker: BookTicker): object {
  return {
    e: "bookTicker",
    u: ticker.updateId,
    s: terms.symbol,
    b: sidePrice(terms, ticker.bidTicks),
    B: sideQuantity(terms, ticker.bidLots),
    a: sidePrice(terms, ticker.askTicks),
    A: sideQuantity(terms, ticker.askLots),
    T: ticker.time_ms,
    E: now_ms,
  };
}

export function markPriceEvent(terms: Market, now_ms: number, info: MarkPriceInfo): object {
  return {
    e: "markPriceUpdate",
    E: now_ms,
    s: terms.symbol,
    p: priceText(terms, info.markTicks),
    ap: priceText(terms, info.markTicks),
    P: priceText(terms, info.indexTicks),
    i: priceText(terms, info.indexTicks),
    r: rateText(info.fundingRate_e8),
    T: info.nextFunding_ms,
  };
}

export function klineEvent(terms: Market, now_ms: number, interval: Interval, kline: Kline, isClosed: boolean): object {
  return {
    e: "kline",
    E: now_ms,
    s: terms.symbol,
    k: {
      t: kline.open_ms,
      T: kline.close_ms,
      s: terms.symbol,
      i: interval,
      f: kline.trades === 0 ? -1 : kline.firstTrade,
      L: kline.trades === 0 ? -1 : kline.lastTrade,
      o: priceText(terms, kline.open),
      c: priceText(terms, kline.close),
      h: priceText(terms, kline.high),
      l: priceText(terms, kline.low),
      v: quantityText(terms, kline.lots),
      n: kline.trades,
      x: isClosed,
      q: moneyText(kline.quote_micros),
      V: quantityText(terms, kline.takerLots),
      Q: moneyText(kline.takerQuote_micros),
      B: "0",
    },
  };
}

/** The change since the opening of the window in percent, with three decimals. */
export function changePercentText({ openTicks, lastTicks }: Ticker): string {
  return decimalText(Math.round(((lastTicks - openTicks) * 100_000) / openTicks), 3, 3);
}

export function tickerEvent(terms: Market, now_ms: number, ticker: Ticker): object {
  return {
    e: "24hrTicker",
    E: now_ms,
    s: terms.symbol,
    p: priceText(terms, ticker.lastTicks - ticker.openTicks),
    P: changePercentText(ticker),
    w: averagePriceText(terms, ticker.quote_micros, ticker.lots),
    c: priceText(terms, ticker.lastTicks),
    Q: quantityText(terms, ticker.lastLots),
    o: priceText(terms, ticker.openTicks),
    h: priceText(terms, ticker.highTicks),
    l: priceText(terms, ticker.lowTicks),
    v: quantityText(terms, ticker.lots),
    q: moneyText(ticker.quote_micros),
    O: ticker.open_ms,
    C: ticker.close_ms,
    F: ticker.firstTrade,
    L: ticker.lastTrade,
    n: ticker.trades,
  };
}

export function miniTickerEvent(terms: Market, now_ms: number, ticker: Ticker): object {
  return {
    e: "24hrMiniTicker",
    E: now_ms,
    s: terms.symbol,
    c: priceText(terms, ticker.lastTicks),
    o: priceText(terms, ticker.openTicks),
    h: priceText(terms, ticker.highTicks),
    l: priceText(terms, ticker.lowTicks),
    v: quantityText(terms, ticker.lots),
    q: moneyText(ticker.quote_micros),
  };
}

/** The order of a liquidation with its last fill. */
export interface ForcedTrade {
  readonly order: Pick<TrackedOrder, "side" | "ticks" | "lots" | "executedLots" | "quote_micros">;
  readonly lastLots: number;
  readonly time_ms: number;
}

export function forceOrderEvent(terms: Market, { order, lastLots, time_ms }: ForcedTrade): object {
  return {
    e: "forceOrder",
    E: time_ms,
    o: {
      s: terms.symbol,
      S: order.side === BUY ? "BUY" : "SELL",
      o: "LIMIT",
      f: "IOC",
      q: quantityText(terms, order.lots),
      p: priceText(terms, order.ticks),
      ap: averagePriceText(terms, order.quote_micros, order.executedLots),
      X: order.executedLots === order.lots ? "FILLED" : "PARTIALLY_FILLED",
      l: quantityText(terms, lastLots),
      z: quantityText(terms, order.executedLots),
      T: time_ms,
    },
  };
}
