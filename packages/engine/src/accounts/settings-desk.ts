import { CROSS, ISOLATED } from "../contract/codes.ts";
import type { MoveIsolatedMargin, SetLeverage, SetMarginMode } from "../contract/commands.ts";
import { REASON } from "../contract/reasons.ts";
import { isAccountNumber, isCode, isMarketNumber, isWhole, MAX_AMOUNT_micros } from "../contract/validation.ts";
import { ceilDiv } from "../integers.ts";
import { type AccountMargin, valueAtMark, worstNotional } from "../risk/account-margin.ts";
import { maxNotionalAt } from "../rules/brackets.ts";
import { BUY, SELL } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import type { Ledger } from "../trading/ledger.ts";
import type { OrderDesk } from "../trading/order-desk.ts";

const DONE = 0;

/** Section 7 of the rules: leverage, margin mode and isolated margin of an account's entry. */
export class SettingsDesk {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #ledger: Ledger;
  readonly #desk: OrderDesk;

  constructor(state: State, margin: AccountMargin, ledger: Ledger, desk: OrderDesk) {
    this.#state = state;
    this.#margin = margin;
    this.#ledger = ledger;
    this.#desk = desk;
  }

  setLeverage(command: SetLeverage): number {
    const { accounts, positions, events } = this.#state;
    const { account, leverage } = command;
    const isField = isWhole(leverage, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
    const problem = this.#problemOf(account, command.market, isField);
    if (problem !== DONE) return problem;
    const market = this.#state.markets[command.market]!;
    const highest = market.definition.brackets[0]!.maxLeverage;
    const max = accounts.bonus(account) > 0 ? Math.min(highest, accounts.bonusLeverage(account)) : highest;
    if (leverage < 1 || leverage > max) return this.#state.refuse(REASON.leverage_invalid, max, leverage);
    const found = positions.find(account, market.number);
    const worst = this.#worstOf(market, found);
    const maxNotional = maxNotionalAt(market.definition.brackets, leverage);
    if (worst > maxNotional) return this.#state.refuse(REASON.position_limit, maxNotional, worst);
    if (found !== NO_POSITION && leverage < positions.leverage(found)) {
      const refusal = this.#checkLower(found, leverage, worst);
      if (refusal !== DONE) return refusal;
    }
    positions.setLeverage(this.#desk.entryOf(account, market), leverage, maxNotional);
    events.emit("leverage_set", { account, market: market.number, leverage });
    this.#ledger.touch(account);
    return DONE;
  }

  setMarginMode(command: SetMarginMode): number {
    const { accounts, positions, events } = this.#state;
    const { account, mode } = command;
    const problem = this.#problemOf(account, command.market, isCode(mode, ISOLATED));
    if (problem !== DONE) return problem;
    const market = this.#state.markets[command.market]!;
    const found = positions.find(account, market.number);
    if (mode !== (found === NO_POSITION ? CROSS : positions.mode(found))) {
      const hasOrders = positions.orders(found) + positions.conditionals(found) > 0;
      if (mode === ISOLATED && accounts.bonus(account) > 0) return this.#state.refuse(REASON.mode_bonus);
      if (hasOrders) return this.#state.refuse(REASON.mode_open_orders);
      if (positions.lots(found) !== 0) return this.#state.refuse(REASON.mode_open_position);
      positions.setMode(this.#desk.entryOf(account, market), mode);
    }
    events.emit("margin_mode_set", { account, market: market.number, mode });
    return DONE;
  }

  moveIsolatedMargin(command: MoveIsolatedMargin): number {
    const { accounts, positions, events } = this.#state;
    const { account, amount_micros } = command;
    const isField = isWhole(amount_micros, -MAX_AMOUNT_micros, MAX_AMOUNT_micros) && amount_micros !== 0;
    const problem = this.#problemOf(account, command.market, isField);
    if (problem !== DONE) return problem;
    const market = this.#state.markets[command.market]!;
    const position = positions.find(account, market.number);
    const isIsolated = positions.mode(position) === ISOLATED && positions.lots(position) !== 0;
    if (!isIsolated) return this.#state.refuse(REASON.not_isolated);
    const max = amount_micros > 0 ? this.#maxToAdd(account) : this.#maxToRemove(market, position);
    const amount = Math.abs(amount_micros);
    if (amount > max) return this.#state.refuse(REASON.margin_insufficient, max, amount);
    accounts.addPrincipal(account, -amount_micros);
    positions.addIsolated(position, amount_micros);
    events.emit("isolated_margin_moved", {
      account,
      market: market.number,
      amount_micros,
      isolated_micros: positions.isolated(position),
      principal_micros: accounts.principal(account),
    });
    this.#ledger.touch(account);
    return DONE;
  }

  #maxToAdd(account: number): number {
    this.#margin.compute(account);
    return Math.min(this.#state.accounts.principal(account), this.#margin.available_micros);
  }

  #maxToRemove(market: MarketState, position: number): number {
    const { positions } = this.#state;
    const value = valueAtMark(market, positions.lots(position));
    const isolated = positions.isolated(position);
    const initial = ceilDiv(Math.abs(value), positions.leverage(position));
    return Math.min(isolated, isolated + Math.min(0, value - positions.cost(position)) - initial);
  }

  #worstOf(market: MarketState, position: number): number {
    const { positions } = this.#state;
    const value = valueAtMark(market, positions.lots(position));
    return worstNotional(value, positions.openValue(position, BUY), positions.openValue(position, SELL));
  }

  /** The balance must cover the initial margin at the lower leverage; an isolated position has its margin fixed. */
  #checkLower(position: number, leverage: number, worst: number): number {
    const { positions } = this.#state;
    if (positions.mode(position) === ISOLATED && positions.lots(position) !== 0) {
      return this.#state.refuse(REASON.leverage_margin);
    }
    const margin = this.#margin;
    margin.compute(positions.account(position));
    const rise = ceilDiv(worst, leverage) - ceilDiv(worst, positions.leverage(position));
    const initial = margin.initial_micros + rise;
    const balance = margin.balance_micros;
    return rise > 0 && initial > balance ? this.#state.refuse(REASON.leverage_margin, balance, initial) : DONE;
  }

  #problemOf(account: number, market: number, areFieldsFine: boolean): number {
    const isFine = areFieldsFine && isAccountNumber(account) && isMarketNumber(market);
    return isFine ? this.#state.checkNames(account, market) : this.#state.refuse(REASON.bad_field);
  }
}
