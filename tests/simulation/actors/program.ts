/** A part of the platform with people of its own. Each method may be called again after a broken connection. */
export interface Program {
  /** Before anything goes wrong. */
  prepare(): Promise<void>;
  /** One thing that happens in it. */
  act(): Promise<void>;
  /** Finds out what became of requests without an answer. */
  resolve(): Promise<void>;
  /** After midnight and the settlement of the day before. */
  endDay(day: number): Promise<void>;
  /** Whether something is still on its way through the chain. */
  isBusy(): Promise<boolean>;
}
