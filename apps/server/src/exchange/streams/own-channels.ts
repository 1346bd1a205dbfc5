import type { Market } from "@bourse/engine";
import { averagePriceText, moneyText, priceText, quantityText, rateText } from "../../kernel/units.ts";
import { type Interval, isInterval, type Kline } from "../market-data/kline-series.ts";
import type { MarketBoard, Ticker, Trade } from "../market-data/market-board.ts";
import type { MarketChange } from "../market-data/market-data.ts";
import { changePercentText, levelTexts } from "./market-messages.ts";
import {
  KLINE_PERIOD_ms,
  KlineFollower,
  pushed,
  type SourceContext,
  TICKER_PERIOD_ms,
  TickerFollower,
} from "./market-sources.ts";
import type { FollowableTopic } from "./market-streams.ts";
import type { Hub, Topic, TopicSource } from "./topics.ts";

/** WIRE-9. `header` holds the fields that name the channel, as JSON without braces. */
export function ownMessage(type: "snapshot" | "update", header: string, seq: number, data: unknown): string {
  return `{"type":"${type}",${header},"seq":${seq},"data":${JSON.stringify(data)}}`;
}

/** A public channel of one market (FUT-19). */
export interface OwnChannel extends FollowableTopic {
  readonly header: string;
  /** The first message of a subscription. */
  snapshot(): unknown;
}

export const PUBLIC_CHANNELS = ["orderbook", "trades", "ticker", "markprice", "kline"] as const;
export type PublicChannel = (typeof PUBLIC_CHANNELS)[number];

/** Interface 6.2. */
const ORDERBOOK_LEVELS = 30;
const ORDERBOOK_PERIOD_ms = 100;
const MARK_PRICE_PERIOD_ms = 500;
const TRADES_IN_SNAPSHOT = 50;
const KLINES_IN_SNAPSHOT = 100;

const tradeView = (definition: Market, { id, ticks, lots, isBuyerMaker, time_ms }: Trade) => ({
  id,
  price: priceText(definition, ticks),
  quantity: quantityText(definition, lots),
  side: isBuyerMaker ? "SELL" : "BUY",
  time: time_ms,
});

const klineView = (definition: Market, kline: Kline, isClosed: boolean) => ({
  open_time: kline.open_ms,
  close_time: kline.close_ms,
  open: priceText(definition, kline.open),
  high: priceText(definition, kline.high),
  low: priceText(definition, kline.low),
  close: priceText(definition, kline.close),
  volume: quantityText(definition, kline.lots),
  quote_volume: moneyText(kline.quote_micros),
  trades: kline.trades,
  is_closed: isClosed,
});

const tickerView = (definition: Market, ticker: Ticker) => ({
  last_price: priceText(definition, ticker.lastTicks),
  open_price: priceText(definition, ticker.openTicks),
  high_price: priceText(definition, ticker.highTicks),
  low_price: priceText(definition, ticker.lowTicks),
  price_change: priceText(definition, ticker.lastTicks - ticker.openTicks),
  price_change_percent: changePercentText(ticker),
  weighted_average_price: averagePriceText(definition, ticker.quote_micros, ticker.lots),
  volume: quantityText(definition, ticker.lots),
  quote_volume: moneyText(ticker.quote_micros),
  trades: ticker.trades,
  time: ticker.close_ms,
});

function orderbookView(board: MarketBoard) {
  const { updateId, time_ms, bids, asks } = board.depth(ORDERBOOK_LEVELS);
  const { definition } = board.market;
  return { bids: levelTexts(definition, bids), asks: levelTexts(definition, asks), update_id: updateId, time: time_ms };
}

/** The public channels of the platform's own protocol. Every update is complete; none is a difference. */
export class OwnMarketChannels {
  readonly #context: SourceContext;
  readonly #hub: Hub;

  constructor(context: SourceContext, hub: Hub) {
    this.#context = context;
    this.#hub = hub;
  }

