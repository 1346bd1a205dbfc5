import { NO_SLOT } from "../book/order-pool.ts";
import { CROSS, FUND_ACCOUNT } from "../contract/codes.ts";
import { CEIL, FLOOR, mulDiv } from "../integers.ts";
import { type AccountMargin, valueAtMark } from "../risk/account-margin.ts";
import { budgetOf } from "../rules/bonus.ts";
import { initialMargin, maintenanceMargin } from "../rules/brackets.ts";
import { FEE_TIERS, tradeFee } from "../rules/fees.ts";
import { unwindDistance_e8 } from "../rules/market-rules.ts";
import { worstTicks } from "../rules/notional.ts";
import { applyFill, FillEffect } from "../rules/position.ts";
import { ONE_e8 } from "../rules/units.ts";
import { BUY, SELL } from "../side.ts";
import { FLAG_OPENED_ON_BONUS, FLAG_OWES } from "../state/accounts.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import type { Ledger } from "./ledger.ts";

const MAKER_e8 = Float64Array.from(FEE_TIERS, (tier) => tier.maker_e8);
const TAKER_e8 = Float64Array.from(FEE_TIERS, (tier) => tier.taker_e8);

/** The sides of a trade; also the index of a side's fee in the figures. */
export const TAKER = 0;
export const MAKER = 1;
/** A side that pays no fee: lots that move outside the book. */
export const NO_FEE = 2;

export const TRADE_VALUE = 3;
const FEE_FROM_BONUS = 4;
const LOSS_FROM_BONUS = 5;
/** The locked part of the bonus after the fee and before the loss. */
const LOCKED_BETWEEN = 6;

/**
 * What a fill does to one side's position and money (section 5 of the rules). Figures pass from one step to the next in
 * a typed array: as arguments, numbers beyond 32 bits would be boxed for each call.
 */
export class Settlement {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #ledger: Ledger;
  readonly #effect = new FillEffect();
  readonly #figures = new Float64Array(7);

  constructor(state: State, margin: AccountMargin, ledger: Ledger) {
    this.#state = state;
    this.#margin = margin;
    this.#ledger = ledger;
  }

  /** The figures of the trade that was priced last; its value is at TRADE_VALUE. */
  get figures(): Float64Array {
    return this.#figures;
  }

  /** FUT-15: value and fees of a trade, by tier and discount of both sides. */
  priceTrade(market: MarketState, ticks: number, lots: number, taker: number, maker: number, isTakerCharged: boolean) {
    const { accounts } = this.#state;
    const figures = this.#figures;
    const value = ticks * lots * market.definition.unit_micros;
    figures[TRADE_VALUE] = value;
    figures[MAKER] = tradeFee(value, MAKER_e8[accounts.tier(maker)]!, accounts.discount_bps(maker));
    figures[TAKER] = isTakerCharged
      ? tradeFee(value, TAKER_e8[accounts.tier(taker)]!, accounts.discount_bps(taker))
      : 0;
  }

  /** Whether a fill of signed lots would leave a side of the trade that was priced last bankrupt. */
  isInsolventAfter(
    market: MarketState,
    position: number,
    lots: number,
    ticks: number,
    side: number,
    isSelfTrade: boolean,
  ) {
    const { positions } = this.#state;
    const figures = this.#figures;
    // An account that trades with itself pays both fees.
    const fee = isSelfTrade ? figures[TAKER]! + figures[MAKER]! : figures[side]!;
    if (positions.mode(position) !== CROSS) return this.#isIsolatedInsolvent(market, position, lots, ticks, fee);
    const margin = this.#margin;
    const account = positions.account(position);
    const gain = lots * (market.markTicks - ticks) * market.definition.unit_micros;
    // From version 5 on what opens has to leave maintenance, which is never below zero.
    if (market.isFair && openedBy(positions.lots(position), lots) > 0) {
      margin.computeWith(account, position, lots);
      return margin.balance_micros + gain - fee < margin.maintenance_micros;
    }
    margin.computeBalance(account);
    return margin.balance_micros + gain - fee < 0;
  }

