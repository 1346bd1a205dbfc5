import { CROSS } from "../contract/codes.ts";
import type { Engine } from "../engine.ts";
import { CEIL, FLOOR, mulDiv } from "../integers.ts";
import { worstNotional } from "../risk/account-margin.ts";
import { initialMargin, maintenanceMargin, maxNotionalAt } from "../rules/brackets.ts";
import { effectiveRate_e8, FEE_TIERS } from "../rules/fees.ts";
import { shownLiquidationPrice } from "../rules/liquidation.ts";
import { entryPrice } from "../rules/position.ts";
import { ONE_e8 } from "../rules/units.ts";
import { BUY, SELL } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";

/** In place of an account that is not open yet: its figures are zeros. */
export const NO_ACCOUNT_YET = 0;

/** What an account holds and offers in one market, computed at the mark price. Prices in millionths of a tick. */
export interface PositionFigures {
  readonly market: MarketState;
  /** The engine's number of the entry; 0 if the account has none in the market. */
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

/** FUT-15: the rates that the account pays. */
export function feeRates_e8({ accounts }: State, account: number): { maker_e8: number; taker_e8: number } {
  const isOpen = account !== NO_ACCOUNT_YET;
  const { maker_e8, taker_e8 } = FEE_TIERS[isOpen ? accounts.tier(account) : 0]!;
  const discount_bps = isOpen ? accounts.discount_bps(account) : 0;
  return {
    maker_e8: effectiveRate_e8(maker_e8, discount_bps),
    taker_e8: effectiveRate_e8(taker_e8, discount_bps),
  };
}

/** The account's positions in these markets, including markets in which it has no entry. */
export function readPositions(
  { margin, state }: Engine,
  account: number,
  markets: readonly MarketState[] = state.markets,
): PositionFigures[] {
  if (account !== NO_ACCOUNT_YET) margin.computeAll(account);
  const cross = { balance_micros: margin.balance_micros, maintenance_micros: margin.maintenance_micros };
  return markets.map((market) => readPosition(state, account, market, cross));
}

/** The sums of an account over its positions in all markets. */
export function readAccount(
  { margin, state }: Engine,
  account: number,
  positions: readonly PositionFigures[],
): AccountFigures {
  const sum = (value: (position: PositionFigures) => number) =>
    positions.reduce((total, position) => total + value(position), 0);
  const isOpen = account !== NO_ACCOUNT_YET;
  const withdrawable_micros = isOpen ? margin.withdrawable(account) : 0;
  if (isOpen) margin.computeAll(account);
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

function readPosition(
  state: State,
  account: number,
  market: MarketState,
  cross: { balance_micros: number; maintenance_micros: number },
): PositionFigures {
  const { positions } = state;
  const { definition } = market;
  const position = account === NO_ACCOUNT_YET ? NO_POSITION : positions.find(account, market.number);
  const lots = positions.lots(position);
  const cost = positions.cost(position);
  const notional = market.markTicks * definition.unit_micros * lots;
  const unrealised = notional - cost;
  const isIsolated = position !== NO_POSITION && positions.mode(position) !== CROSS;
  const isolatedWallet = positions.isolated(position);
  const maintenance = lots === 0 ? 0 : maintenanceMargin(definition.brackets, Math.abs(notional));
  const leverage = position === NO_POSITION ? firstLeverage(state, account, market) : positions.leverage(position);
  const bids = positions.openValue(position, BUY);
  const asks = positions.openValue(position, SELL);
  // FUT-11: the balance beside the position.
  const beside = isIsolated
    ? isolatedWallet
    : cross.balance_micros - unrealised - (cross.maintenance_micros - maintenance);
  const positionInitial = initialMargin(Math.abs(notional), leverage);
  return {
    market,
    position,
    lots,
    isIsolated,
    leverage,
    maxNotional_micros: maxNotionalAt(definition.brackets, leverage),
    notional_micros: notional,
    unrealised_micros: unrealised,
    entry_microTicks: entryPrice(lots, cost, definition.unit_micros),
    breakEven_microTicks: breakEven(state, account, market, lots, cost),
    liquidation_microTicks: shownLiquidationPrice(definition, lots, cost, beside),
    maintenance_micros: maintenance,
    positionInitial_micros: positionInitial,
    orderInitial_micros: initialMargin(worstNotional(notional, bids, asks), leverage) - positionInitial,
    isolatedWallet_micros: isolatedWallet,
    bids_micros: bids,
    asks_micros: asks,
    openOrders: positions.orders(position),
  };
}

/** The leverage of a new entry of the account in a market. */
function firstLeverage({ accounts }: State, account: number, { definition }: MarketState): number {
  const hasBonus = account !== NO_ACCOUNT_YET && accounts.bonus(account) > 0;
  return hasBonus ? Math.min(definition.defaultLeverage, accounts.bonusLeverage(account)) : definition.defaultLeverage;
}

/** The price, in millionths of a tick, at which closing returns the cost and the taker fee of closing; 0 without a position. */
export function breakEven(
  state: State,
  account: number,
  { definition }: Pick<MarketState, "definition">,
  lots: number,
  cost: number,
): number {
  if (lots === 0) return 0;
  const entry = entryPrice(lots, cost, definition.unit_micros);
  const { taker_e8 } = feeRates_e8(state, account);
  return lots > 0 ? mulDiv(entry, ONE_e8, ONE_e8 - taker_e8, CEIL) : mulDiv(entry, ONE_e8, ONE_e8 + taker_e8, FLOOR);
}
