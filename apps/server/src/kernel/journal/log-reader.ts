import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { ByteReader, CodecFault, type Command, DIGEST_bytes, decodeCommand, isDisclosureTrue } from "@bourse/engine";
import { MAX_APPEND_bytes, MAX_RECORD_bytes } from "./command-log.ts";
import { chainAfter } from "./framing.ts";
import {
  BLOCK_bytes,
  CHAINED_HEADER_bytes,
  FRAME,
  FRAME_bytes,
  headerLength,
  LogFault,
  NUMBER_bytes,
  PRIVATE,
  readHeader,
  type SegmentHeader,
  WORD_END,
} from "./log-format.ts";

const PIECE_bytes = 1_048_576;
/** Disclosures are a part of the records; framing adds less than the records' own size at most. */
const MAX_BLOCK_bytes = 2 * MAX_APPEND_bytes;

/** Reads a log from its beginning in chunks, because it may be larger than the memory. */
export class LogReader {
  readonly header: SegmentHeader;
  readonly size_bytes: number;
  readonly #path: string;
  readonly #file: number;
  #buffer = Buffer.alloc(PIECE_bytes);
  #reader = new ByteReader(this.#buffer);
  /** Offsets in the buffer: data that was read and not yet used. */
  #start = 0;
  #end = 0;
  /** The file offset at which the used part of the buffer ends. */
  #offset = 0;
  #tornBytes = 0;
  #lastNumber: number;
  #chain: Buffer | undefined;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "r");
    try {
      this.size_bytes = fstatSync(this.#file).size;
      this.#has(CHAINED_HEADER_bytes);
      this.header = readHeader(this.#buffer.subarray(0, this.#end), path);
      this.#use(headerLength(this.header));
      this.#lastNumber = this.header.firstNumber - 1;
      this.#chain = this.header.chain;
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  get offset_bytes(): number {
    return this.#offset;
  }

  /** The number of the last command read or skipped; the first number minus one before that. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** After the last frame that was read; undefined in format 1. */
  get chain(): Buffer | undefined {
    return this.#chain;
  }

  /** The length of an unfinished write at the end. Known after all commands were read. */
  get torn_bytes(): number {
    return this.#tornBytes;
  }

  /** Commands in order. Those before `fromNumber` are skipped: only checksums and chain are checked. */
  *commands(fromNumber = 0): Generator<Command> {
    if (this.#chain === undefined) yield* this.#plainCommands(fromNumber);
    else for (const { commands } of this.#chainedFrames(this.#chain, fromNumber)) yield* commands;
    this.#tornBytes = this.size_bytes - this.#offset;
  }

  /** The same by frames; all commands of format 1 are one, which has no end before the segment's. */
  *frames(fromNumber = 0): Generator<Frame> {
    if (this.#chain !== undefined) yield* this.#chainedFrames(this.#chain, fromNumber);
    else yield { chainBefore: undefined, commands: this.#plainCommands(fromNumber) };
    this.#tornBytes = this.size_bytes - this.#offset;
  }

  /** Checks all checksums without decoding, to find the end of the log. */
  skipAll(): void {
    for (const _ of this.commands(Number.POSITIVE_INFINITY));
  }

  close(): void {
    closeSync(this.#file);
  }

  *#plainCommands(fromNumber: number): Generator<Command> {
    for (let length = this.#nextLength(); length > 0; length = this.#nextLength()) {
      const isWanted = this.#lastNumber + 1 >= fromNumber;
      const command = isWanted ? this.#decode(this.#start + FRAME_bytes, length) : null;
      this.#use(FRAME_bytes + length);
      this.#lastNumber += 1;
      if (command !== null) yield command;
    }
  }

  *#chainedFrames(start: Buffer, fromNumber: number): Generator<Frame> {
    let chainBefore = start;
    for (let blocks = this.#nextBlocks(); blocks !== undefined; blocks = this.#nextBlocks()) {
      const { frame, disclosures } = blocks;
      const content = this.#buffer.subarray(frame.start, frame.end - DIGEST_bytes);
      this.#assertFirstNumber(content);
      const chain = this.#assertChain(chainBefore, content, frame.end);
      const privates = disclosures === undefined ? undefined : this.#readDisclosures(disclosures);
      const commands = this.#frameCommands(content, frame.start, privates, fromNumber);
      this.#chain = chain;
      this.#use(frame.end - this.#start);
      yield { chainBefore, commands };
      chainBefore = chain;
    }
  }

  #frameCommands(content: Buffer, start: number, privates: Map<number, Buffer> | undefined, from: number): Command[] {
    const commands: Command[] = [];
    for (let at = NUMBER_bytes; at < content.length; ) {
      const number = this.#lastNumber + 1;
      const { value: length, next } = this.#varint(content, at);
      at = next + length;
      if (length === 0 || at > content.length) throw this.#fault(`command ${number} has ${length} bytes`);
      if (number >= from) commands.push(this.#decodeWith(privates?.get(number), start + next, length));
      this.#lastNumber = number;
    }
    return commands;
  }

  /** A frame, and the disclosures before it where it has some; undefined at the end or at an unfinished write. */
  #nextBlocks(): { readonly disclosures: Block | undefined; readonly frame: Block } | undefined {
    const first = this.#block(0);
    if (first === undefined || first.type === FRAME) return first && { disclosures: undefined, frame: first };
    const size_bytes = first.end - this.#start;
    const frame = this.#block(size_bytes);
    if (frame === undefined) return undefined;
    if (frame.type !== FRAME) throw this.#fault("disclosures without a frame");
    // To read the frame may have moved the buffer's contents.
    return { disclosures: { type: PRIVATE, start: this.#start + BLOCK_bytes, end: this.#start + size_bytes }, frame };
  }

  /** The block so many bytes behind what is used. */
  #block(after_bytes: number): Block | undefined {
    if (!this.#has(after_bytes + BLOCK_bytes)) {
      if (this.#end - this.#start > 0) this.#torn("a block is cut short");
      return undefined;
    }
    const at = this.#start + after_bytes;
    const type = this.#buffer[at]!;
    const length = this.#buffer.readUInt32LE(at + 1);
    const isPossible = (type === FRAME || type === PRIVATE) && length > 0 && length <= MAX_BLOCK_bytes;
    if (!isPossible || !this.#has(after_bytes + BLOCK_bytes + length)) {
      this.#torn(`a block of type ${type} says that it has ${length} bytes`);
      return undefined;
    }
    const start = this.#start + after_bytes + BLOCK_bytes;
    if (crc32(this.#buffer.subarray(start, start + length)) !== this.#buffer.readUInt32LE(start - 4)) {
      this.#torn("a block's checksum is wrong");
      return undefined;
    }
    if (type === FRAME && length <= NUMBER_bytes + DIGEST_bytes) throw this.#fault("a frame without a command");
    return { type, start, end: start + length };
  }

  #assertFirstNumber(content: Buffer): void {
    const number = content.readUInt32LE(0) + content.readUInt32LE(4) * WORD_END;
    if (number === this.#lastNumber + 1) return;
    throw this.#fault(`a frame begins with command ${number}, not with ${this.#lastNumber + 1}`);
  }

  /** PRF-1. */
  #assertChain(previous: Buffer, content: Buffer, end: number): Buffer {
    const chain = chainAfter(previous, content);
    if (chain.equals(this.#buffer.subarray(end - DIGEST_bytes, end))) return chain;
    throw this.#fault(
      `the chain breaks at command ${this.#lastNumber + 1}: the log was altered, or is not of one piece`,
    );
  }

  #readDisclosures({ start, end }: Block): Map<number, Buffer> {
    const disclosures = new Map<number, Buffer>();
    const content = Buffer.from(this.#buffer.subarray(start, end));
    for (let at = 0; at < content.length; ) {
      if (at + NUMBER_bytes >= content.length) throw this.#fault("a disclosure is cut short");
      const number = content.readUInt32LE(at) + content.readUInt32LE(at + 4) * WORD_END;
      const { value: length, next } = this.#varint(content, at + NUMBER_bytes);
      at = next + length;
      if (length === 0 || at > content.length) throw this.#fault(`a disclosure of ${length} bytes`);
      disclosures.set(number, content.subarray(next, at));
    }
    return disclosures;
  }

  #varint(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
    let value = 0;
    for (let at = from, shift = 0; at < bytes.length && shift < 28; at += 1, shift += 7) {
      const byte = bytes[at]!;
      value |= (byte & 0x7f) << shift;
      if (byte <= 0x7f) return { value, next: at + 1 };
    }
    throw this.#fault("a length has too many bytes");
  }

  /** The length of the next complete and valid command of format 1; 0 at the end or at a torn record. */
  #nextLength(): number {
    if (!this.#has(FRAME_bytes)) return 0;
    const length = this.#buffer.readUInt32LE(this.#start);
    const isPossible = length > 0 && length <= MAX_RECORD_bytes;
    if (!isPossible || !this.#has(FRAME_bytes + length)) {
      this.#torn(`a record says that it has ${length} bytes`);
      return 0;
    }
    // Reading more may have moved the buffer's contents.
    const at = this.#start + FRAME_bytes;
    if (crc32(this.#buffer.subarray(at, at + length)) === this.#buffer.readUInt32LE(at - 4)) return length;
    this.#torn("a record's checksum is wrong");
    return 0;
  }

  /**
   * An unfinished write leaves the last record or block cut short, wrong or empty. If a valid one follows, or more bytes than one write
   * can leave, durable data is damaged.
   */
  #torn(fault: string): void {
    const rest_bytes = this.size_bytes - this.#offset;
    const isChained = this.#chain !== undefined;
    if (rest_bytes > (isChained ? MAX_BLOCK_bytes : MAX_APPEND_bytes)) throw this.#fault(fault);
    const rest = Buffer.alloc(rest_bytes);
    readSync(this.#file, rest, 0, rest_bytes, this.#offset);
    const prefix_bytes = isChained ? BLOCK_bytes : FRAME_bytes;
    const maxLength = isChained ? MAX_BLOCK_bytes : MAX_RECORD_bytes;
    for (let at = 1; at + prefix_bytes < rest_bytes; at += 1) {
      if (isChained && rest[at] !== FRAME) continue;
      const start = at + prefix_bytes;
      const end = start + rest.readUInt32LE(start - 8);
      if (end === start || end > rest_bytes || end - start > maxLength) continue;
      if (crc32(rest.subarray(start, end)) === rest.readUInt32LE(start - 4)) throw this.#fault(fault);
    }
  }

  #decodeWith(disclosure: Buffer | undefined, at: number, length: number): Command {
    if (disclosure === undefined) return this.#decode(at, length);
    const record = Buffer.concat([disclosure, this.#buffer.subarray(at, at + length)]);
    return this.#decoded(new ByteReader(record));
  }

  #decode(at: number, length: number): Command {
    this.#reader.setRange(at, at + length);
    return this.#decoded(this.#reader);
  }

  #decoded(reader: ByteReader): Command {
    try {
      const command = decodeCommand(reader);
      if (reader.remaining > 0) throw new CodecFault(`${reader.remaining} bytes too many`);
      if (!isDisclosureTrue(command)) throw new CodecFault("its private record is not what the log commits to");
      return command;
    } catch (error) {
      if (!(error instanceof CodecFault)) throw error;
      throw this.#fault(`command ${this.#lastNumber + 1} cannot be read: ${error.message}`);
    }
  }

  /** Whether this many unused bytes are available, after reading more of the file if needed. */
  #has(count: number): boolean {
    if (this.#end - this.#start >= count) return true;
    if (count > this.size_bytes - this.#offset) this.#fill();
    else this.#makeRoom(count);
    return this.#end - this.#start >= count;
  }

  #makeRoom(count: number): void {
    if (count > this.#buffer.length) {
      const larger = Buffer.alloc(count + PIECE_bytes);
      this.#buffer.copy(larger, 0, this.#start, this.#end);
      this.#buffer = larger;
      this.#reader = new ByteReader(larger);
      this.#end -= this.#start;
      this.#start = 0;
    }
    this.#fill();
  }

  #fill(): void {
    this.#buffer.copy(this.#buffer, 0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    while (this.#end < this.#buffer.length) {
      // A log may grow while it is read; later bytes are not part of this reading.
      const left = this.size_bytes - this.#offset - this.#end;
      const got = readSync(this.#file, this.#buffer, this.#end, Math.min(left, this.#buffer.length - this.#end), null);
      if (got === 0) break;
      this.#end += got;
    }
  }

  #use(count: number): void {
    this.#start += count;
    this.#offset += count;
  }

  #fault(message: string): LogFault {
    return new LogFault(`${this.#path} is damaged at byte ${this.#offset}: ${message}`);
  }
}

export interface Frame {
  /** Undefined in format 1. */
  readonly chainBefore: Buffer | undefined;
  readonly commands: Iterable<Command>;
}

/** A block of format 2: where its content lies in the buffer. */
interface Block {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}
