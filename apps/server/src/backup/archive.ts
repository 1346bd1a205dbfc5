import { existsSync, rmSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { filesOfSnapshot, listSnapshots, snapshotFolder } from "../exchange/index.ts";
import { CHAINED_HEADER_bytes } from "../kernel/journal/log-format.ts";
import { journalFolder, listSegments, syncFolder, UNFINISHED } from "../kernel/journal/segments.ts";
import type { Log } from "../kernel/log.ts";
import type { Metrics } from "../kernel/metrics.ts";
import { pauseAfter } from "../kernel/retry.ts";
import { sleep } from "../kernel/wait.ts";
import { codeOf } from "./fault.ts";
import { copyWhole } from "./files.ts";

export interface ArchiveOptions {
  /** The data folder. */
  readonly folder: string;
  /** `BACKUP_DIR`. */
  readonly to: string;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly poll_ms?: number;
}

const POLL_ms = 1_000;
const RETRY_ms = { first: 1_000, max: 60_000 };

/**
 * LOG-4: copies every closed segment and every snapshot into `BACKUP_DIR`. It looks at the folder from outside, so that nothing that
 * it waits for can delay a command. A file has its name in the archive only when it is whole and synced.
 */
export class Archive {
  readonly #options: ArchiveOptions;
  /** Names of files that the archive has. */
  readonly #kept = new Set<string>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #behind = 0;
  #failures = 0;

  constructor(options: ArchiveOptions) {
    this.#options = options;
    const { metrics } = options;
    metrics.gauge(
      "bourse_archive_behind_files",
      "Closed segments and snapshots that BACKUP_DIR lacks",
      () => this.#behind,
    );
    metrics.gauge("bourse_archive_failed", "1 where the last copy into BACKUP_DIR failed", () =>
      this.#failures === 0 ? 0 : 1,
    );
  }

  /** Files that the archive lacks, as of the last look. */
  get behind(): number {
    return this.#behind;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Finishes the copy under way; what is left is copied after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log, to, poll_ms = POLL_ms } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#copyAll();
        if (this.#failures > 0) log.info({ to }, "BACKUP_DIR has every closed segment and snapshot again");
        this.#failures = 0;
        await sleep(poll_ms, signal);
      } catch (err) {
        this.#failures += 1;
        log.error(
          { err, to, behind: this.#behind },
          "BACKUP_DIR is behind: a file could not be copied, it is tried again",
        );
        await sleep(pauseAfter(this.#failures, RETRY_ms), signal);
      }
    }
  }

  async #copyAll(): Promise<void> {
    const missing = this.#missing();
    this.#behind = missing.length;
    for (const { path, target } of missing) {
      if (this.#stopping.signal.aborted) return;
      if (existsSync(target)) await assertSame(path, target);
      else await copyInto(path, target);
      this.#kept.add(target);
      this.#behind -= 1;
    }
  }

  /** Oldest first. The last segment is still being written. */
  #missing(): { readonly path: string; readonly target: string }[] {
    const { folder, to } = this.#options;
    const segments = listSegments(folder).slice(0, -1);
    const files = [
      ...segments.map(({ path }) => ({ path, target: join(journalFolder(to), basename(path)) })),
      ...listSnapshots(folder)
        .flatMap(filesOfSnapshot)
        .map((path) => ({ path, target: join(snapshotFolder(to), basename(path)) })),
    ];
    return files.filter(({ target }) => !this.#kept.has(target));
  }
}

async function copyInto(path: string, target: string): Promise<void> {
  const unfinished = `${target}${UNFINISHED}`;
  rmSync(unfinished, { force: true });
  try {
    await copyWhole(path, unfinished);
  } catch (error) {
    // A snapshot that was removed meanwhile, because there are newer ones.
    if (codeOf(error) === "ENOENT" && !existsSync(path)) return;
    throw error;
  }
  await rename(unfinished, target);
  await syncFolder(dirname(target));
}

/** Another exchange's file of the same name is never replaced: its beginning differs, which holds the chain or the hash. */
async function assertSame(path: string, target: string): Promise<void> {
  const [ours, theirs] = [await beginningOf(path), await beginningOf(target)];
  if (ours === undefined || (ours.size_bytes === theirs?.size_bytes && ours.bytes.equals(theirs.bytes))) return;
  throw new Error(`${target} is of another exchange: set BACKUP_DIR to a folder that only this one uses`);
}

async function beginningOf(path: string) {
  try {
    const handle = await open(path, "r");
    try {
      const bytes = Buffer.alloc(CHAINED_HEADER_bytes);
      await handle.read(bytes, 0, bytes.length, 0);
      return { bytes, size_bytes: (await handle.stat()).size };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
