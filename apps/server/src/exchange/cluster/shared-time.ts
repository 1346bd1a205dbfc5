import { type Clock, MovableClock } from "../../kernel/clock.ts";

/** Clocks of machines that are looked after differ by less. One that is further ahead is wrong, and is not followed. */
const MAX_SKEW_ms = 5_000;

/**
 * The time of the engine that leads: never behind what another process said the time was when it asked. Whoever finds by
 * its own clock that a day is over, and asks, can rely on it that no later command belongs to that day.
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

  /** False where the clock that says so is wrong. In development, clocks are moved on purpose. */
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
