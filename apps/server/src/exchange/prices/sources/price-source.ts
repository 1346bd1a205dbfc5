/** A source's last price of a market and its time on the platform's clock. */
export interface SourcePrice {
  readonly price_e8: number;
  readonly time_ms: number;
}

/** FUT-13: a price source. Several of them make an index. */
export interface PriceSource {
  readonly name: string;
  /** Undefined if it has no price of the symbol. Never waits. */
  latest(symbol: string): SourcePrice | undefined;
  /** Resolves after the first attempt to get prices; `latest` shows whether it succeeded. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
