import type { Cluster } from "../../kernel/nats/cluster.ts";
import type { Check } from "../../kernel/readiness.ts";
import { projectWallet } from "../../wallet/projection.ts";
import { openFollower } from "../cluster/node.ts";
import type { Exchange } from "../host/exchange.ts";
import { LoggedExchange } from "../host/logged-exchange.ts";
import { type Recovered, recover } from "../journal/recovery.ts";
import { reread } from "../journal/rereading.ts";
import { Snapshotter } from "../journal/snapshotter.ts";
import { CommandMetrics } from "../metrics/command-metrics.ts";
import { watchJournal, watchProjector } from "../metrics/durability-metrics.ts";
import { PROJECTED_TOPIC } from "../projector/projection-follower.ts";
import { batchesFor, Projector } from "../projector/projector.ts";
import { type ExchangeSystemOptions, reporter } from "./options.ts";

/** The engine behind its log, and those two who must hear of every command: the projector and the snapshots. */
export interface Host {
  readonly exchange: Exchange;
  readonly projector: Projector;
  readonly recovered: Recovered;
  readonly snapshotter: Snapshotter;
  /** Once everybody listens: from now on the engine goes forward. */
  begin(): void;
}

/** Step 1: recovers the engine from snapshot and log, handing the projector what the tables lack, and opens it. */
export async function openHost(options: ExchangeSystemOptions): Promise<Host> {
  const { settings, log, metrics } = options;
  const folder = settings.dataDir;
  const projector = createProjector(options);
  const begun_ms = performance.now();
  const commands = new CommandMetrics(metrics);
  const { exchange, recovered, begin } = await (options.cluster === undefined
    ? openLogged(options, projector, commands)
    : openFollowing(options, options.cluster, projector));
  const recovery_ms = performance.now() - begun_ms;
  exchange.listen(projector.hear);
  const snapshotter = new Snapshotter({
    folder,
    engine: exchange.engine,
    snapshotNumber: recovered.snapshotNumber,
    projectedNumber: () => projector.cursor,
    prunesSegments: false,
    onPassedOver: (line) => log.warn(line),
    onFault: reporter(log)("a snapshot could not be made"),
  });
  exchange.listen(snapshotter.onApplied);
  commands.watch(metrics, exchange);
  watchJournal(metrics, { folder, recovered, recovery_ms, snapshotter });
  return { exchange, projector, recovered, snapshotter, begin };
}

interface OpenedExchange {
  readonly exchange: Exchange;
  readonly recovered: Recovered;
  readonly begin: () => void;
}

/** The log is in this process's folder, and nobody else writes it. */
async function openLogged(
  { settings, clock, log, disk }: ExchangeSystemOptions,
  projector: Projector,
  commands: CommandMetrics,
): Promise<OpenedExchange> {
  const recovered = await recover({
    folder: settings.dataDir,
    projectedNumber: await projector.load(),
    onApplied: projector.hear,
    onProgress: (line) => log.info(line),
    ...(disk === undefined ? {} : { disk }),
  });
  const exchange = new LoggedExchange({
    engine: recovered.engine,
    log: commands.measured(recovered.log),
    clock,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    onFailure: reporter(log)("the exchange has stopped"),
    probe: commands,
  });
  return { exchange, recovered, begin: () => {} };
}

/** The log is on NATS: the folder holds a copy of it, and an engine elsewhere puts the commands in order. */
async function openFollowing(
  { settings, clock, random, log }: ExchangeSystemOptions,
  { link, onFatal }: Cluster,
  projector: Projector,
): Promise<OpenedExchange> {
  const { exchange, recovered } = await openFollower({
    link,
    folder: settings.dataDir,
    clock,
    random,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    projectedNumber: await projector.load(),
    onApplied: projector.hear,
    onProgress: (line) => log.info(line),
    onFailure: onFatal,
  });
  return { exchange, recovered, begin: () => exchange.start() };
}

function createProjector(options: ExchangeSystemOptions): Projector {
  const { settings, database, clock, log, metrics, cluster, programs = [] } = options;
  const report = reporter(log);
  const reportFault = report("the projector has stopped");
  const projector: Projector = new Projector({
    database,
    clock,
    ...batchesFor(database),
    reread: (from, to) => reread(settings.dataDir, from, to, (line) => log.warn(line)),
    programs: [projectWallet, ...programs],
    onError: report("the projector could not write"),
    onFault: (error) => {
      reportFault(error);
      // Somebody else writes these tables now.
      cluster?.onFatal(error);
    },
    onWritten: watchProjector(metrics, () => projector),
    onMoved: (cursor) => cluster?.bus.mention(PROJECTED_TOPIC, cursor),
  });
  return projector;
}

/** RUN-7: whether the engine takes commands. */
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
