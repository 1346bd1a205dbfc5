/** Pseudo-random numbers from a seed (a mixed counter; 32 bits). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(limit: number): number {
    return this.#next() % limit;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error("there is nothing to pick from");
    return item;
  }

  /** True in `percent` of a hundred cases. */
  isIn(percent: number): boolean {
    return this.below(100) < percent;
  }

  #next(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  }
}
