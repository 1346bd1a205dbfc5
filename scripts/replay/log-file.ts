import { closeSync, fstatSync, openSync, readSync, writeFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import {
  ByteReader,
  ByteWriter,
  CODEC_VERSION,
  CodecFault,
  decodeCommand,
  encodeCommand,
} from "../../packages/engine/src/codec/index.ts";
import { type Command, ENGINE_VERSION } from "../../packages/engine/src/index.ts";

/*
 * A log of commands: magic, codec version, engine version, number of the first command (two words); then records of
 * length, CRC-32 and the command's bytes. All words are 32 bits, lowest byte first.
 */

const MAGIC = "BOURSLOG";
const HEADER_bytes = MAGIC.length + 16;
const FRAME_bytes = 8;
const MOST_RECORD_bytes = 65_536;
const PIECE_bytes = 1_048_576;
const WORD_END = 2 ** 32;

/** A log that cannot be read; the message says where and why. */
export class LogFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "LogFault";
  }
}

/** A new file; one that is there already is not touched. */
export class LogWriter {
  readonly #file: number;
  readonly #command = new ByteWriter();
  readonly #pending = new ByteWriter();

  constructor(path: string, firstNumber = 1) {
    this.#file = openSync(path, "wx");
    this.#pending.raw(Buffer.from(MAGIC, "latin1"));
    for (const word of [CODEC_VERSION, ENGINE_VERSION, firstNumber % WORD_END, Math.floor(firstNumber / WORD_END)]) {
      this.#pending.uint32(word);
    }
  }

  append(command: Command): void {
    this.#command.clear();
    encodeCommand(command, this.#command);
    const { bytes } = this.#command;
    this.#pending.uint32(bytes.length);
    this.#pending.uint32(crc32(bytes));
    this.#pending.raw(bytes);
    if (this.#pending.length >= PIECE_bytes) this.#flush();
  }

  close(): void {
    try {
      this.#flush();
    } finally {
      closeSync(this.#file);
    }
  }

  #flush(): void {
    writeFileSync(this.#file, this.#pending.bytes);
    this.#pending.clear();
  }
}

/** Reads a log from its beginning, piece by piece: it may be larger than the memory. */
export class LogReader {
  /** The number of the first command. */
  readonly firstNumber: number;
  readonly size_bytes: number;
  readonly #path: string;
  readonly #file: number;
  readonly #buffer = Buffer.alloc(PIECE_bytes);
  readonly #reader = new ByteReader(this.#buffer);
  /** Of the buffer: what is read from the file and not yet used. */
  #start = 0;
  #end = 0;
  /** Of the file: where the buffer's used part ends. */
  #offset = 0;
  #tornBytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#file = openSync(path, "r");
    this.size_bytes = fstatSync(this.#file).size;
    try {
      this.firstNumber = this.#readHeader();
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  get offset_bytes(): number {
    return this.#offset;
  }

  /** What was cut off the end because its last record was never written whole. Known once all commands were read. */
  get torn_bytes(): number {
    return this.#tornBytes;
  }

  *commands(): Generator<Command> {
    while (this.#has(FRAME_bytes)) {
      const start = this.#start;
      const length = this.#buffer.readUInt32LE(start);
      if (length === 0 || length > MOST_RECORD_bytes) throw this.#fault(`a record says that it has ${length} bytes`);
      if (!this.#has(FRAME_bytes + length)) break;
      // Asking for more may have moved what is there.
      const at = this.#start + FRAME_bytes;
      const isRight = crc32(this.#buffer.subarray(at, at + length)) === this.#buffer.readUInt32LE(at - 4);
      const isLast = this.#offset + FRAME_bytes + length === this.size_bytes;
      if (!isRight && isLast) break;
      if (!isRight) throw this.#fault("a record's checksum is wrong");
      const command = this.#decode(at, length);
      this.#use(FRAME_bytes + length);
      yield command;
    }
    this.#tornBytes = this.size_bytes - this.#offset;
  }

  close(): void {
    closeSync(this.#file);
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

  /** Whether so many unused bytes are there, after reading more of the file where needed. */
  #has(count: number): boolean {
    if (this.#end - this.#start >= count) return true;
    this.#buffer.copy(this.#buffer, 0, this.#start, this.#end);
    this.#end -= this.#start;
    this.#start = 0;
    while (this.#end < this.#buffer.length) {
      const got = readSync(this.#file, this.#buffer, this.#end, this.#buffer.length - this.#end, null);
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
