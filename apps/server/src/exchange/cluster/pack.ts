import { crc32 } from "node:zlib";
import { CODEC_VERSION, ENGINE_VERSION } from "@bourse/engine";
import type { Origin } from "../../kernel/journal/command-log.ts";
import { LogFault } from "../../kernel/journal/log-format.ts";

/*
 * A message of the command stream: the commands of one write. Magic, codec version, engine version, term, number of the
 * first command, count, CRC-32 of everything else; then records of sender, request, length and the command's bytes.
 * Words have 32 bits, numbers are 64-bit floats, little-endian. A pack without records begins a term.
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
}

const MAGIC = 0x4b_50_42_31;
const HEADER_bytes = 36;
const CHECKSUM_AT = 32;
const RECORD_HEADER_bytes = 20;
const NO_SENDER = 0;

/** The bytes that a record takes in a pack. */
export const packedLength = (record: Uint8Array) => RECORD_HEADER_bytes + record.length;

const checksumOf = (message: Buffer) => crc32(message.subarray(HEADER_bytes), crc32(message.subarray(0, CHECKSUM_AT)));

export function encodePack({ term, firstNumber, records }: Pack): Uint8Array {
  const length = records.reduce((sum, { bytes }) => sum + packedLength(bytes), HEADER_bytes);
  const message = Buffer.alloc(length);
  let at = HEADER_bytes;
  for (const { bytes, origin } of records) {
    message.writeDoubleLE(origin?.sender ?? NO_SENDER, at);
    message.writeDoubleLE(origin?.request ?? 0, at + 8);
    message.writeUInt32LE(bytes.length, at + 16);
    message.set(bytes, at + RECORD_HEADER_bytes);
    at += packedLength(bytes);
  }
  message.writeUInt32LE(MAGIC, 0);
  message.writeUInt32LE(CODEC_VERSION, 4);
  message.writeUInt32LE(ENGINE_VERSION, 8);
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
  const [codec, engine] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  if (codec !== CODEC_VERSION) throw fault(`has codec version ${codec}, this is version ${CODEC_VERSION}`);
  if (engine !== ENGINE_VERSION) throw fault(`is for engine version ${engine}, this is version ${ENGINE_VERSION}`);
  if (checksumOf(bytes) !== bytes.readUInt32LE(CHECKSUM_AT)) throw fault("has a wrong checksum");
  const count = bytes.readUInt32LE(28);
  const records: PackedRecord[] = [];
  let at = HEADER_bytes;
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
  return { term: bytes.readDoubleLE(12), firstNumber: bytes.readDoubleLE(20), records };
}
