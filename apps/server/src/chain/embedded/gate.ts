/**
 * A readers-writer lock for many readers or one writer. A writer blocks new readers, waits for the current ones, and unblocks when
 * it has finished. There is at most one writer at a time.
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
