import { CROSS } from "../contract/codes.ts";
import { CEIL, mulDiv } from "../integers.ts";
import { type AccountMargin, valueAtMark } from "../risk/account-margin.ts";
import { initialMargin } from "../rules/brackets.ts";
import { FEE_TIERS, tradeFee } from "../rules/fees.ts";
import { applyFill, type FillEffect } from "../rules/position.ts";
import { ONE_e8 } from "../rules/units.ts";
import { BUY } from "../side.ts";
import { FLAG_OPENED_ON_BONUS } from "../state/accounts.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import type { Ledger } from "./ledger.ts";

const MAKER_e8 = Float64Array.from(FEE_TIERS, (tier) => tier.maker_e8);
const TAKER_e8 = Float64Array.from(FEE_TIERS, (tier) => tier.taker_e8);

const FEE_FROM_BONUS = 0;
const LOSS_FROM_BONUS = 1;

/** What a fill does to one side's position and money (section 5 of the rules). */
export class Settlement {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #ledger: Ledger;
  readonly #effect: FillEffect = { lots: 0, cost_micros: 0, realisedPnl_micros: 0, closedLots: 0, openedLots: 0 };
  readonly #paid = new Float64Array(2);

  constructor(state: State, margin: AccountMargin, ledger: Ledger) {
    this.#state = state;
    this.#margin = margin;
    this.#ledger = ledger;
  }

  /** FUT-15: the fee of an account on a value, by its tier and discount. */
  feeOf(account: number, isMaker: boolean, value_micros: number): number {
    const { accounts } = this.#state;
    const rate_e8 = (isMaker ? MAKER_e8 : TAKER_e8)[accounts.tier(account)]!;
    const discount_bps = accounts.discount_bps(account);
    return discount_bps === 0
      ? mulDiv(value_micros, rate_e8, ONE_e8, CEIL)
      : tradeFee(value_micros, rate_e8, discount_bps);
  }

  /** Whether a fill of signed lots would leave the side bankrupt. */
  isInsolventAfter(
    market: MarketState,
    position: number,
    account: number,
    lots: number,
    ticks: number,
    isMaker: boolean,
  ) {
    const { positions } = this.#state;
    const unit = market.terms.unit_micros;
    const fee = this.feeOf(account, isMaker, Math.abs(lots) * ticks * unit);
    const gain = lots * (market.markTicks - ticks) * unit;
    if (positions.mode(position) !== CROSS) return this.#isIsolatedInsolvent(market, position, lots, ticks, fee);
    this.#margin.reckonBalance(account);
    return this.#margin.balance_micros + gain - fee < 0;
  }

  /**
   * Settles one side. The event's first two parts are written, with the trade and the order; this completes it. Answers
   * nothing: the new state is in the books.
   */
  settle(
    market: MarketState,
    position: number,
    account: number,
    lots: number,
    ticks: number,
    fee_micros: number,
  ): void {
    const { accounts, positions, totals, events } = this.#state;
    const effect = this.#effect;
    const lotsBefore = positions.lots(position);
    applyFill(lotsBefore, positions.cost(position), lots, ticks, market.terms.unit_micros, effect);
    positions.setHolding(position, effect.lots, effect.cost_micros);
    this.#count(market, account, lotsBefore, effect.lots);
    this.#paid[FEE_FROM_BONUS] = 0;
    this.#paid[LOSS_FROM_BONUS] = 0;
    if (positions.mode(position) === CROSS) this.#settleCross(account, fee_micros);
    else this.#settleIsolated(market, position, account, lotsBefore, ticks, fee_micros);
    totals.feeAccount_micros += fee_micros;
    if (effect.openedLots > 0 && accounts.bonus(account) > 0) accounts.raiseFlag(account, FLAG_OPENED_ON_BONUS);
    const feeFromBonus = this.#paid[FEE_FROM_BONUS]!;
    const lossFromBonus = this.#paid[LOSS_FROM_BONUS]!;
    events.fillAccount(
      fee_micros,
      feeFromBonus,
      effect.realisedPnl_micros,
      lossFromBonus,
      effect.lots,
      effect.cost_micros,
      accounts.principal(account),
      accounts.bonus(account),
      positions.isolated(position),
      accounts.termsVersion(account),
    );
    this.#ledger.touch(account);
    if (feeFromBonus > 0) this.#ledger.bonusLine(account, "CONSUME_FEE", feeFromBonus);
    if (lossFromBonus > 0) this.#ledger.bonusLine(account, "CONSUME_LOSS", lossFromBonus);
  }

  #settleCross(account: number, fee_micros: number): void {
    const realised = this.#effect.realisedPnl_micros;
    if (fee_micros > 0) this.#paid[FEE_FROM_BONUS] = this.#ledger.charge(account, fee_micros);
    if (realised < 0) this.#paid[LOSS_FROM_BONUS] = this.#ledger.charge(account, -realised);
    else this.#state.accounts.addPrincipal(account, realised);
  }

  /** Bonus and isolated margin exclude each other where positions are opened, so costs here are never shared. */
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

  /** What an isolated position gets for lots that are opened: their initial margin, as far as principal can spare it. */
  #marginFor(market: MarketState, position: number, account: number, openedLots: number, ticks: number): number {
    const value = openedLots * ticks * market.terms.unit_micros;
    const need = initialMargin(value, this.#state.positions.leverage(position));
    return Math.min(need, this.#margin.spare(account));
  }

  #isIsolatedInsolvent(market: MarketState, position: number, lots: number, ticks: number, fee: number): boolean {
    const { positions } = this.#state;
    const unit = market.terms.unit_micros;
    const held = positions.lots(position);
    const isolated = positions.isolated(position);
    const isAgainst = held !== 0 && held < 0 !== lots < 0;
    if (isAgainst && isolated + held * ticks * unit - positions.cost(position) - fee < 0) return true;
    const opened = isAgainst ? Math.abs(lots) - Math.min(Math.abs(lots), Math.abs(held)) : Math.abs(lots);
    if (opened === 0) return false;
    const standing = isAgainst ? 0 : isolated + valueAtMark(market, held) - positions.cost(position);
    const moved = this.#marginFor(market, position, positions.account(position), opened, ticks);
    const gain = (lots < 0 ? -opened : opened) * (market.markTicks - ticks) * unit;
    return standing + moved + gain - fee < 0;
  }

  #count(market: MarketState, account: number, lotsBefore: number, lotsAfter: number): void {
    if (lotsBefore === 0) this.#state.accounts.addOpenPositions(account, 1);
    if (lotsAfter === 0) this.#state.accounts.addOpenPositions(account, -1);
    market.addOpenInterest(Math.max(0, lotsAfter) - Math.max(0, lotsBefore));
  }
}

export function signedLots(side: number, lots: number): number {
  return side === BUY ? lots : -lots;
}
