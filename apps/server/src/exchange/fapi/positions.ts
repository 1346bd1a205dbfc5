import {
  BUY,
  CEIL,
  CROSS,
  type Engine,
  effectiveRate_e8,
  entryPrice,
  FEE_TIERS,
  FLOOR,
  initialMargin,
  maintenanceMargin,
  maxNotionalAt,
  mulDiv,
  NO_POSITION,
  ONE_e8,
  SELL,
} from "@bourse/engine";
import { shownLiquidationPrice } from "../liquidation-price.ts";
import type { MarketState, Markets } from "./markets.ts";

/** What an account holds and has on offer in one market, worked out at the mark. Prices in millionths of a tick. */
export interface PositionFigures {
  readonly market: MarketState;
  /** The engine's number of it; 0 where the account has never touched the market. */
  readonly position: number;
  readonly lots: number;
  readonly isIsolated: boolean;
  readonly leverage: number;
  readonly maxNotional_micros: number;
  /** Signed. */
  readonly notional_micros: number;
  readonly unrealised_micros: number;
  readonly entry_microTicks: number;
  readonly breakEven_microTicks: number;
  readonly liquidation_microTicks: number;
  readonly maintenance_micros: number;
  readonly positionInitial_micros: number;
  readonly orderInitial_micros: number;
  readonly isolatedWallet_micros: number;
  readonly bids_micros: number;
  readonly asks_micros: number;
  readonly openOrders: number;
}

export interface AccountFigures {
  readonly crossWallet_micros: number;
  readonly isolatedWallet_micros: number;
  readonly crossUnrealised_micros: number;
  readonly unrealised_micros: number;
  readonly maintenance_micros: number;
  readonly positionInitial_micros: number;
  readonly orderInitial_micros: number;
  readonly available_micros: number;
  readonly withdrawable_micros: number;
}

/** Reads accounts and positions from the engine's memory. Account 0 stands for one that is not open yet: all zeros. */
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

  /** FUT-15: what the account really pays. */
  rates_e8(account: number): { maker_e8: number; taker_e8: number } {
    const { accounts } = this.#engine.state;
    const { maker_e8, taker_e8 } = FEE_TIERS[this.tier(account)]!;
    const discount_bps = account === 0 ? 0 : accounts.discount_bps(account);
    return {
      maker_e8: effectiveRate_e8(maker_e8, discount_bps),
      taker_e8: effectiveRate_e8(taker_e8, discount_bps),
    };
  }

  /** In every market, or one. */
  positions(account: number, only?: MarketState): PositionFigures[] {
    const { margin } = this.#engine;
    if (account !== 0) margin.reckonAll(account);
    const cross = { balance_micros: margin.balance_micros, maintenance_micros: margin.maintenance_micros };
    const wanted = only === undefined ? this.#markets.all : [only];
    return wanted.map((market) => this.#position(account, market, cross));
  }

  summary(account: number, positions: readonly PositionFigures[]): AccountFigures {
    const sum = (value: (position: PositionFigures) => number) =>
      positions.reduce((total, position) => total + value(position), 0);
    const { margin, state } = this.#engine;
    const isOpen = account !== 0;
    const withdrawable_micros = isOpen ? margin.withdrawable(account) : 0;
    if (isOpen) margin.reckonAll(account);
    return {
      crossWallet_micros: isOpen ? state.accounts.principal(account) + state.accounts.bonus(account) : 0,
      isolatedWallet_micros: sum((position) => position.isolatedWallet_micros),
      crossUnrealised_micros: isOpen ? margin.unrealised_micros : 0,
      unrealised_micros: sum((position) => position.unrealised_micros),
      maintenance_micros: sum((position) => position.maintenance_micros),
      positionInitial_micros: sum((position) => position.positionInitial_micros),
      orderInitial_micros: sum((position) => position.orderInitial_micros),
      available_micros: isOpen ? Math.max(0, margin.available_micros) : 0,
      withdrawable_micros,
    };
  }

  #position(
    account: number,
    market: MarketState,
    cross: { balance_micros: number; maintenance_micros: number },
  ): PositionFigures {
    const { positions } = this.#engine.state;
    const { terms } = market;
    const position = account === 0 ? NO_POSITION : positions.find(account, market.number);
    const lots = positions.lots(position);
    const cost = positions.cost(position);
    const notional = market.markTicks * terms.unit_micros * lots;
    const unrealised = notional - cost;
    const isIsolated = position !== NO_POSITION && positions.mode(position) !== CROSS;
    const isolatedWallet = positions.isolated(position);
    const maintenance = lots === 0 ? 0 : maintenanceMargin(terms.brackets, Math.abs(notional));
    const leverage = position === NO_POSITION ? this.#defaultLeverage(account, market) : positions.leverage(position);
    const bids = positions.openValue(position, BUY);
    const asks = positions.openValue(position, SELL);
    // FUT-11: what stands beside the position.
    const beside = isIsolated
      ? isolatedWallet
      : cross.balance_micros - unrealised - (cross.maintenance_micros - maintenance);
    const positionInitial = initialMargin(Math.abs(notional), leverage);
    const worst = Math.max(notional + bids, asks - notional);
    return {
      market,
      position,
      lots,
      isIsolated,
      leverage,
      maxNotional_micros: maxNotionalAt(terms.brackets, leverage),
      notional_micros: notional,
      unrealised_micros: unrealised,
      entry_microTicks: entryPrice(lots, cost, terms.unit_micros),
      breakEven_microTicks: this.#breakEven(account, market, lots, cost),
      liquidation_microTicks: shownLiquidationPrice(terms, lots, cost, beside),
      maintenance_micros: maintenance,
      positionInitial_micros: positionInitial,
      orderInitial_micros: initialMargin(worst, leverage) - positionInitial,
      isolatedWallet_micros: isolatedWallet,
      bids_micros: bids,
      asks_micros: asks,
      openOrders: positions.orders(position),
    };
  }

  #defaultLeverage(account: number, { terms }: MarketState): number {
    const { accounts } = this.#engine.state;
    const hasBonus = account !== 0 && accounts.bonus(account) > 0;
    return hasBonus ? Math.min(terms.defaultLeverage, accounts.bonusLeverage(account)) : terms.defaultLeverage;
  }

  /** The price at which closing gives back the cost and the taker's fee of closing. */
  #breakEven(account: number, { terms }: MarketState, lots: number, cost: number): number {
    const entry = entryPrice(lots, cost, terms.unit_micros);
    if (lots === 0) return 0;
    const { taker_e8 } = this.rates_e8(account);
    return lots > 0 ? mulDiv(entry, ONE_e8, ONE_e8 - taker_e8, CEIL) : mulDiv(entry, ONE_e8, ONE_e8 + taker_e8, FLOOR);
  }
}
