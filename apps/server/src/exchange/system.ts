import type { App } from "../kernel/http/app.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import type { Outbox } from "../kernel/outbox/outbox.ts";
import type { Check } from "../kernel/readiness.ts";
import type { OutboxOutcomes } from "../wallet/outcomes.ts";
import type { AccountDirectory } from "./accounts/directory.ts";
import { beginExchange } from "./genesis.ts";
import { equitySnapshotJob, orderPruneJob } from "./history/jobs.ts";
import type { Exchange } from "./host/exchange.ts";
import { marketHistoryFrom } from "./market-data/from-history.ts";
import { createPriceJobs } from "./prices/jobs.ts";
import type { Projector } from "./projector/projector.ts";
import { projectorCheck } from "./projector/readiness.ts";
import { privateEventsJob } from "./streams/jobs.ts";
import type { AccountBonusFact } from "./streams/private-facts.ts";
import { DemoTraders } from "./system/demo-traders.ts";
import { BONUS_TOPIC, bonusNews, type GatewayService, serveGateways } from "./system/gateway-service.ts";
import { engineCheck, openHost } from "./system/host.ts";
import { openInterfaces, type Parts, registerRoutes } from "./system/interfaces.ts";
import { openMoney } from "./system/money.ts";
import { type ExchangeSystemOptions, reporter } from "./system/options.ts";
import { openReaders } from "./system/readers.ts";

export type { ExchangeSystemOptions } from "./system/options.ts";

/** The exchange with everything around it, as the platform sees it. */
export interface ExchangeSystem {
  readonly exchange: Exchange;
  /** For programs that follow what the exchange does, and send it commands of their own. */
  readonly projector: Projector;
  readonly outbox: Outbox;
  readonly dispatcher: OutboxDispatcher;
  readonly outcomes: OutboxOutcomes;
  readonly directory: AccountDirectory;
  readonly jobs: readonly JobDefinition[];
  readonly checks: readonly Check[];
  /** Tells an account something of its bonus that is none of the exchange's events. */
  tellBonus(news: readonly AccountBonusFact[]): Promise<void>;
  /** WIRE-1: whether this is a wallet of the demo's bots, which hold keys with raised limits. */
  isOwnBot(address: string | undefined): boolean;
  /** Before the server is ready. */
  register(app: App): void;
  /** Once the server can be asked: streams, prices, what a new exchange begins with. */
  start(app: App): Promise<void>;
  /** Once the server listens: the demo's bots, which are clients like any other. */
  listening(baseUrl: string): void;
  /** Moves the clock without prices growing stale on the way. */
  duringClockMove<Result>(move: () => Promise<Result>): Promise<Result>;
  /** Reads anew what other processes may have changed while this one was out of touch. */
  reload(): Promise<void>;
  /** Those who are clients leave before the server does. */
  leave(): Promise<void>;
  /** After the server has stopped taking requests: finishes what was taken, and lets go. */
  stop(): Promise<void>;
}

/**
 * Builds the exchange in steps, each in a file of its own under `system/`: recovers the engine from its log (host), opens
 * the way from the database to it (money), then puts around it those who read it (readers) and what clients talk to
 * (interfaces). The order matters: whoever listens to the engine hears of a command before those who were opened later.
 */
export async function createExchangeSystem(options: ExchangeSystemOptions): Promise<ExchangeSystem> {
  const { settings, database, clock } = options;
  const host = await openHost(options);
  const money = await openMoney(options, host);
  const readers = await openReaders(options, host);
  const demo = new DemoTraders(options, money);
  const interfaces = openInterfaces(options, host, money, readers, (address) => demo.has(address));
  const parts: Parts = { host, money, readers, interfaces };
  const { exchange, projector } = host;
  const { engine } = exchange;
  let news: GatewayService | undefined;
  return {
    exchange,
    projector,
    outbox: money.outbox,
    dispatcher: money.dispatcher,
    outcomes: money.outcomes,
    directory: money.directory,
    jobs: [
      ...createPriceJobs(exchange, readers.prices),
      orderPruneJob(database),
      equitySnapshotJob(database, engine),
      privateEventsJob(interfaces.streams.privateEvents),
    ],
    checks: [engineCheck(exchange), projectorCheck(projector, clock), money.onChain.check],
    async tellBonus(news) {
      const seqs = await interfaces.streams.keepAndTell(news);
      for (const [place, one] of news.entries()) {
        options.cluster?.bus.mention(BONUS_TOPIC, bonusNews({ ...one, seq: seqs[place]! }));
      }
    },
    isOwnBot: (address) => address !== undefined && demo.has(address),
    register: (app) => registerRoutes(app, options, parts),
    async start(app) {
      await start(app, options, parts);
      if (options.cluster !== undefined) news = serveGateways(options.cluster, parts, reporter(options.log));
    },
    listening: (baseUrl) => {
      if (settings.demo) demo.start(baseUrl);
    },
    reload: () => readers.listenKeys.load(),
    duringClockMove: (move) => readers.prices.duringClockMove(move),
    async leave() {
      await demo.stop();
      await interfaces.streamServer.close();
      interfaces.streams.close();
    },
    async stop() {
      news?.stop();
      await stop(parts);
    },
  };
}

/** For what a crash kept from the tables; a start that cannot write them within it would be of no use. */
const LONGEST_CATCHING_UP_ms = 600_000;

async function start(app: App, { database }: ExchangeSystemOptions, parts: Parts): Promise<void> {
  const { exchange, projector } = parts.host;
  const { outbox, dispatcher } = parts.money;
  const { marketData, history, prices } = parts.readers;
  const { streams, streamServer, fapi } = parts.interfaces;
  streamServer.attach(app.server);
  streams.privateEvents.start();
  projector.start();
  // Market data goes on from the tables, which must hold all that the engine has seen, and nothing beyond it.
  await projector.waitForAll(LONGEST_CATCHING_UP_ms);
  await marketData.seed(marketHistoryFrom(history.markets));
  parts.host.begin();
  dispatcher.start();
  await beginExchange({ db: database.db, exchange, outbox, dispatcher });
  await prices.start();
  fapi.countdowns.start();
}

/** Those who bring commands first, then the exchange, then those who write down what it did. */
async function stop({ host, money, readers, interfaces }: Parts): Promise<void> {
  interfaces.fapi.countdowns.stop();
  await readers.prices.stop();
  await money.onChain.payments.stop();
  await money.dispatcher.stop();
  await host.exchange.close();
  await interfaces.streams.privateEvents.stop();
  await host.projector.stop();
  await host.snapshotter.close();
}
