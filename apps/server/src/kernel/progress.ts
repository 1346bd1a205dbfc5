/** What is being worked at, for the operator. */
export type Say = (line: string) => void;

const SHOW_EVERY_ms = 2_000;

export const count = (value: number) => Math.round(value).toLocaleString("en-US");

/** A line every two seconds, so that long work can be told from a standstill. */
export class Progress {
  readonly #say: Say;
  readonly #line: (done: number) => string;
  #shown_ms = performance.now();
  #done = 0;

  constructor(say: Say, line: (done: number) => string) {
    this.#say = say;
    this.#line = line;
  }

  add(amount: number): void {
    this.#done += amount;
    const now_ms = performance.now();
    if (now_ms - this.#shown_ms < SHOW_EVERY_ms) return;
    this.#shown_ms = now_ms;
    this.#say(this.#line(this.#done));
  }
}
