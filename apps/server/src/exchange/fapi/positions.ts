import {
  type AccountFigures,
  type Engine,
  feeRates_e8,
  type PositionFigures,
  readAccount,
  readPositions,
} from "@bourse/engine";
import type { MarketState, Markets } from "./markets.ts";

export type { AccountFigures, PositionFigures };

/**
 * Reads accounts and positions from the engine's memory. Account 0 stands for a wallet without an account: all zeros.
 */
export class AccountReader {
  readonly #engine: Engine;
  readonly #markets: Markets;

  constructor(engine: Engine, markets: Markets) {
    this.#engine = engine;
    this.#markets = markets;
  }

  tier(account: number): number {
    return account === 0 ? 0 : this.#engine.state.accounts.tier(account);
  }

  /** FUT-15: the rates including discounts. */
  rates_e8(account: number): { maker_e8: number; taker_e8: number } {
    return feeRates_e8(this.#engine.state, account);
  }

  /** In every market or in one. */
  positions(account: number, only?: MarketState): PositionFigures[] {
    return readPositions(this.#engine, account, only === undefined ? this.#markets.all : [only]);
  }

  summary(account: number, positions: readonly PositionFigures[]): AccountFigures {
    return readAccount(this.#engine, account, positions);
  }
}
