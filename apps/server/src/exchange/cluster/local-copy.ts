import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MAX_APPEND_bytes } from "../../kernel/journal/command-log.ts";
import type { Journal } from "../../kernel/journal/journal.ts";
import { FRAME_bytes, LogFault } from "../../kernel/journal/log-format.ts";
import { journalFolder } from "../../kernel/journal/segments.ts";
import type { CommandStream, PlacedPack } from "./command-stream.ts";
import type { PackedRecord } from "./pack.ts";

/** The file that holds the identity of the stream whose copy the journal is. */
const IDENTITY_FILE = "copy-of";

/** Refuses a folder whose journal belongs to another stream or was written without a stream. */
export function claimCopy(folder: string, stream: Pick<CommandStream, "identity">): void {
  const journal = journalFolder(folder);
  const path = join(journal, IDENTITY_FILE);
  mkdirSync(journal, { recursive: true });
  if (!existsSync(path)) writeFileSync(path, stream.identity);
  const identity = readFileSync(path, "utf8");
  if (identity === stream.identity) return;
  throw new LogFault(`${path} says that this is a copy of the stream ${identity}, not of ${stream.identity}`);
}

/**
 * Extends the copy to the end of the stream; returns sequence number and term of the last message. Throws if the stream
 * ends before the copy: then commands that were acknowledged are lost.
 */
export async function completeCopy(
  stream: CommandStream,
  log: Journal,
  onProgress: (line: string) => void,
): Promise<{ readonly seq: number; readonly term: number }> {
  const lastSeq = await stream.lastSeq();
  if (lastSeq === 0) {
    if (log.nextNumber > 1) throw lostCommands(log.nextNumber - 1, 0);
    return { seq: 0, term: 0 };
  }
  const last = await stream.read(lastSeq);
  const lastNumber = last.firstNumber + last.records.length - 1;
  if (log.nextNumber - 1 > lastNumber) throw lostCommands(log.nextNumber - 1, lastNumber);
  const found = log.nextNumber - 1;
  if (found < lastNumber) {
    onProgress(`copying the commands ${found + 1} to ${lastNumber} from the stream`);
    await copyUntil(stream, log, lastSeq);
  }
  return { seq: lastSeq, term: last.term };
}

async function copyUntil(stream: CommandStream, log: Journal, lastSeq: number): Promise<void> {
  const from = await stream.seqOf(log.nextNumber);
  if (from === 0) {
    throw new LogFault(
      `the stream begins behind command ${log.nextNumber}: start another member first and then this one with an empty folder, or ` +
        "copy the other's journal and snapshots into this folder",
    );
  }
  const done = new AbortController();
  for await (const pack of stream.follow(from - 1, done.signal)) {
    await copyPack(log, pack);
    if (pack.seq >= lastSeq) break;
  }
  done.abort();
}

const lostCommands = (copied: number, kept: number) =>
  new LogFault(`the stream of commands ends with command ${kept}, but ${copied} was acknowledged: part of it is lost`);

/** The pack's records from this number on. Throws if there is a gap before the pack. */
export function newRecords(pack: PlacedPack, nextNumber: number): readonly PackedRecord[] {
  if (pack.firstNumber > nextNumber) {
    throw new LogFault(`message ${pack.seq} begins with command ${pack.firstNumber}, not with ${nextNumber}`);
  }
  return nextNumber === pack.firstNumber ? pack.records : pack.records.slice(nextNumber - pack.firstNumber);
}

/**
 * Appends what the copy lacks of a pack. In format 2 a pack is one frame, so that all copies have the same chain (PRF-1); one
 * that does not continue the copy's chain is of another log than the copy.
 */
export async function copyPack(
  log: Pick<Journal, "append" | "place" | "nextNumber" | "beginAs" | "followRules">,
  pack: PlacedPack,
): Promise<void> {
  const records = newRecords(pack, log.nextNumber);
  if (records.length === 0) return;
  const { rulesVersion, chain } = pack.place;
  if (log.nextNumber === 1) log.beginAs(pack.place);
  else if (chain !== undefined) log.followRules(rulesVersion, () => Buffer.from(chain));
  if (chain === undefined) return appendRecords(log, records);
  if (records.length !== pack.records.length || log.place.chain?.equals(chain) !== true) {
    throw new LogFault(`message ${pack.seq} does not continue the chain of this copy at command ${log.nextNumber}`);
  }
  await log.append(records.map(({ bytes }) => bytes));
}

/** In parts that the journal takes. */
async function appendRecords(log: Pick<Journal, "append">, records: readonly PackedRecord[]): Promise<void> {
  let part: Uint8Array[] = [];
  let length_bytes = 0;
  for (const { bytes } of records) {
    if (length_bytes + FRAME_bytes + bytes.length > MAX_APPEND_bytes) {
      await log.append(part);
      part = [];
      length_bytes = 0;
    }
    part.push(bytes);
    length_bytes += FRAME_bytes + bytes.length;
  }
  if (part.length > 0) await log.append(part);
}
