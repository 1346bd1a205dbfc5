import { DerivativesTradingUsdsFuturesWebsocketStreams as Ws } from "@binance/derivatives-trading-usds-futures";
import { present, type Trader } from "../exchange.ts";
import { connectBinance, connectBinanceStreams } from "./binance-package.ts";
import { connectConnector } from "./connector.ts";

export type StreamEvent = Readonly<Record<string, unknown>>;

/** The streams of BTCUSDT that clients have methods for. */
export type MarketStream =
  | "aggTrade"
  | "bookTicker"
  | "depth@100ms"
  | "depth5@100ms"
  | "forceOrder"
  | "kline_1m"
  | "markPrice@1s"
  | "miniTicker"
  | "ticker";

export interface StreamClient {
  /** Events are appended to the returned list; the elements of arrays one by one. */
  follow(stream: MarketStream): Promise<readonly StreamEvent[]>;
  unfollow(stream: MarketStream): Promise<void>;
  followAccount(): Promise<readonly StreamEvent[]>;
  /** Extends the account's key by an hour. */
  keepAlive(): Promise<void>;
  close(): Promise<void>;
}

export interface StreamClientKind {
  readonly name: string;
  open(baseUrl: string, trader: Trader): Promise<StreamClient>;
}

type Connection = Awaited<ReturnType<ReturnType<typeof connectConnector>["websocketStreams"]["connect"]>>;

interface EventSource {
  on(event: "message", listener: (event: StreamEvent | StreamEvent[]) => void): void;
}

/** The method of the client for each stream. */
const CONNECTOR_STREAMS = {
  aggTrade: (connection: Connection) => connection.aggregateTradeStreams({ symbol: "btcusdt" }),
  bookTicker: (connection: Connection) => connection.individualSymbolBookTickerStreams({ symbol: "btcusdt" }),
  "depth@100ms": (connection: Connection) =>
    connection.diffBookDepthStreams({
      symbol: "btcusdt",
      updateSpeed: Ws.DiffBookDepthStreamsUpdateSpeedEnum.UPDATE_SPEED_100ms,
    }),
  "depth5@100ms": (connection: Connection) =>
    connection.partialBookDepthStreams({
      symbol: "btcusdt",
      levels: Ws.PartialBookDepthStreamsLevelsEnum.LEVELS_5,
      updateSpeed: Ws.PartialBookDepthStreamsUpdateSpeedEnum.UPDATE_SPEED_100ms,
    }),
  forceOrder: (connection: Connection) => connection.liquidationOrderStreams({ symbol: "btcusdt" }),
  kline_1m: (connection: Connection) =>
    connection.klineCandlestickStreams({
      symbol: "btcusdt",
      interval: Ws.KlineCandlestickStreamsIntervalEnum.INTERVAL_1m,
    }),
  "markPrice@1s": (connection: Connection) =>
    connection.markPriceStream({ symbol: "btcusdt", updateSpeed: Ws.MarkPriceStreamUpdateSpeedEnum.UPDATE_SPEED_1s }),
  miniTicker: (connection: Connection) => connection.individualSymbolMiniTickerStream({ symbol: "btcusdt" }),
  ticker: (connection: Connection) => connection.individualSymbolTickerStreams({ symbol: "btcusdt" }),
};

const connectorStreams: StreamClientKind = {
  name: "official USDⓈ-M connector",
  open: async (baseUrl, trader) => {
    const client = connectConnector(baseUrl, trader);
    const connection = await client.websocketStreams.connect();
    const followed = new Map<MarketStream, { unsubscribe(): void }>();
    /** Every stream has its own event type, which the cases read by name. */
    const gather = (stream: object) => {
      const events: StreamEvent[] = [];
      (stream as EventSource).on("message", (event) => {
        events.push(...[event].flat());
      });
      return events;
    };
    return {
      follow: async (name) => {
        const stream = CONNECTOR_STREAMS[name](connection);
        followed.set(name, stream);
        return gather(stream);
      },
      unfollow: async (name) => present(followed.get(name)).unsubscribe(),
      followAccount: async () => {
        const { listenKey } = await (await client.restAPI.startUserDataStream()).data();
        return gather(connection.userData(present(listenKey)));
      },
      keepAlive: async () => {
        await client.restAPI.keepaliveUserDataStream();
      },
      close: () => connection.disconnect(),
    };
  },
};

const binanceStreams: StreamClientKind = {
  name: "binance package",
  open: async (baseUrl, trader) => {
    const rest = connectBinance(baseUrl, trader);
    const streams = connectBinanceStreams(baseUrl, trader);
    const events: StreamEvent[] = [];
    streams.on("message", (event) => {
      events.push(...([event].flat() as unknown as StreamEvent[]));
    });
    const subscribe: Readonly<Record<MarketStream, () => Promise<unknown>>> = {
      aggTrade: () => streams.subscribeAggregateTrades("btcusdt", "usdm"),
      bookTicker: () => streams.subscribeSymbolBookTicker("btcusdt", "usdm"),
      "depth@100ms": () => streams.subscribeDiffBookDepth("btcusdt", 100, "usdm"),
      "depth5@100ms": () => streams.subscribePartialBookDepths("btcusdt", 5, 100, "usdm"),
      forceOrder: () => streams.subscribeSymbolLiquidationOrders("btcusdt", "usdm"),
      kline_1m: () => streams.subscribeKlines("btcusdt", "1m", "usdm"),
      "markPrice@1s": () => streams.subscribeMarkPrice("btcusdt", "usdm", 1_000),
      miniTicker: () => streams.subscribeSymbolMini24hrTicker("btcusdt", "usdm"),
      ticker: () => streams.subscribeSymbol24hrTicker("btcusdt", "usdm"),
    };
    let hasAccount = false;
    return {
      // All of its streams call one listener.
      follow: async (name) => {
        await subscribe[name]();
        return events;
      },
      unfollow: async (name) => {
        await streams.unsubscribe([`btcusdt@${name}`], "usdm");
      },
      followAccount: async () => {
        hasAccount = true;
        await streams.subscribeUsdFuturesUserDataStream();
        return events;
      },
      keepAlive: async () => {
        await rest.keepAliveFuturesUserDataListenKey();
      },
      close: async () => {
        if (hasAccount) {
          // Closing the connections alone leaves the package's timer for this key running, which keeps this process
          // alive.
          const { listenKey } = await rest.getFuturesUserDataListenKey();
          streams["getUserDataStreamManager"]().teardownUserDataListenKey(listenKey, undefined);
        }
        streams.closeAll(true);
      },
    };
  },
};

/** The clients that pass events on unchanged; `ccxt` builds its own books from them and has a separate file. */
export const streamClientKinds: readonly StreamClientKind[] = [connectorStreams, binanceStreams];
