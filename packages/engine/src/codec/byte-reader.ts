import { isFoldable, isPlain } from "./byte-writer.ts";
import { CodecFault } from "./codec-fault.ts";

/** Marks a number that is not plain: its eight bytes follow the two bytes of the marker. */
const NOT_PLAIN = -1;
/** Four bytes of a plain number carry 28 bits. */
const LOW_END = 2 ** 28;
const HIGH_END = 2 ** 25;
/** A call accepts a limited number of arguments. */
const CHARACTERS_PER_CALL = 4096;

/**
 * Reads only what a `ByteWriter` has written: a number or text in another form than the writer's is a `CodecFault`, and
 * so are bytes that end too early.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #codes: number[] = [];
  #at = 0;
  #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.length;
  }

  get remaining(): number {
    return this.#end - this.#at;
  }

  /** Restricts the reader to a range of the bytes, so that one reader serves all records of a part of a file. */
  setRange(start: number, end: number): void {
    if (!(start >= 0 && start <= end && end <= this.#bytes.length)) throw tooShort();
    this.#at = start;
    this.#end = end;
  }

  byte(): number {
    if (this.#at >= this.#end) throw tooShort();
    return this.#bytes[this.#at++]!;
  }

  flag(): boolean {
    const value = this.byte();
    if (value > 1) throw new CodecFault(`${value} instead of a yes or no`);
    return value === 1;
  }

  number(): number {
    const value = this.#plain();
    return value === NOT_PLAIN ? this.#double(isPlain) : value;
  }

  signed(): number {
    const folded = this.#plain();
    if (folded === NOT_PLAIN) return this.#double(isFoldable);
    const half = Math.floor(folded / 2);
    return half * 2 === folded ? half : -half - 1;
  }

  /** A count or a number of something: accepts only the plain form. */
  count(): number {
    const value = this.#plain();
    if (value === NOT_PLAIN) throw new CodecFault("a count that is no whole number");
    return value;
  }

  text(): string {
    const header = this.count();
    const length = Math.floor(header / 2);
    return header % 2 === 0 ? this.#latinText(length) : this.#wideText(length);
  }

  #latinText(length: number): string {
    const at = this.#skip(length);
    if (length <= CHARACTERS_PER_CALL) return this.#characters(at, length);
    let text = "";
    for (let done = 0; done < length; done += CHARACTERS_PER_CALL) {
      text += this.#characters(at + done, Math.min(length - done, CHARACTERS_PER_CALL));
    }
    return text;
  }

  /** Fills one array that is reused for every call: the fastest way to read a short text. */
  #characters(at: number, length: number): string {
    const bytes = this.#bytes;
    const codes = this.#codes;
    codes.length = length;
    for (let i = 0; i < length; i += 1) codes[i] = bytes[at + i]!;
    return String.fromCharCode.apply(null, codes);
  }

  #wideText(length: number): string {
    const at = this.#skip(length * 2);
    let text = "";
    let isWide = false;
    for (let i = 0; i < length; i += 1) {
      const code = this.#view.getUint16(at + i * 2, true);
      if (code > 0xff) isWide = true;
      text += String.fromCharCode(code);
    }
    if (!isWide) throw new CodecFault("a text in a longer form than it needs");
    return text;
  }

  #plain(): number {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    if (at >= end) throw tooShort();
    let byte = bytes[at++]!;
    let low = byte & 0x7f;
    let high = 0;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      if (at >= end) throw tooShort();
      byte = bytes[at++]!;
      if (shift < 28) low |= (byte & 0x7f) << shift;
      else if (shift < 56) high |= (byte & 0x7f) << (shift - 28);
      else throw new CodecFault("a number of too many bytes");
      if (byte === 0) {
        if (shift !== 7 || low !== 0) throw new CodecFault("a number in a longer form than it needs");
        this.#at = at;
        return NOT_PLAIN;
      }
    }
    if (high >= HIGH_END) throw new CodecFault("a number beyond 2^53");
    this.#at = at;
    return high * LOW_END + low;
  }

  #double(hasShortForm: (value: number) => boolean): number {
    const value = this.#view.getFloat64(this.#skip(8), true);
    if (!Number.isFinite(value)) throw new CodecFault(`${value} is no finite number`);
    if (hasShortForm(value)) throw new CodecFault("a number in a longer form than it needs");
    return value;
  }

  /** Returns the offset at which the skipped bytes begin. */
  #skip(count: number): number {
    const at = this.#at;
    if (count > this.#end - at) throw tooShort();
    this.#at = at + count;
    return at;
  }
}

function tooShort(): CodecFault {
  return new CodecFault("the bytes end too early");
}
