import { checkNotBehind, PROJECTED_TOPIC, Standby } from "../../exchange/index.ts";
import { createProcessMetrics } from "../../kernel/metrics.ts";
import type { HeldLease } from "../../kernel/nats/lease.ts";
import { systemRandom } from "../../kernel/random.ts";
import type { Check } from "../../kernel/readiness.ts";
import { type OpenCluster, openCluster, takeWorkersPlace, tryWorkersPlace } from "../cluster.ts";
import { reporter } from "../exchange/options.ts";
import { createHealthServer } from "../health-server.ts";
import { segmentRetention } from "../retention.ts";
import type { Opened, Running } from "./opened.ts";
import { type PlatformGround, startPlatform } from "./platform.ts";
import { clockOf, openTables } from "./tables.ts";

/** Writes the database, runs the jobs, follows the chain and answers forwarded requests. One worker is active, others stand by. */
export async function startWorker(opened: Opened): Promise<Running> {
  const cluster = await openCluster(opened);
  const place = await tryWorkersPlace(cluster, opened.settings.internalUrl);
  const { lease, ground } =
    place === undefined ? await standBy(opened, cluster) : { lease: place, ground: { cluster } };
  const platform = await startPlatform(opened, ground);
  return {
    async close() {
      await platform.close();
      await lease.release();
      await cluster.close();
    },
  };
}

/** Follows the log and answers health checks until the worker's place is free. */
async function standBy(
  opened: Opened,
  cluster: OpenCluster,
): Promise<{ readonly lease: HeldLease; readonly ground: PlatformGround }> {
  const { settings, log, say } = opened;
  const database = await openTables(opened);
  const clock = await clockOf(settings, database.db);
  const standby = await Standby.open({
    ...cluster,
    database,
    folder: settings.dataDir,
    clock,
    random: systemRandom,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    segments: segmentRetention(settings),
    onProgress: (line) => log.info(line),
    onError: reporter(log)("the standby has a problem"),
    onFailure: cluster.onFatal,
  });
  const { engine, wallets } = standby.recovered;
  await checkNotBehind({ database, state: engine.state, wallets });
  cluster.bus.listen(PROJECTED_TOPIC, (cursor) => standby.moved(Number(cursor)));
  const checks = [standbyCheck(standby)];
  const health = createHealthServer({ settings, log, metrics: createProcessMetrics(), random: systemRandom, checks });
  await health.listen({ host: settings.host, port: settings.port });
  say(`Standby worker is up, at command ${standby.commandNumber}.`);
  const lease = await takeWorkersPlace(cluster, settings.internalUrl);
  say("The worker's place is free: this worker takes over.");
  return { lease, ground: { cluster, database, clock, standby, beforeListening: () => health.close() } };
}

/** It serves nobody, so that it is not ready however well it follows. */
const standbyCheck = (standby: Standby): Check => ({
  name: "worker",
  isVital: true,
  run: () => Promise.reject(new Error(`standby, ${standby.commandNumber} commands`)),
});
