import { movedInto } from "../book/columns.ts";
import { CodecFault } from "./codec-fault.ts";

const FIRST_CAPACITY = 1024;
const MAX_BYTES_PER_NUMBER = 10;
const MAX_SAFE = Number.MAX_SAFE_INTEGER;
/** Signed numbers are mapped to unsigned ones, which leaves them one bit less. */
const SIGNED_END = 2 ** 52;
/** The largest number for which the integer operators of the language work. */
const MAX_INT31 = 0x7fff_ffff;
const MAX_LATIN_1 = 0xff;

/**
 * Writes numbers and texts as bytes into a growing buffer that is reused. A whole number from 0 to 2^53 − 1 takes seven
 * bits per byte, the lowest first; the high bit marks that more bytes follow. The two bytes 80 00 would be a long form
 * of 0, so they mark a number of another kind: eight bytes of a double follow. Every finite number has exactly one
 * form.
 */
export class ByteWriter {
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

  /** Drops what was written after the first `length` bytes. */
  cutTo(length: number): void {
    if (length > this.#length) throw new CodecFault(`${this.#length} bytes cannot be cut to ${length}`);
    this.#length = length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#view.setUint32(this.#length, value, true);
    this.#length += 4;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  flag(value: boolean): void {
    if (typeof value !== "boolean") throw new CodecFault(`${typeof value} instead of a boolean`);
    this.byte(value ? 1 : 0);
  }

  /** Any finite number; whole numbers from 0 on are short. */
  number(value: number): void {
    this.#reserve(MAX_BYTES_PER_NUMBER);
    if (isPlain(value)) this.#plain(value);
    else this.#double(value);
  }

  /** Any finite number; whole numbers near 0 are short. */
  signed(value: number): void {
    this.#reserve(MAX_BYTES_PER_NUMBER);
    if (isFoldable(value)) this.#plain(value < 0 ? -2 * value - 1 : 2 * value);
    else this.#double(value);
  }

  /** Any text, even invalid Unicode: one byte per character if all are Latin-1, else two. */
  text(value: string): void {
    if (typeof value !== "string") throw new CodecFault(`${typeof value} instead of a text`);
    const { length } = value;
    this.#reserve(MAX_BYTES_PER_NUMBER + length * 2);
    const start = this.#length;
    this.#plain(length * 2);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < length; i += 1) {
      const code = value.charCodeAt(i);
      if (code > MAX_LATIN_1) {
        this.#length = start;
        this.#wideText(value);
        return;
      }
      bytes[at++] = code;
    }
    this.#length = at;
  }

  #wideText(value: string): void {
    this.#plain(value.length * 2 + 1);
    for (let i = 0; i < value.length; i += 1) {
      this.#view.setUint16(this.#length, value.charCodeAt(i), true);
      this.#length += 2;
    }
  }

  #plain(value: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value;
    while (rest > MAX_INT31) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      bytes[at++] = (rest & 0x7f) | 0x80;
      rest >>= 7;
    }
    bytes[at++] = rest;
    this.#length = at;
  }

  #double(value: number): void {
    if (!Number.isFinite(value)) throw new CodecFault(`${String(value)} is no finite number`);
    this.#bytes[this.#length] = 0x80;
    this.#bytes[this.#length + 1] = 0;
    this.#view.setFloat64(this.#length + 2, value, true);
    this.#length += MAX_BYTES_PER_NUMBER;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed > this.#bytes.length) this.#grow(needed);
  }

  #grow(needed: number): void {
    let capacity = this.#bytes.length * 2;
    while (capacity < needed) capacity *= 2;
    this.#bytes = movedInto(new Uint8Array(capacity), this.#bytes);
    this.#view = new DataView(this.#bytes.buffer);
  }
}

/** Whether a number has the short form: whole, at least 0, and not −0, which the short form would lose. */
export function isPlain(value: number): boolean {
  if (typeof value !== "number" || !(value >= 0 && value <= MAX_SAFE) || Math.floor(value) !== value) return false;
  return value !== 0 || Object.is(value, 0);
}

export function isFoldable(value: number): boolean {
  if (typeof value !== "number" || !(value >= -SIGNED_END && value < SIGNED_END)) return false;
  return Math.floor(value) === value && (value !== 0 || Object.is(value, 0));
}
