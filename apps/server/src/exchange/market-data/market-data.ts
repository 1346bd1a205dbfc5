import type { EngineEvent, EventOf } from "@bourse/engine";
import { BUY, SELL } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import type { Applied, Exchange } from "../host/exchange.ts";
import { type EventObserver, EventWalk } from "./event-walk.ts";
import { INTERVAL_NAMES, type Interval, KLINES_KEPT, type Kline, type KlineQuery } from "./kline-series.ts";
import {
  type AggTrade,
  type Depth,
  levelKey,
  MarketBoard,
  type MarketState,
  type Ticker,
  TRADES_KEPT,
  type Trade,
} from "./market-board.ts";

/** Data from before the start, oldest first; each list may be empty. */
export interface MarketHistory {
  trades(market: number, limit: number): Promise<readonly Trade[]>;
  klines(market: number, interval: Interval, limit: number): Promise<readonly Kline[]>;
  lastFunding(market: number): Promise<{ readonly rate_e8: number; readonly time_ms: number } | undefined>;
}

/** What a command has changed in a market. */
export interface MarketChange {
  readonly board: MarketBoard;
  /** Keys of price levels that may have changed; empty if the book has not changed. See `MarketBoard.levelsOf`. */
  readonly levels: ReadonlySet<number>;
  readonly trades: readonly Trade[];
  readonly aggTrades: readonly AggTrade[];
  readonly hasPrice: boolean;
  readonly time_ms: number;
}

export type MarketListener = (change: MarketChange) => void;

export interface MarketDataOptions {
  readonly exchange: Exchange;
  readonly clock: Clock;
  /** The estimated rate of the next settlement; without it the last settled rate is shown. */
  readonly expectedFunding_e8?: (market: number) => number | undefined;
}

export interface MarkPriceInfo {
  readonly markTicks: number;
  readonly indexTicks: number;
  readonly fundingRate_e8: number;
  readonly nextFunding_ms: number;
  readonly time_ms: number;
}

export interface BookTicker {
  readonly updateId: number;
  readonly time_ms: number;
  /** 0 if the side is empty. */
  readonly bidTicks: number;
  readonly bidLots: number;
  readonly askTicks: number;
  readonly askLots: number;
}

export interface AggTradeQuery {
  readonly fromId?: number | undefined;
  readonly start_ms?: number | undefined;
  readonly end_ms?: number | undefined;
  readonly limit: number;
}

export type KlineKind = "trade" | "mark" | "index" | "premium";

/** A trade is stamped before it is applied. Klines end this much later, so that trades in flight are included. */
const SETTLED_AFTER_ms = 1_000;

/** Collects what a command changes in one market. */
class Gathering implements MarketChange {
  readonly board: MarketBoard;
  readonly levels = new Set<number>();
  trades: Trade[] = [];
  aggTrades: AggTrade[] = [];
  hasPrice = false;
  time_ms = 0;
  isOpen = false;
  takingOrder = 0;

  constructor(board: MarketBoard) {
    this.board = board;
  }

  clear(): void {
    this.levels.clear();
    this.trades = [];
    this.aggTrades = [];
    this.hasPrice = false;
    this.isOpen = false;
    this.takingOrder = 0;
  }
}

/** Public market data in memory, updated with every command. Reads show the state after the last command. */
export class MarketData implements EventObserver {
  readonly walk: EventWalk;
  readonly #options: MarketDataOptions;
  readonly #gatherings: Gathering[] = [];
  readonly #touched: Gathering[] = [];
  readonly #listeners: MarketListener[] = [];

  /** Reads the recovered engine; called before the first command. */
  constructor(options: MarketDataOptions) {
    this.#options = options;
    this.walk = new EventWalk(options.exchange);
    this.walk.observe(this);
    for (const market of options.exchange.engine.state.markets) this.#add(market);
  }

