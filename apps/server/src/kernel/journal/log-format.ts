import { crc32 } from "node:zlib";
import { DIGEST_bytes, NEWEST_RULES, OLDEST_RULES, RULES_WITH_REFERENCES } from "@bourse/engine";
import { StartRefusal } from "../start-refusal.ts";

/*
 * The two formats of a log of commands. All words have 32 bits and are little-endian.
 *
 * Format 1 (rules version 3). Header: magic, format, rules version, number of the first command (two words). Then records of
 * length, CRC-32 and the command's bytes.
 *
 * Format 2 (PRF-1). Header: the same, then the chain before the first frame (32 bytes) and the CRC-32 of the header. Then blocks
 * of type (one byte), length, CRC-32 and content. A frame is a block of type FRAME: number of its first command (two words),
 * its records (each a length of seven bits a byte, and bytes), and the chain, which is SHA-256 over the previous chain and the
 * content before it. A block of type PRIVATE belongs to the frame behind it and holds the disclosures of its records: number of
 * the command (two words), length, bytes. It is part of neither frame nor chain, so the log can be published without it.
 */

export const MAGIC = "BOURSLOG";
/** Of format 1, and the beginning of a header of format 2. */
export const HEADER_bytes = MAGIC.length + 16;
export const CHAINED_HEADER_bytes = HEADER_bytes + DIGEST_bytes + 4;
/** Before each record of format 1. */
export const FRAME_bytes = 8;
/** Before the content of each block of format 2. */
export const BLOCK_bytes = 9;
export const FRAME = 1;
export const PRIVATE = 2;
export const NUMBER_bytes = 8;
export const WORD_END = 2 ** 32;

export const PLAIN_FORMAT = 1;
export const CHAINED_FORMAT = 2;
export const formatOfRules = (rulesVersion: number) =>
  rulesVersion >= RULES_WITH_REFERENCES ? CHAINED_FORMAT : PLAIN_FORMAT;

/** A log that cannot be read; the message says where and why. */
export class LogFault extends StartRefusal {
  constructor(message: string) {
    super(message);
    this.name = "LogFault";
  }
}

export interface SegmentHeader {
  /** The number of the first command. */
  readonly firstNumber: number;
  /** The rules that hold before the first command; who reads the segment needs to know at least these (LOG-5). */
  readonly rulesVersion: number;
  /** Before the first frame; undefined in format 1. */
  readonly chain: Buffer | undefined;
}

export const headerLength = ({ rulesVersion }: Pick<SegmentHeader, "rulesVersion">): number =>
  formatOfRules(rulesVersion) === CHAINED_FORMAT ? CHAINED_HEADER_bytes : HEADER_bytes;

export function writeHeader({ firstNumber, rulesVersion, chain }: SegmentHeader): Buffer {
  const bytes = Buffer.alloc(headerLength({ rulesVersion }));
  bytes.write(MAGIC, "latin1");
  const words = [formatOfRules(rulesVersion), rulesVersion, firstNumber % WORD_END, Math.floor(firstNumber / WORD_END)];
  for (const [place, word] of words.entries()) bytes.writeUInt32LE(word, MAGIC.length + place * 4);
  if (chain === undefined) return bytes;
  chain.copy(bytes, HEADER_bytes);
  const end = HEADER_bytes + DIGEST_bytes;
  bytes.writeUInt32LE(crc32(bytes.subarray(0, end)), end);
  return bytes;
}

/** Reads the header at the beginning of these bytes; `path` names the file in a `LogFault`. */
export function readHeader(bytes: Buffer, path: string): SegmentHeader {
  const magic = bytes.toString("latin1", 0, Math.min(bytes.length, MAGIC.length));
  if (!MAGIC.startsWith(magic)) throw new LogFault(`${path} is no log of commands`);
  if (bytes.length < HEADER_bytes) throw new LogFault(`${path} ends within its header`);
  const word = (index: number) => bytes.readUInt32LE(MAGIC.length + index * 4);
  const [format, rulesVersion] = [word(0), word(1)];
  if (rulesVersion < OLDEST_RULES || rulesVersion > NEWEST_RULES) {
    const known = `this release knows ${OLDEST_RULES} to ${NEWEST_RULES}`;
    throw new LogFault(
      `${path} needs rules version ${rulesVersion}, ${known}: start the release that wrote it, or a later one`,
    );
  }
  if (format !== formatOfRules(rulesVersion)) {
    throw new LogFault(`${path} has format ${format}, which no log of rules version ${rulesVersion} has`);
  }
  const firstNumber = word(2) + word(3) * WORD_END;
  if (format === PLAIN_FORMAT) return { firstNumber, rulesVersion, chain: undefined };
  if (bytes.length < CHAINED_HEADER_bytes) throw new LogFault(`${path} ends within its header`);
  const end = HEADER_bytes + DIGEST_bytes;
  if (crc32(bytes.subarray(0, end)) !== bytes.readUInt32LE(end)) throw new LogFault(`the header of ${path} is damaged`);
  return { firstNumber, rulesVersion, chain: Buffer.from(bytes.subarray(HEADER_bytes, end)) };
}
