import {
  type AccountBonusFact,
  type AccountDirectory,
  beginExchange,
  checkDatabase,
  createPriceJobs,
  downloadsJob,
  type Exchange,
  equitySnapshotJob,
  historyRetentionJob,
  marketHistoryFrom,
  marketSampleJob,
  orderPruneJob,
  outboxPruneJob,
  type Projector,
  pricesCheck,
  privateEventsJob,
  projectorCheck,
} from "../exchange/index.ts";
import type { EngineRequests } from "../kernel/engine-requests/engine-requests.ts";
import type { App } from "../kernel/http/app.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";
import type { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import type { Check } from "../kernel/readiness.ts";
import { DemoTraders } from "./exchange/demo-traders.ts";
import { BONUS_TOPIC, bonusNews, type GatewayService, serveGateways } from "./exchange/gateway-service.ts";
import { engineCheck, type Host, openHost } from "./exchange/host.ts";
import { openInterfaces, type Parts, registerRoutes } from "./exchange/interfaces.ts";
import { openMoney } from "./exchange/money.ts";
import type { ExchangeSystemOptions } from "./exchange/options.ts";
import { openReaders } from "./exchange/readers.ts";
import { checkServerChanges } from "./exchange/server-change.ts";
import { checkSources } from "./exchange/sources.ts";

export type { ExchangeSystemOptions } from "./exchange/options.ts";

/** The exchange with everything around it, as the platform uses it. */
export interface ExchangeSystem {
  readonly exchange: Exchange;
  /** For programs that follow the exchange and send commands to it. */
  readonly projector: Projector;
  readonly dispatcher: OutboxDispatcher;
  readonly engineRequests: EngineRequests;
  readonly directory: AccountDirectory;
  readonly jobs: readonly JobDefinition[];
  readonly checks: readonly Check[];
  /** Sends an account bonus events that do not come from the engine. */
  tellBonus(news: readonly AccountBonusFact[]): Promise<void>;
  /** WIRE-1: whether the wallet belongs to the demo's bots, whose keys have raised limits. */
  isOwnBot(address: string | undefined): boolean;
  /** Call it before the server is ready. */
  register(app: App): void;
  /** Starts streams, prices and the first contents of a new exchange. Call it when the server can answer. */
  start(app: App): Promise<void>;
  /** Starts the demo's bots, which are ordinary clients. Call it when the server listens. */
  listening(baseUrl: string): void;
  /** Moves the clock while keeping prices fresh. */
  duringClockMove<Result>(move: () => Promise<Result>): Promise<Result>;
  /** Reads again what other processes may have changed while this one was disconnected. */
  reload(): Promise<void>;
  /** Stops the parts that are clients, before the server stops. */
  leave(): Promise<void>;
  /** Finishes accepted work and closes. Call it after the server has stopped accepting requests. */
  stop(): Promise<void>;
}

/**
 * Builds the exchange in steps, each in a file of its own under `compose/exchange/`: recovers the engine from its log (host), opens
 * the way from the database to it (money), then puts around it those who read it (readers) and what clients talk to
 * (interfaces). The order matters: whoever listens to the engine hears of a command before those who were opened later.
 */
export async function createExchangeSystem(options: ExchangeSystemOptions): Promise<ExchangeSystem> {
  const { settings, database, clock } = options;
  const host = await openHost(options);
  await checkStart(options, host).catch(async (error: unknown) => {
    await host.exchange.close();
    await host.snapshotter.close();
    throw error;
  });
  const money = await openMoney(options, host);
  checkServerChanges({ database, ...host, ...money, projection: host.projector });
  const readers = await openReaders(options, host, money);
  const demo = new DemoTraders(options, money);
  const interfaces = openInterfaces(options, host, money, readers, (address) => demo.has(address));
  const parts: Parts = { host, money, readers, interfaces };
  const { exchange, projector } = host;
  const { engine } = exchange;
  let news: GatewayService | undefined;
  return {
    exchange,
    projector,
    dispatcher: money.dispatcher,
    engineRequests: money.engineRequests,
    directory: money.directory,
    jobs: [
      ...createPriceJobs(exchange, readers.prices, projector),
      orderPruneJob(database),
      historyRetentionJob({ database, days: settings.historyDays, archive: settings.backupDir }),
      outboxPruneJob({ database, outbox: money.outbox, engine, projector }),
      equitySnapshotJob(database, engine),
      marketSampleJob({ database, engine, clock }),
      downloadsJob(readers.downloads, clock),
      privateEventsJob(interfaces.streams.privateEvents),
      readers.risk.job(),
    ],
    checks: [
      engineCheck(exchange),
      projectorCheck(projector, clock),
      pricesCheck(exchange, readers.prices),
      money.onChain.check,
    ],
    async tellBonus(news) {
      const seqs = await interfaces.streams.storeAndSend(news);
      for (const [place, one] of news.entries()) {
        options.cluster?.bus.mention(BONUS_TOPIC, bonusNews({ ...one, seq: seqs[place]! }));
      }
    },
    isOwnBot: (address) => address !== undefined && demo.has(address),
    register: (app) => registerRoutes(app, options, parts),
    async start(app) {
      await start(app, options, parts);
      if (options.cluster !== undefined) news = serveGateways(options.cluster, parts);
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

/** Refuses a database that does not belong to the log, and sources that the exchange's rules do not trust. */
async function checkStart({ database, settings, log }: ExchangeSystemOptions, host: Host): Promise<void> {
  const { state } = host.exchange.engine;
  await checkDatabase({ database, state, wallets: host.recovered.wallets });
  checkSources(settings, state, log);
}

/** The time limit for writing what a crash kept from the tables; a start that exceeds it fails. */
const MAX_CATCHING_UP_ms = 600_000;

async function start(app: App, { database }: ExchangeSystemOptions, parts: Parts): Promise<void> {
  const { exchange, projector } = parts.host;
  const { engineRequests, dispatcher } = parts.money;
  const { marketData, history, prices } = parts.readers;
  const { streams, streamServer, fapi } = parts.interfaces;
  streamServer.attach(app.server);
  streams.privateEvents.start();
  projector.start();
  // Market data continues from the tables, which must contain exactly what the engine has seen.
  await projector.waitForAll(MAX_CATCHING_UP_ms);
  await marketData.seed(marketHistoryFrom(history.markets));
  parts.host.begin();
  dispatcher.start();
  await beginExchange({ db: database.db, exchange, engineRequests, dispatcher });
  await parts.money.earlierSettings.run();
  await prices.start();
  fapi.countdowns.start();
}

/** Stops the sources of commands first, then the exchange, then the writers of its events. */
async function stop({ host, money, readers, interfaces }: Parts): Promise<void> {
  interfaces.fapi.countdowns.stop();
  await readers.prices.stop();
  await money.onChain.payments.stop();
  await money.earlierSettings.stop();
  await money.dispatcher.stop();
  await host.exchange.close();
  await interfaces.streams.privateEvents.stop();
  await host.projector.stop();
  await host.snapshotter.close();
}
