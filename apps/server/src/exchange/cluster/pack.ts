import { crc32 } from "node:zlib";
import { DIGEST_bytes, NEWEST_RULES, OLDEST_RULES } from "@bourse/engine";
import type { Origin } from "../../kernel/journal/command-log.ts";
import type { JournalPlace } from "../../kernel/journal/journal.ts";
import { CHAINED_FORMAT, formatOfRules, LogFault } from "../../kernel/journal/log-format.ts";

/*
 * A message of the command stream: what an engine made durable at once. Magic, format, rules version, term, number of the first
 * command, count, CRC-32 of all else; in format 2 the chain before it (PRF-1); then records of sender, request, length and the
 * command's bytes. Words are 32 bits, numbers 64-bit floats, lowest byte first. A pack without records says that a term begins.
 * Every other pack is one frame of the log, in all copies of it.
 */

export interface PackedRecord {
  readonly bytes: Uint8Array;
  readonly origin: Origin | undefined;
}

export interface Pack {
  /** The term of the leader that wrote it; rises with every change of leader. */
  readonly term: number;
  /** The number of its first command; without records, of the next command. */
  readonly firstNumber: number;
  readonly records: readonly PackedRecord[];
  /** The rules and the chain before its first command; who reads it needs to know at least these rules (LOG-5). */
  readonly place: JournalPlace;
}

const MAGIC = 0x4b_50_42_31;
const HEADER_bytes = 36;
const CHECKSUM_AT = 32;
const RECORD_HEADER_bytes = 20;
const NO_SENDER = 0;

/** The bytes that a record takes in a pack. */
export const packedLength = (record: Uint8Array) => RECORD_HEADER_bytes + record.length;

const checksumOf = (message: Buffer) => crc32(message.subarray(HEADER_bytes), crc32(message.subarray(0, CHECKSUM_AT)));

export function encodePack({ term, firstNumber, records, place }: Pack): Uint8Array {
  const { rulesVersion, chain } = place;
  const start = HEADER_bytes + (chain?.length ?? 0);
  const length = records.reduce((sum, { bytes }) => sum + packedLength(bytes), start);
  const message = Buffer.alloc(length);
  chain?.copy(message, HEADER_bytes);
  let at = start;
  for (const { bytes, origin } of records) {
    message.writeDoubleLE(origin?.sender ?? NO_SENDER, at);
    message.writeDoubleLE(origin?.request ?? 0, at + 8);
    message.writeUInt32LE(bytes.length, at + 16);
    message.set(bytes, at + RECORD_HEADER_bytes);
    at += packedLength(bytes);
  }
  message.writeUInt32LE(MAGIC, 0);
  message.writeUInt32LE(formatOfRules(rulesVersion), 4);
  message.writeUInt32LE(rulesVersion, 8);
  message.writeDoubleLE(term, 12);
  message.writeDoubleLE(firstNumber, 20);
  message.writeUInt32LE(records.length, 28);
  message.writeUInt32LE(checksumOf(message), CHECKSUM_AT);
  return message;
}

/** Throws a `LogFault`, which names the message by `where`, for a damaged pack or another version. */
export function decodePack(message: Uint8Array, where: string): Pack {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const fault = (what: string) => new LogFault(`${where} ${what}`);
  if (bytes.length < HEADER_bytes || bytes.readUInt32LE(0) !== MAGIC) throw fault("holds no commands");
  const [format, rulesVersion] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  if (rulesVersion < OLDEST_RULES || rulesVersion > NEWEST_RULES) {
    throw fault(`needs rules version ${rulesVersion}, this release knows ${OLDEST_RULES} to ${NEWEST_RULES}`);
  }
  if (format !== formatOfRules(rulesVersion))
    throw fault(`has format ${format}, which its rules version does not have`);
  if (checksumOf(bytes) !== bytes.readUInt32LE(CHECKSUM_AT)) throw fault("has a wrong checksum");
  const count = bytes.readUInt32LE(28);
  const records: PackedRecord[] = [];
  const start = HEADER_bytes + (format === CHAINED_FORMAT ? DIGEST_bytes : 0);
  if (start > bytes.length) throw fault("lacks its chain");
  const chain = start === HEADER_bytes ? undefined : bytes.subarray(HEADER_bytes, start);
  let at = start;
  for (let place = 0; place < count; place += 1) {
    if (at + RECORD_HEADER_bytes > bytes.length) throw fault(`lacks records after the first ${place}`);
    const end = at + RECORD_HEADER_bytes + bytes.readUInt32LE(at + 16);
    if (end > bytes.length) throw fault(`lacks records after the first ${place}`);
    const sender = bytes.readDoubleLE(at);
    const origin = sender === NO_SENDER ? undefined : { sender, request: bytes.readDoubleLE(at + 8) };
    records.push({ bytes: bytes.subarray(at + RECORD_HEADER_bytes, end), origin });
    at = end;
  }
  if (at !== bytes.length) throw fault(`has ${bytes.length - at} bytes too many`);
  const place = { rulesVersion, chain };
  return { term: bytes.readDoubleLE(12), firstNumber: bytes.readDoubleLE(20), records, place };
}
