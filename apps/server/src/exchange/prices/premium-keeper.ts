import { within } from "../../kernel/wait.ts";
import type { MarketPrice } from "./market-price.ts";
import type { PriceStore } from "./store.ts";

/** How long a stop waits for the database, in real time. */
const STOP_TIMEOUT_ms = 1_000;

export interface PremiumKeeperOptions {
  readonly store: Pick<PriceStore, "keepPremiums">;
  readonly onError: (message: string, error: unknown) => void;
}

/**
 * FUT-14: stores the premiums of the last hours, so that a restart does not lose them. One write at a time, all markets
 * in one statement; a slow or missing database delays no price, and what a crash loses counts 0.
 */
export class PremiumKeeper {
  readonly #options: PremiumKeeperOptions;
  readonly #waiting = new Set<MarketPrice>();
  #writing: Promise<void> | undefined;
  /** Only the first of several errors is reported. */
  #isFailing = false;

  constructor(options: PremiumKeeperOptions) {
    this.#options = options;
  }

  keep(market: MarketPrice): void {
    this.#waiting.add(market);
    // Not at once: the other markets of this round have their samples a moment later.
    this.#writing ??= Promise.resolve().then(() => this.#writeAll());
  }

  /** Resolves when nothing is being written, or when the database is silent. */
  async done(): Promise<void> {
    if (this.#writing !== undefined) await within(this.#writing, STOP_TIMEOUT_ms);
  }

  async #writeAll(): Promise<void> {
    const { store, onError } = this.#options;
    try {
      while (this.#waiting.size > 0) {
        const markets = [...this.#waiting].map(({ market, premiums }) => ({
          symbol: market.definition.symbol,
          premiums: premiums.kept,
        }));
        this.#waiting.clear();
        await store.keepPremiums(markets);
      }
      this.#isFailing = false;
    } catch (error) {
      // The next sample writes them again.
      if (!this.#isFailing) onError("the premiums of the hour could not be kept", error);
      this.#isFailing = true;
    } finally {
      this.#writing = undefined;
    }
  }
}
