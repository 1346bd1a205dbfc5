/** Messages between the command and the processes that run its seeds. */
export interface SeedOrder {
  readonly seed: string;
  readonly days: number;
  readonly actions: number;
}

export interface SeedOutcome {
  readonly seed: string;
  readonly took_ms: number;
  /** Empty if the seed succeeded. */
  readonly failures: readonly string[];
  /** For the analysis of a failure: the last errors that the platform has logged. */
  readonly logged: readonly string[];
  readonly incarnations: number;
  readonly fills: number;
  readonly events: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly crashes: Readonly<Record<string, number>>;
  readonly actions: Readonly<Record<string, number>>;
  readonly checks: Readonly<Record<string, number>>;
  readonly happened: Readonly<Record<string, number>>;
  /** Memory of the process afterwards: crashed platforms leave some of theirs allocated. */
  readonly memory_bytes: number;
}

/** The result of a seed that did not finish. */
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