  /** Loads data from the database; called before the first command. */
  async seed(history: MarketHistory): Promise<void> {
    for (const { board } of this.#gatherings) {
      const { number } = board.market;
      for (const trade of await history.trades(number, TRADES_KEPT)) {
        board.trades.push(trade);
        board.lastLots = trade.lots;
        board.aggTrades.push({ ...trade, firstTrade: trade.id, lastTrade: trade.id });
      }
      for (const interval of INTERVAL_NAMES) {
        board.klines.of(interval).seed(await history.klines(number, interval, KLINES_KEPT));
      }
      const funding = await history.lastFunding(number);
      if (funding === undefined) continue;
      board.lastFunding_e8 = funding.rate_e8;
      board.lastFunding_ms = funding.time_ms;
    }
  }

  /** Called after every command, once for each market that it has changed. */
  listen(listener: MarketListener): void {
    this.#listeners.push(listener);
  }

  get boards(): readonly MarketBoard[] {
    return this.#gatherings.map(({ board }) => board);
  }

  board(market: number): MarketBoard {
    const gathering = this.#gatherings[market];
    if (gathering === undefined) throw new RangeError(`there is no market ${market}`);
    return gathering.board;
  }

  find(symbol: string): MarketBoard | undefined {
    return this.#gatherings.find(({ board }) => board.symbol === symbol)?.board;
  }

  depth(market: number, limit: number): Depth {
    return this.board(market).depth(limit);
  }

  bookTicker(market: number): BookTicker {
    const { market: state, updateId, bookChanged_ms } = this.board(market);
    const { book } = state;
    const bidTicks = book.bestTicks(BUY);
    const askTicks = book.bestTicks(SELL);
    const bidLots = bidTicks === 0 ? 0 : book.lotsAt(BUY, bidTicks);
    const askLots = askTicks === 0 ? 0 : book.lotsAt(SELL, askTicks);
    return { updateId, time_ms: bookChanged_ms, bidTicks, bidLots, askTicks, askLots };
  }

  /** Oldest first; with `fromId` the first `limit` from there on. */
  trades(market: number, limit: number, fromId?: number): Trade[] {
    const { trades } = this.board(market);
    if (fromId === undefined) return trades.last(limit);
    const from = trades.placeOf(fromId, ({ id }) => id);
    return trades.slice(from, Math.min(trades.length, from + limit));
  }

  aggTrades(market: number, { fromId, start_ms, end_ms, limit }: AggTradeQuery): AggTrade[] {
    const { aggTrades } = this.board(market);
    const byId = fromId === undefined ? 0 : aggTrades.placeOf(fromId, ({ lastTrade }) => lastTrade);
    const byTime = start_ms === undefined ? 0 : aggTrades.placeOf(start_ms, ({ time_ms }) => time_ms);
    const first = Math.max(byId, byTime);
    const end = end_ms === undefined ? aggTrades.length : aggTrades.placeOf(end_ms + 1, ({ time_ms }) => time_ms);
    const isFromStart = fromId !== undefined || start_ms !== undefined;
    return isFromStart
      ? aggTrades.slice(first, Math.min(end, first + limit))
      : aggTrades.slice(Math.max(0, end - limit), end);
  }

  /** Oldest first. `MarketBoard.klines.of(interval).oldest_ms` says how far back memory goes. */
  klines(market: number, interval: Interval, query: KlineQuery, kind: KlineKind = "trade"): Kline[] {
    const board = this.board(market);
    const sets = {
      trade: board.klines,
      mark: board.markKlines,
      index: board.indexKlines,
      premium: board.premiumKlines,
    };
    const series = sets[kind].of(interval);
    series.rollTo(this.settled_ms);
    return series.read(query);
  }

  ticker(market: number): Ticker | undefined {
    return this.board(market).ticker(this.settled_ms);
  }

