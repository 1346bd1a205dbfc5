interface Entry {
  readonly state: string;
  readonly text: Buffer;
}

export interface TextCacheOptions {
  readonly limit_bytes: number;
  readonly worthKeeping_bytes: number;
}

/** Caches long texts by the state they were made from; evicts the least recently used. */
export class TextCache {
  readonly #limit_bytes: number;
  readonly #worthKeeping_bytes: number;
  /** In the order of their last use. */
  readonly #entries = new Map<string, Entry>();
  #held_bytes = 0;

  constructor({ limit_bytes, worthKeeping_bytes }: TextCacheOptions) {
    this.#limit_bytes = limit_bytes;
    this.#worthKeeping_bytes = worthKeeping_bytes;
  }

  async get(key: string, state: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const entry = this.#entries.get(key);
    if (entry?.state === state) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
      return entry.text;
    }
    const text = await make();
    this.#forget(key);
    if (text.length >= this.#worthKeeping_bytes && text.length <= this.#limit_bytes) {
      this.#entries.set(key, { state, text });
      this.#held_bytes += text.length;
      this.#makeRoom();
    }
    return text;
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#held_bytes -= entry.text.length;
  }

  #makeRoom(): void {
    for (const key of this.#entries.keys()) {
      if (this.#held_bytes <= this.#limit_bytes) return;
      this.#forget(key);
    }
  }
}
