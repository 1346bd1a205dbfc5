import { createProcessMetrics } from "../../kernel/metrics.ts";
import { systemRandom } from "../../kernel/random.ts";
import { openCluster, watchWorker } from "../cluster.ts";
import { createGateway } from "../gateway.ts";
import type { Opened, Running } from "./opened.ts";
import { clockOf, openTables } from "./tables.ts";

/** Answers clients. Any number of gateways can run; none stores anything of its own. */
export async function startGateway(opened: Opened): Promise<Running> {
  const begun = performance.now();
  const { settings, log, say } = opened;
  const database = await openTables(opened);
  const cluster = await openCluster(opened);
  const clock = await clockOf(settings, database.db);
  const worker = await watchWorker(cluster, log);
  const workerUrl = () => worker.url;
  const metrics = createProcessMetrics();
  const ground = { settings, database, clock, random: systemRandom, log, metrics, cluster, workerUrl };
  const gateway = await createGateway(ground);
  await cluster.bus.join(() => gateway.reload());
  await gateway.app.listen({ host: settings.host, port: settings.port });
  say(`Gateway is up (${((performance.now() - begun) / 1000).toFixed(1)} s): ${settings.publicUrl}`);
  return {
    async close() {
      await cluster.bus.leave();
      await gateway.close();
      worker.stop();
      await cluster.close();
    },
  };
}
