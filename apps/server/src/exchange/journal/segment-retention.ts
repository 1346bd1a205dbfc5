import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { CHAINED_HEADER_bytes } from "../../kernel/journal/log-format.ts";
import { journalFolder, listSegments, type Segment, syncFolder } from "../../kernel/journal/segments.ts";
import { openSegmentReader } from "./replay.ts";

/** LOG-8: which segments may go once no start needs them. */
export interface SegmentRetention {
  /** `LOG_DAYS`: how old their last command is at least. */
  readonly kept_ms: number;
  /** `BACKUP_DIR`, which must have them; undefined for a copy of a log that is archived elsewhere. */
  readonly archive: string | undefined;
}

/**
 * Removes segments that end at or before command `neededAfter`, are old enough at `now_ms`, and are archived. Returns how many. The
 * oldest first and one by one, up to the first that has to stay: neither this nor a crash leaves a gap.
 */
export async function removeSegments(
  folder: string,
  { kept_ms, archive }: SegmentRetention,
  { neededAfter, now_ms }: { readonly neededAfter: number; readonly now_ms: number },
): Promise<number> {
  const segments = listSegments(folder);
  let removed = 0;
  for (const [place, segment] of segments.entries()) {
    const next = segments[place + 1];
    if (next === undefined || next.firstNumber > neededAfter + 1) break;
    const ended_ms = beginningOf(next);
    if (ended_ms === undefined || ended_ms > now_ms - kept_ms) break;
    if (archive !== undefined && !isArchived(segment, archive)) break;
    rmSync(segment.path);
    await syncFolder(journalFolder(folder));
    removed += 1;
  }
  return removed;
}

/** The time of its first command; undefined if it has none yet. */
function beginningOf(segment: Segment): number | undefined {
  const reader = openSegmentReader(segment);
  try {
    const { value } = reader.commands(segment.firstNumber).next();
    return value?.time_ms;
  } finally {
    reader.close();
  }
}

/** A file has its name in the archive when it is whole. The header has the chain, which no other exchange has. */
function isArchived({ path }: Segment, archive: string): boolean {
  const copy = join(journalFolder(archive), basename(path));
  if (!existsSync(copy) || statSync(copy).size !== statSync(path).size) return false;
  return headerOf(copy).equals(headerOf(path));
}

function headerOf(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(CHAINED_HEADER_bytes);
    readSync(file, bytes, 0, bytes.length, 0);
    return bytes;
  } finally {
    closeSync(file);
  }
}
