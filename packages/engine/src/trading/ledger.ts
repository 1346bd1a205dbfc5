import type { BONUS_LINES } from "../contract/events.ts";
import { type CostSplit, splitCost } from "../rules/bonus.ts";
import { BONUS_STATES, type BonusState, isRunningBonus } from "../rules/bonus-states.ts";
import { FLAG_OWES, FLAG_RELOCK, FLAG_TOUCHED } from "../state/accounts.ts";
import type { State } from "../state/state.ts";

export type BonusLine = (typeof BONUS_LINES)[number];

/** By index in BONUS_STATES: whether there is a bonus. */
const RUNS: readonly boolean[] = BONUS_STATES.map(isRunningBonus);

/** What accounts pay and receive, and the lines of the bonus ledger. The caller writes the event with the reason. */
export class Ledger {
  readonly #state: State;
  readonly #split: CostSplit = { fromPrincipal_micros: 0, fromBonus_micros: 0, shortfall_micros: 0 };

  constructor(state: State) {
    this.#state = state;
  }

  /**
   * BON-7: charges a cost; returns the part that the bonus paid. The caller writes its event, then calls `bonusLine`.
   */
  charge(account: number, cost_micros: number): number {
    const { accounts } = this.#state;
    const bonus = accounts.bonus(account);
    if (bonus === 0) {
      accounts.addPrincipal(account, -cost_micros);
      return 0;
    }
    const split = this.#split;
    splitCost(cost_micros, accounts.principal(account), bonus, split);
    accounts.addPrincipal(account, -(split.fromPrincipal_micros + split.shortfall_micros));
    this.#takeBonus(account, split.fromBonus_micros);
    return split.fromBonus_micros;
  }

  /** If principal is below zero when a bonus is granted, the bonus covers it; returns how much. */
  coverFromBonus(account: number): number {
    const { accounts } = this.#state;
    const covered = Math.min(Math.max(0, -accounts.principal(account)), accounts.bonus(account));
    if (covered === 0) return 0;
    accounts.addPrincipal(account, covered);
    this.#takeBonus(account, covered);
    return covered;
  }

  /** Returns bonus to the pool: from the free part first, then from the locked part. */
  returnBonus(account: number, line: "RECALL" | "EXPIRE", amount_micros: number): void {
    if (amount_micros === 0) return;
    const { accounts, totals } = this.#state;
    const bonus = accounts.bonus(account) - amount_micros;
    accounts.setBonus(account, bonus);
    accounts.setLocked(account, Math.min(accounts.locked(account), bonus));
    totals.returned_micros += BigInt(amount_micros);
    this.bonusLine(account, line, amount_micros);
  }

  /**
   * BON-7: what the bonus paid of unfair losses returns from principal to the pool, as far as principal goes and margin
   * allows; what is left is owed until principal is free. After `compute` of the account, whose bonus has been returned.
   */
  repay(account: number, available_micros: number): void {
    const { accounts, fairness, events } = this.#state;
    const debt = fairness.bonuses.get(account);
    if (debt === undefined) return;
    const amount = Math.max(0, Math.min(debt.owed_micros, accounts.principal(account), available_micros));
    const owed_micros = debt.owed_micros - amount;
    if (amount > 0) {
      accounts.addPrincipal(account, -amount);
      accounts.setBonus(account, amount);
      accounts.setConsumed(account, Math.max(0, accounts.consumed(account) - amount));
      events.emit("bonus_repaid", {
        account,
        amount_micros: amount,
        principal_micros: accounts.principal(account),
        bonus_micros: amount,
        consumed_micros: accounts.consumed(account),
        owed_micros,
      });
      this.returnBonus(account, "RECALL", amount);
    }
    if (owed_micros > 0) {
      fairness.bonuses.set(account, { grant_micros: 0, slip_micros: 0, own_micros: 0, owed_micros });
      accounts.raiseFlag(account, FLAG_OWES);
      return;
    }
    fairness.bonuses.delete(account);
    accounts.lowerFlag(account, FLAG_OWES);
  }

  bonusLine(account: number, line: BonusLine, amount_micros: number): void {
    if (amount_micros === 0) return;
    const { accounts, events } = this.#state;
    events.emit("bonus_line", {
      account,
      line,
      amount_micros,
      bonus_micros: accounts.bonus(account),
      locked_micros: accounts.locked(account),
      consumed_micros: accounts.consumed(account),
    });
  }

  /** The line of a fill's fee, which precedes that of its loss although both have been paid when it is written. */
  feeLine(account: number, amount_micros: number, lossAfter_micros: number, locked_micros: number): void {
    const { accounts, events } = this.#state;
    events.emit("bonus_line", {
      account,
      line: "CONSUME_FEE",
      amount_micros,
      bonus_micros: accounts.bonus(account) + lossAfter_micros,
      locked_micros,
      consumed_micros: accounts.consumed(account) - lossAfter_micros,
    });
  }

  bonusState(account: number): BonusState {
    return BONUS_STATES[this.#state.accounts.bonusState(account)]!;
  }

  hasRunningBonus(account: number): boolean {
    return RUNS[this.#state.accounts.bonusState(account)]!;
  }

  /**
   * Records that the command changed orders, positions or transfers of an account, so that its bonus is updated at the
   * end.
   */
  touch(account: number): void {
    const { accounts } = this.#state;
    if (!RUNS[accounts.bonusState(account)]! && !accounts.hasFlag(account, FLAG_OWES)) return;
    accounts.raiseFlag(account, FLAG_RELOCK);
    this.touchMoney(account);
  }

  /** Records a change of money alone, as by funding: the locked part stays as it was written (BON-6). */
  touchMoney(account: number): void {
    const { accounts, touched } = this.#state;
    const isClosedOff = RUNS[accounts.bonusState(account)]! || accounts.hasFlag(account, FLAG_OWES);
    if (!isClosedOff || accounts.hasFlag(account, FLAG_TOUCHED)) return;
    accounts.raiseFlag(account, FLAG_TOUCHED);
    touched.add(account);
  }

  #takeBonus(account: number, amount_micros: number): void {
    const { accounts } = this.#state;
    const bonus = accounts.bonus(account) - amount_micros;
    accounts.setBonus(account, bonus);
    accounts.setConsumed(account, accounts.consumed(account) + amount_micros);
    accounts.setLocked(account, Math.min(accounts.locked(account), bonus));
  }
}
