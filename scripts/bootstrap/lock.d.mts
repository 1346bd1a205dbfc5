export interface Lock {
  /** The checkout. */
  readonly root: string;
  readonly name: string;
  /** What is under way, for those who wait. */
  readonly what: string;
}

/** Does `work` while no other process of this checkout holds the lock of that name. */
export function withLock<T>(lock: Lock, work: () => Promise<T>): Promise<T>;
