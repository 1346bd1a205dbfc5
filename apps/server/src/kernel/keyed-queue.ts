/** Runs tasks of the same key one after another; tasks of different keys do not wait for each other. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    const done = Promise.withResolvers<void>();
    this.#tails.set(key, done.promise);
    try {
      await before;
      return await task();
    } finally {
      done.resolve();
      if (this.#tails.get(key) === done.promise) this.#tails.delete(key);
    }
  }
}
