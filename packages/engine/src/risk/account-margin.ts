import { CROSS } from "../contract/codes.ts";
import { ceilDiv, exact } from "../integers.ts";
import { maintenanceMargin } from "../rules/brackets.ts";
import { bankruptcyTicks } from "../rules/liquidation.ts";
import { withdrawable } from "../rules/margin.ts";
import { BUY, SELL } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";

const UNREALISED = 0;
const INITIAL = 1;
const MAINTENANCE = 2;
const BALANCE = 3;

/**
 * FUT-9: the margin of an account, computed from its entries at each request. The sums are valid until the next
 * `compute…`. Products here are plain, because positions and resting orders of a market are worth 1e15 micros at most,
 * which the checks of orders and prices ensure; the sums are checked at the end.
 */
export class AccountMargin {
  readonly #state: State;
  /** A typed array, so that storing a sum allocates nothing. */
  readonly #sums = new Float64Array(4);

  constructor(state: State) {
    this.#state = state;
  }

  /** Of the cross entries. */
  get unrealised_micros(): number {
    return this.#sums[UNREALISED]!;
  }

  /** Of the cross entries, plus what open orders may add to isolated ones. Only after `compute` and `computeAll`. */
  get initial_micros(): number {
    return this.#sums[INITIAL]!;
  }

  /** Of the cross entries. Only after `computeAll`. */
  get maintenance_micros(): number {
    return this.#sums[MAINTENANCE]!;
  }

  /** Principal, bonus and unrealised PnL. */
  get balance_micros(): number {
    return this.#sums[BALANCE]!;
  }

  get available_micros(): number {
    return this.#sums[BALANCE]! - this.#sums[INITIAL]!;
  }

  computeBalance(account: number): void {
    const { positions, markets } = this.#state;
    let unrealised = 0;
    for (let at = this.#state.accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const lots = positions.lots(at);
      if (lots === 0 || positions.mode(at) !== CROSS) continue;
      unrealised += valueAtMark(markets[positions.market(at)]!, lots) - positions.cost(at);
    }
    this.#sums[UNREALISED] = unrealised;
    this.#computeBalance(account);
  }

  compute(account: number): void {
    const { positions, markets } = this.#state;
    let unrealised = 0;
    let initial = 0;
    for (let at = this.#state.accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const value = valueAtMark(markets[positions.market(at)]!, positions.lots(at));
      if (positions.mode(at) === CROSS) unrealised += value - positions.cost(at);
      initial += this.entryInitial(at, value, positions.openValue(at, BUY), positions.openValue(at, SELL));
    }
    this.#sums[UNREALISED] = unrealised;
    this.#sums[INITIAL] = initial;
    this.#computeBalance(account);
  }

  computeAll(account: number): void {
    const { positions, markets } = this.#state;
    this.compute(account);
    let maintenance = 0;
    for (let at = this.#state.accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const lots = positions.lots(at);
      if (lots === 0 || positions.mode(at) !== CROSS) continue;
      const market = markets[positions.market(at)]!;
      maintenance += maintenanceMargin(market.definition.brackets, Math.abs(valueAtMark(market, lots)));
    }
    this.#sums[MAINTENANCE] = maintenance;
  }

  /**
   * FUT-9: the balance of a position's account as it is, and its maintenance with signed lots more in that position. One
   * pass for both, because every fill that opens asks for them.
   */
  computeWith(account: number, position: number, lots: number): void {
    const { accounts, positions, markets } = this.#state;
    let unrealised = 0;
    let maintenance = 0;
    for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const held = positions.lots(at);
      const after = at === position ? held + lots : held;
      if ((held === 0 && after === 0) || positions.mode(at) !== CROSS) continue;
      const market = markets[positions.market(at)]!;
      const lot_micros = market.markTicks * market.definition.unit_micros;
      unrealised += held * lot_micros - positions.cost(at);
      if (after !== 0) maintenance += maintenanceMargin(market.definition.brackets, Math.abs(after * lot_micros));
    }
    this.#sums[UNREALISED] = unrealised;
    this.#sums[MAINTENANCE] = maintenance;
    this.#computeBalance(account);
  }

  /** The initial margin of one entry whose position is worth `value_micros` (signed) at the mark price. */
  entryInitial(position: number, value_micros: number, buys_micros: number, sells_micros: number): number {
    const { positions } = this.#state;
    const worst = worstNotional(value_micros, buys_micros, sells_micros);
    const held = positions.mode(position) === CROSS ? 0 : Math.abs(value_micros);
    return ceilDiv(worst - held, positions.leverage(position));
  }

  withdrawable(account: number): number {
    const { accounts, fairness } = this.#state;
    this.compute(account);
    const free = withdrawable(
      accounts.principal(account),
      accounts.bonus(account),
      this.unrealised_micros,
      this.initial_micros,
    );
    // VLT-3, BON-7: both are 0 before rules version 5.
    return Math.max(0, free - fairness.heldOf(account) - fairness.owedOf(account));
  }

  /** What principal can give to an isolated position while it still covers the open losses of the other positions. */
  spare(account: number): number {
    this.computeBalance(account);
    return Math.max(0, this.#state.accounts.principal(account) + Math.min(0, this.unrealised_micros));
  }

  /** The balance of an isolated position: its margin and its unrealised PnL. */
  isolatedBalance(position: number): number {
    const { positions, markets } = this.#state;
    const value = valueAtMark(markets[positions.market(position)]!, positions.lots(position));
    return positions.isolated(position) + value - positions.cost(position);
  }

  /** Of one position in either margin mode. */
  maintenanceOf(position: number): number {
    const { positions, markets } = this.#state;
    const lots = positions.lots(position);
    if (lots === 0) return 0;
    const market = markets[positions.market(position)]!;
    return maintenanceMargin(market.definition.brackets, Math.abs(valueAtMark(market, lots)));
  }

  /**
   * FUT-11: the balance beside a position: for an isolated one its own margin, for a cross one the balance without this
   * position's PnL, less the maintenance margin of the others. Afterwards the sums are those of the position's account.
   */
  balanceBeside(position: number): number {
    const { positions, markets } = this.#state;
    if (positions.mode(position) !== CROSS) return positions.isolated(position);
    this.computeAll(positions.account(position));
    const value = valueAtMark(markets[positions.market(position)]!, positions.lots(position));
    const othersMaintenance = this.maintenance_micros - this.maintenanceOf(position);
    return this.balance_micros - (value - positions.cost(position)) - othersMaintenance;
  }

  #computeBalance(account: number): void {
    const { accounts } = this.#state;
    const sums = this.#sums;
    sums[BALANCE] = exact(accounts.principal(account) + accounts.bonus(account) + sums[UNREALISED]!);
  }
}

/** FUT-12: of a cross position, after `compute…` of its account: with everything else that the account has. */
export function bankruptcyOf({ positions, markets }: State, margin: AccountMargin, position: number): number {
  const market = markets[positions.market(position)]!;
  const lots = positions.lots(position);
  const cost = positions.cost(position);
  const beside = margin.balance_micros - (valueAtMark(market, lots) - cost);
  return bankruptcyTicks(lots, cost, beside, market.definition.unit_micros);
}

export function valueAtMark(market: MarketState, lots: number): number {
  return market.markTicks * market.definition.unit_micros * lots;
}

/** The largest position, without sign, that open orders can produce. */
export function worstNotional(value_micros: number, buys_micros: number, sells_micros: number): number {
  return Math.max(value_micros + buys_micros, sells_micros - value_micros);
}
