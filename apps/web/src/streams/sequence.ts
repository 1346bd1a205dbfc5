/** Where an update of a public channel stands: seq goes up by one within a subscription. */
export type Place = "next" | "known" | "gap";

export function placeOf(last: number, seq: number): Place {
  if (seq <= last) return "known";
  return seq === last + 1 ? "next" : "gap";
}

/** What arrived this much earlier than something else was not followed by anything that belongs before it. */
const SETTLED_AFTER_MS = 1_000;

/**
 * Which events of a wallet have been handled. Numbers rise with holes, and the channels of one account overtake each
 * other by some milliseconds: so the highest number seen is no promise that all below it were. One from which on
 * everything is asked for again is a number that is a second old, and what came twice is known by its own number.
 */
export class PrivateSequence {
  readonly #recent = new Map<number, number>();
  #settled: number | undefined;
  #isCut = false;

  /** Everything up to here has been handled; undefined before the beginning. */
  get settled(): number | undefined {
    return this.#settled;
  }

  /** Everything up to this number is handled, and what follows arrives without a gap. */
  begin(seq: number): void {
    this.#settled = seq;
    this.#isCut = false;
    this.#forgetSettled();
  }

  /** The flow has broken: until the next beginning time proves nothing. */
  cut(): void {
    this.#isCut = true;
  }

  reset(): void {
    this.#recent.clear();
    this.#settled = undefined;
    this.#isCut = false;
  }

  /** False where it was handled before. */
  take(seq: number, now_ms: number): boolean {
    if (this.#settled !== undefined && seq <= this.#settled) return false;
    if (this.#recent.has(seq)) return false;
    this.#recent.set(seq, now_ms);
    return true;
  }

  /** Something has arrived now: what came long before it is complete. */
  settle(now_ms: number): void {
    if (this.#isCut || this.#settled === undefined) return;
    for (const [seq, at_ms] of this.#recent) {
      if (now_ms - at_ms >= SETTLED_AFTER_MS && seq > this.#settled) this.#settled = seq;
    }
    this.#forgetSettled();
  }

  #forgetSettled(): void {
    const settled = this.#settled ?? -1;
    for (const seq of [...this.#recent.keys()]) if (seq <= settled) this.#recent.delete(seq);
  }
}