  /** Undefined before the market has its first price. */
  markPrice(market: number): MarkPriceInfo | undefined {
    const { market: state, lastFunding_e8, priceSet_ms } = this.board(market);
    const { markTicks, indexTicks } = state;
    if (markTicks === 0) return undefined;
    const now_ms = this.#options.clock.now();
    return {
      markTicks,
      indexTicks,
      fundingRate_e8: this.#options.expectedFunding_e8?.(market) ?? lastFunding_e8,
      nextFunding_ms: (Math.floor(now_ms / HOUR_ms) + 1) * HOUR_ms,
      time_ms: priceSet_ms === 0 ? now_ms : priceSet_ms,
    };
  }

  /** Klines and tickers are complete up to this time. */
  get settled_ms(): number {
    return this.#options.clock.now() - SETTLED_AFTER_ms;
  }

  onEvent(event: EngineEvent, { time_ms }: Applied): void {
    const { orders } = this.walk;
    switch (event.kind) {
      case "fill":
        this.#onFill(event, time_ms);
        return;
      case "order_closed":
      case "order_amended": {
        const order = orders.order(event.order);
        if (order?.isResting !== true) return;
        const ticks = event.kind === "order_closed" ? order.ticks : order.previousTicks;
        this.#gather(event.market, time_ms).levels.add(levelKey(order.side, ticks));
        return;
      }
      case "price_set":
        this.#gather(event.market, time_ms).hasPrice = true;
        this.board(event.market).setPrice(event, time_ms);
        return;
      case "funding_settled": {
        const board = this.board(event.market);
        board.lastFunding_e8 = event.rate_e8;
        board.lastFunding_ms = event.hour * HOUR_ms;
        return;
      }
      case "market_added":
        this.#add(this.#options.exchange.engine.state.markets[event.market]!);
    }
  }

  onCommand({ number, time_ms }: Applied): void {
    for (const { market, side, ticks } of this.walk.orders.entered()) {
      this.#gather(market, time_ms).levels.add(levelKey(side, ticks));
    }
    for (const gathering of this.#touched) {
      const { board } = gathering;
      if (gathering.levels.size > 0) {
        // The book gets at most one id per command, so that every process that follows the log assigns the same ids.
        board.updateId = number;
        board.bookChanged_ms = time_ms;
      }
      for (const agg of gathering.aggTrades) board.aggTrades.push(agg);
      for (const listener of this.#listeners) listener(gathering);
      gathering.clear();
    }
    this.#touched.length = 0;
  }

  #onFill(fill: EventOf<"fill">, time_ms: number): void {
    // Takeovers and auto-deleveraging are not trades of the market.
    if (fill.order === 0) return;
    const gathering = this.#gather(fill.market, time_ms);
    if (fill.isMaker !== 0) {
      gathering.levels.add(levelKey(fill.side, fill.ticks));
      return;
    }
    const { board, aggTrades } = gathering;
    const { trade: id, ticks, lots } = fill;
    const isBuyerMaker = fill.side === SELL;
    const trade = {
      id,
      ticks,
      lots,
      quote_micros: ticks * lots * board.market.definition.unit_micros,
      time_ms,
      isBuyerMaker,
    };
    board.addTrade(trade);
    gathering.trades.push(trade);
    const last = aggTrades.at(-1);
    if (last !== undefined && gathering.takingOrder === fill.order && last.ticks === ticks) {
      aggTrades[aggTrades.length - 1] = { ...last, lots: last.lots + lots, lastTrade: id };
    } else {
      aggTrades.push({ id, ticks, lots, firstTrade: id, lastTrade: id, time_ms, isBuyerMaker });
    }
    gathering.takingOrder = fill.order;
  }

  #gather(market: number, time_ms: number): Gathering {
    const gathering = this.#gatherings[market]!;
    if (!gathering.isOpen) {
      gathering.isOpen = true;
      gathering.time_ms = time_ms;
      this.#touched.push(gathering);
    }
    return gathering;
  }

  #add(market: MarketState): void {
    const { state } = this.#options.exchange.engine;
    this.#gatherings.push(new Gathering(new MarketBoard(market, state.commandNumber, state.time_ms)));
  }
}
