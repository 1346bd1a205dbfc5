import type { Interval, Kline } from "../market-data/kline-series.ts";
import type { MarketBoard, Ticker } from "../market-data/market-board.ts";
import type { MarketData } from "../market-data/market-data.ts";
import { depthUpdate, type KlineEvent, markPriceEvent, miniTickerEvent, tickerEvent } from "./market-messages.ts";
import type { TopicSource } from "./topics.ts";

export interface SourceContext {
  readonly marketData: MarketData;
  readonly now: () => number;
}

export const KLINE_PERIOD_ms = 250;
export const TICKER_PERIOD_ms = 500;
const TICKERS_PERIOD_ms = 1_000;

/** A source whose topic is published to as events happen. */
export const pushed: TopicSource = { period_ms: 0, poll: () => [] };

/**
 * The levels changed since the last message, with their present quantities. `U` to `u` are the updates it covers, `pu`
 * the last update of the previous message.
 */
export class DepthSource implements TopicSource {
  readonly period_ms: number;
  readonly #board: MarketBoard;
  readonly #now: () => number;
  readonly #levels = new Set<number>();
  #lastId: number;

  constructor(board: MarketBoard, period_ms: number, now: () => number) {
    this.#board = board;
    this.period_ms = period_ms;
    this.#now = now;
    this.#lastId = board.updateId;
  }

  add(levels: Iterable<number>): void {
    for (const level of levels) this.#levels.add(level);
  }

  poll(): readonly string[] {
    const { updateId, bookChanged_ms, market } = this.#board;
    if (updateId === this.#lastId) return [];
    const ids = { firstId: this.#lastId + 1, lastId: updateId, previousId: this.#lastId, time_ms: bookChanged_ms };
    const span = { ...ids, ...this.#board.levelsOf(this.#levels) };
    this.#levels.clear();
    this.#lastId = updateId;
    return [JSON.stringify(depthUpdate(market.definition, this.#now(), span))];
  }
}

/** The best levels, complete in every message. */
export class PartialDepthSource implements TopicSource {
  readonly period_ms: number;
  readonly #board: MarketBoard;
  readonly #levels: number;
  readonly #now: () => number;
  #lastId: number;

  constructor(board: MarketBoard, levels: number, period_ms: number, now: () => number) {
    this.#board = board;
    this.#levels = levels;
    this.period_ms = period_ms;
    this.#now = now;
    // The first message is sent at once, because the book may not change for a while.
    this.#lastId = board.updateId - 1;
  }

  poll(): readonly string[] {
    const { updateId, bids, asks, time_ms } = this.#board.depth(this.#levels);
    if (updateId === this.#lastId) return [];
    const ids = { firstId: this.#lastId + 1, lastId: updateId, previousId: this.#lastId, time_ms };
    this.#lastId = updateId;
    return [JSON.stringify(depthUpdate(this.#board.market.definition, this.#now(), { ...ids, bids, asks }))];
  }
}

/** Follows the newest kline and reports its end when the next one begins. */
export class KlineFollower {
  readonly #context: SourceContext;
  readonly #board: MarketBoard;
  readonly #interval: Interval;
  #open_ms = 0;
  #trades = -1;

  constructor(context: SourceContext, board: MarketBoard, interval: Interval) {
    this.#context = context;
    this.#board = board;
    this.#interval = interval;
  }

  /** The changes since the last call. */
  changes(): { readonly kline: Kline; readonly isClosed: boolean }[] {
    const { marketData } = this.#context;
    const { number } = this.#board.market;
    const [newest] = marketData.klines(number, this.#interval, { limit: 1 });
    if (newest === undefined) return [];
    const changes: { kline: Kline; isClosed: boolean }[] = [];
    if (this.#open_ms !== 0 && newest.open_ms > this.#open_ms) {
      const [ended] = marketData.klines(number, this.#interval, { start_ms: this.#open_ms, limit: 1 });
      if (ended !== undefined && ended.open_ms === this.#open_ms) changes.push({ kline: ended, isClosed: true });
    }
    if (newest.open_ms !== this.#open_ms || newest.trades !== this.#trades) {
      changes.push({ kline: newest, isClosed: false });
    }
    this.#open_ms = newest.open_ms;
    this.#trades = newest.trades;
    return changes;
  }
}

export function klineSource(
  context: SourceContext,
  board: MarketBoard,
  interval: Interval,
  event: KlineEvent,
): TopicSource {
  const follower = new KlineFollower(context, board, interval);
  const { definition } = board.market;
  return {
    period_ms: KLINE_PERIOD_ms,
    poll: () =>
      follower.changes().map((change) => JSON.stringify(event(definition, context.now(), { ...change, interval }))),
  };
}

/** The tickers of some markets that have changed since the last call. */
export class TickerFollower {
  readonly #marketData: MarketData;
  readonly #seen = new Map<MarketBoard, string>();

  constructor(marketData: MarketData) {
    this.#marketData = marketData;
  }

  changes(boards: readonly MarketBoard[]): { readonly board: MarketBoard; readonly ticker: Ticker }[] {
    return boards.flatMap((board) => {
      const ticker = this.#marketData.ticker(board.market.number);
      if (ticker === undefined) return [];
      const mark = `${ticker.open_ms} ${ticker.lastTrade} ${ticker.trades}`;
      if (this.#seen.get(board) === mark) return [];
      this.#seen.set(board, mark);
      return [{ board, ticker }];
    });
  }
}

/** Without `board`: all tickers in an array. */
export function tickerSource(context: SourceContext, kind: "ticker" | "miniTicker", board?: MarketBoard): TopicSource {
  const { marketData, now } = context;
  const follower = new TickerFollower(marketData);
  const event = kind === "ticker" ? tickerEvent : miniTickerEvent;
  return {
    period_ms: board === undefined ? TICKERS_PERIOD_ms : TICKER_PERIOD_ms,
    poll: () => {
      const changes = follower.changes(board === undefined ? marketData.boards : [board]);
      const events = changes.map((change) => event(change.board.market.definition, now(), change.ticker));
      if (events.length === 0) return [];
      return [JSON.stringify(board === undefined ? events : events[0])];
    },
  };
}

/** Sent even without a change, because clients use it as a sign of life. */
export function markPriceSource(context: SourceContext, period_ms: number, board?: MarketBoard): TopicSource {
  const { marketData, now } = context;
  return {
    period_ms,
    poll: () => {
      const events = (board === undefined ? marketData.boards : [board]).flatMap(({ market }) => {
        const info = marketData.markPrice(market.number);
        return info === undefined ? [] : [markPriceEvent(market.definition, now(), info)];
      });
      if (events.length === 0) return [];
      return [JSON.stringify(board === undefined ? events : events[0])];
    },
  };
}
