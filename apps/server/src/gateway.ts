import { cursorKey } from "./exchange/account/ports.ts";
import { AccountDirectory } from "./exchange/accounts/directory.ts";
import { openFollower } from "./exchange/cluster/node.ts";
import { createFapi } from "./exchange/fapi/fapi.ts";
import { History } from "./exchange/history/history.ts";
import { ExchangeUnavailable } from "./exchange/host/exchange.ts";
import { Snapshotter } from "./exchange/journal/snapshotter.ts";
import { MarketData } from "./exchange/market-data/market-data.ts";
import { readSeeds, seedHistory } from "./exchange/market-data/seeds.ts";
import { CommandMetrics } from "./exchange/metrics/command-metrics.ts";
import { watchJournal } from "./exchange/metrics/durability-metrics.ts";
import { watchStreams } from "./exchange/metrics/stream-metrics.ts";
import { PROJECTED_TOPIC, ProjectionFollower } from "./exchange/projector/projection-follower.ts";
import { createFollowedEventStore, nothingToRebuild } from "./exchange/streams/followed-event-store.ts";
import { createListenKeyStore } from "./exchange/streams/listen-key-store.ts";
import { ListenKeys } from "./exchange/streams/listen-keys.ts";
import { StreamServer } from "./exchange/streams/stream-server.ts";
import { Streams } from "./exchange/streams/streams.ts";
import { createTokenAccess } from "./exchange/streams/token-access.ts";
import { BONUS_TOPIC, type BonusNews, FUNDING_TOPIC, OPEN_ACCOUNT } from "./exchange/system/gateway-service.ts";
import { reporter } from "./exchange/system/options.ts";
import { createAuthenticator } from "./identity/authenticator.ts";
import { createIdentity, type Identity } from "./identity/identity.ts";
import { createAuditLog } from "./kernel/audit/audit-log.ts";
import type { App } from "./kernel/http/app.ts";
import { Forwarder } from "./kernel/http/forward.ts";
import { createGuard } from "./kernel/http/guards.ts";
import { createLimits, type Limits } from "./kernel/http/limits.ts";
import { createHttpServer } from "./kernel/http/server.ts";
import type { Cluster } from "./kernel/nats/cluster.ts";
import { registerHealthRoutes } from "./kernel/operations-routes.ts";
import { createOutbox } from "./kernel/outbox/outbox.ts";
import { randomAlphanumeric } from "./kernel/random.ts";
import type { Check } from "./kernel/readiness.ts";
import { openRedisCounters } from "./kernel/redis/counters.ts";
import type { Ground } from "./platform.ts";
import { policy } from "./policy.ts";
import { registerWebApp } from "./web.ts";

export interface GatewayGround extends Ground {
  readonly cluster: Cluster;
  /** The origin of the worker that is active; undefined while none is. */
  readonly workerUrl: () => string | undefined;
}

