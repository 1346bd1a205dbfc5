import type { EngineEvent } from "@bourse/engine";
import type { Clock } from "../../kernel/clock.ts";
import type { Applied, Exchange } from "../host/exchange.ts";
import type { EventObserver } from "../market-data/event-walk.ts";
import type { MarketData } from "../market-data/market-data.ts";
import { AccountReader } from "./account-reader.ts";
import { BotProtocol } from "./bot-protocol.ts";
import type { Access } from "./connection.ts";
import type { EventStore } from "./event-store.ts";
import type { ListenKeys } from "./listen-keys.ts";
import { MarketStreams } from "./market-streams.ts";
import { OwnMarketChannels, ownMessage } from "./own-channels.ts";
import { OwnProtocol, privateTopicKey } from "./own-protocol.ts";
import { ownView } from "./own-views.ts";
import { PrivateEvents, type Rebuild } from "./private-events.ts";
import type { AccountBonusFact, PrivateFact, ShownFact } from "./private-facts.ts";
import { PrivateFeed } from "./private-feed.ts";
import { PrivateTopics, type WalletDirectory } from "./private-topics.ts";
import { PrivateViews } from "./private-views.ts";
import { Hub } from "./topics.ts";
import { UserDataStream } from "./user-data-stream.ts";

export interface StreamsOptions {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly marketData: MarketData;
  readonly listenKeys: ListenKeys;
  readonly directory: WalletDirectory;
  /** Stores private events beyond the life of the process, and rebuilds them from the log. */
  readonly eventStore: EventStore;
  readonly rebuildEvents: Rebuild;
  /** `PRIVATE_EVENT_HOURS`; a day without it. */
  readonly eventsKept_ms?: number;
  /** See `createTokenAccess`. */
  readonly verifyToken: (token: string) => Promise<Access>;
  /** Receives errors of the streams. They must not stop the exchange. */
  readonly onError: (error: unknown) => void;
}

/** Everything that is sent to clients, by either protocol. `StreamServer` handles the sockets. */
export class Streams {
  readonly hub = new Hub();
  readonly bots: BotProtocol;
  readonly own: OwnProtocol;
  /** For `GET /api/v1/account/events`. */
  readonly privateEvents: PrivateEvents;
  readonly listenKeys: ListenKeys;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  readonly #options: StreamsOptions;
  readonly #marketStreams: MarketStreams;
  readonly #feed: PrivateFeed;
  readonly #topics: PrivateTopics;

  constructor(options: StreamsOptions) {
    const { exchange, clock, marketData, listenKeys, directory, verifyToken, onError } = options;
    const { engine } = exchange;
    const { orders } = marketData.walk;
    const { hub } = this;
    this.#options = options;
    this.clock = clock;
    this.listenKeys = listenKeys;
    this.onError = onError;
    const context = { marketData, now: () => clock.now() };
    const reader = new AccountReader(engine);
    this.privateEvents = new PrivateEvents({
      clock,
      store: options.eventStore,
      rebuild: options.rebuildEvents,
      ...(options.eventsKept_ms === undefined ? {} : { kept_ms: options.eventsKept_ms }),
      commandNumber: () => engine.state.commandNumber,
      settle: () => this.#feed.sendStates(),
      render: (fact: ShownFact) => ownView(fact, engine.state.markets),
      onError,
    });
    this.#marketStreams = new MarketStreams(context, hub);
    const markets = new OwnMarketChannels(context, hub);
    this.#topics = new PrivateTopics(hub, directory);
    const userData = new UserDataStream({ engine, topics: this.#topics, reader });
    const sink = (account: number, command: number, fact: PrivateFact) => this.#onFact(account, command, fact);
    this.#feed = new PrivateFeed({ engine, orders, reader, sink, userData, onError });
    const numberOf = (address: string) => directory.numberOf(address);
    const views = new PrivateViews({ engine, clock, orders, reader, events: this.privateEvents, numberOf });
    this.bots = new BotProtocol({ hub, marketStreams: this.#marketStreams, listenKeys });
    this.own = new OwnProtocol({ hub, markets, views, listenKeys, verifyToken, onError });

    marketData.listen((change) =>
      this.#shield(() => {
        this.#marketStreams.onChange(change);
        markets.onChange(change);
      }),
    );
    marketData.walk.observe(this.#shielded(this.#marketStreams));
    marketData.walk.observe(this.#shielded(this.#feed));
  }

  /** Stores events that are not events of the exchange and sends them to the accounts; returns their numbers. */
  async storeAndSend(news: readonly AccountBonusFact[]): Promise<number[]> {
    const seqs = await this.privateEvents.keepBesides(news);
    for (const [place, { account, fact }] of news.entries()) this.#publish(account, seqs[place]!, fact);
    return seqs;
  }

  /** Sends an event that another process has stored and numbered. */
  sendStored(account: number, seq: number, fact: PrivateFact): void {
    this.#publish(account, seq, fact);
  }

  /** Sends what is pending. */
  close(): void {
    this.#marketStreams.close();
    this.#feed.sendStates();
    this.hub.flush();
  }

  #onFact(account: number, command: number, fact: PrivateFact): void {
    this.#publish(account, this.privateEvents.add(account, command, fact), fact);
  }

  #publish(account: number, seq: number, fact: PrivateFact): void {
    const topic = this.#topics.find(account, (address) => privateTopicKey(fact.channel, address));
    if (topic === undefined) return;
    const data = ownView(fact, this.#options.exchange.engine.state.markets);
    topic.publish(ownMessage("update", `"channel":"${fact.channel}"`, seq, data));
  }

  #shield(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.onError(error);
    }
  }

  #shielded(observer: EventObserver): EventObserver {
    const { onError } = this;
    return {
      onEvent: (event: EngineEvent, applied: Applied) => {
        try {
          observer.onEvent(event, applied);
        } catch (error) {
          onError(error);
        }
      },
      onCommand: (applied: Applied) => this.#shield(() => observer.onCommand(applied)),
    };
  }
}
