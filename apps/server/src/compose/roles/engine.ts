import { startEngineNode } from "../../exchange/index.ts";
import { startDiskGuard } from "../../kernel/disk-guard.ts";
import { createProcessMetrics } from "../../kernel/metrics.ts";
import { systemRandom } from "../../kernel/random.ts";
import { keepArchive } from "../archive.ts";
import { openCluster } from "../cluster.ts";
import { createHealthServer } from "../health-server.ts";
import { segmentRetention } from "../retention.ts";
import { addressOf, followingClock, type Opened, type Running } from "./opened.ts";

/** Orders commands: one engine leads, the others follow and stand by. */
export async function startEngine(opened: Opened): Promise<Running> {
  const { settings, log, say } = opened;
  const cluster = await openCluster(opened);
  const metrics = createProcessMetrics();
  const disk = await startDiskGuard({ folder: settings.dataDir, log, metrics });
  const engine = await startEngineNode({
    ...cluster,
    name: cluster.member,
    folder: settings.dataDir,
    clock: followingClock(settings),
    random: systemRandom,
    log,
    metrics,
    maxCommandsWaiting: settings.maxCommandsWaiting,
    isOnlyReducing: () => disk.state === "full",
    segments: segmentRetention(settings),
    adoptsJournal: settings.natsAdoptJournal,
    onProgress: say,
  });
  const app = createHealthServer({ settings, log, metrics, random: systemRandom, checks: [engine.check, disk.check] });
  await app.listen({ host: settings.host, port: settings.port });
  say(`Engine is up: ${addressOf(settings)}/readyz`);
  const archive = keepArchive(settings, log, metrics);
  return {
    async close() {
      disk.stop();
      await archive.stop();
      await engine.close();
      await app.close();
      await cluster.close();
    },
  };
}
