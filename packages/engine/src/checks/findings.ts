/** A cross account (`market` is NO_MARKET) or an isolated position whose balance at the mark is below zero. */
export interface CaseBelowZero {
  readonly account: number;
  readonly market: number;
  readonly balance_micros: bigint;
}

/** Collects what the checks find. */
export interface Findings {
  readonly problems: string[];
  readonly belowZero: CaseBelowZero[];
}