export interface Gateway {
  readonly app: App;
  /** Reads anew what other processes may have changed while this one was out of touch. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

const DATABASE_PING_ms = 1_500;
const OPENING_TIMEOUT_ms = 5_000;
const BONUS_KEY_CHARS = 64;

/** Kept in the memory of one process for all: the worker's. */
const WORKERS_FAPI_ROUTES: ReadonlySet<string> = new Set(["/fapi/v1/listenKey", "/fapi/v1/countdownCancelAll"]);

/** The engine that follows the log, and what is read from it and from the tables, all as of the same command. */
async function openParts({ settings, database, clock, random, log, metrics, cluster }: GatewayGround) {
  const { link, bus, onFatal } = cluster;
  const folder = settings.dataDir;
  const key = cursorKey(settings.jwtSecret);
  const seeds = await readSeeds(database, clock, key);
  const begun_ms = performance.now();
  const { exchange, recovered } = await openFollower({
    link,
    folder,
    clock,
    random,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    projectedNumber: seeds.commandNumber,
    until: seeds.commandNumber,
    onProgress: (line) => log.info(line),
    onFailure: onFatal,
  });
  const report = reporter(log);
  const projection = new ProjectionFollower({
    database,
    cursor: seeds.commandNumber,
    onError: report("how far the tables are cannot be read"),
  });
  exchange.listen(projection.hear);
  bus.listen(PROJECTED_TOPIC, (cursor) => projection.moved(Number(cursor)));
  const snapshotter = new Snapshotter({
    folder,
    engine: exchange.engine,
    snapshotNumber: recovered.snapshotNumber,
    projectedNumber: () => projection.cursor,
    prunesSegments: false,
    onPassedOver: (line) => log.warn(line),
    onFault: report("a snapshot could not be made"),
  });
  exchange.listen(snapshotter.onApplied);
  new CommandMetrics(metrics).watch(metrics, exchange);
  watchJournal(metrics, { folder, recovered, recovery_ms: performance.now() - begun_ms, snapshotter });
  const history = new History({ database, projector: projection, clock, cursorKey: key });
  let rates_e8: readonly number[] = [];
  bus.listen(FUNDING_TOPIC, (rates) => {
    rates_e8 = rates as number[];
  });
  const marketData = new MarketData({ exchange, clock, expectedFunding_e8: (market) => rates_e8[market] ?? 0 });
  return { exchange, snapshotter, projection, history, marketData, seeds: seedHistory(seeds) };
}

type GatewayParts = Awaited<ReturnType<typeof openParts>>;

/** Who has which account. New ones are opened by the worker, with all that belongs to them. */
function openDirectory({ database, clock, log, cluster }: GatewayGround, exchange: GatewayParts["exchange"]) {
  const { connection, names } = cluster.link;
  return new AccountDirectory({
    database,
    clock,
    exchange,
    outbox: createOutbox({ clock }),
    dispatcher: { notify() {} },
    async openElsewhere(address) {
      try {
        const reply = await connection.request(names.worker(OPEN_ACCOUNT), address, { timeout: OPENING_TIMEOUT_ms });
        return Number(reply.string());
      } catch (error) {
        throw new ExchangeUnavailable(`no worker opens accounts: ${String(error)}`);
      }
    },
    onError: reporter(log)("whose the accounts are cannot be read"),
  });
}

function openStreams(
  ground: GatewayGround,
  { exchange, marketData }: GatewayParts,
  directory: AccountDirectory,
  identity: Identity,
  limits: Limits,
) {
  const { settings, database, clock, random, log, cluster } = ground;
  const { bus } = cluster;
  const { tokens, sessions } = identity;
  const store = createListenKeyStore(database);
  const listenKeys = new ListenKeys({ store, clock, random, secret: settings.secretsKey, bus });
  const streams = new Streams({
    exchange,
    clock,
    marketData,
    listenKeys,
    directory,
    eventStore: createFollowedEventStore(database),
    rebuildEvents: nothingToRebuild,
    verifyToken: createTokenAccess({ tokens, isRevoked: (sessionId) => sessions.isRevoked(sessionId), clock }),
    onError: reporter(log)("a stream failed"),
  });
  bus.listen(BONUS_TOPIC, (news) => {
    const { account, seq, fact } = news as unknown as BonusNews;
    streams.tellKept(account, seq, fact);
  });
  const streamServer = new StreamServer(streams, {
    guard: createGuard(settings),
    isBanned: (address) => limits.bans.remaining_ms(address) > 0,
    origins: [settings.publicUrl, ...settings.corsOrigins],
    trustProxy: settings.trustProxy,
  });
  return { listenKeys, streams, streamServer };
}

function createChecks({ database, cluster }: GatewayGround, { exchange }: GatewayParts): Check[] {
  return [
    {
      name: "database",
      isVital: true,
      run: async () => {
        await database.ping(DATABASE_PING_ms);
        return "PostgreSQL server answers";
      },
    },
    {
      name: "engine",
      isVital: true,
      run: async () => {
        if (exchange.failure !== undefined) throw new Error(exchange.failure.message);
        await exchange.current();
        return `${exchange.engine.state.commandNumber} commands, term ${exchange.term}`;
      },
    },
    {
      name: "bus",
      isVital: true,
      run: async () => {
        if (!cluster.bus.isMember) throw new Error("out of touch with the other processes");
        return "in touch with the other processes";
      },
    },
  ];
}

/** Trading, market data and streams, from an engine that follows the log; everything else is handed on to the worker. */
export async function createGateway(ground: GatewayGround): Promise<Gateway> {
  const { settings, database, clock, random, log, metrics, cluster } = ground;
  const { bus } = cluster;
  const report = reporter(log);
  const counters =
    settings.redisUrl === undefined
      ? undefined
      : openRedisCounters(settings.redisUrl, settings.natsPrefix, report("Redis does not answer"));
  const limits = createLimits(settings, undefined, { ...counters, processes: settings.gateways });
  // It has no use for what the bonus administration signs with.
  const identitySettings = { ...settings, bonusAdminApiKey: randomAlphanumeric(random, BONUS_KEY_CHARS) };
  const audit = createAuditLog({ clock });
  const identity = createIdentity({ database, clock, random, audit, bus, settings: identitySettings });
  const parts = await openParts(ground);
  const { exchange, history, marketData, projection, snapshotter } = parts;
  const directory = openDirectory(ground, exchange);
  const { listenKeys, streams, streamServer } = openStreams(ground, parts, directory, identity, limits);
  watchStreams(metrics, { server: streamServer, hub: streams.hub, listenKeys });
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
    onError: report("a countdown could not cancel"),
  });
  const forwarder = new Forwarder({ target: ground.workerUrl });
  const app = createHttpServer({
    settings,
    random,
    log,
    metrics,
    limits,
    policy,
    authenticator: createAuthenticator({ identity, clock }),
    async beforeHandling() {
      if (!bus.isMember) throw new Error("this gateway may have missed something");
      await exchange.current();
      await directory.current();
    },
    forward: { handle: forwarder.handle, isForwarded: (path) => WORKERS_FAPI_ROUTES.has(path) },
  });
  registerHealthRoutes(app, { metrics, checks: createChecks(ground, parts) });
  fapi.register(app);
  await registerWebApp(app);
  await app.ready();
  streamServer.attach(app.server);
  await marketData.seed(parts.seeds);
  await directory.load();
  streams.privateEvents.start();
  projection.start();
  exchange.start();
  return {
    app,
    async reload() {
      await identity.load();
      await listenKeys.load();
    },
    async close() {
      await streamServer.close();
      streams.close();
      await app.close();
      forwarder.close();
      projection.stop();
      await exchange.close();
      await streams.privateEvents.stop();
      await snapshotter.close();
      counters?.close();
      await database.close();
    },
  };
}
