/** The first occurrence of a kind of failure. */
export interface Example {
  readonly how: string;
  readonly sent: string;
  readonly answered: string;
}

/** Failures by kind: repeated ones are one finding. */
export class Failures {
  readonly #kinds = new Map<string, { count: number; readonly example: Example }>();

  add(kind: string, example: Example): void {
    const known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, { count: 1, example });
    else known.count += 1;
  }

  get count(): number {
    return this.#kinds.size;
  }

  /** In a form that can be sent to another thread. */
  all(): (readonly [string, number, Example])[] {
    return [...this.#kinds].map(([kind, { count, example }]) => [kind, count, example]);
  }

  /** Adds the failures of another thread. */
  take(others: ReturnType<Failures["all"]>): void {
    for (const [kind, count, example] of others) this.#kinds.set(kind, { count, example });
  }

  lines(): string[] {
    return [...this.#kinds].flatMap(([kind, { count, example }]) => [
      `${kind} (${count} times)`,
      ...Object.entries(example).flatMap(([name, text]) => (text === "" ? [] : [`    ${name}: ${text}`])),
    ]);
  }
}
