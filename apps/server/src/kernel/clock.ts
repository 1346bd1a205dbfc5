/** The source of time for every rule of the platform, in milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
}

/** Real time, for production. */
export const systemClock: Clock = { now: () => Date.now() };

/**
 * Real time plus an offset that can only grow, for development: moving the clock forward runs tomorrow's settlement today. It never
 * goes back, because engine time never does.
 */
export class MovableClock implements Clock {
  #base: Clock;
  #offset_ms: number;

  constructor(offset_ms = 0, base: Clock = systemClock) {
    this.#base = base;
    this.#offset_ms = offset_ms;
  }

  now(): number {
    return this.#base.now() + this.#offset_ms;
  }

  get offset_ms(): number {
    return this.#offset_ms;
  }

  /** Moves forward to `target_ms`; a target in the past changes nothing. */
  advanceTo(target_ms: number): void {
    const step_ms = target_ms - this.now();
    if (step_ms > 0) this.#offset_ms += step_ms;
  }
}

/** For tests: a clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #now_ms: number;

  constructor(now_ms: number) {
    this.#now_ms = now_ms;
  }

  now(): number {
    return this.#now_ms;
  }

  advance(step_ms: number): void {
    if (step_ms < 0) throw new RangeError("time does not go back");
    this.#now_ms += step_ms;
  }

  advanceTo(target_ms: number): void {
    if (target_ms > this.#now_ms) this.#now_ms = target_ms;
  }
}
