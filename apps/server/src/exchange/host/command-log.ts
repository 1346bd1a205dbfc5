/** A record is one command; none may be larger. */
export const MOST_RECORD_bytes = 65_536;

/** What one call of `append` may hand over in all. */
export const MOST_APPEND_bytes = 4_194_304;

/** Who asked for a command, where that is another process than the one that logs it. */
export interface Origin {
  readonly sender: number;
  /** Rising with each command of the sender. */
  readonly request: number;
}

/**
 * Where commands become durable, in order. The exchange applies a command only after `append` has resolved for it, so
 * memory, replies, streams and projector show durable state only.
 */
export interface CommandLog {
  /**
   * Makes records durable, all of them or none that anybody will be told of. Called again before the last call has
   * resolved; order is that of the calls. Once it has rejected the log is dead: nothing is ever retried on it.
   */
  append(records: readonly Uint8Array[], origins?: readonly (Origin | undefined)[]): Promise<void>;
  /** Finishes what was handed over. */
  close(): Promise<void>;
}

/** A log that forgets with the process, for tests and previews. */
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
