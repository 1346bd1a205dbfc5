import { join } from "node:path";
import { startEngineNode } from "../../exchange/index.ts";
import { createMetrics } from "../../kernel/metrics.ts";
import { systemRandom } from "../../kernel/random.ts";
import { openCluster } from "../cluster.ts";
import { followingClock, type Opened, type Running } from "./opened.ts";
import { startPlatform } from "./platform.ts";

/** The distributed log with all its users in one process. */
export async function startAllOnNats(opened: Opened): Promise<Running> {
  const { settings, log, say } = opened;
  const cluster = await openCluster(opened);
  const engine = await startEngineNode({
    ...cluster,
    name: cluster.member,
    folder: join(settings.dataDir, "engine"),
    clock: followingClock(settings),
    random: systemRandom,
    log,
    metrics: createMetrics(),
    maxCommandsWaiting: settings.maxCommandsWaiting,
    adoptsJournal: settings.natsAdoptJournal,
    onProgress: (line) => say(`engine: ${line}`),
  });
  const platform = await startPlatform(opened, { cluster });
  return {
    async close() {
      await platform.close();
      await engine.close();
      await cluster.close();
    },
  };
}
