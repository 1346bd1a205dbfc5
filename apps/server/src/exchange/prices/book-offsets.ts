import { meanBookOffset } from "@bourse/engine";

const WINDOW_MS = 30_000;
/** One per second and a few more, because timers are not exact. */
const MAX_SAMPLES = 64;

/** FUT-13: the distance between the middle of the book and the index in the last 30 s. */
export class BookOffsets {
  readonly #times_ms = new Float64Array(MAX_SAMPLES);
  readonly #halfTicks = new Float64Array(MAX_SAMPLES);
  #first = 0;
  #count = 0;
  #sum = 0;

  /** `halfTicks` is bid + ask − 2 × index, which is a whole number even if the middle of the book is not. */
  add(time_ms: number, halfTicks: number): void {
    if (this.#count === MAX_SAMPLES) this.#dropFirst();
    const place = (this.#first + this.#count) % MAX_SAMPLES;
    this.#times_ms[place] = time_ms;
    this.#halfTicks[place] = halfTicks;
    this.#sum += halfTicks;
    this.#count += 1;
  }

  /** The mean of the last 30 s, in ticks. */
  meanAt(now_ms: number): number {
    while (this.#count > 0 && this.#times_ms[this.#first]! < now_ms - WINDOW_MS) this.#dropFirst();
    return meanBookOffset(this.#sum, this.#count);
  }

  #dropFirst(): void {
    this.#sum -= this.#halfTicks[this.#first]!;
    this.#first = (this.#first + 1) % MAX_SAMPLES;
    this.#count -= 1;
  }
}
