import type { Clock } from "../kernel/clock.ts";
import { answerWithin } from "../kernel/wait.ts";

export interface FreshValuesOptions {
  readonly clock: Clock;
  /** How long a value is used, counted from its request. */
  readonly freshFor_ms: number;
  /** The maximum number of cached values; the oldest is evicted. */
  readonly limit: number;
  /** The time limit of a read, in real time. */
  readonly timeout_ms: number;
}

interface Kept<Value> {
  readonly value: Value;
  readonly until_ms: number;
}

/**
 * Values read from elsewhere, each kept for a short while. Whoever asks while a read is under way waits for that one;
 * what fails is not kept.
 */
export class FreshValues<Value> {
  readonly #options: FreshValuesOptions;
  /** In the order in which they were read. */
  readonly #kept = new Map<string, Kept<Value>>();
  readonly #reads = new Map<string, Promise<Value>>();

  constructor(options: FreshValuesOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#kept.size;
  }

  get(key: string, read: () => Promise<Value>): Promise<Value> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#options.clock.now() < kept.until_ms) return Promise.resolve(kept.value);
    const underWay = this.#reads.get(key);
    if (underWay !== undefined) return underWay;
    const until_ms = this.#options.clock.now() + this.#options.freshFor_ms;
    const reading = answerWithin(read(), this.#options.timeout_ms);
    this.#reads.set(key, reading);
    return this.#finish(key, reading, until_ms);
  }

  /** Drops matching values. A read in progress may return an outdated value, so later callers do not share it. */
  drop(isOutdated: (value: Value, key: string) => boolean): void {
    this.#reads.clear();
    for (const [key, { value }] of this.#kept) {
      if (isOutdated(value, key)) this.#kept.delete(key);
    }
  }

  async #finish(key: string, reading: Promise<Value>, until_ms: number): Promise<Value> {
    const isCurrent = () => this.#reads.get(key) === reading;
    try {
      const value = await reading;
      if (isCurrent()) this.#keep(key, { value, until_ms });
      return value;
    } finally {
      if (isCurrent()) this.#reads.delete(key);
    }
  }

  #keep(key: string, kept: Kept<Value>): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (this.#kept.size <= this.#options.limit) return;
    const oldest = this.#kept.keys().next();
    if (!oldest.done) this.#kept.delete(oldest.value);
  }
}
