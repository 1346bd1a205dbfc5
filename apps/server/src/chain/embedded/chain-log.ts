import { mkdirSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { MAX_RECORD_bytes } from "../../kernel/journal/command-log.ts";
import { Journal } from "../../kernel/journal/journal.ts";
import { LogBuffer } from "../../kernel/journal/log-buffer.ts";
import { FRAME_bytes, LogFault } from "../../kernel/journal/log-format.ts";
import { continueSegment, removeUnfinished, syncFolder, UNFINISHED } from "../../kernel/journal/segments.ts";
import { type BlockRecord, type ChainRecord, decodeRecord, encodeRecord, type GenesisRecord } from "./records.ts";

/** The chain's log file in its folder: the genesis, then blocks and rewinds in the order in which they happened. */
export const chainLogPath = (folder: string) => join(folder, "blocks.log");

/** The valid contents of a log. */
export interface RecordedChain {
  readonly genesis: GenesisRecord;
  /** The blocks of the current chain, lowest first, without those that a rewind removed. */
  readonly blocks: readonly BlockRecord[];
  readonly size_bytes: number;
  /** The length of an unfinished write at the end, which was never acknowledged. */
  readonly torn_bytes: number;
}

/** The record at this offset; undefined if there is no complete and valid one. */
function recordAt(bytes: Buffer, at: number): Buffer | undefined {
  const start = at + FRAME_bytes;
  if (start > bytes.length) return undefined;
  const length = bytes.readUInt32LE(at);
  if (length === 0 || length > MAX_RECORD_bytes || start + length > bytes.length) return undefined;
  const record = bytes.subarray(start, start + length);
  return crc32(record) === bytes.readUInt32LE(at + 4) ? record : undefined;
}

/** An unfinished write has no valid record after it. If there is one, durable data has been damaged. */
function assertTorn(path: string, bytes: Buffer, from: number): void {
  for (let at = from + 1; at < bytes.length; at += 1) {
    if (recordAt(bytes, at) !== undefined) throw new LogFault(`${path} is damaged at byte ${from}`);
  }
}

function follow(path: string, blocks: BlockRecord[], record: ChainRecord): void {
  if (record.kind === "genesis") throw new LogFault(`${path} holds a second genesis`);
  if (record.kind === "rewind") {
    if (record.number > blocks.length)
      throw new LogFault(`${path} goes back to block ${record.number}, which it lacks`);
    blocks.length = record.number;
    return;
  }
  if (record.number !== blocks.length + 1) {
    throw new LogFault(`${path} has block ${record.number} where block ${blocks.length + 1} belongs`);
  }
  blocks.push(record);
}

/** A record with a valid checksum that this program never writes is not disk damage: the error names it. */
function decodedAt(path: string, at: number, bytes: Buffer): ChainRecord {
  try {
    return decodeRecord(bytes);
  } catch (error) {
    if (!(error instanceof LogFault)) throw error;
    throw new LogFault(`${path} is damaged at byte ${at}: ${error.message}`);
  }
}

/** Reads the whole log into memory, as the node keeps the whole chain in memory too. Undefined if there is none yet. */
export function readChainLog(folder: string): RecordedChain | undefined {
  mkdirSync(folder, { recursive: true });
  removeUnfinished(folder);
  const path = chainLogPath(folder);
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const first = recordAt(bytes, 0);
  const genesis = first === undefined ? undefined : decodedAt(path, 0, first);
  if (first === undefined || genesis?.kind !== "genesis") throw new LogFault(`${path} is no log of a chain`);
  const blocks: BlockRecord[] = [];
  let at = FRAME_bytes + first.length;
  for (let record = recordAt(bytes, at); record !== undefined; record = recordAt(bytes, at)) {
    follow(path, blocks, decodedAt(path, at, record));
    at += FRAME_bytes + record.length;
  }
  if (at < bytes.length) assertTorn(path, bytes, at);
  return { genesis, blocks, size_bytes: at, torn_bytes: bytes.length - at };
}

/** Creates a log with only its genesis, atomically. */
export async function createChainLog(folder: string, genesis: GenesisRecord): Promise<ChainLog> {
  const path = chainLogPath(folder);
  const frames = new LogBuffer();
  frames.record(encodeRecord(genesis));
  const handle = await open(`${path}${UNFINISHED}`, "wx");
  try {
    await handle.writeFile(frames.bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}${UNFINISHED}`, path);
  await syncFolder(folder);
  return continueChainLog(folder, frames.length);
}

/** Continues after the last valid record; anything after it is cut off. */
export async function continueChainLog(folder: string, size_bytes: number): Promise<ChainLog> {
  return new ChainLog(await continueSegment(chainLogPath(folder), size_bytes));
}

/** Makes blocks durable. After a failed write it refuses everything; the recovery is a restart. */
export class ChainLog {
  readonly #journal: Journal;

  constructor(file: Awaited<ReturnType<typeof continueSegment>>) {
    this.#journal = new Journal({
      segment: file,
      nextNumber: 1,
      segment_bytes: Number.POSITIVE_INFINITY,
      createSegment: () => Promise.reject(new LogFault("the chain's log is one file")),
    });
  }

  async append(records: readonly ChainRecord[]): Promise<void> {
    try {
      await this.#journal.append(records.map(encodeRecord));
    } catch (cause) {
      const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
      const code = reason instanceof Error && "code" in reason ? ` (${reason.code})` : "";
      throw new Error(`the chain's log could not be written${code}`, { cause });
    }
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