  /**
   * Settles one side; NO_SLOT if it has no order. The first two parts of its event, the trade and the order, are
   * written; this writes the last one.
   */
  settle(market: MarketState, position: number, slot: number, lots: number, ticks: number, side: number): void {
    const { accounts, positions, totals, events, pool } = this.#state;
    const effect = this.#effect;
    const figures = this.#figures;
    const account = positions.account(position);
    const lotsBefore = positions.lots(position);
    const fee_micros = figures[side]!;
    applyFill(lotsBefore, positions.cost(position), lots, ticks, market.definition.unit_micros, effect);
    positions.setHolding(position, effect.lots, effect.cost_micros);
    if (lotsBefore === 0) accounts.addOpenPositions(account, 1);
    if (effect.lots === 0) accounts.addOpenPositions(account, -1);
    market.addOpenInterest(Math.max(0, effect.lots) - Math.max(0, lotsBefore));
    if (account === FUND_ACCOUNT && market.isFair) this.#noteFund(market, lotsBefore);
    figures[FEE_FROM_BONUS] = 0;
    figures[LOSS_FROM_BONUS] = 0;
    if (positions.mode(position) !== CROSS)
      this.#settleIsolated(market, position, account, lotsBefore, ticks, fee_micros);
    else if (accounts.bonus(account) > 0) {
      if (market.isFair) this.#slip(market, account, lots, ticks);
      this.#settleWithBonus(account, fee_micros);
    } else accounts.addPrincipal(account, effect.realisedPnl_micros - fee_micros);
    totals.addFees(fee_micros);
    const { data } = events;
    const at = events.fillOffset;
    data[at] = slot === NO_SLOT ? 0 : pool.quote_micros(slot);
    data[at + 1] = fee_micros;
    data[at + 2] = figures[FEE_FROM_BONUS]!;
    data[at + 3] = effect.realisedPnl_micros;
    data[at + 4] = figures[LOSS_FROM_BONUS]!;
    data[at + 5] = effect.lots;
    data[at + 6] = effect.cost_micros;
    data[at + 7] = accounts.principal(account);
    data[at + 8] = accounts.bonus(account);
    data[at + 9] = positions.isolated(position);
    data[at + 10] = accounts.termsVersionOfFills(account);
    events.completeFill();
    if (this.#ledger.hasRunningBonus(account)) this.#closeBonus(account);
    else if (market.isFair && accounts.hasFlag(account, FLAG_OWES)) this.#ledger.touch(account);
  }

  /** BON-7: whether a fill of signed lots would be at a price that bonus money does not pay. */
  isUnfairAfter(market: MarketState, position: number, lots: number, ticks: number): boolean {
    const { accounts, positions, fairness } = this.#state;
    const account = positions.account(position);
    if (accounts.bonus(account) === 0 || positions.mode(position) !== CROSS) return false;
    const unit = market.definition.unit_micros;
    const principal = Math.max(0, accounts.principal(account));
    const opened = openedBy(positions.lots(position), lots);
    if (opened > 0) {
      if (lots > 0 ? ticks > market.fairTicks[BUY] : ticks < market.fairTicks[SELL]) return true;
      const { slip_micros, grant_micros } = fairness.bonuses.get(account)!;
      if (slip_micros + slipOf(market, lots, ticks) - budgetOf(grant_micros) > principal) return true;
    }
    const bound = worstTicks(lots > 0 ? BUY : SELL, market.markTicks, this.#reach_e8(market));
    const beyond = lots > 0 ? ticks - bound : bound - ticks;
    return beyond > 0 && beyond * (Math.abs(lots) - opened) * unit > principal;
  }

  /** FUT-21's w: how far from the mark bonus money may always close. */
  #reach_e8(market: MarketState): number {
    const second = Math.floor(this.#state.time_ms / 1000);
    const run_e8 = mulDiv(market.indexWindow.range(second), ONE_e8, market.indexTicks, FLOOR);
    return unwindDistance_e8(market.rules, run_e8);
  }

  /** BON-7: what a fill costs against the mark; beyond the budget principal should bear it. */
  #slip(market: MarketState, account: number, lots: number, ticks: number): void {
    const bonus = this.#state.fairness.bonuses.get(account)!;
    const budget = budgetOf(bonus.grant_micros);
    const before = Math.max(0, bonus.slip_micros - budget);
    bonus.slip_micros += slipOf(market, lots, ticks);
    bonus.own_micros += Math.max(0, bonus.slip_micros - budget) - before;
  }

  /** FUT-21, FUT-22: what the fund realised, and since when it holds a position. */
  #noteFund(market: MarketState, lotsBefore: number): void {
    market.fund.realised_micros += this.#effect.realisedPnl_micros;
    if (lotsBefore === 0) market.fund.since_ms = this.#state.time_ms;
  }

  /** Writes the lines of the bonus ledger for the last fill. */
  #closeBonus(account: number): void {
    const { accounts } = this.#state;
    const figures = this.#figures;
    if (this.#effect.openedLots > 0 && accounts.bonus(account) > 0) accounts.raiseFlag(account, FLAG_OPENED_ON_BONUS);
    const fromFee = figures[FEE_FROM_BONUS]!;
    const fromLoss = figures[LOSS_FROM_BONUS]!;
    this.#ledger.touch(account);
    if (fromFee > 0) this.#ledger.feeLine(account, fromFee, fromLoss, figures[LOCKED_BETWEEN]!);
    this.#ledger.bonusLine(account, "CONSUME_LOSS", fromLoss);
  }

