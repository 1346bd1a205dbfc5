import type { Check } from "../../kernel/readiness.ts";
import { projectWallet } from "../../wallet/projection.ts";
import type { Exchange } from "../host/exchange.ts";
import { LoggedExchange } from "../host/logged-exchange.ts";
import { type Recovered, recover } from "../journal/recovery.ts";
import { reread } from "../journal/rereading.ts";
import { Snapshotter } from "../journal/snapshotter.ts";
import { CommandMetrics } from "../metrics/command-metrics.ts";
import { watchJournal, watchProjector } from "../metrics/durability-metrics.ts";
import { Projector } from "../projector/projector.ts";
import { type ExchangeSystemOptions, reporter } from "./options.ts";

/** The engine behind its log, and those two who must hear of every command: the projector and the snapshots. */
export interface Host {
  readonly exchange: Exchange;
  readonly projector: Projector;
  readonly recovered: Recovered;
  readonly snapshotter: Snapshotter;
}

/** Step 1: recovers the engine from snapshot and log, handing the projector what the tables lack, and opens it. */
export async function openHost(options: ExchangeSystemOptions): Promise<Host> {
  const { settings, clock, log, metrics, disk } = options;
  const folder = settings.dataDir;
  const report = reporter(log);
  const projector = createProjector(options);
  const begun_ms = performance.now();
  const recovered = await recover({
    folder,
    projectedNumber: await projector.load(),
    onApplied: projector.hear,
    onProgress: (line) => log.info(line),
    ...(disk === undefined ? {} : { disk }),
  });
  const recovery_ms = performance.now() - begun_ms;
  const commands = new CommandMetrics(metrics);
  const exchange = new LoggedExchange({
    engine: recovered.engine,
    log: commands.measured(recovered.log),
    clock,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    onFailure: report("the exchange has stopped"),
    probe: commands,
  });
  exchange.listen(projector.hear);
  const snapshotter = new Snapshotter({
    folder,
    engine: exchange.engine,
    snapshotNumber: recovered.snapshotNumber,
    projectedNumber: () => projector.cursor,
    prunesSegments: false,
    onFault: report("a snapshot could not be made"),
  });
  exchange.listen(snapshotter.onApplied);
  commands.watch(metrics, exchange);
  watchJournal(metrics, { folder, recovered, recovery_ms, snapshotter });
  return { exchange, projector, recovered, snapshotter };
}

function createProjector(options: ExchangeSystemOptions): Projector {
  const { settings, database, clock, log, metrics, programs = [] } = options;
  const report = reporter(log);
  const projector: Projector = new Projector({
    database,
    clock,
    reread: (from, to) => reread(settings.dataDir, from, to),
    programs: [projectWallet, ...programs],
    onError: report("the projector could not write"),
    onFault: report("the projector has stopped"),
    onWritten: watchProjector(metrics, () => projector),
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
