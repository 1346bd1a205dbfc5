/**
 * Lets any number of readers in, or one writer alone. A writer shuts the door, waits for those who are inside and opens
 * it when it has finished; there is never more than one writer at a time.
 */
export class ReadWriteGate {
  readonly #reads = new Set<Promise<unknown>>();
  #shut: Promise<void> | undefined;

  async read<T>(action: () => Promise<T>): Promise<T> {
    while (this.#shut !== undefined) await this.#shut;
    const reading = action();
    this.#reads.add(reading);
    try {
      return await reading;
    } finally {
      this.#reads.delete(reading);
    }
  }

  async write<T>(action: () => Promise<T>): Promise<T> {
    if (this.#shut !== undefined) throw new Error("there is a writer already");
    const done = Promise.withResolvers<void>();
    this.#shut = done.promise;
    try {
      await Promise.allSettled(this.#reads);
      return await action();
    } finally {
      this.#shut = undefined;
      done.resolve();
    }
  }
}