  #settleWithBonus(account: number, fee_micros: number): void {
    const realised = this.#effect.realisedPnl_micros;
    const figures = this.#figures;
    if (fee_micros > 0) figures[FEE_FROM_BONUS] = this.#ledger.charge(account, fee_micros);
    figures[LOCKED_BETWEEN] = this.#state.accounts.locked(account);
    if (realised >= 0) {
      this.#state.accounts.addPrincipal(account, realised);
      return;
    }
    const fromBonus = this.#ledger.charge(account, -realised);
    figures[LOSS_FROM_BONUS] = fromBonus;
    if (this.#state.isFair) this.#owe(account, -realised, fromBonus);
  }

  /** BON-7: of a loss, what is unfair is no longer to come; what the bonus paid of it is owed, rounded up. */
  #owe(account: number, loss_micros: number, fromBonus_micros: number): void {
    const bonus = this.#state.fairness.bonuses.get(account)!;
    const unfair = Math.min(loss_micros, bonus.own_micros);
    bonus.own_micros -= unfair;
    bonus.owed_micros += mulDiv(fromBonus_micros, unfair, loss_micros, CEIL);
  }

  /** An entry cannot have both bonus and isolated margin, so costs here are never split. */
  #settleIsolated(
    market: MarketState,
    position: number,
    account: number,
    lotsBefore: number,
    ticks: number,
    fee_micros: number,
  ): void {
    const { accounts, positions } = this.#state;
    const { closedLots, openedLots, realisedPnl_micros, lots } = this.#effect;
    if (closedLots > 0) {
      const released = mulDiv(positions.isolated(position), closedLots, Math.abs(lotsBefore), CEIL);
      positions.addIsolated(position, -released);
      accounts.addPrincipal(account, released + realisedPnl_micros);
    }
    if (openedLots > 0) {
      const moved = this.#marginFor(market, position, account, openedLots, ticks);
      accounts.addPrincipal(account, -moved);
      positions.addIsolated(position, moved);
    }
    const fromPrincipal = lots === 0 ? fee_micros : Math.min(fee_micros, this.#margin.spare(account));
    accounts.addPrincipal(account, -fromPrincipal);
    positions.addIsolated(position, fromPrincipal - fee_micros);
  }

  /** The isolated margin of opened lots: their initial margin, as far as principal can spare it. */
  #marginFor(market: MarketState, position: number, account: number, openedLots: number, ticks: number): number {
    const value = openedLots * ticks * market.definition.unit_micros;
    const need = initialMargin(value, this.#state.positions.leverage(position));
    return Math.min(need, this.#margin.spare(account));
  }

  /** What principal can spare; for a position that is turned, after its margin has returned at a lot's value. */
  #spareOnceClosed(position: number, lotValue_micros: number): number {
    const { accounts, positions } = this.#state;
    const account = positions.account(position);
    if (lotValue_micros === 0) return this.#margin.spare(account);
    this.#margin.computeBalance(account);
    const back = positions.isolated(position) + positions.lots(position) * lotValue_micros - positions.cost(position);
    return Math.max(0, accounts.principal(account) + back + Math.min(0, this.#margin.unrealised_micros));
  }

  #isIsolatedInsolvent(market: MarketState, position: number, lots: number, ticks: number, fee: number): boolean {
    const { positions } = this.#state;
    const unit = market.definition.unit_micros;
    const held = positions.lots(position);
    const isolated = positions.isolated(position);
    const isAgainst = held !== 0 && held < 0 !== lots < 0;
    if (isAgainst && isolated + held * ticks * unit - positions.cost(position) - fee < 0) return true;
    const opened = openedBy(held, lots);
    if (opened === 0) return false;
    const need = initialMargin(opened * ticks * unit, positions.leverage(position));
    if (need > this.#spareOnceClosed(position, isAgainst ? ticks * unit : 0)) return true;
    const standing = isAgainst ? 0 : isolated + valueAtMark(market, held) - positions.cost(position);
    const gain = (lots < 0 ? -opened : opened) * (market.markTicks - ticks) * unit;
    const left = standing + need + gain - fee;
    if (left < 0 || !market.isFair) return left < 0;
    const value = Math.abs(valueAtMark(market, held + lots));
    return left < maintenanceMargin(market.definition.brackets, value);
  }
}

function slipOf(market: MarketState, lots: number, ticks: number): number {
  return Math.max(0, lots * (ticks - market.markTicks)) * market.definition.unit_micros;
}

/** How many of a fill's lots, both signed, open instead of closing. */
export function openedBy(held: number, lots: number): number {
  const isAgainst = held !== 0 && held < 0 !== lots < 0;
  return isAgainst ? Math.max(0, Math.abs(lots) - Math.abs(held)) : Math.abs(lots);
}

export function signedLots(side: number, lots: number): number {
  return side === BUY ? lots : -lots;
}