  /** Undefined if there is no such market or interval. */
  find(channel: PublicChannel, symbol: string, interval: string): OwnChannel | undefined {
    const board = this.#context.marketData.find(symbol.toUpperCase());
    if (board === undefined) return undefined;
    const header = `"channel":"${channel}","symbol":"${board.symbol}"`;
    const key = `own:${channel}:${board.market.number}`;
    switch (channel) {
      case "orderbook":
        return { key, header, snapshot: () => orderbookView(board), makeSource: () => this.#orderbook(header, board) };
      case "trades": {
        const { definition } = board.market;
        const snapshot = () => board.trades.last(TRADES_IN_SNAPSHOT).map((trade) => tradeView(definition, trade));
        return { key, header, snapshot, makeSource: () => pushed };
      }
      case "ticker":
        return { key, header, snapshot: () => this.#ticker(board), makeSource: () => this.#tickers(header, board) };
      case "markprice":
        return {
          key,
          header,
          snapshot: () => this.#markPrice(board),
          makeSource: () => this.#markPrices(header, board),
        };
      case "kline": {
        if (!isInterval(interval)) return undefined;
        const named = `${header},"interval":"${interval}"`;
        const snapshot = () => this.#klines(board, interval);
        const makeSource = () => this.#klineSource(named, board, interval);
        return { key: `${key}:${interval}`, header: named, snapshot, makeSource };
      }
    }
  }

  #orderbook(header: string, board: MarketBoard): TopicSource {
    let lastId = board.updateId;
    return numbered(ORDERBOOK_PERIOD_ms, header, () => {
      if (board.updateId === lastId) return undefined;
      lastId = board.updateId;
      return orderbookView(board);
    });
  }

  #tickers(header: string, board: MarketBoard): TopicSource {
    const follower = new TickerFollower(this.#context.marketData);
    follower.changes([board]);
    return numbered(TICKER_PERIOD_ms, header, () => {
      const [change] = follower.changes([board]);
      return change && tickerView(board.market.definition, change.ticker);
    });
  }

  #markPrices(header: string, board: MarketBoard): TopicSource {
    const seen = () => `${board.priceSet_ms} ${board.market.markTicks} ${board.lastFunding_ms}`;
    let last = seen();
    return numbered(MARK_PRICE_PERIOD_ms, header, () => {
      if (seen() === last) return undefined;
      last = seen();
      return this.#markPrice(board);
    });
  }

  #klineSource(header: string, board: MarketBoard, interval: Interval): TopicSource {
    const follower = new KlineFollower(this.#context, board, interval);
    follower.changes();
    return numbered(KLINE_PERIOD_ms, header, () => {
      const changes = follower.changes();
      if (changes.length === 0) return undefined;
      return changes.map(({ kline, isClosed }) => klineView(board.market.definition, kline, isClosed));
    });
  }

  #klines(board: MarketBoard, interval: Interval) {
    const klines = this.#context.marketData.klines(board.market.number, interval, { limit: KLINES_IN_SNAPSHOT });
    return klines.map((kline, place) => klineView(board.market.definition, kline, place < klines.length - 1));
  }

  #ticker(board: MarketBoard) {
    const ticker = this.#context.marketData.ticker(board.market.number);
    return ticker === undefined ? null : tickerView(board.market.definition, ticker);
  }

  #markPrice(board: MarketBoard) {
    const info = this.#context.marketData.markPrice(board.market.number);
    if (info === undefined) return null;
    const { definition } = board.market;
    return {
      mark_price: priceText(definition, info.markTicks),
      index_price: priceText(definition, info.indexTicks),
      funding_rate: rateText(info.fundingRate_e8),
      next_funding_time: info.nextFunding_ms,
      time: info.time_ms,
    };
  }

  onChange({ board, trades }: MarketChange): void {
    if (trades.length === 0) return;
    const { number, definition, symbol } = { ...board.market, symbol: board.symbol };
    const topic = this.#hub.find(`own:trades:${number}`);
    if (topic === undefined) return;
    const header = `"channel":"trades","symbol":"${symbol}"`;
    publishNext(
      topic,
      header,
      trades.map((trade) => tradeView(definition, trade)),
    );
  }
}

/** Publishes a message with the topic's next number. */
function publishNext(topic: Topic, header: string, data: unknown): void {
  topic.seq += 1;
  topic.publish(ownMessage("update", header, topic.seq, data));
}

/** Calls `next` at every period; it returns undefined if nothing has changed. */
function numbered(period_ms: number, header: string, next: () => unknown): TopicSource {
  return {
    period_ms,
    poll: (topic) => {
      const data = next();
      if (data === undefined) return [];
      topic.seq += 1;
      return [ownMessage("update", header, topic.seq, data)];
    },
  };
}
