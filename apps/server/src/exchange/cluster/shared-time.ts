import { type Clock, MovableClock } from "../../kernel/clock.ts";

/** Clocks of well-kept machines differ by less. A clock that is further ahead is considered wrong and ignored. */
const MAX_SKEW_ms = 5_000;

/**
 * The leader's time, which is never before the time that another process stated in a request. A process that finds by
 * its own clock that a day is over, and then asks the leader, can rely on every later command belonging to a later day.
 */
export class SharedTime implements Clock {
  readonly #clock: Clock;
  #heard_ms = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return Math.max(this.#clock.now(), this.#heard_ms);
  }

  /** Returns false if the other clock is wrong. In development, clocks are moved on purpose and always followed. */
  hear(now_ms: number): boolean {
    const clock = this.#clock;
    if (clock instanceof MovableClock) {
      clock.advanceTo(now_ms);
      return true;
    }
    if (!(now_ms <= clock.now() + MAX_SKEW_ms)) return false;
    this.#heard_ms = Math.max(this.#heard_ms, now_ms);
    return true;
  }
}
