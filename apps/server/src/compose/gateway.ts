import {
  AccountDirectory,
  CommandMetrics,
  checkNotBehind,
  createFollowedEventStore,
  createListenKeyStore,
  cursorKey,
  History,
  ListenKeys,
  MarketData,
  nothingToRebuild,
  openFollower,
  PROJECTED_TOPIC,
  ProjectionFollower,
  readSeeds,
  seedHistory,
} from "../exchange/index.ts";
import { createIdentity, type Identity } from "../identity/index.ts";
import { createAuditLog } from "../kernel/audit/audit-log.ts";
import { type DiskGuard, startDiskGuard } from "../kernel/disk-guard.ts";
import type { App } from "../kernel/http/app.ts";
import { Forwarder } from "../kernel/http/forward.ts";
import { createLimits, type Limits } from "../kernel/http/limits.ts";
import { createHttpServer } from "../kernel/http/server.ts";
import type { Cluster } from "../kernel/nats/cluster.ts";
import { randomAlphanumeric } from "../kernel/random.ts";
import type { Check } from "../kernel/readiness.ts";
import { openRedisCounters } from "../kernel/redis/counters.ts";
import { BONUS_TOPIC, type BonusNews, FUNDING_TOPIC } from "./exchange/gateway-service.ts";
import { reporter } from "./exchange/options.ts";
import { checkServerChanges } from "./exchange/server-change.ts";
import { openServing } from "./exchange/serving.ts";
import { keepSnapshots } from "./exchange/snapshots.ts";
import { httpServerOptions } from "./http-options.ts";
import { registerHealthRoutes } from "./operations-routes.ts";
import type { Ground } from "./platform.ts";
import { segmentRetention } from "./retention.ts";
import { registerWebApp } from "./web.ts";

export interface GatewayGround extends Ground {
  readonly cluster: Cluster;
  /** The origin of the active worker; undefined while there is none. */
  readonly workerUrl: () => string | undefined;
}

export interface Gateway {
  readonly app: App;
  /** Reads again what other processes may have changed while this one was disconnected. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

const DATABASE_PING_ms = 1_500;
const BONUS_KEY_CHARS = 64;

/** Routes whose state is in the worker's memory only. */
const WORKERS_FAPI_ROUTES: ReadonlySet<string> = new Set(["/fapi/v1/listenKey", "/fapi/v1/countdownCancelAll"]);

/** The engine that follows the log, and the readers of it and of the tables, all as of the same command. */
async function openParts(ground: GatewayGround, disk: DiskGuard) {
  const { settings, database, clock, random, log, metrics, cluster } = ground;
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
    isOnlyReducing: () => disk.state === "full",
    projectedNumber: seeds.commandNumber,
    until: seeds.commandNumber,
    onProgress: (line) => log.info(line),
    onFailure: onFatal,
  });
  await checkNotBehind({ database, state: recovered.engine.state, wallets: recovered.wallets });
  const report = reporter(log);
  const projection = new ProjectionFollower({
    database,
    cursor: seeds.commandNumber,
    onError: report("how far the tables are cannot be read"),
  });
  exchange.listen(projection.hear);
  bus.listen(PROJECTED_TOPIC, (cursor) => projection.moved(Number(cursor)));
  const recovery_ms = performance.now() - begun_ms;
  const projectedNumber = () => projection.cursor;
  const snapshotter = keepSnapshots({
    ...{ folder, exchange, recovered, recovery_ms, projectedNumber, log, metrics },
    segments: segmentRetention(settings),
  });
  new CommandMetrics(metrics).watch(metrics, exchange);
  const history = new History({
    database,
    projector: projection,
    clock,
    cursorKey: key,
    keptDays: settings.historyDays,
  });
  let rates_e8: readonly number[] = [];
  bus.listen(FUNDING_TOPIC, (rates) => {
    rates_e8 = rates as number[];
  });
  const marketData = new MarketData({ exchange, clock, expectedFunding_e8: (market) => rates_e8[market] ?? 0 });
  return { exchange, snapshotter, projection, history, marketData, seeds: seedHistory(seeds) };
}

type GatewayParts = Awaited<ReturnType<typeof openParts>>;

/** The directory of accounts. The worker opens new accounts, with the first deposit or grant (SEC-11). */
function openDirectory({ database, clock, log }: GatewayGround, exchange: GatewayParts["exchange"]) {
  const opensNone = () => Promise.reject(new Error("a gateway opens no accounts itself"));
  return new AccountDirectory({
    database,
    clock,
    exchange,
    engineRequests: { tellAll: opensNone, notify: () => undefined },
    onError: reporter(log)("whose the accounts are cannot be read"),
  });
}

/** The interfaces, with the values that only the worker knows. */
function openInterfaces(
  ground: GatewayGround,
  parts: GatewayParts,
  directory: AccountDirectory,
  identity: Identity,
  limits: Limits,
  beforeHandling: () => Promise<void>,
) {
  const { settings, database, clock, random, cluster } = ground;
  const { bus } = cluster;
  const store = createListenKeyStore(database);
  const listenKeys = new ListenKeys({ store, clock, random, secret: settings.secretsKey, bus });
  const serving = openServing({
    ...ground,
    ...parts,
    directory,
    identity,
    limits,
    listenKeys,
    beforeHandling,
    eventStore: createFollowedEventStore(database),
    rebuildEvents: nothingToRebuild,
  });
  bus.listen(BONUS_TOPIC, (news) => {
    const { account, seq, fact } = news as unknown as BonusNews;
    serving.streams.sendStored(account, seq, fact);
  });
  return { ...serving, listenKeys };
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

/** Trading, market data and streams, from an engine that follows the log; all other requests are forwarded to the worker. */
export async function createGateway(ground: GatewayGround): Promise<Gateway> {
  const { settings, database, clock, random, log, metrics, cluster } = ground;
  const { bus } = cluster;
  const report = reporter(log);
  const counters =
    settings.redisUrl === undefined
      ? undefined
      : openRedisCounters(settings.redisUrl, settings.natsPrefix, report("Redis does not answer"));
  const limits = createLimits(settings, undefined, { ...counters, processes: settings.gateways });
  // A gateway does not need the bonus administration's key.
  const identitySettings = { ...settings, bonusAdminApiKey: randomAlphanumeric(random, BONUS_KEY_CHARS) };
  const audit = createAuditLog({ clock });
  const identity = createIdentity({ database, clock, random, audit, bus, settings: identitySettings });
  const disk = await startDiskGuard({ folder: settings.dataDir, log, metrics });
  const parts = await openParts(ground, disk);
  const { exchange, marketData, projection, snapshotter } = parts;
  const directory = openDirectory(ground, exchange);
  checkServerChanges({ database, exchange, directory, projection });
  const beforeHandling = async () => {
    if (!bus.isMember) throw new Error("this gateway may have missed something");
    await exchange.current();
    await directory.current();
  };
  const interfaces = openInterfaces(ground, parts, directory, identity, limits, beforeHandling);
  const { listenKeys, fapi, streams, streamServer } = interfaces;
  const forwarder = new Forwarder({ target: ground.workerUrl });
  const app = createHttpServer({
    ...httpServerOptions({ ...ground, identity, limits }),
    beforeHandling,
    forward: { handle: forwarder.handle, isForwarded: (path) => WORKERS_FAPI_ROUTES.has(path) },
  });
  registerHealthRoutes(app, { metrics, checks: [...createChecks(ground, parts), disk.check] });
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
      disk.stop();
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
