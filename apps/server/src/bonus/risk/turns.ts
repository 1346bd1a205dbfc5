import { setImmediate as nextTurn } from "node:timers/promises";

const LONGEST_ms = 8;

/** Lets everybody else of this process have their turn while something long is worked out. */
export class Turns {
  #begun_ms = performance.now();

  /** Whether the work has gone on for long enough. */
  get isOver(): boolean {
    return performance.now() - this.#begun_ms > LONGEST_ms;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#begun_ms = performance.now();
  }
}
