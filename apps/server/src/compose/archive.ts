import { Archive } from "../backup/index.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import type { Settings } from "../settings/settings.ts";

/** LOG-4: the continuous archive, if `BACKUP_DIR` is set. */
export function keepArchive(
  { dataDir: folder, backupDir: to }: Settings,
  log: Log,
  metrics: Metrics,
): Pick<Archive, "stop"> {
  if (to === undefined) return { stop: () => Promise.resolve() };
  const archive = new Archive({ folder, to, log, metrics });
  archive.start();
  return archive;
}
