import { constants, mkdirSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { MAX_APPEND_bytes } from "./command-log.ts";
import { HEADER_bytes, LogFault, type SegmentHeader, writeHeader } from "./log-format.ts";

/** Numbers in names are padded, so that names sort like numbers. */
const DIGITS = 16;
const SEGMENT_NAME = /^(\d{16})\.log$/;
/** The suffix of unfinished files: a crash leaves them, the next start removes them. */
export const UNFINISHED = ".unfinished";

/** A file of the log. */
export interface Segment {
  readonly path: string;
  /** The number of its first command, even if it has none yet. */
  readonly firstNumber: number;
}

/** The file interface of the journal. */
export interface SegmentFile {
  readonly size_bytes: number;
  /** Appends all bytes; resolves when they are durable, unless the file was opened as a copy. */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** Whether the file is a copy of a log that is durable elsewhere: then it is not synced. */
export interface SegmentUse {
  readonly isCopy?: boolean | undefined;
}

const { O_RDWR, O_CREAT, O_EXCL } = constants;
/** Every write is durable when it returns: one call instead of a write and a sync. Not every system has it. */
const O_DSYNC: number | undefined = constants.O_DSYNC;
/** From this size on a write and a sync take less time than one durable write, however much else runs. */
const LARGE_bytes = 16_384;

export const numbered = (number: number, ending: string) => `${String(number).padStart(DIGITS, "0")}${ending}`;

export const journalFolder = (folder: string) => join(folder, "journal");

export const segmentPath = (folder: string, firstNumber: number) =>
  join(journalFolder(folder), numbered(firstNumber, ".log"));

export function listSegments(folder: string): Segment[] {
  return numberedFiles(journalFolder(folder), SEGMENT_NAME).map(({ number, path }) => ({ firstNumber: number, path }));
}

/** Files whose names are numbers, in order; empty if the folder does not exist. */
export function numberedFiles(folder: string, form: RegExp): { readonly number: number; readonly path: string }[] {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder).flatMap((name) => {
    const digits = form.exec(name)?.[1];
    return digits === undefined ? [] : [{ number: Number(digits), path: join(folder, name) }];
  });
  return files.sort((a, b) => a.number - b.number);
}

export function removeUnfinished(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.endsWith(UNFINISHED)) rmSync(join(folder, name));
}

/** Makes created, renamed and removed names of a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates a segment atomically: its header and its name are durable together. */
export async function createSegment(folder: string, header: SegmentHeader, use: SegmentUse = {}): Promise<SegmentFile> {
  const path = segmentPath(folder, header.firstNumber);
  const handle = await open(`${path}${UNFINISHED}`, O_RDWR | O_CREAT | O_EXCL);
  try {
    const bytes = writeHeader(header);
    await writeAll(handle, bytes, 0);
    await handle.sync();
    await rename(`${path}${UNFINISHED}`, path);
    await syncFolder(journalFolder(folder));
    return await OpenSegment.of(handle, path, bytes.length, use);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens the last segment to continue after its last valid record; anything after it is cut off. The end of the segment is rewritten
 * first: after a failed sync the operating system can return bytes that are not on the disk, and does not report them at the next
 * sync.
 */
export async function continueSegment(path: string, size_bytes: number, use: SegmentUse = {}): Promise<SegmentFile> {
  const handle = await open(path, O_RDWR);
  try {
    const found_bytes = (await handle.stat()).size;
    if (found_bytes > size_bytes) await handle.truncate(size_bytes);
    const from = Math.max(HEADER_bytes, size_bytes - MAX_APPEND_bytes * 2);
    const tail = Buffer.alloc(size_bytes - from);
    const { bytesRead } = await handle.read(tail, 0, tail.length, from);
    if (bytesRead !== tail.length) throw new LogFault(`${path} could not be read to its end`);
    await writeAll(handle, tail, from);
    await handle.sync();
    return await OpenSegment.of(handle, path, size_bytes, use);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

class OpenSegment implements SegmentFile {
  readonly #handle: FileHandle;
  /** The same file; what is written by it is durable. Undefined for copies, and where the system has no such writes. */
  readonly #durable: FileHandle | undefined;
  readonly #isCopy: boolean;
  #size_bytes: number;

  private constructor(handle: FileHandle, durable: FileHandle | undefined, isCopy: boolean, size_bytes: number) {
    this.#handle = handle;
    this.#durable = durable;
    this.#isCopy = isCopy;
    this.#size_bytes = size_bytes;
  }

  static async of(handle: FileHandle, path: string, size_bytes: number, { isCopy = false }: SegmentUse) {
    const durable = isCopy || O_DSYNC === undefined ? undefined : await open(path, O_RDWR | O_DSYNC);
    return new OpenSegment(handle, durable, isCopy, size_bytes);
  }

  get size_bytes(): number {
    return this.#size_bytes;
  }

  async append(bytes: Uint8Array): Promise<void> {
    if (this.#durable !== undefined && bytes.length < LARGE_bytes) {
      await writeAll(this.#durable, bytes, this.#size_bytes);
    } else {
      await writeAll(this.#handle, bytes, this.#size_bytes);
      if (!this.#isCopy) await this.#handle.datasync();
    }
    this.#size_bytes += bytes.length;
  }

  async close(): Promise<void> {
    await this.#durable?.close();
    await this.#handle.close();
  }
}

/** Repeats writes until all bytes are written. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
