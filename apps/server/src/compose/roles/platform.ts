import { openBackupDoor } from "../../backup/index.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createProcessMetrics } from "../../kernel/metrics.ts";
import { systemRandom } from "../../kernel/random.ts";
import { keepArchive } from "../archive.ts";
import { bannerOf } from "../banner.ts";
import type { OpenCluster } from "../cluster.ts";
import { createPlatform } from "../platform.ts";
import { addressOf, type Opened, type Running } from "./opened.ts";
import { clockOf, openTables } from "./tables.ts";

/** Everything in this process, or everything but the engines and gateways of a distributed exchange. */
export async function startPlatform(opened: Opened, cluster?: OpenCluster): Promise<Running> {
  const begun = performance.now();
  const { settings, log, say } = opened;
  const database = await openTables(opened);
  const clock = await clockOf(settings, database.db);
  const metrics = createProcessMetrics();
  const platform = await createPlatform({
    settings,
    database,
    clock,
    random: systemRandom,
    log,
    metrics,
    onProgress: say,
    ...(cluster === undefined ? {} : { cluster }),
  });
  await cluster?.bus.join(() => platform.reload());
  await platform.app.listen({ host: settings.host, port: settings.port });
  platform.listening(addressOf(settings));
  say(
    bannerOf({
      settings,
      database: database.description,
      took_ms: performance.now() - begun,
      clockLead_ms: clock.now() - systemClock.now(),
    }),
  );
  const closeDoor = await openBackupDoor(settings.dataDir, database, log);
  const archive = keepArchive(settings, log, metrics);
  return {
    async close() {
      closeDoor();
      await archive.stop();
      await platform.close();
    },
  };
}
