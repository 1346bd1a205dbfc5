import type { Tally } from "./tally.ts";

/** A condition that must hold on any machine, fast or slow. Null: it could not be checked. */
export interface Check {
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail: string;
}

export const hasFailed = (checks: readonly Check[]): boolean => checks.some(({ ok }) => ok === false);

/** The order was filled before its cancel, or the position closed before it could be reduced: not a fault. */
const CAME_TOO_LATE = new Set(["-2011", "-2022"]);
/** If a smaller share of the offered requests was answered, the rest still waits. */
const MIN_ANSWERED = 0.95;

/** Why a rate is too high; undefined if it is not. */
export function tooMuch(tally: Tally, bound_ms: number): string | undefined {
  const refused = [...tally.refusals()].filter(([code]) => !CAME_TOO_LATE.has(code));
  if (refused.length > 0) return refused.map(([code, times]) => `${times} × ${code}`).join(", ");
  if (tally.requests < tally.offered * MIN_ANSWERED) return `${tally.requests} of ${tally.offered} answered`;
  const p99_ms = tally.latencies().quantile_ms(0.99);
  return p99_ms > bound_ms ? `p99 ${p99_ms.toFixed(0)} ms` : undefined;
}

const GROWTH = 1.5;
const CLOSE_ENOUGH = 1.12;

/** Searches for the highest rate that is not too high: first up in steps, then by bisection. */
export class KneeSearch {
  #good = 0;
  #bad = Number.POSITIVE_INFINITY;
  #next: number;
  #stepsLeft: number;

  constructor(start: number, maxSteps: number) {
    this.#next = start;
    this.#stepsLeft = maxSteps;
  }

  /** The rate to try; undefined once the knee is known precisely enough. */
  get next(): number | undefined {
    const isKnown = this.#bad <= Math.max(this.#good, 1) * CLOSE_ENOUGH;
    return isKnown || this.#stepsLeft === 0 ? undefined : Math.round(this.#next);
  }

  /** The highest rate that was not too high; 0 if all were. */
  get knee(): number {
    return this.#good;
  }

  report(rate: number, isTooMuch: boolean): void {
    this.#stepsLeft -= 1;
    if (isTooMuch) this.#bad = Math.min(this.#bad, rate);
    else this.#good = Math.max(this.#good, rate);
    if (this.#bad === Number.POSITIVE_INFINITY) this.#next = rate * GROWTH;
    else this.#next = (this.#good + this.#bad) / 2;
  }
}

const CALM_WINDOWS = 3;

/** The second in which the first of three calm seconds in a row began; undefined if there were none. */
export function calmSince(p99s_ms: readonly number[], bound_ms: number): number | undefined {
  let calm = 0;
  for (const [place, p99_ms] of p99s_ms.entries()) {
    calm = p99_ms <= bound_ms ? calm + 1 : 0;
    if (calm === CALM_WINDOWS) return place + 1 - CALM_WINDOWS;
  }
  return undefined;
}
