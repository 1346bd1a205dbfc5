import { setImmediate as nextTurn } from "node:timers/promises";

const MAX_ms = 8;

/** Divides a long computation into turns, so that the process can handle other events in between. */
export class Turns {
  #begun_ms = performance.now();

  /** Whether this turn has lasted long enough. */
  get isOver(): boolean {
    return performance.now() - this.#begun_ms > MAX_ms;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#begun_ms = performance.now();
  }
}
