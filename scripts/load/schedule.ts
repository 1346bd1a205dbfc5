/** Returns numbers from 0 up to, but not including, 1. */
export type RandomNumbers = () => number;

/**
 * The times at which requests are due, independent of earlier requests: arrivals of independent bots, at random times
 * with a given mean rate, each at a whole millisecond. A request that is sent late, because the fleet or the server is
 * behind, is still measured from its due time.
 */
export class OpenLoopSchedule {
  readonly #gap_ms: number;
  readonly #random: RandomNumbers;
  #next_ms: number;

  constructor(rate_per_s: number, start_ms: number, random: RandomNumbers) {
    if (!(rate_per_s > 0)) throw new RangeError(`a schedule needs a rate above 0, not ${rate_per_s}`);
    this.#gap_ms = 1_000 / rate_per_s;
    this.#random = random;
    this.#next_ms = start_ms;
    this.#advance();
  }

  /** The times that are due, oldest first; each is returned once. */
  *due(now_ms: number): Generator<number> {
    while (Math.ceil(this.#next_ms) <= now_ms) {
      yield Math.ceil(this.#next_ms);
      this.#advance();
    }
  }

  #advance(): void {
    this.#next_ms += -Math.log(1 - this.#random()) * this.#gap_ms;
  }
}
