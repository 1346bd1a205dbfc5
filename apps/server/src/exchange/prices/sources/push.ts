import type { Clock } from "../../../kernel/clock.ts";
import type { PriceSource, SourcePrice } from "./price-source.ts";

/** Prices that an admin's program pushes. Each feed is a source of its own. */
export class PushSource implements PriceSource {
  readonly name: string;
  readonly #clock: Clock;
  readonly #prices = new Map<string, SourcePrice>();

  constructor(feed: string, clock: Clock) {
    this.name = `push:${feed}`;
    this.#clock = clock;
  }

  latest(symbol: string): SourcePrice | undefined {
    return this.#prices.get(symbol);
  }

  /** The caller has checked that the symbol belongs to a market, which bounds the size of the map. */
  push(symbol: string, price_e8: number): void {
    this.#prices.set(symbol, { price_e8, time_ms: this.#clock.now() });
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
