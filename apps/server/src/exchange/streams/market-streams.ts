import type { EngineEvent, EventOf } from "@bourse/engine";
import type { Applied } from "../host/exchange.ts";
import type { EventObserver } from "../market-data/event-walk.ts";
import type { MarketBoard } from "../market-data/market-board.ts";
import type { MarketChange } from "../market-data/market-data.ts";
import {
  aggTradeEvent,
  bookTickerEvent,
  continuousKlineEvent,
  contractInfoEvent,
  type ForcedTrade,
  forceOrderEvent,
  klineEvent,
  tradeEvent,
} from "./market-messages.ts";
import {
  DepthSource,
  klineSource,
  markPriceSource,
  PartialDepthSource,
  pushed,
  type SourceContext,
  tickerSource,
} from "./market-sources.ts";
import type { StreamSpec } from "./stream-names.ts";
import type { Hub, TopicSource } from "./topics.ts";

export interface FollowableTopic {
  readonly key: string;
  readonly makeSource: () => TopicSource;
}

const DEPTH_PERIODS_ms = [100, 250, 500];

/** The bots' market streams: finds the topic of a stream name and publishes events as they happen. */
export class MarketStreams implements EventObserver {
  readonly #context: SourceContext;
  readonly #hub: Hub;
  readonly #movedBooks = new Set<MarketBoard>();
  #sending: NodeJS.Immediate | undefined;

  constructor(context: SourceContext, hub: Hub) {
    this.#context = context;
    this.#hub = hub;
  }

  close(): void {
    clearImmediate(this.#sending);
  }

  /** Undefined if there is no such market. */
  topicOf(spec: StreamSpec): FollowableTopic | undefined {
    const context = this.#context;
    const { marketData, now } = context;
    const board = spec.symbol === undefined ? undefined : marketData.find(spec.symbol);
    if (spec.symbol !== undefined && board === undefined) return undefined;
    const key = [spec.kind, board?.market.number ?? "all"];
    const topic = (makeSource: () => TopicSource, ...more: (string | number)[]) => ({
      key: [...key, ...more].join(":"),
      makeSource,
    });
    switch (spec.kind) {
      case "depth":
        return topic(() => new DepthSource(board!, spec.period_ms, now), spec.period_ms);
      case "partialDepth": {
        const { levels, period_ms } = spec;
        return topic(() => new PartialDepthSource(board!, levels, period_ms, now), levels, period_ms);
      }
      case "kline":
      case "continuousKline": {
        const event = spec.kind === "kline" ? klineEvent : continuousKlineEvent;
        return topic(() => klineSource(context, board!, spec.interval, event), spec.interval);
      }
      case "markPrice":
        return topic(() => markPriceSource(context, spec.period_ms, board), spec.period_ms);
      case "ticker":
      case "miniTicker":
        return topic(() => tickerSource(context, spec.kind, board));
      default:
        return topic(() => pushed);
    }
  }

  onEvent(event: EngineEvent, { time_ms }: Applied): void {
    switch (event.kind) {
      case "fill":
        if (event.cause === "liquidation") this.#onLiquidationFill(event, time_ms);
        else if (event.cause === "takeover" || event.cause === "adl") this.#onPassedOn(event, time_ms);
        return;
      case "market_added":
      case "market_status_set":
      case "market_rules_set":
        this.#publishContract(event.market, time_ms);
        return;
      case "liquidation_started":
        this.#liquidated = event.account;
        return;
      case "liquidation_ended":
        this.#liquidated = -1;
    }
  }

  onCommand(): void {}

  /** The account that the current events liquidate. */
  #liquidated = -1;

  #onLiquidationFill(fill: EventOf<"fill">, time_ms: number): void {
    const order = this.#context.marketData.walk.orders.order(fill.order);
    if (order !== undefined) this.#publishForced(fill.market, { order, lastLots: fill.lots, time_ms });
  }

  /** Lots that the fund or other traders took over have no order, so the fill is shown as one. */
  #onPassedOn(fill: EventOf<"fill">, time_ms: number): void {
    if (fill.account !== this.#liquidated) return;
    const { side, ticks, lots, market } = fill;
    const quote_micros = ticks * lots * this.#context.marketData.board(market).market.definition.unit_micros;
    const order = { side, ticks, lots, executedLots: lots, quote_micros };
    this.#publishForced(market, { order, lastLots: lots, time_ms });
  }

  #publishContract(market: number, time_ms: number): void {
    const topic = this.#hub.find("contractInfo:all");
    topic?.publish(JSON.stringify(contractInfoEvent(this.#context.marketData.board(market).market, time_ms)));
  }

  #publishForced(market: number, trade: ForcedTrade): void {
    const topics = [this.#hub.find(`forceOrder:${market}`), this.#hub.find("forceOrder:all")];
    const { definition } = this.#context.marketData.board(market).market;
    for (const topic of topics) topic?.publish(JSON.stringify(forceOrderEvent(definition, trade)));
  }

  onChange({ board, levels, trades, aggTrades }: MarketChange): void {
    const hub = this.#hub;
    const { number, definition } = board.market;
    if (levels.size > 0) {
      for (const period_ms of DEPTH_PERIODS_ms) {
        const source = hub.find(`depth:${number}:${period_ms}`)?.source;
        if (source instanceof DepthSource) source.add(levels);
      }
      if (hub.find(`bookTicker:${number}`) !== undefined || hub.find("bookTicker:all") !== undefined) {
        this.#movedBooks.add(board);
        this.#sending ??= setImmediate(() => this.#sendBookTickers());
      }
    }
    if (trades.length === 0) return;
    const tradeTopic = hub.find(`trade:${number}`);
    if (tradeTopic !== undefined) {
      for (const trade of trades) tradeTopic.publish(JSON.stringify(tradeEvent(definition, trade)));
    }
    const aggTopic = hub.find(`aggTrade:${number}`);
    if (aggTopic !== undefined) {
      for (const trade of aggTrades) aggTopic.publish(JSON.stringify(aggTradeEvent(definition, trade)));
    }
  }

  /** Once per turn: of several changes within a turn only the last is sent. */
  #sendBookTickers(): void {
    this.#sending = undefined;
    const { marketData, now } = this.#context;
    for (const board of this.#movedBooks) {
      const { number, definition } = board.market;
      const text = JSON.stringify(bookTickerEvent(definition, now(), marketData.bookTicker(number)));
      this.#hub.find(`bookTicker:${number}`)?.publish(text);
      this.#hub.find("bookTicker:all")?.publish(text);
    }
    this.#movedBooks.clear();
  }
}
