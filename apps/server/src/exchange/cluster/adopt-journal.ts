import { ByteWriter } from "@bourse/engine";
import type { Journal } from "../../kernel/journal/journal.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";
import { listSegments } from "../../kernel/journal/segments.ts";
import { encodeRecord } from "../host/command-record.ts";
import { openSegmentReader } from "../journal/replay.ts";
import type { CommandStream } from "./command-stream.ts";
import { type PackedRecord, packedLength } from "./pack.ts";

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
  for (const records of packsOf(folder, next)) {
    seq = await stream.write({ term: NO_TERM, firstNumber: next, records }, seq, signal);
    next += records.length;
  }
}

function* packsOf(folder: string, from: number): Generator<readonly PackedRecord[]> {
  const segments = listSegments(folder);
  if (from < (segments[0]?.firstNumber ?? 1)) {
    throw new LogFault(
      `the journal in ${folder} begins with command ${segments[0]?.firstNumber}: its beginning is needed`,
    );
  }
  let records: PackedRecord[] = [];
  let length_bytes = 0;
  for (const segment of segments) {
    const reader = openSegmentReader(segment);
    try {
      for (const command of reader.commands(from)) {
        const writer = new ByteWriter();
        encodeRecord(command, writer);
        const bytes = writer.bytes.slice();
        records.push({ bytes, origin: undefined });
        length_bytes += packedLength(bytes);
        if (length_bytes < ENOUGH_PER_MESSAGE_bytes) continue;
        yield records;
        records = [];
        length_bytes = 0;
      }
    } finally {
      reader.close();
    }
  }
  if (records.length > 0) yield records;
}
