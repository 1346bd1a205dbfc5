import { CROSS, HALTED, ISOLATED, NO_MARKET } from "../contract/codes.ts";
import type {
  CloseExpiredBonus,
  ExpireBonus,
  FreezeBonus,
  GrantBonus,
  RecallBonus,
  UnfreezeBonus,
} from "../contract/commands.ts";
import { CAUSES } from "../contract/events.ts";
import { REASON } from "../contract/reasons.ts";
import {
  isAccountNumber,
  isAmount,
  isWhole,
  MAX_AMOUNT_micros,
  MAX_TIME_ms,
  MAX_TOTAL_micros,
} from "../contract/validation.ts";
import type { AccountMargin } from "../risk/account-margin.ts";
import type { FairSteps } from "../risk/fair-steps.ts";
import { systemOrder } from "../risk/system-order.ts";
import { bonusLocked, returnableBonus } from "../rules/bonus.ts";
import { answerBonusEvent, BONUS_STATES, type BonusEvent, type BonusState } from "../rules/bonus-states.ts";
import { maxNotionalAt } from "../rules/brackets.ts";
import { BUY, SELL, type Side } from "../side.ts";
import { FLAG_OPENED_ON_BONUS, FLAG_OWES, FLAG_RELOCK, FLAG_TOUCHED } from "../state/accounts.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import type { Ledger } from "../trading/ledger.ts";
import type { OrderDesk } from "../trading/order-desk.ts";
import { OrderRequest } from "../trading/order-request.ts";

const DONE = 0;
const BONUS_EXPIRY = CAUSES.indexOf("bonus_expiry");
/** BON-9: positions that are still open seven days after the expiry are closed. */
const GRACE_ms = 7 * 86_400_000;
const MAX_LEVERAGE = 1_000_000;

/** Section 8 of the rules: the bonus of an account. `rules/bonus-states.ts` has the table of its states. */
export class BonusDesk {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #ledger: Ledger;
  readonly #desk: OrderDesk;
  readonly #fairSteps: FairSteps;
  readonly #request = new OrderRequest();

  constructor(state: State, margin: AccountMargin, ledger: Ledger, desk: OrderDesk, fairSteps: FairSteps) {
    this.#state = state;
    this.#margin = margin;
    this.#ledger = ledger;
    this.#desk = desk;
    this.#fairSteps = fairSteps;
  }

  grant(command: GrantBonus): number {
    const { accounts, totals } = this.#state;
    const { account, amount_micros, maxLeverage, expires_ms } = command;
    const areFieldsFine =
      isAmount(amount_micros) && isWhole(maxLeverage, 1, MAX_LEVERAGE) && isWhole(expires_ms, 1, MAX_TIME_ms);
    if (!areFieldsFine) return this.#state.refuse(REASON.bad_field);
    const problem = this.#problemOf(account, "grant");
    if (problem !== DONE) return problem;
    // BON-15: a bonus pays only what comes after it.
    const { isFair } = this.#state;
    if (isFair && accounts.principal(account) < 0) return this.#state.refuse(REASON.account_in_debt);
    const after = accounts.principal(account) + amount_micros;
    if (after > MAX_AMOUNT_micros) return this.#state.refuse(REASON.balance_limit, MAX_AMOUNT_micros, after);
    const total = this.#state.inside_micros + amount_micros;
    if (total > MAX_TOTAL_micros) return this.#state.refuse(REASON.balance_limit, MAX_TOTAL_micros, total);
    accounts.setBonus(account, amount_micros);
    accounts.setConsumed(account, 0);
    accounts.setLocked(account, 0);
    accounts.setBonusLeverage(account, maxLeverage);
    accounts.setExpires_ms(account, expires_ms);
    accounts.lowerFlag(account, FLAG_OPENED_ON_BONUS);
    totals.granted_micros += BigInt(amount_micros);
    this.#move(account, "grant");
    this.#ledger.bonusLine(account, "GRANT", amount_micros);
    if (isFair) this.#noteGrant(account, amount_micros);
    else this.#ledger.bonusLine(account, "CONSUME_LOSS", this.#ledger.coverFromBonus(account));
    this.#fitEntries(account, maxLeverage);
    this.#ledger.touch(account);
    return DONE;
  }

