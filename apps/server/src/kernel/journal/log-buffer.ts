import { FRAME_bytes } from "./log-format.ts";

const FIRST_CAPACITY = 65_536;
const CRC_POLYNOMIAL = 0xedb8_8320;

/** The CRC-32 remainder of each byte value. */
const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 0 ? crc >>> 1 : (crc >>> 1) ^ CRC_POLYNOMIAL;
  return crc;
});

/** A reusable, growing buffer for what is appended to a log. */
export class LogBuffer {
  #bytes = Buffer.alloc(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes written so far; valid until the next write. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Makes room for this many bytes more and returns their offset; the caller fills them in. */
  extend(count: number): number {
    this.#reserve(count);
    this.#length += count;
    return this.#length - count;
  }

  /** The length, seven bits a byte with the lowest first, and then the bytes. */
  sized(bytes: Uint8Array): void {
    const { length } = bytes;
    const lengthBytes = length <= 0x7f ? 1 : length <= 0x3fff ? 2 : length <= 0x1f_ffff ? 3 : 4;
    let at = this.extend(lengthBytes + length);
    const target = this.#bytes;
    let rest = length;
    for (; rest > 0x7f; rest >>>= 7) target[at++] = (rest & 0x7f) | 0x80;
    target[at++] = rest;
    target.set(bytes, at);
  }

  raw(bytes: Uint8Array): void {
    const at = this.extend(bytes.length);
    this.#bytes.set(bytes, at);
  }

  /**
   * A record of format 1. Copies and sums up in one loop. Most records have 20 to 60 bytes, for which `crc32` of node:zlib and a copy
   * take half as long again; from about 100 bytes on they would be the quicker way.
   */
  record(command: Uint8Array): void {
    const { length } = command;
    const at = this.extend(FRAME_bytes + length) + FRAME_bytes;
    const bytes = this.#bytes;
    let crc = -1;
    for (let i = 0; i < length; i += 1) {
      const byte = command[i]!;
      bytes[at + i] = byte;
      crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
    }
    bytes.writeUInt32LE(length, at - FRAME_bytes);
    bytes.writeInt32LE(~crc, at - 4);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
