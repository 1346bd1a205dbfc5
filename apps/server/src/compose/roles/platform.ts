import { systemClock } from "../../kernel/clock.ts";
import { createProcessMetrics } from "../../kernel/metrics.ts";
import { systemRandom } from "../../kernel/random.ts";
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
  const platform = await createPlatform({
    settings,
    database,
    clock,
    random: systemRandom,
    log,
    metrics: createProcessMetrics(),
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
  return platform;
}
