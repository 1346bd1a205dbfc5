import type { Identity } from "../identity/identity.ts";
import type { AuditLog } from "../kernel/audit/audit-log.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../kernel/database/database.ts";
import type { App } from "../kernel/http/app.ts";
import { createGuard } from "../kernel/http/guards.ts";
import type { Limits } from "../kernel/http/limits.ts";
import type { JobDefinition } from "../kernel/jobs/job.ts";
import type { Log } from "../kernel/log.ts";
import { OutboxDispatcher } from "../kernel/outbox/dispatcher.ts";
import { createOutbox } from "../kernel/outbox/outbox.ts";
import type { Random } from "../kernel/random.ts";
import type { Check } from "../kernel/readiness.ts";
import type { Settings } from "../settings/settings.ts";
import { Deposits } from "../wallet/deposits.ts";
import { OutboxOutcomes } from "../wallet/outcomes.ts";
import { projectWallet } from "../wallet/projection.ts";
import { registerFaucetRoute } from "../wallet/routes.ts";
import { Switches } from "../wallet/switches.ts";
import { Withdrawals } from "../wallet/withdrawals.ts";
import { cursorKey } from "./account/ports.ts";
import { registerAccountRoutes } from "./account/routes.ts";
import { AccountDirectory } from "./accounts/directory.ts";
import { InvariantChecks } from "./admin/invariants.ts";
import { MarketAdmin } from "./admin/market-admin.ts";
import { registerExchangeAdminRoutes } from "./admin/routes.ts";
import { type Demo, startDemo } from "./demo/demo.ts";
import { createFapi } from "./fapi/fapi.ts";
import { beginExchange } from "./genesis.ts";
import { History } from "./history/history.ts";
import { equitySnapshotJob, orderPruneJob } from "./history/jobs.ts";
import { Exchange } from "./host/exchange.ts";
import { deliverTo } from "./host/outbox-delivery.ts";
import { recover } from "./journal/recovery.ts";
import { replayAgrees, reread } from "./journal/rereading.ts";
import { Snapshotter } from "./journal/snapshotter.ts";
import { marketHistoryFrom } from "./market-data/from-history.ts";
import { MarketData } from "./market-data/market-data.ts";
import { createPrices } from "./prices/create.ts";
import { registerDevPriceRoute } from "./prices/dev-routes.ts";
import { createPriceJobs } from "./prices/jobs.ts";
import { createPriceStore } from "./prices/store.ts";
import { Projector } from "./projector/projector.ts";
import { projectorCheck } from "./projector/readiness.ts";
import { createListenKeyStore } from "./streams/listen-key-store.ts";
import { ListenKeys } from "./streams/listen-keys.ts";
import { StreamServer } from "./streams/stream-server.ts";
import { Streams } from "./streams/streams.ts";
import { createTokenAccess } from "./streams/token-access.ts";
import { parseMoney } from "./units.ts";

export interface ExchangeSystemOptions {
  readonly settings: Settings;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly identity: Identity;
  readonly limits: Limits;
}

/** The exchange with everything around it, as the platform sees it. */
export interface ExchangeSystem {
  readonly exchange: Exchange;
  readonly jobs: readonly JobDefinition[];
  readonly checks: readonly Check[];
  /** Before the server is ready. */
  register(app: App): void;
  /** Once the server can be asked: streams, prices, what a new exchange begins with. */
  start(app: App): Promise<void>;
  /** Once the server listens: the demo's bots, which are clients like any other. */
  listening(baseUrl: string): void;
  /** Moves the clock without prices growing stale on the way. */
  duringClockMove<Result>(move: () => Promise<Result>): Promise<Result>;
  /** Those who are clients leave before the server does. */
  leave(): Promise<void>;
  /** After the server has stopped taking requests: finishes what was taken, and lets go. */
  stop(): Promise<void>;
}

