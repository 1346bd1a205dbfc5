import { type Engine, type MarketStatus, REDUCE_ONLY, TRADING } from "@bourse/engine";
import type { Exchange } from "../host/exchange.ts";
import type { PriceStore } from "./store.ts";

/** A market as the engine has it. */
export type EngineMarket = Engine["state"]["markets"][number];

export interface MarketGuardOptions {
  readonly exchange: Pick<Exchange, "submit">;
  readonly store: Pick<PriceStore, "keepGuarded">;
  readonly market: EngineMarket;
  /** From the store: the market was reduce-only by the guard's own doing when the exchange last ran. */
  readonly isGuarded: boolean;
  readonly onError: (message: string, error: unknown) => void;
}

interface StatusSet {
  readonly number: number;
  readonly status: MarketStatus;
}

/**
 * FUT-13: a market without an index is reduce-only until it has one again. What an admin has set stays as it is: the
 * guard only ever turns TRADING into REDUCE_ONLY, and back what it turned itself.
 */
export class MarketGuard {
  readonly #options: MarketGuardOptions;
  /** Whether the market is reduce-only by the guard's doing. */
  #isGuarded: boolean;
  #working: Promise<void> | undefined;
  /** Every status set while a command of the guard is on its way; undefined while none is. */
  #heard: StatusSet[] | undefined;

  constructor(options: MarketGuardOptions) {
    this.#options = options;
    this.#isGuarded = options.isGuarded && options.market.status === REDUCE_ONLY;
  }

  get isGuarded(): boolean {
    return this.#isGuarded;
  }

  /** Does what is due. Never rejects; one at a time. */
  judge(hasIndex: boolean): Promise<void> {
    if (this.#working !== undefined) return this.#working;
    const isDue = hasIndex ? this.#isGuarded : this.#options.market.status === TRADING;
    if (!isDue) return Promise.resolve();
    this.#working = (hasIndex ? this.#release() : this.#hold())
      .catch((error) => this.#options.onError("the status of a market could not be set", error))
      .finally(() => {
        this.#working = undefined;
      });
    return this.#working;
  }

  /** Hears of every status that is set, the guard's own among them. */
  onStatus(number: number, status: MarketStatus): void {
    if (this.#heard !== undefined) this.#heard.push({ number, status });
    else if (this.#isGuarded) void this.#letGo();
  }

  async #hold(): Promise<void> {
    // First on record, then done: after a crash in between the record is of no effect, as the market is TRADING.
    await this.#keep(true);
    const isStillDue = this.#options.market.status === TRADING;
    if (isStillDue && (await this.#set(REDUCE_ONLY))) this.#isGuarded = true;
    else await this.#letGo();
  }

  async #release(): Promise<void> {
    await this.#set(TRADING);
    await this.#letGo();
  }

  async #letGo(): Promise<void> {
    this.#isGuarded = false;
    await this.#keep(false);
  }

  /** Answers whether the status stands. Whatever somebody else has set in the meantime goes above it. */
  async #set(status: MarketStatus): Promise<boolean> {
    const { exchange, market } = this.#options;
    const heard: StatusSet[] = [];
    this.#heard = heard;
    let number: number;
    try {
      ({ number } = await exchange.submit({ kind: "set_market_status", market: market.number, status }, true));
    } finally {
      this.#heard = undefined;
    }
    const last = heard.filter((other) => other.number !== number).at(-1);
    if (last === undefined) return true;
    if (last.number < number) {
      await exchange.submit({ kind: "set_market_status", market: market.number, status: last.status }, true);
    }
    return false;
  }

  async #keep(isGuarded: boolean): Promise<void> {
    const { store, market, onError } = this.#options;
    try {
      await store.keepGuarded(market.definition.symbol, isGuarded);
    } catch (error) {
      // The market must be safe whether or not the database answers.
      onError("who has set the status of a market could not be kept", error);
    }
  }
}
