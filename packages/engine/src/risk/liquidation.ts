import { MAX_TICKS } from "../book/limits.ts";
import { CROSS, FUND_ACCOUNT, HALTED, NO_MARKET } from "../contract/codes.ts";
import { CAUSES } from "../contract/events.ts";
import { REASON } from "../contract/reasons.ts";
import { bankruptcyTicks, reductionLots } from "../rules/liquidation.ts";
import { isLiquidatable, isMarginCall, needsFurtherReduction } from "../rules/margin.ts";
import { BUY, SELL, type Side } from "../side.ts";
import { FLAG_CALLED } from "../state/accounts.ts";
import type { MarketState } from "../state/market-state.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import type { Ledger } from "../trading/ledger.ts";
import type { OrderDesk } from "../trading/order-desk.ts";
import { OrderRequest } from "../trading/order-request.ts";
import { type AccountMargin, valueAtMark } from "./account-margin.ts";
import type { Deleveraging } from "./deleveraging.ts";
import type { FairFund } from "./fair-fund.ts";
import type { FairSteps } from "./fair-steps.ts";
import type { Fund } from "./fund.ts";
import { chargeLiquidationFee } from "./liquidation-fee.ts";
import { systemOrder } from "./system-order.ts";

const LIQUIDATION = CAUSES.indexOf("liquidation");

/** Section 11 of the rules. A case is an account with its cross entries, or one isolated position. */
export class Liquidation {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #ledger: Ledger;
  readonly #desk: OrderDesk;
  readonly #deleveraging: Deleveraging;
  readonly #fund: Fund;
  readonly #fairFund: FairFund;
  readonly #fairSteps: FairSteps;
  readonly #request = new OrderRequest();
  readonly #givenUp: number[] = [];
  /** Of the current case. */
  #maintenance = 0;
  #balance = 0;

  constructor(
    state: State,
    margin: AccountMargin,
    ledger: Ledger,
    desk: OrderDesk,
    deleveraging: Deleveraging,
    fund: Fund,
    fairFund: FairFund,
    fairSteps: FairSteps,
  ) {
    this.#state = state;
    this.#margin = margin;
    this.#ledger = ledger;
    this.#desk = desk;
    this.#deleveraging = deleveraging;
    this.#fund = fund;
    this.#fairFund = fairFund;
    this.#fairSteps = fairSteps;
  }

  /** Checks every position of a market after a price or funding change, then the fund's. */
  judge(market: MarketState, isPrice: boolean): void {
    if (market.status === HALTED || market.markTicks === 0) return;
    const { positions } = this.#state;
    // Takeovers append the fund's entry during the loop; the loop skips it.
    for (let i = 0; i < market.positions.length; i += 1) {
      const position = market.positions[i]!;
      if (positions.lots(position) === 0 || positions.account(position) === FUND_ACCOUNT) continue;
      this.#judgePosition(position);
    }
    if (market.isFair) this.#fairFund.judge(market, isPrice);
    else this.#fund.judge(market);
  }

  #judgePosition(position: number): void {
    const { positions } = this.#state;
    this.#compute(position);
    if (isLiquidatable(this.#maintenance, this.#balance)) {
      this.#liquidate(position);
      return;
    }
    const isDue = isMarginCall(this.#maintenance, this.#balance);
    if (isDue === this.#isCalled(position)) return;
    this.#setCalled(position, isDue);
    if (!isDue) return;
    this.#state.events.emit("margin_called", {
      account: positions.account(position),
      market: this.#marketOfCase(position),
      maintenance_micros: this.#maintenance,
      balance_micros: this.#balance,
    });
  }

