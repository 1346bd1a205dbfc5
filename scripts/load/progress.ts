/** A progress line: overwritten on a terminal, printed at intervals on a pipe. */
export class Progress {
  readonly #stream = process.stdout;
  readonly #every_ms = 10_000;
  #shown_ms = Number.NEGATIVE_INFINITY;
  #width = 0;

  show(text: string): void {
    if (this.#stream.isTTY) {
      this.#stream.write(`\r${text.padEnd(this.#width)}`);
      this.#width = text.length;
      return;
    }
    if (performance.now() - this.#shown_ms < this.#every_ms) return;
    this.#shown_ms = performance.now();
    this.#stream.write(`${text}\n`);
  }

  /** Prints a permanent line. */
  line(text: string): void {
    if (this.#stream.isTTY && this.#width > 0) this.#stream.write(`\r${" ".repeat(this.#width)}\r`);
    this.#width = 0;
    this.#stream.write(`${text}\n`);
  }
}
