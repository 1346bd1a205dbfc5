import { BUY, type Market, type MarketState } from "@bourse/engine";
import { averagePriceText, decimalText, moneyText, priceText, quantityText, rateText } from "../../kernel/units.ts";
import { aggTradeView, bracketViews, contractView } from "../fapi/market-views.ts";
import type { Interval, Kline } from "../market-data/kline-series.ts";
import type { AggTrade, Level, Ticker, Trade } from "../market-data/market-board.ts";
import type { BookTicker, MarkPriceInfo } from "../market-data/market-data.ts";
import type { TrackedOrder } from "../market-data/tracked-orders.ts";

/** The events of the bots' market streams. `E` is the time of the event, `T` the time of the trade or change. */

export const levelTexts = (definition: Market, levels: readonly Level[]) =>
  levels.map(([ticks, lots]) => [priceText(definition, ticks), lots === 0 ? "0" : quantityText(definition, lots)]);

export interface DepthSpan {
  readonly time_ms: number;
  readonly firstId: number;
  readonly lastId: number;
  readonly previousId: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export function depthUpdate(definition: Market, now_ms: number, span: DepthSpan): object {
  return {
    e: "depthUpdate",
    E: now_ms,
    T: span.time_ms,
    s: definition.symbol,
    U: span.firstId,
    u: span.lastId,
    pu: span.previousId,
    b: levelTexts(definition, span.bids),
    a: levelTexts(definition, span.asks),
  };
}

export function tradeEvent(definition: Market, { id, ticks, lots, time_ms, isBuyerMaker }: Trade): object {
  return {
    e: "trade",
    E: time_ms,
    T: time_ms,
    s: definition.symbol,
    t: id,
    p: priceText(definition, ticks),
    q: quantityText(definition, lots),
    X: "MARKET",
    m: isBuyerMaker,
  };
}

export function aggTradeEvent(terms: Market, trade: AggTrade): object {
  return { e: "aggTrade", E: trade.time_ms, s: terms.symbol, ...aggTradeView(terms, trade) };
}

/** An empty side is "0". */
const sidePrice = (definition: Market, ticks: number) => (ticks === 0 ? "0" : priceText(definition, ticks));
const sideQuantity = (definition: Market, lots: number) => (lots === 0 ? "0" : quantityText(definition, lots));

export function bookTickerEvent(definition: Market, now_ms: number, ticker: BookTicker): object {
  return {
    e: "bookTicker",
    u: ticker.updateId,
    s: definition.symbol,
    b: sidePrice(definition, ticker.bidTicks),
    B: sideQuantity(definition, ticker.bidLots),
    a: sidePrice(definition, ticker.askTicks),
    A: sideQuantity(definition, ticker.askLots),
    T: ticker.time_ms,
    E: now_ms,
  };
}

export function markPriceEvent(definition: Market, now_ms: number, info: MarkPriceInfo): object {
  return {
    e: "markPriceUpdate",
    E: now_ms,
    s: definition.symbol,
    p: priceText(definition, info.markTicks),
    ap: priceText(definition, info.markTicks),
    P: priceText(definition, info.indexTicks),
    i: priceText(definition, info.indexTicks),
    r: rateText(info.fundingRate_e8),
    T: info.nextFunding_ms,
  };
}

/** A candle of a stream, which ends when the next one begins. */
export interface StreamedKline {
  readonly kline: Kline;
  readonly interval: Interval;
  readonly isClosed: boolean;
}

export type KlineEvent = (definition: Market, now_ms: number, streamed: StreamedKline) => object;

function candleFields(definition: Market, { kline, interval, isClosed }: StreamedKline) {
  return {
    i: interval,
    f: kline.trades === 0 ? -1 : kline.firstTrade,
    L: kline.trades === 0 ? -1 : kline.lastTrade,
    o: priceText(definition, kline.open),
    c: priceText(definition, kline.close),
    h: priceText(definition, kline.high),
    l: priceText(definition, kline.low),
    v: quantityText(definition, kline.lots),
    n: kline.trades,
    x: isClosed,
    q: moneyText(kline.quote_micros),
    V: quantityText(definition, kline.takerLots),
    Q: moneyText(kline.takerQuote_micros),
    B: "0",
  };
}

const spanOf = ({ kline }: StreamedKline) => ({ t: kline.open_ms, T: kline.close_ms });

export const klineEvent: KlineEvent = (definition, now_ms, streamed) => ({
  e: "kline",
  E: now_ms,
  s: definition.symbol,
  k: { ...spanOf(streamed), s: definition.symbol, ...candleFields(definition, streamed) },
});

/** The same candle by pair and contract type. */
export const continuousKlineEvent: KlineEvent = (definition, now_ms, streamed) => ({
  e: "continuous_kline",
  E: now_ms,
  ps: definition.symbol,
  ct: "PERPETUAL",
  k: { ...spanOf(streamed), ...candleFields(definition, streamed) },
});

/** A market that was added, or whose status or rules were changed. */
export function contractInfoEvent(market: MarketState, time_ms: number): object {
  const { symbol, pair, contractType, deliveryDate, onboardDate, status } = contractView(market);
  const { brackets } = market.definition;
  return {
    e: "contractInfo",
    E: time_ms,
    s: symbol,
    ps: pair,
    ct: contractType,
    dt: deliveryDate,
    ot: onboardDate,
    cs: status,
    bks: bracketViews(market.definition).map((view) => ({
      bs: view.bracket,
      bnf: view.notionalFloor,
      bnc: view.notionalCap,
      mmr: view.maintMarginRatio,
      cf: view.cum,
      // Leverages that only this bracket allows: above the next one's highest.
      mi: (brackets[view.bracket]?.maxLeverage ?? 0) + 1,
      ma: view.initialLeverage,
    })),
  };
}

/** The change since the opening of the window in percent, with three decimals. */
export function changePercentText({ openTicks, lastTicks }: Ticker): string {
  return decimalText(Math.round(((lastTicks - openTicks) * 100_000) / openTicks), 3, 3);
}

export function tickerEvent(definition: Market, now_ms: number, ticker: Ticker): object {
  return {
    e: "24hrTicker",
    E: now_ms,
    s: definition.symbol,
    p: priceText(definition, ticker.lastTicks - ticker.openTicks),
    P: changePercentText(ticker),
    w: averagePriceText(definition, ticker.quote_micros, ticker.lots),
    c: priceText(definition, ticker.lastTicks),
    Q: quantityText(definition, ticker.lastLots),
    o: priceText(definition, ticker.openTicks),
    h: priceText(definition, ticker.highTicks),
    l: priceText(definition, ticker.lowTicks),
    v: quantityText(definition, ticker.lots),
    q: moneyText(ticker.quote_micros),
    O: ticker.open_ms,
    C: ticker.close_ms,
    F: ticker.firstTrade,
    L: ticker.lastTrade,
    n: ticker.trades,
  };
}

export function miniTickerEvent(definition: Market, now_ms: number, ticker: Ticker): object {
  return {
    e: "24hrMiniTicker",
    E: now_ms,
    s: definition.symbol,
    c: priceText(definition, ticker.lastTicks),
    o: priceText(definition, ticker.openTicks),
    h: priceText(definition, ticker.highTicks),
    l: priceText(definition, ticker.lowTicks),
    v: quantityText(definition, ticker.lots),
    q: moneyText(ticker.quote_micros),
  };
}

/** The order of a liquidation with its last fill. */
export interface ForcedTrade {
  readonly order: Pick<TrackedOrder, "side" | "ticks" | "lots" | "executedLots" | "quote_micros">;
  readonly lastLots: number;
  readonly time_ms: number;
}

export function forceOrderEvent(definition: Market, { order, lastLots, time_ms }: ForcedTrade): object {
  return {
    e: "forceOrder",
    E: time_ms,
    o: {
      s: definition.symbol,
      S: order.side === BUY ? "BUY" : "SELL",
      o: "LIMIT",
      f: "IOC",
      q: quantityText(definition, order.lots),
      p: priceText(definition, order.ticks),
      ap: averagePriceText(definition, order.quote_micros, order.executedLots),
      X: order.executedLots === order.lots ? "FILLED" : "PARTIALLY_FILLED",
      l: quantityText(definition, lastLots),
      z: quantityText(definition, order.executedLots),
      T: time_ms,
    },
  };
}
