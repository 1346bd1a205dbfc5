/** FUT-13: the seconds of the book that count for the mark. */
export const WINDOW_SECONDS = 30;

const NEVER = -1;

/**
 * FUT-13 from rules version 5 on: how far the clamped impact prices were from the index in the last 30 seconds. The
 * window always holds 30 seconds; a second without a sample counts 0.
 */
export class BookWindow {
  readonly #seconds = new Float64Array(WINDOW_SECONDS).fill(NEVER);
  readonly #offsetTicks = new Float64Array(WINDOW_SECONDS);

  /** One sample for a second: a later one of the same second replaces it. */
  set(time_ms: number, offsetTicks: number): void {
    const second = Math.floor(time_ms / 1_000);
    const place = second % WINDOW_SECONDS;
    this.#seconds[place] = second;
    this.#offsetTicks[place] = offsetTicks;
  }

  /** The sum of the 30 seconds that end with this one. */
  sumAt(now_ms: number): number {
    const last = Math.floor(now_ms / 1_000);
    return this.#offsetTicks.reduce((sum, offset, place) => {
      const second = this.#seconds[place]!;
      return second > last - WINDOW_SECONDS && second <= last ? sum + offset : sum;
    }, 0);
  }
}
