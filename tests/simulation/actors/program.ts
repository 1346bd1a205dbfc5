/** A program of the platform with its own people. Each method may be called again after a broken connection. */
export interface Program {
  /** Called before any fault is armed. */
  prepare(): Promise<void>;
  /** One action in it. */
  act(): Promise<void>;
  /** Finds out the outcome of requests without an answer. */
  resolve(): Promise<void>;
  /** Called after midnight and the settlement of the day before. */
  endDay(day: number): Promise<void>;
  /** Whether a transaction or an event of the chain is pending. */
  isBusy(): Promise<boolean>;
}
