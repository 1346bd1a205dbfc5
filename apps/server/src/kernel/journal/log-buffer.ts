import { CODEC_VERSION, ENGINE_VERSION } from "@bourse/engine";
import { FRAME_bytes, HEADER_bytes, MAGIC, WORD_END } from "./log-format.ts";

const FIRST_CAPACITY = 65_536;
const CRC_POLYNOMIAL = 0xedb8_8320;

/** The CRC-32 remainder of each byte value. */
const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ CRC_POLYNOMIAL;
  return crc;
});

/** A reusable, growing buffer for a log's header and records. */
export class LogBuffer {
  #bytes = new Uint8Array(FIRST_CAPACITY);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far; valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  header(firstNumber: number): void {
    this.#reserve(HEADER_bytes);
    this.#bytes.set(Buffer.from(MAGIC, "latin1"), this.#length);
    const words = [CODEC_VERSION, ENGINE_VERSION, firstNumber % WORD_END, Math.floor(firstNumber / WORD_END)];
    for (const [place, word] of words.entries()) {
      this.#view.setUint32(this.#length + MAGIC.length + place * 4, word, true);
    }
    this.#length += HEADER_bytes;
  }

  /**
   * Copies and sums up in one loop. Most records have 20 to 60 bytes, for which `crc32` of node:zlib and a copy take half
   * as long again; from about 100 bytes on they would be the quicker way.
   */
  record(command: Uint8Array): void {
    const { length } = command;
    this.#reserve(FRAME_bytes + length);
    const bytes = this.#bytes;
    const at = this.#length + FRAME_bytes;
    let crc = -1;
    for (let i = 0; i < length; i += 1) {
      const byte = command[i]!;
      bytes[at + i] = byte;
      crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
    }
    this.#view.setUint32(at - FRAME_bytes, length, true);
    this.#view.setUint32(at - 4, ~crc, true);
    this.#length = at + length;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.bytes);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
