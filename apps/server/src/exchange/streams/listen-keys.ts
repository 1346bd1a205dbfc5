import { createHmac } from "node:crypto";
import type { Bus } from "../../kernel/bus/bus.ts";
import type { Clock } from "../../kernel/clock.ts";
import { HOUR_ms } from "../../kernel/dates.ts";
import type { Random } from "../../kernel/random.ts";

/** Interface 4.7. */
export const LISTEN_KEY_LIFE_ms = HOUR_ms;
const NONCE_BYTES = 16;
const SHAPE = /^[0-9a-f]{64}$/;

export const isListenKeyShaped = (text: string): boolean => SHAPE.test(text);

export interface KeptListenKey {
  /** The wallet's address in lower case. */
  readonly address: string;
  /** The key is derived from the nonce and a secret of the platform; the key itself is not stored. */
  readonly nonce: string;
  readonly expires_ms: number;
}

/** Stores keys beyond the life of the process. */
export interface ListenKeyStore {
  /** Live keys, the first to expire first; expired ones are removed. */
  load(now_ms: number): Promise<readonly KeptListenKey[]>;
  /** The key of a wallet; undefined if it has none. */
  find(address: string): Promise<KeptListenKey | undefined>;
  /**
   * Stores the wallet's key. If it has another live one, which another process has issued meanwhile, that one is extended
   * instead. Returns the stored key.
   */
  put(key: KeptListenKey, now_ms: number): Promise<KeptListenKey>;
  remove(key: KeptListenKey): Promise<void>;
}

export interface ListenKeysOptions {
  readonly store: ListenKeyStore;
  readonly clock: Clock;
  readonly random: Random;
  /** Notifies the other processes that serve clients. */
  readonly bus?: Bus;
  /** Keys are derived from it, so that the database alone does not reveal a key. */
  readonly secret: string;
}

const TOPIC = "listen-keys";

interface LiveKey extends KeptListenKey {
  readonly key: string;
  expires_ms: number;
}

export type KeyEndedListener = (key: string, address: string) => void;

/**
 * The keys of user data streams: one per wallet, 64 characters, valid for an hour after the last extension. They are in
 * memory, because streams do not wait for the database, and in a table, so that they outlive a restart.
 */
export class ListenKeys {
  readonly #options: ListenKeysOptions;
  /** In order of expiry: an extended key moves to the end. */
  readonly #byKey = new Map<string, LiveKey>();
  readonly #byAddress = new Map<string, LiveKey>();
  readonly #listeners: KeyEndedListener[] = [];
  /** Writes for one wallet are made one after the other, in the order of the calls. */
  readonly #writes = new Map<string, Promise<unknown>>();

  constructor(options: ListenKeysOptions) {
    this.#options = options;
    options.bus?.listen(TOPIC, (address) => this.#refresh(String(address)));
  }

  async load(): Promise<void> {
    const { store, clock } = this.#options;
    const gone = new Set(this.#byAddress.keys());
    for (const kept of await store.load(clock.now())) {
      this.#keep(kept);
      gone.delete(kept.address);
    }
    for (const address of gone) this.#end(this.#byAddress.get(address)!);
  }

  /** Keys that were alive when last checked. */
  get count(): number {
    return this.#byKey.size;
  }

  /** Calls the listener when a key expires or is revoked. */
  onEnded(listener: KeyEndedListener): void {
    this.#listeners.push(listener);
  }

  /** The wallet's key, or a new one; it is valid for an hour from now. */
  async issue(address: string): Promise<string> {
    const nonce = () => this.#options.random.bytes(NONCE_BYTES).toString("hex");
    // Chosen before the first await, so that concurrent calls get the same key.
    const live = this.#live(this.#byAddress.get(address)) ?? this.#add(address, nonce(), 0);
    return this.#renew(live);
  }

  /** Undefined if there is no live key. */
  async extend(address: string): Promise<string | undefined> {
    const live = this.#live(this.#byAddress.get(address));
    return live === undefined ? undefined : this.#renew(live);
  }

  /** False if there was no key. */
  async revoke(address: string): Promise<boolean> {
    const live = this.#live(this.#byAddress.get(address));
    if (live === undefined) return false;
    this.#end(live);
    await this.#write(address, () => this.#options.store.remove(live));
    return true;
  }

  /** The wallet of a live key. Never waits. */
  resolve(key: string): string | undefined {
    return this.#live(this.#byKey.get(key))?.address;
  }

  /** Ends expired keys. Their rows are deleted at the next start. */
  sweep(): void {
    for (const live of this.#byKey.values()) if (this.#live(live) !== undefined) return;
  }

  /** Reads a key that another process has issued, extended or revoked. */
  async #refresh(address: string): Promise<void> {
    const kept = await this.#options.store.find(address);
    const live = this.#byAddress.get(address);
    if (kept !== undefined) this.#keep(kept);
    else if (live !== undefined) this.#end(live);
  }

  /** Adds a key as it is in the table. */
  #keep({ address, nonce, expires_ms }: KeptListenKey): LiveKey {
    const live = this.#byAddress.get(address);
    if (live !== undefined && live.nonce !== nonce) this.#end(live);
    else if (live !== undefined) this.#byKey.delete(live.key);
    return this.#add(address, nonce, expires_ms);
  }

  #live(key: LiveKey | undefined): LiveKey | undefined {
    if (key === undefined || key.expires_ms > this.#options.clock.now()) return key;
    this.#end(key);
    return undefined;
  }

  /** Returns the wallet's key, which is another one if another process was earlier. */
  async #renew(live: LiveKey): Promise<string> {
    const { clock, store } = this.#options;
    const { key, address, nonce } = live;
    const now_ms = clock.now();
    live.expires_ms = now_ms + LISTEN_KEY_LIFE_ms;
    this.#byKey.delete(key);
    this.#byKey.set(key, live);
    const stored = await this.#write(address, () => store.put({ address, nonce, expires_ms: live.expires_ms }, now_ms));
    return stored.nonce === nonce ? key : this.#keep(stored).key;
  }

  #add(address: string, nonce: string, expires_ms: number): LiveKey {
    const key = createHmac("sha256", this.#options.secret).update(`listen-key:${address}:${nonce}`).digest("hex");
    const live = { key, address, nonce, expires_ms };
    this.#byKey.set(key, live);
    this.#byAddress.set(address, live);
    return live;
  }

  #end({ key, address }: LiveKey): void {
    this.#byKey.delete(key);
    this.#byAddress.delete(address);
    for (const listener of this.#listeners) listener(key, address);
  }

  async #write<Result>(address: string, action: () => Promise<Result>): Promise<Result> {
    const before = this.#writes.get(address);
    // A failure of the previous write is reported to its own caller; this write is made in any case.
    const writing = (before ?? Promise.resolve()).then(action, action);
    this.#writes.set(address, writing);
    let result: Result;
    try {
      result = await writing;
    } finally {
      if (this.#writes.get(address) === writing) this.#writes.delete(address);
    }
    await this.#options.bus?.tell(TOPIC, address);
    return result;
  }
}
