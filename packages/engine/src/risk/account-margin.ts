import { CROSS } from "../contract/codes.ts";
import { ceilDiv, exact } from "../integers.ts";
import { maintenanceMargin } from "../rules/brackets.ts";
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
 * FUT-9: the margin of an account, summed up anew from its symbols each time it is asked for. The sums stay until the next
 * `reckon…`. Products here are plain: positions and resting orders of a market are worth 1e15 micros at most, which is
 * checked where orders and prices come in, and the sums are checked at the end.
 */
export class AccountMargin {
  readonly #state: State;
  /** In memory of its own, so that storing a sum allocates nothing. */
  readonly #sums = new Float64Array(4);

  constructor(state: State) {
    this.#state = state;
  }

  /** Of the cross symbols. */
  get unrealised_micros(): number {
    return this.#sums[UNREALISED]!;
  }

  /** Of the cross symbols, and of what open orders may add to isolated ones. Only after `reckon` and `reckonAll`. */
  get initial_micros(): number {
    return this.#sums[INITIAL]!;
  }

  /** Of the cross symbols. Only after `reckonAll`. */
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

  reckonBalance(account: number): void {
    const { positions, markets } = this.#state;
    let unrealised = 0;
    for (let at = this.#state.accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const lots = positions.lots(at);
      if (lots === 0 || positions.mode(at) !== CROSS) continue;
      unrealised += valueAtMark(markets[positions.market(at)]!, lots) - positions.cost(at);
    }
    this.#sums[UNREALISED] = unrealised;
    this.#reckonBalance(account);
  }

  reckon(account: number): void {
    const { positions, markets } = this.#state;
    let unrealised = 0;
    let initial = 0;
    for (let at = this.#state.accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const value = valueAtMark(markets[positions.market(at)]!, positions.lots(at));
      if (positions.mode(at) === CROSS) unrealised += value - positions.cost(at);
      initial += this.symbolInitial(at, value, positions.openValue(at, BUY), positions.openValue(at, SELL));
    }
    this.#sums[UNREALISED] = unrealised;
    this.#sums[INITIAL] = initial;
    this.#reckonBalance(account);
  }

  reckonAll(account: number): void {
    const { positions, markets } = this.#state;
    this.reckon(account);
    let maintenance = 0;
    for (let at = this.#state.accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const lots = positions.lots(at);
      if (lots === 0 || positions.mode(at) !== CROSS) continue;
      const market = markets[positions.market(at)]!;
      maintenance += maintenanceMargin(market.terms.brackets, Math.abs(valueAtMark(market, lots)));
    }
    this.#sums[MAINTENANCE] = maintenance;
  }

  /** The initial margin of one symbol whose position is worth `value_micros` (signed) at the mark. */
  symbolInitial(position: number, value_micros: number, buys_micros: number, sells_micros: number): number {
    const { positions } = this.#state;
    const worst = worstNotional(value_micros, buys_micros, sells_micros);
    const held = positions.mode(position) === CROSS ? 0 : Math.abs(value_micros);
    return ceilDiv(worst - held, positions.leverage(position));
  }

  withdrawable(account: number): number {
    const { accounts } = this.#state;
    this.reckon(account);
    return withdrawable(
      accounts.principal(account),
      accounts.bonus(account),
      this.unrealised_micros,
      this.initial_micros,
    );
  }

  /** What principal can give to an isolated position without uncovering the open losses of the others. */
  spare(account: number): number {
    this.reckonBalance(account);
    return Math.max(0, this.#state.accounts.principal(account) + Math.min(0, this.unrealised_micros));
  }

  /** The balance of an isolated position: its margin and its unrealised PnL. */
  isolatedBalance(position: number): number {
    const { positions, markets } = this.#state;
    const value = valueAtMark(markets[positions.market(position)]!, positions.lots(position));
    return positions.isolated(position) + value - positions.cost(position);
  }

  /** Of one position, whatever its mode. */
  maintenanceOf(position: number): number {
    const { positions, markets } = this.#state;
    const lots = positions.lots(position);
    if (lots === 0) return 0;
    const market = markets[positions.market(position)]!;
    return maintenanceMargin(market.terms.brackets, Math.abs(valueAtMark(market, lots)));
  }

  #reckonBalance(account: number): void {
    const { accounts } = this.#state;
    const sums = this.#sums;
    sums[BALANCE] = exact(accounts.principal(account) + accounts.bonus(account) + sums[UNREALISED]!);
  }
}

export function valueAtMark(market: MarketState, lots: number): number {
  return market.markTicks * market.terms.unit_micros * lots;
}

/** The largest position, without sign, that open orders can lead to. */
export function worstNotional(value_micros: number, buys_micros: number, sells_micros: number): number {
  return Math.max(value_micros + buys_micros, sells_micros - value_micros);
}
