import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { MOST_APPEND_bytes } from "../host/command-log.ts";
import { LogBuffer } from "./log-buffer.ts";
import { HEADER_bytes, LogFault } from "./log-format.ts";

/** Numbers in names have as many digits as the largest, so that names sort as numbers do. */
const DIGITS = 16;
const SEGMENT_NAME = /^(\d{16})\.log$/;
/** Files under this name are not finished: a crash leaves them, the next start removes them. */
export const UNFINISHED = ".unfinished";

/** A file of the log. */
export interface Segment {
  readonly path: string;
  /** The number of its first command, also where it has none yet. */
  readonly firstNumber: number;
}

/** What the journal writes to. */
export interface SegmentFile {
  readonly size_bytes: number;
  /** Appends all bytes. */
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export const numbered = (number: number, ending: string) => `${String(number).padStart(DIGITS, "0")}${ending}`;

export const journalFolder = (folder: string) => join(folder, "journal");

export const segmentPath = (folder: string, firstNumber: number) =>
  join(journalFolder(folder), numbered(firstNumber, ".log"));

export function listSegments(folder: string): Segment[] {
  return numberedFiles(journalFolder(folder), SEGMENT_NAME).map(({ number, path }) => ({ firstNumber: number, path }));
}

/** Files whose names are numbers, in order; none where there is no folder. */
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

/** Makes names that were made, changed or removed in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A new segment, durable with its header and its name: it is there whole or not at all. */
export async function createSegment(folder: string, firstNumber: number): Promise<SegmentFile> {
  const path = segmentPath(folder, firstNumber);
  const handle = await open(`${path}${UNFINISHED}`, "wx");
  try {
    const file = new OpenSegment(handle, 0);
    const header = new LogBuffer();
    header.header(firstNumber);
    await file.write(header.bytes);
    await handle.sync();
    await rename(`${path}${UNFINISHED}`, path);
    await syncFolder(journalFolder(folder));
    return file;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens the last segment to go on behind its last whole record; what is behind that is cut off. What the last write may
 * have left is written once more before anybody relies on it: where a sync has failed, the operating system can show
 * bytes that are not on the disk, and says nothing about them at the next sync.
 */
export async function continueSegment(path: string, size_bytes: number): Promise<SegmentFile> {
  const handle = await open(path, "r+");
  try {
    const found_bytes = (await handle.stat()).size;
    if (found_bytes > size_bytes) await handle.truncate(size_bytes);
    const from = Math.max(HEADER_bytes, size_bytes - MOST_APPEND_bytes * 2);
    const tail = Buffer.alloc(size_bytes - from);
    const { bytesRead } = await handle.read(tail, 0, tail.length, from);
    if (bytesRead !== tail.length) throw new LogFault(`${path} could not be read to its end`);
    await writeAll(handle, tail, from);
    await handle.sync();
    return new OpenSegment(handle, size_bytes);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

class OpenSegment implements SegmentFile {
  readonly #handle: FileHandle;
  #size_bytes: number;

  constructor(handle: FileHandle, size_bytes: number) {
    this.#handle = handle;
    this.#size_bytes = size_bytes;
  }

  get size_bytes(): number {
    return this.#size_bytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeAll(this.#handle, bytes, this.#size_bytes);
    this.#size_bytes += bytes.length;
  }

  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/** A single write may take less than it was given. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
