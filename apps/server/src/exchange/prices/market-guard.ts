import { type Engine, type MarketStatus, REDUCE_ONLY, TRADING } from "@bourse/engine";
import type { Exchange } from "../host/exchange.ts";
import type { PriceStore } from "./store.ts";

/** The engine's market. */
export type EngineMarket = Engine["state"]["markets"][number];

export interface MarketGuardOptions {
  readonly exchange: Pick<Exchange, "submit">;
  readonly store: Pick<PriceStore, "keepGuarded">;
  readonly market: EngineMarket;
  /** From the store: whether the guard had made the market reduce-only when the exchange last ran. */
  readonly isGuarded: boolean;
  readonly onError: (message: string, error: unknown) => void;
}

interface StatusSet {
  readonly number: number;
  readonly status: MarketStatus;
}

/**
 * FUT-13: makes a market reduce-only while it has no index. The guard changes only TRADING to REDUCE_ONLY, and only its
 * own change back, so that a status set by an admin stays.
 */
export class MarketGuard {
  readonly #options: MarketGuardOptions;
  /** Whether the guard has made the market reduce-only. */
  #isGuarded: boolean;
  #working: Promise<void> | undefined;
  /** The statuses set while a command of the guard is pending; undefined while none is. */
  #heard: StatusSet[] | undefined;

  constructor(options: MarketGuardOptions) {
    this.#options = options;
    this.#isGuarded = options.isGuarded && options.market.status === REDUCE_ONLY;
  }

  get isGuarded(): boolean {
    return this.#isGuarded;
  }

  /** Changes the status if necessary. Never rejects; runs one change at a time. */
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

  /** Called for every status that is set, including the guard's own. */
  onStatus(number: number, status: MarketStatus): void {
    if (this.#heard !== undefined) this.#heard.push({ number, status });
    else if (this.#isGuarded) void this.#letGo();
  }

  async #hold(): Promise<void> {
    // Stored before the change: after a crash in between, the stored mark has no effect, because the market is TRADING.
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

  /** Returns whether the status is in effect. A status that somebody else has set meanwhile takes precedence. */
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
      // The market's status must not depend on the database.
      onError("who has set the status of a market could not be kept", error);
    }
  }
}
