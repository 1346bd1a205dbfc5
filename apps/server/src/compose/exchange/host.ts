import {
  batchesFor,
  CommandMetrics,
  type Exchange,
  type FollowingExchange,
  LoggedExchange,
  openFollower,
  PROJECTED_TOPIC,
  Projector,
  type Recovered,
  recover,
  reread,
  type Snapshotter,
  type Standby,
  watchProjector,
} from "../../exchange/index.ts";
import type { Cluster } from "../../kernel/nats/cluster.ts";
import type { Check } from "../../kernel/readiness.ts";
import { projectWallet } from "../../wallet/index.ts";
import { segmentRetention } from "../retention.ts";
import { type ExchangeSystemOptions, reporter } from "./options.ts";
import { keepSnapshots } from "./snapshots.ts";

/** The engine behind its log, and its two permanent listeners: the projector and the snapshots. */
export interface Host {
  readonly exchange: Exchange;
  readonly projector: Projector;
  readonly recovered: Recovered;
  readonly snapshotter: Snapshotter;
  /** Starts the engine. Call it after all listeners are added. */
  begin(): void;
}

/** Step 1: recovers the engine from snapshot and log, passes the projector what the tables lack, and opens it. */
export async function openHost(options: ExchangeSystemOptions): Promise<Host> {
  const { settings, log, metrics } = options;
  const folder = settings.dataDir;
  const projector = createProjector(options);
  const begun_ms = performance.now();
  const commands = new CommandMetrics(metrics);
  const { exchange, recovered, begin, forgetBefore } = await (options.cluster === undefined
    ? openLogged(options, projector, commands)
    : openFollowing(options, options.cluster, projector));
  const recovery_ms = performance.now() - begun_ms;
  exchange.listen(projector.hear);
  const projectedNumber = () => projector.cursor;
  const snapshotter = keepSnapshots({
    ...{ folder, exchange, recovered, recovery_ms, projectedNumber, log, metrics },
    segments: segmentRetention(settings),
    forgetBefore,
    every_commands: options.journal?.snapshotEvery_commands,
  });
  commands.watch(metrics, exchange);
  return { exchange, projector, recovered, snapshotter, begin };
}

interface OpenedExchange {
  readonly exchange: Exchange;
  readonly recovered: Recovered;
  readonly begin: () => void;
  /** LOG-8: for a log that others follow, removes its commands before this one. */
  readonly forgetBefore?: (number: number) => Promise<void>;
}

/** The log is in this process's folder, and only this process writes it. */
async function openLogged(
  { settings, clock, log, disk, journal, isOnlyReducing }: ExchangeSystemOptions,
  projector: Projector,
  commands: CommandMetrics,
): Promise<OpenedExchange> {
  const recovered = await recover({
    folder: settings.dataDir,
    projectedNumber: await projector.load(),
    onApplied: projector.hear,
    onProgress: (line) => log.info(line),
    ...(disk === undefined ? {} : { disk }),
    ...(journal === undefined ? {} : { segment_bytes: journal.segment_bytes }),
  });
  const exchange = new LoggedExchange({
    engine: recovered.engine,
    log: commands.measured(recovered.log),
    clock,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    isOnlyReducing,
    onFailure: reporter(log)("the exchange has stopped"),
    probe: commands,
  });
  return { exchange, recovered, begin: () => {} };
}

/** The log is on NATS: the folder contains a copy of it, and an engine elsewhere orders the commands. */
async function openFollowing(
  { settings, clock, random, log, standby, isOnlyReducing }: ExchangeSystemOptions,
  { link, onFatal }: Cluster,
  projector: Projector,
): Promise<OpenedExchange> {
  if (standby !== undefined) return takeOver(standby, projector);
  const { exchange, recovered } = await openFollower({
    link,
    folder: settings.dataDir,
    clock,
    random,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    isOnlyReducing,
    projectedNumber: await projector.load(),
    onApplied: projector.hear,
    onProgress: (line) => log.info(line),
    onFailure: onFatal,
  });
  return following(exchange, recovered);
}

const following = (exchange: FollowingExchange, recovered: Recovered): OpenedExchange => ({
  exchange,
  recovered,
  begin: () => exchange.start(),
  forgetBefore: (number) => exchange.forgetBefore(number),
});

/** The engine is at the end of the log already. */
async function takeOver(standby: Standby, projector: Projector): Promise<OpenedExchange> {
  const { exchange, recovered, unwritten } = await standby.take();
  for await (const applied of unwritten(await projector.load())) projector.hear(applied);
  return following(exchange, recovered);
}

function createProjector(options: ExchangeSystemOptions): Projector {
  const { settings, database, clock, log, metrics, cluster, projections = [] } = options;
  const report = reporter(log);
  const reportFault = report("the projector has stopped");
  const projector: Projector = new Projector({
    database,
    clock,
    ...batchesFor(database),
    reread: (from, to) => reread(settings.dataDir, from, to, (line) => log.warn(line)),
    projections: [projectWallet, ...projections],
    onError: report("the projector could not write"),
    onFault: (error) => {
      reportFault(error);
      // Another process writes these tables now.
      cluster?.onFatal(error);
    },
    onWritten: watchProjector(metrics, () => projector),
    onMoved: (cursor) => cluster?.bus.mention(PROJECTED_TOPIC, cursor),
  });
  return projector;
}

/** RUN-7: whether the engine accepts commands. */
export function engineCheck(exchange: Exchange): Check {
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
