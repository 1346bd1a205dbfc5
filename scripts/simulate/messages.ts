/** What the command and the processes that run seeds for it say to each other. */
export interface SeedOrder {
  readonly seed: string;
  readonly days: number;
  readonly actions: number;
}

export interface SeedOutcome {
  readonly seed: string;
  readonly took_ms: number;
  /** What is wrong; nothing where all is well. */
  readonly failures: readonly string[];
  /** For whoever looks into a failure: the last errors that the platform has logged. */
  readonly logged: readonly string[];
  readonly incarnations: number;
  readonly fills: number;
  readonly events: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly crashes: Readonly<Record<string, number>>;
  readonly actions: Readonly<Record<string, number>>;
  readonly checks: Readonly<Record<string, number>>;
  readonly happened: Readonly<Record<string, number>>;
  /** Memory of the process afterwards: platforms that have died leave something behind. */
  readonly memory_bytes: number;
}

/** Of a seed that has not come to its end. */
export const brokenOff = (
  { seed }: SeedOrder,
  { failure, took_ms, memory_bytes }: { failure: string; took_ms: number; memory_bytes: number },
): SeedOutcome => ({
  seed,
  took_ms,
  failures: [failure],
  logged: [],
  incarnations: 0,
  fills: 0,
  events: 0,
  faults: {},
  crashes: {},
  actions: {},
  checks: {},
  happened: {},
  memory_bytes,
});
