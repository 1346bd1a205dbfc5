/** Bytes are mixed in blocks of four words. */
const BLOCK_bytes = 16;
const MASK = BLOCK_bytes - 1;

/** The multipliers of MurmurHash3 for four 32-bit words; blocks are mixed as it does. */
const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

/**
 * A 128-bit hash of a stream of bytes, independent of how the stream is divided: every bit of the input affects every
 * bit of the result. It distinguishes states and finds damage; it does not protect against a deliberately forged state.
 */
export class ContentHash {
  #h1 = 0;
  #h2 = 0;
  #h3 = 0;
  #h4 = 0;
  /** The beginning of an incomplete block. */
  readonly #rest = new Uint8Array(BLOCK_bytes);
  readonly #restView = new DataView(this.#rest.buffer);
  #restLength = 0;
  #low = 0;
  #high = 0;

  update(bytes: Uint8Array): void {
    this.#count(bytes.length);
    let at = 0;
    if (this.#restLength > 0) {
      at = Math.min(BLOCK_bytes - this.#restLength, bytes.length);
      this.#rest.set(bytes.subarray(0, at), this.#restLength);
      this.#restLength += at;
      if (this.#restLength < BLOCK_bytes) return;
      this.#mix(this.#restView, 0, BLOCK_bytes);
    }
    const end = bytes.length - ((bytes.length - at) & MASK);
    this.#mix(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), at, end);
    this.#restLength = bytes.length - end;
    this.#rest.set(bytes.subarray(end));
  }

  /** The 16 bytes of the result. Nothing can be added afterwards. */
  digest(): Uint8Array {
    this.#rest.fill(0, this.#restLength);
    this.#mix(this.#restView, 0, BLOCK_bytes);
    let h1 = this.#h1 ^ this.#low;
    let h2 = this.#h2 ^ this.#high;
    let h3 = this.#h3 ^ this.#low;
    let h4 = this.#h4 ^ this.#high;
    h1 = (h1 + h2 + h3 + h4) | 0;
    h2 = (h2 + h1) | 0;
    h3 = (h3 + h1) | 0;
    h4 = (h4 + h1) | 0;
    h1 = avalanche(h1);
    h2 = avalanche(h2);
    h3 = avalanche(h3);
    h4 = avalanche(h4);
    h1 = (h1 + h2 + h3 + h4) | 0;
    const result = new DataView(new ArrayBuffer(BLOCK_bytes));
    result.setInt32(0, h1);
    result.setInt32(4, (h2 + h1) | 0);
    result.setInt32(8, (h3 + h1) | 0);
    result.setInt32(12, (h4 + h1) | 0);
    return new Uint8Array(result.buffer);
  }

  #count(bytes: number): void {
    const length = this.#low + bytes;
    this.#high = (this.#high + Math.floor(length / 2 ** 32)) >>> 0;
    this.#low = length >>> 0;
  }

  #mix(view: DataView, start: number, end: number): void {
    let h1 = this.#h1;
    let h2 = this.#h2;
    let h3 = this.#h3;
    let h4 = this.#h4;
    for (let at = start; at < end; at += BLOCK_bytes) {
      h1 ^= Math.imul(rotate(Math.imul(view.getInt32(at, true), C1), 15), C2);
      h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0;
      h2 ^= Math.imul(rotate(Math.imul(view.getInt32(at + 4, true), C2), 16), C3);
      h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0;
      h3 ^= Math.imul(rotate(Math.imul(view.getInt32(at + 8, true), C3), 17), C4);
      h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0;
      h4 ^= Math.imul(rotate(Math.imul(view.getInt32(at + 12, true), C4), 18), C1);
      h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0;
    }
    this.#h1 = h1;
    this.#h2 = h2;
    this.#h3 = h3;
    this.#h4 = h4;
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}

function avalanche(word: number): number {
  let mixed = word;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
