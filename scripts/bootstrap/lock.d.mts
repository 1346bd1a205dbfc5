export interface Lock {
  /** The checkout. */
  readonly root: string;
  readonly name: string;
  /** What the holder does, for the message of waiting processes. */
  readonly what: string;
}

/** Runs `work` while no other process of this checkout holds the lock of that name. */
export function withLock<T>(lock: Lock, work: () => Promise<T>): Promise<T>;