  /** BON-15: the loss that is there already will be owed when it is realised. */
  #noteGrant(account: number, grant_micros: number): void {
    const { accounts, fairness } = this.#state;
    this.#margin.computeBalance(account);
    const own_micros = Math.max(0, 0 - this.#margin.unrealised_micros);
    const owed_micros = fairness.owedOf(account);
    fairness.bonuses.set(account, { grant_micros, slip_micros: 0, own_micros, owed_micros });
    accounts.lowerFlag(account, FLAG_OWES);
  }

  freeze({ account }: FreezeBonus): number {
    const problem = this.#problemOf(account, "freeze");
    if (problem !== DONE) return problem;
    this.#move(account, "freeze");
    this.#desk.cancelOrders(account, NO_MARKET, REASON.bonus_frozen, true);
    return DONE;
  }

  unfreeze({ account }: UnfreezeBonus): number {
    const problem = this.#problemOf(account, "unfreeze");
    if (problem !== DONE) return problem;
    this.#move(account, "unfreeze");
    return DONE;
  }

  recall({ account }: RecallBonus): number {
    const { accounts } = this.#state;
    const unknown = this.#problemOfAccount(account);
    if (unknown !== DONE) return unknown;
    const locked = this.#lockedNow(account);
    const event = locked > 0 ? "recall_locked" : "recall_unlocked";
    const problem = this.#problemOf(account, event);
    if (problem !== DONE) return this.#state.refuse(problem, 0, locked);
    this.#writeLock(account);
    this.#ledger.returnBonus(account, "RECALL", accounts.bonus(account));
    this.#repay(account);
    this.#move(account, event);
    return DONE;
  }

