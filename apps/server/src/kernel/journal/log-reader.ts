import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { ByteReader, CODEC_VERSION, CodecFault, type Command, decodeCommand, ENGINE_VERSION } from "@bourse/engine";
import { MAX_APPEND_bytes, MAX_RECORD_bytes } from "./command-log.ts";
import { FRAME_bytes, HEADER_bytes, LogFault, MAGIC, WORD_END } from "./log-format.ts";

const PIECE_bytes = 1_048_576;

/** Reads a log from its beginning in chunks, because it may be larger than the memory. */
export class LogReader {
  /** The number of the first command. */
  readonly firstNumber: number;
  readonly size_bytes: number;
  readonly #path: string;
  readonly #file: number;
  readonly #buffer = Buffer.alloc(PIECE_bytes);
  readonly #reader = new ByteReader(this.#buffer);
  /** Offsets in the buffer: data that was read and not yet used. */
  #start = 0;
  #end = 0;
  /** The file offset at which the used part of the buffer ends. */
  #offset = 0;
  #tornBytes = 0;
  #lastNumber: number;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "r");
    try {
      this.size_bytes = fstatSync(this.#file).size;
      this.firstNumber = this.#readHeader();
      this.#lastNumber = this.firstNumber - 1;
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

  /** The length of an unfinished write at the end. Known after all commands were read. */
  get torn_bytes(): number {
    return this.#tornBytes;
  }

  /** Commands in order. Those before `fromNumber` are skipped: only their checksums are checked. */
  *commands(fromNumber = 0): Generator<Command> {
    for (let length = this.#nextLength(); length > 0; length = this.#nextLength()) {
      const isWanted = this.#lastNumber + 1 >= fromNumber;
      const command = isWanted ? this.#decode(this.#start + FRAME_bytes, length) : null;
      this.#use(FRAME_bytes + length);
      this.#lastNumber += 1;
      if (command !== null) yield command;
    }
    this.#tornBytes = this.size_bytes - this.#offset;
  }

  /** Checks all checksums without decoding, to find the end of the log. */
  skipAll(): void {
    for (const _ of this.commands(Number.POSITIVE_INFINITY));
  }

  close(): void {
    closeSync(this.#file);
  }

  /** The length of the next complete and valid command; 0 at the end or at a torn record. */
  #nextLength(): number {
    if (!this.#has(FRAME_bytes)) return 0;
    const length = this.#buffer.readUInt32LE(this.#start);
    if (length === 0 || length > MAX_RECORD_bytes) return this.#torn(`a record says that it has ${length} bytes`);
    if (!this.#has(FRAME_bytes + length)) return this.#torn(`a record says that it has ${length} bytes`);
    // Reading more may have moved the buffer's contents.
    const at = this.#start + FRAME_bytes;
    if (crc32(this.#buffer.subarray(at, at + length)) === this.#buffer.readUInt32LE(at - 4)) return length;
    return this.#torn("a record's checksum is wrong");
  }

  /**
   * An unfinished write leaves the last record cut short, wrong or empty. If a valid record follows, or more bytes than one write
   * can leave, durable data is damaged.
   */
  #torn(fault: string): 0 {
    const rest_bytes = this.size_bytes - this.#offset;
    if (rest_bytes > MAX_APPEND_bytes) throw this.#fault(fault);
    const rest = Buffer.alloc(rest_bytes);
    readSync(this.#file, rest, 0, rest_bytes, this.#offset);
    for (let at = 1; at + FRAME_bytes < rest_bytes; at += 1) {
      const start = at + FRAME_bytes;
      const end = start + rest.readUInt32LE(at);
      if (end === start || end > rest_bytes || end - start > MAX_RECORD_bytes) continue;
      if (crc32(rest.subarray(start, end)) === rest.readUInt32LE(at + 4)) throw this.#fault(fault);
    }
    return 0;
  }

  #readHeader(): number {
    const isWhole = this.#has(HEADER_bytes);
    const magic = this.#buffer.toString("latin1", 0, Math.min(this.#end, MAGIC.length));
    if (!MAGIC.startsWith(magic)) throw new LogFault(`${this.#path} is no log of commands`);
    if (!isWhole) throw new LogFault(`${this.#path} ends within its header`);
    const word = (index: number) => this.#buffer.readUInt32LE(MAGIC.length + index * 4);
    if (word(0) !== CODEC_VERSION) {
      throw new LogFault(`${this.#path} has codec version ${word(0)}, this is version ${CODEC_VERSION}`);
    }
    if (word(1) !== ENGINE_VERSION) {
      throw new LogFault(`${this.#path} is for engine version ${word(1)}, this is version ${ENGINE_VERSION}`);
    }
    this.#use(HEADER_bytes);
    return word(2) + word(3) * WORD_END;
  }

  #decode(at: number, length: number): Command {
    const reader = this.#reader;
    try {
      reader.setRange(at, at + length);
      const command = decodeCommand(reader);
      if (reader.remaining > 0) throw new CodecFault(`${reader.remaining} bytes too many`);
      return command;
    } catch (error) {
      if (!(error instanceof CodecFault)) throw error;
      throw this.#fault(`a record is no command: ${error.message}`);
    }
  }

  /** Whether this many unused bytes are available, after reading more of the file if needed. */
  #has(count: number): boolean {
    if (this.#end - this.#start >= count) return true;
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
    return this.#end >= count;
  }

  #use(count: number): void {
    this.#start += count;
    this.#offset += count;
  }

  #fault(message: string): LogFault {
    return new LogFault(`${this.#path} is damaged at byte ${this.#offset}: ${message}`);
  }
}
