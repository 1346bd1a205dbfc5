/** The maximum size of a record, which is one command. */
export const MAX_RECORD_bytes = 65_536;

/** The maximum total size of one call of `append`. */
export const MAX_APPEND_bytes = 4_194_304;

/** The sender of a command, if another process than the one that logs it. */
export interface Origin {
  readonly sender: number;
  /** Rises with each command of the sender. */
  readonly request: number;
}

/**
 * Makes commands durable, in order. The exchange applies a command only after its `append` has resolved, so memory, replies,
 * streams and projector show durable state only.
 */
export interface CommandLog {
  /**
   * Makes records durable, all or none. May be called again before the last call has resolved; the order is that of the calls.
   * After a rejection the log is dead: nothing is retried on it.
   */
  append(records: readonly Uint8Array[], origins?: readonly (Origin | undefined)[]): Promise<void>;
  /** See `Journal.followRules`. Called when everything appended is durable and applied. */
  followRules?(rulesVersion: number, chain: () => Buffer): void;
  /** Finishes accepted records. */
  close(): Promise<void>;
}

/** An in-memory log, for tests and previews. */
export class MemoryLog implements CommandLog {
  readonly records: Uint8Array[] = [];

  append(records: readonly Uint8Array[]): Promise<void> {
    for (const record of records) this.records.push(record);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