/** Builds the exchange: recovers it from its log, then puts projector, market data, interfaces and programs around it. */
export async function createExchangeSystem(options: ExchangeSystemOptions): Promise<ExchangeSystem> {
  const { settings, database, clock, random, log, audit, identity, limits } = options;
  const folder = settings.dataDir;
  const warn = (message: string) => (error: unknown) => log.error({ err: error }, message);

  const projector = new Projector({
    database,
    clock,
    reread: (from, to) => reread(folder, from, to),
    programs: [projectWallet],
    onError: warn("the projector could not write"),
    onFault: warn("the projector has stopped"),
  });
  const recovered = await recover({
    folder,
    projectedNumber: await projector.load(),
    onApplied: projector.hear,
    onProgress: (line) => log.info(line),
  });
  const exchange = new Exchange({
    engine: recovered.engine,
    log: recovered.log,
    clock,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    onFailure: warn("the exchange has stopped"),
  });
  const { engine } = exchange;
  exchange.listen(projector.hear);
  const snapshotter = new Snapshotter({
    folder,
    engine,
    snapshotNumber: recovered.snapshotNumber,
    projectedNumber: () => projector.cursor,
    prunesSegments: false,
    onFault: warn("a snapshot could not be made"),
  });
  exchange.listen(snapshotter.onApplied);

  const outbox = createOutbox({ clock });
  const dispatcher = new OutboxDispatcher({
    database,
    clock,
    deliver: deliverTo(exchange),
    onError: warn("the outbox could not be delivered"),
  });
  const directory = new AccountDirectory({ database, clock, outbox, dispatcher, exchange });
  await directory.load();
  const outcomes = new OutboxOutcomes({ database, exchange });
  const prices = createPrices({
    exchange,
    clock,
    random,
    store: createPriceStore(database),
    choice: settings.priceSources,
    onError: (message, error) => log.warn({ err: error }, message),
  });
  const history = new History({ database, projector, clock, cursorKey: cursorKey(settings.jwtSecret) });
  const marketData = new MarketData({
    exchange,
    clock,
    expectedFunding_e8: (market) => prices.estimatedRate_e8(market),
  });
  const listenKeys = new ListenKeys({
    store: createListenKeyStore(database),
    clock,
    random,
    secret: settings.secretsKey,
  });
  await listenKeys.load();
  const wallet = { database, clock, outbox, dispatcher, outcomes, directory };
  const switches = new Switches({ database, clock, audit, pausedBySetting: settings.withdrawalsPaused });
  const deposits = new Deposits(wallet);
  const withdrawals = new Withdrawals({ ...wallet, random, switches });
  const demoAddresses = new Set<string>();
  const fapi = createFapi({
    clock,
    exchange,
    directory,
    history,
    marketData,
    listenKeys,
    limits,
    settings,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    isUnlimited: (address) => demoAddresses.has(address),
    onError: warn("a countdown could not cancel"),
  });
  const streams = new Streams({
    exchange,
    clock,
    marketData,
    listenKeys,
    directory,
    verifyToken: createTokenAccess({
      tokens: identity.tokens,
      isRevoked: (sessionId) => identity.sessions.isRevoked(sessionId),
      clock,
    }),
    onError: warn("a stream failed"),
  });
  const streamServer = new StreamServer(streams, {
    guard: createGuard(settings),
    isBanned: (address) => limits.bans.remaining_ms(address) > 0,
    origins: [settings.publicUrl, ...settings.corsOrigins],
    trustProxy: settings.trustProxy,
  });
  let demo: Demo | undefined;

  return {
    exchange,
    jobs: [...createPriceJobs(exchange, prices), orderPruneJob(database), equitySnapshotJob(database, engine)],
    checks: [engineCheck(exchange), projectorCheck(projector, clock)],
    register(app) {
      fapi.register(app);
      registerAccountRoutes(app, {
        exchange,
        directory,
        clock,
        history,
        marketData,
        prices: { estimate_e8: (market) => prices.estimatedRate_e8(market) },
        privateEvents: streams.privateEvents,
        tokens: identity.tokens,
        withdrawals,
      });
      registerExchangeAdminRoutes(app, {
        markets: new MarketAdmin({ database, audit, exchange, outbox, dispatcher, outcomes, random, prices }),
        invariants: new InvariantChecks({
          exchange,
          clock,
          replay: () => replayAgrees(folder, engine),
          durableNumber: () => recovered.log.nextNumber - 1,
        }),
        switches,
      });
      if (settings.environment === "development") {
        registerFaucetRoute(app, { deposits, exchange, random });
        registerDevPriceRoute(app, { prices, exchange });
      }
    },
    async start(app) {
      streamServer.attach(app.server);
      await marketData.seed(marketHistoryFrom(history.markets));
      projector.start();
      dispatcher.start();
      await beginExchange({ db: database.db, exchange, outbox, dispatcher });
      await prices.start();
      fapi.countdowns.start();
    },
    listening(baseUrl) {
      if (!settings.demo) return;
      demo = startDemo({
        baseUrl,
        clock,
        random,
        walletSeed: settings.secretsKey,
        apiKeys: identity.apiKeys,
        fund: async (address, usdt) => {
          const amount = parseMoney(usdt);
          if (amount === undefined || amount.isInexact) throw new RangeError(`no amount of USDT: ${usdt}`);
          // Named by the moment: a bot that has lost its money may be given more, once at a time.
          await deposits.credit(address, amount.value, `demo:${address}:${clock.now()}`);
        },
        onError: (message, error) => log.warn({ err: error }, message),
      });
      for (const address of demo.addresses) demoAddresses.add(address);
    },
    duringClockMove: (move) => prices.duringClockMove(move),
    async leave() {
      await demo?.stop();
      await streamServer.close();
      streams.close();
    },
    async stop() {
      fapi.countdowns.stop();
      await prices.stop();
      await dispatcher.stop();
      await exchange.close();
      await projector.stop();
      await snapshotter.close();
    },
  };
}

function engineCheck(exchange: Exchange): Check {
  return {
    name: "engine",
    isVital: true,
    run: async () => {
      if (exchange.failure !== undefined) throw new Error(`takes no commands: ${exchange.failure.message}`);
      const { commandNumber, markets } = exchange.engine.state;
      return `${markets.length} markets, ${commandNumber} commands, ${exchange.waiting} waiting`;
    },
  };
}
