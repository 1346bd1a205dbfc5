import { openCluster, takeWorkersPlace } from "../cluster.ts";
import type { Opened, Running } from "./opened.ts";
import { startPlatform } from "./platform.ts";

/** Writes the database, runs the jobs, follows the chain and answers forwarded requests. One worker is active, others stand by. */
export async function startWorker(opened: Opened): Promise<Running> {
  const cluster = await openCluster(opened);
  const standing = await takeWorkersPlace(cluster, opened.settings.internalUrl, opened.say);
  const platform = await startPlatform(opened, cluster);
  return {
    async close() {
      await platform.close();
      await standing.release();
      await cluster.close();
    },
  };
}
