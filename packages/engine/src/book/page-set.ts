/**
 * A set of the numbers 0 … 16,383 that finds its highest member below a number with three reads: a bitmap, a bitmap of
 * the bitmap's non-zero words, and one word above that.
 */
export class PageSet {
  readonly #words = new Int32Array(512);
  readonly #summaries = new Int32Array(16);
  #top = 0;

  add(member: number): void {
    this.#words[member >>> 5]! |= 1 << (member & 31);
    this.#summaries[member >>> 10]! |= 1 << ((member >>> 5) & 31);
    this.#top |= 1 << (member >>> 10);
  }

  delete(member: number): void {
    this.#words[member >>> 5]! &= ~(1 << (member & 31));
    if (this.#words[member >>> 5] !== 0) return;
    this.#summaries[member >>> 10]! &= ~(1 << ((member >>> 5) & 31));
    if (this.#summaries[member >>> 10] === 0) this.#top &= ~(1 << (member >>> 10));
  }

  /** −1 if there is none. */
  highestBelow(bound: number): number {
    const bits = this.#words[bound >>> 5]! & bitsBelow(bound);
    if (bits !== 0) return (bound & ~31) | highestBit(bits);
    const summary = this.#summaries[bound >>> 10]! & bitsBelow(bound >>> 5);
    if (summary !== 0) return this.#highestIn(((bound >>> 10) << 5) | highestBit(summary));
    const top = this.#top & bitsBelow(bound >>> 10);
    if (top === 0) return -1;
    const group = highestBit(top);
    return this.#highestIn((group << 5) | highestBit(this.#summaries[group]!));
  }

  #highestIn(word: number): number {
    return (word << 5) | highestBit(this.#words[word]!);
  }
}

/** A mask of the bits below the bit that the low five bits of `index` name. */
export function bitsBelow(index: number): number {
  return ~(-1 << (index & 31));
}

export function highestBit(word: number): number {
  return 31 - Math.clz32(word);
}
