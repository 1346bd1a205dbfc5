const LOOK_EVERY_commands = 1_024;
const SHOW_EVERY_ms = 100;

/** A line that is overwritten on a terminal; silent elsewhere. */
export class ProgressLine {
  readonly #stream: NodeJS.WriteStream;
  readonly #started_ms = performance.now();
  #shown_ms = 0;
  #isShown = false;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** `share` is the finished part of the whole, from 0 to 1. */
  tick(commands: number, share: () => number): void {
    if (commands % LOOK_EVERY_commands !== 0 || !this.#stream.isTTY) return;
    const now_ms = performance.now();
    if (now_ms - this.#shown_ms < SHOW_EVERY_ms) return;
    this.#shown_ms = now_ms;
    this.#isShown = true;
    const percent = Math.floor(share() * 100);
    const perSecond = commands / ((now_ms - this.#started_ms) / 1_000);
    this.#stream.write(`\r\x1b[K${percent} %  ${count(commands)} commands  ${count(perSecond)}/s`);
  }

  clear(): void {
    if (this.#isShown) this.#stream.write("\r\x1b[K");
    this.#isShown = false;
  }
}

export const count = (value: number) => Math.round(value).toLocaleString("en-US");
