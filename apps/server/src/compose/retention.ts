import type { SegmentRetention } from "../exchange/index.ts";
import { DAY_ms } from "../kernel/dates.ts";
import type { Settings } from "../settings/settings.ts";

/** LOG-8: which segments of the log go. A gateway has a copy of what the worker archives, so it archives nothing itself. */
export function segmentRetention({ logDays, backupDir, role }: Settings): SegmentRetention | undefined {
  if (logDays === 0) return undefined;
  return { kept_ms: logDays * DAY_ms, archive: role === "gateway" ? undefined : backupDir };
}
