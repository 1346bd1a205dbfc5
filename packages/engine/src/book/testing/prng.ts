/** Repeatable numbers from a seed (splitmix32). Not for secrets. */
export class Prng {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to `bound` − 1, for bounds up to 2^53. */
  below(bound: number): number {
    if (bound <= 2 ** 21) return Math.floor((this.#uint32() / 2 ** 32) * bound);
    return Math.floor(((this.#uint32() * 2 ** 21 + (this.#uint32() >>> 11)) / 2 ** 53) * bound);
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  isIn(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  #uint32(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }
}
