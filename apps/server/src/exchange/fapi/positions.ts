import {
  type AccountFigures,
  type Engine,
  feeRates_e8,
  ISOLATED,
  maxNotionalAt,
  type PositionFigures,
  readAccount,
  readPositions,
} from "@bourse/engine";
import type { SettingsByMarket } from "../accounts/account-settings.ts";
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

  /** In every market or in one. SEC-11: `kept` has the settings of a wallet without an account. */
  positions(account: number, only?: MarketState, kept?: SettingsByMarket): PositionFigures[] {
    const positions = readPositions(this.#engine, account, only === undefined ? this.#markets.all : [only]);
    return kept === undefined ? positions : positions.map((position) => withKept(position, kept));
  }

  summary(account: number, positions: readonly PositionFigures[]): AccountFigures {
    return readAccount(this.#engine, account, positions);
  }
}

function withKept(position: PositionFigures, kept: SettingsByMarket): PositionFigures {
  const { number, definition } = position.market;
  const setting = kept.get(number);
  if (setting === undefined) return position;
  const leverage = setting.leverage ?? position.leverage;
  const maxNotional_micros = maxNotionalAt(definition.brackets, leverage);
  return { ...position, leverage, maxNotional_micros, isIsolated: setting.mode === ISOLATED };
}
