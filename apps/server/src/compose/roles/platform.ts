import { openBackupDoor } from "../../backup/index.ts";
import { systemClock } from "../../kernel/clock.ts";
import { createProcessMetrics } from "../../kernel/metrics.ts";
import { systemRandom } from "../../kernel/random.ts";
import { keepArchive } from "../archive.ts";
import { bannerOf } from "../banner.ts";
import type { OpenCluster } from "../cluster.ts";
import { createPlatform, type Ground } from "../platform.ts";
import { addressOf, type Opened, type Running } from "./opened.ts";
import { clockOf, openTables } from "./tables.ts";

/** What a process of a distributed exchange has opened before; the rest is opened here. */
export interface PlatformGround extends Partial<Pick<Ground, "database" | "clock" | "standby">> {
  readonly cluster: OpenCluster;
  /** Frees the port. */
  readonly beforeListening?: () => Promise<void>;
}

/** Everything in this process, or everything but the engines and gateways of a distributed exchange. */
export async function startPlatform(opened: Opened, ground?: PlatformGround): Promise<Running> {
  const begun = performance.now();
  const { settings, log, say } = opened;
  const cluster = ground?.cluster;
  const database = ground?.database ?? (await openTables(opened));
  const clock = ground?.clock ?? (await clockOf(settings, database.db));
  const metrics = createProcessMetrics();
  const platform = await createPlatform({
    ...ground,
    settings,
    database,
    clock,
    random: systemRandom,
    log,
    metrics,
    onProgress: say,
  });
  await cluster?.bus.join(() => platform.reload());
  await ground?.beforeListening?.();
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
