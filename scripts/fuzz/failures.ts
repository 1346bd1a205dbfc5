/** One way in which something went wrong, as it was first seen. */
export interface Example {
  readonly how: string;
  readonly sent: string;
  readonly answered: string;
}

/** Failures by kind: the same one a thousand times is one finding. */
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

  /** For another thread. */
  all(): (readonly [string, number, Example])[] {
    return [...this.#kinds].map(([kind, { count, example }]) => [kind, count, example]);
  }

  /** Those of another thread. */
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
