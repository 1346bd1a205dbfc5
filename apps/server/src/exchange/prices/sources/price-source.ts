/** What a source last said of a symbol, and when, on the platform's clock. */
export interface SourcePrice {
  readonly price_e8: number;
  readonly time_ms: number;
}

/** FUT-13: somebody who knows prices. Several of them make an index. */
export interface PriceSource {
  readonly name: string;
  /** Undefined where it has never heard of the symbol. Never waits. */
  latest(symbol: string): SourcePrice | undefined;
  /** Resolves once it has tried to learn its first prices; whether it could shows in `latest`. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
