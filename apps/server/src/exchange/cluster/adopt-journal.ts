import { ByteWriter, type Command } from "@bourse/engine";
import type { Journal } from "../../kernel/journal/journal.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";
import { listSegments } from "../../kernel/journal/segments.ts";
import { encodeRecord } from "../host/command-record.ts";
import { openSegmentReader } from "../journal/replay.ts";
import type { CommandStream } from "./command-stream.ts";
import { type Pack, type PackedRecord, packedLength } from "./pack.ts";

const ENOUGH_PER_MESSAGE_bytes = 262_144;
/** The term of packs that no leader has written. */
const NO_TERM = 0;

/**
 * Moves an exchange from a local journal to NATS: writes the journal's commands to an empty stream. One process does
 * this while no other process runs; after an interruption it continues behind the last pack written.
 */
export async function adoptJournal(
  stream: CommandStream,
  folder: string,
  log: Pick<Journal, "nextNumber">,
  onProgress: (line: string) => void,
): Promise<void> {
  const lastNumber = log.nextNumber - 1;
  let seq = await stream.lastSeq();
  let next = 1;
  if (seq > 0) {
    const last = await stream.read(seq);
    // A leader has written to the stream since, so the journal is not needed.
    if (last.term !== NO_TERM) return;
    next = last.firstNumber + last.records.length;
  }
  if (next > lastNumber) return;
  onProgress(`writing the commands ${next} to ${lastNumber} of the journal to the stream`);
  const { signal } = new AbortController();
  for (const { records, place } of packsOf(folder, next)) {
    seq = await stream.write({ term: NO_TERM, firstNumber: next, records, place }, seq, signal);
    next += records.length;
  }
}

/** A frame of format 2 stays one; records of format 1 are gathered. */
function* packsOf(folder: string, from: number): Generator<Pick<Pack, "records" | "place">> {
  const segments = listSegments(folder);
  if (from < (segments[0]?.firstNumber ?? 1)) {
    throw new LogFault(
      `the journal in ${folder} begins with command ${segments[0]?.firstNumber}: copy the earlier segments from BACKUP_DIR into it`,
    );
  }
  for (const segment of segments) {
    const reader = openSegmentReader(segment);
    const { rulesVersion } = reader.header;
    try {
      for (const { commands, chainBefore } of reader.frames(from)) {
        const place = { rulesVersion, chain: chainBefore };
        const limit_bytes = chainBefore === undefined ? ENOUGH_PER_MESSAGE_bytes : Number.POSITIVE_INFINITY;
        for (const records of gathered(commands, limit_bytes)) yield { records, place };
      }
    } finally {
      reader.close();
    }
  }
}

function* gathered(commands: Iterable<Command>, limit_bytes: number): Generator<readonly PackedRecord[]> {
  let records: PackedRecord[] = [];
  let length_bytes = 0;
  for (const command of commands) {
    const writer = new ByteWriter();
    encodeRecord(command, writer);
    const bytes = writer.bytes.slice();
    records.push({ bytes, origin: undefined });
    length_bytes += packedLength(bytes);
    if (length_bytes < limit_bytes) continue;
    yield records;
    records = [];
    length_bytes = 0;
  }
  if (records.length > 0) yield records;
}
