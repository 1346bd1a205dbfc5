import type { Tally } from "./tally.ts";

/** Something that has to be so, however fast or slow the machine is. Null: it could not be looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean | null;
  readonly detail: string;
}

export const hasFailed = (checks: readonly Check[]): boolean => checks.some(({ ok }) => ok === false);

/** An order that was filled before its cancel came, or a position that was closed before it could be reduced: no fault. */
const CAME_TOO_LATE = new Set(["-2011", "-2022"]);
/** Less than this share of what was offered was answered: the rest still waits. */
const MIN_ANSWERED = 0.95;

/** Why a rate is too much; undefined where it is not. */
export function tooMuch(tally: Tally, bound_ms: number): string | undefined {
  const refused = [...tally.refusals()].filter(([code]) => !CAME_TOO_LATE.has(code));
  if (refused.length > 0) return refused.map(([code, times]) => `${times} × ${code}`).join(", ");
  if (tally.requests < tally.offered * MIN_ANSWERED) return `${tally.requests} of ${tally.offered} answered`;
  const p99_ms = tally.latencies().quantile_ms(0.99);
  return p99_ms > bound_ms ? `p99 ${p99_ms.toFixed(0)} ms` : undefined;
}

const GROWTH = 1.5;
const CLOSE_ENOUGH = 1.12;

/** Looks for the highest rate that is not too much: up in steps, then halving what lies between. */
export class KneeSearch {
  #good = 0;
  #bad = Number.POSITIVE_INFINITY;
  #next: number;
  #stepsLeft: number;

  constructor(start: number, mostSteps: number) {
    this.#next = start;
    this.#stepsLeft = mostSteps;
  }

  /** The rate to try; undefined once the knee is known well enough. */
  get next(): number | undefined {
    const isKnown = this.#bad <= Math.max(this.#good, 1) * CLOSE_ENOUGH;
    return isKnown || this.#stepsLeft === 0 ? undefined : Math.round(this.#next);
  }

  /** The highest rate that was not too much; 0 where all were. */
  get knee(): number {
    return this.#good;
  }

  tell(rate: number, isTooMuch: boolean): void {
    this.#stepsLeft -= 1;
    if (isTooMuch) this.#bad = Math.min(this.#bad, rate);
    else this.#good = Math.max(this.#good, rate);
    if (this.#bad === Number.POSITIVE_INFINITY) this.#next = rate * GROWTH;
    else this.#next = (this.#good + this.#bad) / 2;
  }
}

const CALM_WINDOWS = 3;

/** The second in which the first of three calm seconds in a row began; undefined where there were none. */
export function calmSince(p99s_ms: readonly number[], bound_ms: number): number | undefined {
  let calm = 0;
  for (const [place, p99_ms] of p99s_ms.entries()) {
    calm = p99_ms <= bound_ms ? calm + 1 : 0;
    if (calm === CALM_WINDOWS) return place + 1 - CALM_WINDOWS;
  }
  return undefined;
}
