/** A cross account (`market` is NO_MARKET) or an isolated position whose balance at the mark is below zero. */
export interface CaseBelowZero {
  readonly account: number;
  readonly market: number;
  readonly balance_micros: bigint;
}

/** Where the checks write what they find. */
export interface Findings {
  readonly problems: string[];
  readonly belowZero: CaseBelowZero[];
}
