import type { Clock } from "../../kernel/clock.ts";
import type { JobDefinition } from "../../kernel/jobs/job.ts";
import { BadCursor } from "../../kernel/page-cursor.ts";
import { WindowTooOld } from "../../kernel/windows.ts";
import { csvHeader, csvLines } from "./csv.ts";
import type { Downloads } from "./downloads.ts";
import type { Download, WrittenPart } from "./store.ts";

/** So many at a time, and so much of each, that a process which stops does not wait long: the rest follows with the next runs. */
const FILES_PER_RUN = 2;
const PARTS_PER_RUN = 3;
const PAGES_PER_PART = 10;
const ROWS_PER_PAGE = 500;

/**
 * FUT-20: makes the files that accounts have asked for. Each part is written together with how far the file has come, so that a
 * restart goes on behind it and no row is written twice.
 */
export function downloadsJob(downloads: Downloads, clock: Clock): JobDefinition {
  return {
    name: "downloads",
    schedule: "*/15 * * * * *",
    missed: "latest",
    async run() {
      const expired = await downloads.removeOld();
      const results = await Promise.allSettled(
        (await downloads.store.processed(FILES_PER_RUN)).map((download) => make(downloads, download, clock)),
      );
      // One that fails does not keep the others from being made.
      const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      if (failures.length > 0)
        throw new AggregateError(failures, `downloads failed: ${failures.map(String).join("; ")}`);
      return { made: results.filter((result) => result.status === "fulfilled" && result.value).length, expired };
    },
  };
}

/** Goes on with a file. Returns whether it is complete. */
async function make(downloads: Downloads, download: Download, clock: Clock): Promise<boolean> {
  const { store } = downloads;
  let current = download;
  try {
    for (let written = 0; written < PARTS_PER_RUN; written += 1) {
      const part = await nextPart(downloads, current, clock);
      if (!(await store.addPart(current, part))) return false;
      if (part.completed_ms !== null) return true;
      current = { ...current, parts: current.parts + 1, next_cursor: part.next_cursor };
    }
    return false;
  } catch (error) {
    // The secret that signs cursors has changed, or rows of the window were removed. The owner learns it when asking again.
    if (!(error instanceof BadCursor || error instanceof WindowTooOld)) throw error;
    await store.remove(download.download_id);
    return false;
  }
}

async function nextPart({ contents }: Downloads, download: Download, clock: Clock): Promise<WrittenPart> {
  const { account, kind, from_ms, to_ms, parts } = download;
  const { columns, read } = contents[kind];
  const texts = parts === 0 ? [csvHeader(columns)] : [];
  let cursor = download.next_cursor ?? undefined;
  for (let page = 0; page < PAGES_PER_PART; page += 1) {
    const { rows, nextCursor } = await read(account, {
      start_ms: from_ms,
      end_ms: to_ms,
      limit: ROWS_PER_PAGE,
      cursor,
    });
    texts.push(csvLines(columns, rows));
    cursor = nextCursor ?? undefined;
    if (cursor === undefined) break;
  }
  const isComplete = cursor === undefined;
  return {
    content: texts.join(""),
    next_cursor: cursor ?? null,
    completed_ms: isComplete ? clock.now() : null,
  };
}