  expire({ account }: ExpireBonus): number {
    const { accounts } = this.#state;
    const unknown = this.#problemOfAccount(account);
    if (unknown !== DONE) return unknown;
    if (!this.#ledger.hasRunningBonus(account)) return DONE;
    const event = accounts.openPositions(account) === 0 ? "expiry_flat" : "expiry_with_positions";
    const problem = this.#problemOf(account, event) || this.#problemOfTime(account, 0);
    if (problem !== DONE) return problem;
    this.#cancelEverything(account);
    if (event === "expiry_flat") {
      this.#writeLock(account);
      this.#ledger.returnBonus(account, "EXPIRE", accounts.bonus(account));
      this.#repay(account);
    }
    this.#move(account, event);
    this.#ledger.touch(account);
    return DONE;
  }

  closeExpired({ account }: CloseExpiredBonus): number {
    const { accounts, positions, markets } = this.#state;
    const unknown = this.#problemOfAccount(account);
    if (unknown !== DONE) return unknown;
    if (!this.#ledger.hasRunningBonus(account)) return DONE;
    const problem = this.#problemOf(account, "grace_over") || this.#problemOfTime(account, GRACE_ms);
    if (problem !== DONE) return problem;
    for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const lots = positions.lots(at);
      const market = markets[positions.market(at)]!;
      if (lots === 0 || market.status === HALTED) continue;
      if (market.isFair) {
        this.#fairSteps.sweep(at);
        continue;
      }
      const side: Side = lots > 0 ? SELL : BUY;
      const ticks = market.boundTicks[side];
      if (!market.book.levels[side ^ 1]!.isMetAt(ticks)) continue;
      const request = systemOrder(this.#request, market, account, at, side, Math.abs(lots), ticks);
      request.cause = BONUS_EXPIRY;
      this.#desk.accept(request);
    }
    return DONE;
  }

  /** Updates the bonus of each account that the command has touched: its lock, its return, its end. */
  closeOff(): void {
    const { accounts, touched } = this.#state;
    for (let i = 0; i < touched.count; i += 1) {
      this.#closeOff(touched.at(i));
      accounts.lowerFlag(touched.at(i), FLAG_TOUCHED | FLAG_RELOCK);
    }
    touched.clear();
  }

  #closeOff(account: number): void {
    const { accounts } = this.#state;
    if (!this.#ledger.hasRunningBonus(account)) {
      this.#repay(account);
      return;
    }
    if (accounts.bonus(account) === 0) {
      this.#repay(account);
      this.#move(account, "bonus_consumed");
      return;
    }
    if (accounts.hasFlag(account, FLAG_OPENED_ON_BONUS) && accounts.openPositions(account) === 0) {
      this.#cancelEverything(account);
      this.#writeLock(account);
      this.#ledger.returnBonus(account, "RECALL", accounts.bonus(account));
      this.#repay(account);
      this.#move(account, "last_position_closed");
      return;
    }
    if (accounts.hasFlag(account, FLAG_RELOCK)) this.#writeLock(account);
    if (this.#ledger.bonusState(account) === "expired_pending") this.#returnFree(account);
    if (accounts.bonus(account) > 0) return;
    this.#repay(account);
    this.#move(account, "bonus_consumed");
  }

  #repay(account: number): void {
    if (!this.#state.isFair) return;
    this.#margin.compute(account);
    this.#ledger.repay(account, this.#margin.available_micros);
  }

  #returnFree(account: number): void {
    const { accounts } = this.#state;
    const locked = this.#lockedNow(account);
    const returnable = returnableBonus(accounts.bonus(account), locked, this.#margin.available_micros);
    this.#ledger.returnBonus(account, "EXPIRE", returnable);
  }

  #writeLock(account: number): void {
    const { accounts } = this.#state;
    const locked = this.#lockedNow(account);
    const change = locked - accounts.locked(account);
    accounts.setLocked(account, locked);
    if (change > 0) this.#ledger.bonusLine(account, "LOCK", change);
    else this.#ledger.bonusLine(account, "UNLOCK", -change);
  }

  #lockedNow(account: number): number {
    const { accounts } = this.#state;
    this.#margin.compute(account);
    return bonusLocked(accounts.bonus(account), accounts.principal(account), this.#margin.initial_micros);
  }

  /**
   * BON-8: while there is a bonus, leverage is at most the grant's, and entries without position or orders become
   * cross.
   */
  #fitEntries(account: number, maxLeverage: number): void {
    const { accounts, positions, markets, events } = this.#state;
    for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      const market = positions.market(at);
      if (positions.leverage(at) > maxLeverage) {
        positions.setLeverage(at, maxLeverage, maxNotionalAt(markets[market]!.definition.brackets, maxLeverage));
        events.emit("leverage_set", { account, market, leverage: maxLeverage });
      }
      const isFree = positions.lots(at) === 0 && positions.orders(at) === 0 && positions.conditionals(at) === 0;
      if (positions.mode(at) === ISOLATED && isFree) {
        positions.setMode(at, CROSS);
        events.emit("margin_mode_set", { account, market, mode: CROSS });
      }
    }
  }

  #cancelEverything(account: number): void {
    this.#desk.cancelOrders(account, NO_MARKET, REASON.bonus_ended, false);
    this.#desk.cancelConditionals(account, NO_MARKET, "bonus_ended");
  }

  #problemOfTime(account: number, after_ms: number): number {
    const { accounts, time_ms } = this.#state;
    const due_ms = accounts.expires_ms(account) + after_ms;
    return time_ms >= due_ms ? DONE : this.#state.refuse(REASON.not_due, due_ms, time_ms);
  }

  #problemOfAccount(account: number): number {
    if (!isAccountNumber(account)) return this.#state.refuse(REASON.bad_field);
    return this.#state.checkNames(account, NO_MARKET);
  }

  #problemOf(account: number, event: BonusEvent): number {
    const unknown = this.#problemOfAccount(account);
    if (unknown !== DONE) return unknown;
    const answer = answerBonusEvent(this.#ledger.bonusState(account), event);
    return answer.kind === "move" ? DONE : this.#state.refuse(REASON[answer.reason]);
  }

  #move(account: number, event: BonusEvent): void {
    const { accounts, events } = this.#state;
    const answer = answerBonusEvent(this.#ledger.bonusState(account), event);
    if (answer.kind === "refusal") throw new Error(`a bonus cannot ${event}: ${answer.reason}`);
    const state: BonusState = answer.next;
    accounts.setBonusState(account, BONUS_STATES.indexOf(state));
    events.emit("bonus_state_set", { account, state, expires_ms: accounts.expires_ms(account) });
  }
}
