const WINDOW_s = 60;

/** FUT-21: the highest and the lowest index of this second and the 59 before it, by second of engine time. */
export class IndexWindow {
  /** Rings: a second's place is its number modulo 60. */
  readonly #seconds = new Float64Array(WINDOW_s).fill(-1);
  readonly #highest = new Float64Array(WINDOW_s);
  readonly #lowest = new Float64Array(WINDOW_s);

  note(second: number, ticks: number): void {
    const at = second % WINDOW_s;
    const isNew = this.#seconds[at] !== second;
    this.#seconds[at] = second;
    this.#highest[at] = isNew ? ticks : Math.max(this.#highest[at]!, ticks);
    this.#lowest[at] = isNew ? ticks : Math.min(this.#lowest[at]!, ticks);
  }

  /** Restores a second of a snapshot. */
  restore(second: number, highest: number, lowest: number): void {
    this.note(second, highest);
    this.note(second, lowest);
  }

  /** The highest less the lowest; 0 without a price. */
  range(now_s: number): number {
    let highest = 0;
    let lowest = Number.POSITIVE_INFINITY;
    for (let at = 0; at < WINDOW_s; at += 1) {
      if (this.#seconds[at]! <= now_s - WINDOW_s) continue;
      highest = Math.max(highest, this.#highest[at]!);
      lowest = Math.min(lowest, this.#lowest[at]!);
    }
    return highest === 0 ? 0 : highest - lowest;
  }

  /** The seconds that still count, oldest first. */
  *seconds(now_s: number): Generator<{ second: number; highest: number; lowest: number }> {
    for (let second = Math.max(0, now_s - WINDOW_s + 1); second <= now_s; second += 1) {
      const at = second % WINDOW_s;
      if (this.#seconds[at] === second) yield { second, highest: this.#highest[at]!, lowest: this.#lowest[at]! };
    }
  }

  clear(): void {
    this.#seconds.fill(-1);
  }
}