  #liquidate(position: number): void {
    const { positions, events } = this.#state;
    const account = positions.account(position);
    const market = this.#marketOfCase(position);
    events.emit("liquidation_started", {
      account,
      market,
      maintenance_micros: this.#maintenance,
      balance_micros: this.#balance,
    });
    this.#cancelOrders(position);
    this.#givenUp.length = 0;
    for (;;) {
      this.#compute(position);
      if (!needsFurtherReduction(this.#maintenance, this.#balance)) break;
      const next = this.#pick(position);
      if (next === NO_POSITION) break;
      if (!this.#state.isFair) this.#step(next);
      else if (!this.#fairSteps.step(next)) this.#givenUp.push(next);
    }
    events.emit("liquidation_ended", {
      account,
      market,
      isResolved: needsFurtherReduction(this.#maintenance, this.#balance) ? 0 : 1,
      maintenance_micros: this.#maintenance,
      balance_micros: this.#balance,
    });
  }

  /** One step on one position: first the book, then the fund, then auto-deleveraging. */
  #step(position: number): void {
    const { positions, markets } = this.#state;
    const market = markets[positions.market(position)]!;
    const unit = market.definition.unit_micros;
    const lots = positions.lots(position);
    const ticks = bankruptcyTicks(lots, positions.cost(position), this.#balanceBeside(market, position), unit);
    if (ticks < 1 || ticks > MAX_TICKS) {
      this.#givenUp.push(position);
      return;
    }
    const step = reductionLots(market.definition.brackets, lots, market.markTicks, unit);
    const principalBefore = this.#state.accounts.principal(positions.account(position));
    const filled = this.#offer(market, position, step, ticks);
    const value_micros = filled === 0 ? 0 : this.#desk.executedQuote_micros;
    this.#passOn(market, position, step - filled, ticks);
    // Charged last, because lots passed on at the bankruptcy price take their share of the balance before the fee.
    if (filled === 0) return;
    this.#compute(position);
    chargeLiquidationFee(this.#state, this.#ledger, position, value_micros, principalBefore, this.#balance);
  }

  /** Places an IOC order at the bankruptcy price. Returns the lots that it filled. */
  #offer(market: MarketState, position: number, lots: number, ticks: number): number {
    const { positions } = this.#state;
    const side: Side = positions.lots(position) > 0 ? SELL : BUY;
    if (!market.book.levels[side ^ 1]!.isMetAt(ticks)) return 0;
    const request = systemOrder(this.#request, market, positions.account(position), position, side, lots, ticks);
    request.cause = LIQUIDATION;
    this.#desk.accept(request);
    return this.#desk.executedLots;
  }

  /** Lots that the book did not take go to the fund, else to the other side. */
  #passOn(market: MarketState, position: number, lots: number, ticks: number): void {
    if (lots === 0) return;
    const isLong = this.#state.positions.lots(position) > 0;
    if (this.#fund.canTakeOver(market, isLong ? lots : -lots, ticks)) {
      this.#deleveraging.takeOver(market, position, this.#fund.symbolIn(market), lots, ticks);
    } else if (this.#deleveraging.deleverage(market, position, lots, ticks, "bankrupt") > 0) {
      this.#givenUp.push(position);
    }
  }

  /** The position of the case with the largest maintenance margin that a step can still reduce. */
  #pick(position: number): number {
    const { accounts, positions, markets } = this.#state;
    if (positions.mode(position) !== CROSS) return this.#givenUp.includes(position) ? NO_POSITION : position;
    let best = NO_POSITION;
    let largest = 0;
    for (let at = accounts.firstPosition(positions.account(position)); at !== NO_POSITION; at = positions.next(at)) {
      if (positions.mode(at) !== CROSS || markets[positions.market(at)]!.status === HALTED) continue;
      const maintenance = this.#margin.maintenanceOf(at);
      if (maintenance <= largest || this.#givenUp.includes(at)) continue;
      best = at;
      largest = maintenance;
    }
    return best;
  }

  /** The balance beside a position: for a cross one the balance without its own unrealised PnL. */
  #balanceBeside(market: MarketState, position: number): number {
    const { positions } = this.#state;
    if (positions.mode(position) !== CROSS) return positions.isolated(position);
    return this.#balance - (valueAtMark(market, positions.lots(position)) - positions.cost(position));
  }

  #compute(position: number): void {
    const { positions } = this.#state;
    if (positions.mode(position) !== CROSS) {
      this.#maintenance = this.#margin.maintenanceOf(position);
      this.#balance = this.#margin.isolatedBalance(position);
      return;
    }
    this.#margin.computeAll(positions.account(position));
    this.#maintenance = this.#margin.maintenance_micros;
    this.#balance = this.#margin.balance_micros;
  }

  #cancelOrders(position: number): void {
    const { accounts, positions } = this.#state;
    if (positions.mode(position) !== CROSS) {
      this.#desk.cancelOrdersOf(position, REASON.liquidation, false);
      return;
    }
    for (let at = accounts.firstPosition(positions.account(position)); at !== NO_POSITION; at = positions.next(at)) {
      if (positions.mode(at) === CROSS) this.#desk.cancelOrdersOf(at, REASON.liquidation, false);
    }
  }

  #marketOfCase(position: number): number {
    const { positions } = this.#state;
    return positions.mode(position) === CROSS ? NO_MARKET : positions.market(position);
  }

  #isCalled(position: number): boolean {
    const { positions, accounts } = this.#state;
    if (positions.mode(position) !== CROSS) return positions.isCalled(position);
    return accounts.hasFlag(positions.account(position), FLAG_CALLED);
  }

  #setCalled(position: number, isCalled: boolean): void {
    const { positions, accounts } = this.#state;
    if (positions.mode(position) !== CROSS) positions.setCalled(position, isCalled);
    else if (isCalled) accounts.raiseFlag(positions.account(position), FLAG_CALLED);
    else accounts.lowerFlag(positions.account(position), FLAG_CALLED);
  }
}
