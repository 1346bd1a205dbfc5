import { FUND_ACCOUNT, NO_MARKET } from "../contract/codes.ts";
import type {
  Deposit,
  FollowTerms,
  HoldWithdrawal,
  PayOut,
  ReturnPayout,
  SeedFund,
  SetDiscount,
  SetTerms,
  SettleWithdrawal,
} from "../contract/commands.ts";
import { REASON } from "../contract/reasons.ts";
import {
  isAccountNumber,
  isAmount,
  isBoolean,
  isWhole,
  MAX_AMOUNT_micros,
  MAX_TOTAL_micros,
} from "../contract/validation.ts";
import type { AccountMargin } from "../risk/account-margin.ts";
import { OWN_TERMS } from "../state/accounts.ts";
import type { State } from "../state/state.ts";
import type { Ledger } from "../trading/ledger.ts";

const DONE = 0;
const ALL_bps = 10_000;

/** Section 2 of the rules: deposits, withdrawals, fund seeds, payouts, and the terms and discount of an account. */
export class MoneyDesk {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #ledger: Ledger;

  constructor(state: State, margin: AccountMargin, ledger: Ledger) {
    this.#state = state;
    this.#margin = margin;
    this.#ledger = ledger;
  }

  deposit({ account, amount_micros }: Deposit): number {
    const { accounts, totals, events } = this.#state;
    const problem = this.#problemOf(account, isAmount(amount_micros));
    if (problem !== DONE) return problem;
    const excess =
      this.#problemOfLimit(accounts.principal(account) + amount_micros, MAX_AMOUNT_micros) ||
      this.#problemOfLimit(this.#state.inside_micros + amount_micros, MAX_TOTAL_micros);
    if (excess !== DONE) return excess;
    accounts.addPrincipal(account, amount_micros);
    totals.deposits_micros += BigInt(amount_micros);
    events.emit("deposited", { account, amount_micros, principal_micros: accounts.principal(account) });
    this.#ledger.touch(account);
    return DONE;
  }

  holdWithdrawal({ account, amount_micros }: HoldWithdrawal): number {
    const { accounts, events } = this.#state;
    const problem = this.#problemOf(account, isAmount(amount_micros));
    if (problem !== DONE) return problem;
    const max = this.#margin.withdrawable(account);
    if (amount_micros > max) return this.#state.refuse(REASON.not_withdrawable, max, amount_micros);
    accounts.addPrincipal(account, -amount_micros);
    accounts.setInFlight(account, accounts.inFlight(account) + amount_micros);
    events.emit("withdrawal_held", {
      account,
      amount_micros,
      principal_micros: accounts.principal(account),
      inFlight_micros: accounts.inFlight(account),
    });
    this.#ledger.touch(account);
    return DONE;
  }

  settleWithdrawal({ account, amount_micros, isDone }: SettleWithdrawal): number {
    const { accounts, totals, events } = this.#state;
    const problem = this.#problemOf(account, isAmount(amount_micros) && isBoolean(isDone));
    if (problem !== DONE) return problem;
    const inFlight = accounts.inFlight(account);
    if (amount_micros > inFlight) return this.#state.refuse(REASON.not_in_flight, inFlight, amount_micros);
    accounts.setInFlight(account, inFlight - amount_micros);
    if (isDone) totals.withdrawals_micros += BigInt(amount_micros);
    else accounts.addPrincipal(account, amount_micros);
    events.emit("withdrawal_settled", {
      account,
      amount_micros,
      isDone: Number(isDone),
      principal_micros: accounts.principal(account),
      inFlight_micros: accounts.inFlight(account),
    });
    this.#ledger.touch(account);
    return DONE;
  }

  setTerms({ account, version }: SetTerms): number {
    const problem = this.#problemOf(account, isWhole(version, 0, Number.MAX_SAFE_INTEGER));
    if (problem !== DONE) return problem;
    this.#state.accounts.setTermsVersion(account, version);
    this.#state.events.emit("terms_set", { account, version });
    return DONE;
  }

  followTerms({ account, leader }: FollowTerms): number {
    const problem = this.#problemOf(account, isAccountNumber(leader)) || this.#state.checkNames(leader, NO_MARKET);
    if (problem !== DONE) return problem;
    this.#state.accounts.setTermsLeader(account, leader === account ? OWN_TERMS : leader);
    this.#state.events.emit("terms_followed", { account, leader });
    return DONE;
  }

  setDiscount({ account, discount_bps }: SetDiscount): number {
    const problem = this.#problemOf(account, isWhole(discount_bps, 0, ALL_bps));
    if (problem !== DONE) return problem;
    this.#state.accounts.setDiscount_bps(account, discount_bps);
    this.#state.events.emit("discount_set", { account, discount_bps });
    return DONE;
  }

  seedFund({ amount_micros }: SeedFund): number {
    const { accounts, totals, events } = this.#state;
    if (!isAmount(amount_micros)) return this.#state.refuse(REASON.bad_field);
    const excess = this.#problemOfLimit(this.#state.inside_micros + amount_micros, MAX_TOTAL_micros);
    if (excess !== DONE) return excess;
    accounts.addPrincipal(FUND_ACCOUNT, amount_micros);
    totals.seeds_micros += BigInt(amount_micros);
    // FUT-22: brought from outside, so it counts as if it had been there when the hour began.
    if (this.#state.isFair) this.#state.fundHours.start_micros += amount_micros;
    events.emit("fund_seeded", { amount_micros, fund_micros: accounts.principal(FUND_ACCOUNT) });
    return DONE;
  }

  payOut({ amount_micros }: PayOut): number {
    const { totals, events } = this.#state;
    if (!isAmount(amount_micros)) return this.#state.refuse(REASON.bad_field);
    const max = totals.feeAccount_micros;
    if (amount_micros > max) return this.#state.refuse(REASON.fee_account_short, max, amount_micros);
    totals.addFees(-amount_micros);
    totals.payouts_micros += BigInt(amount_micros);
    events.emit("paid_out", { amount_micros, feeAccount_micros: totals.feeAccount_micros });
    return DONE;
  }

  returnPayout({ amount_micros }: ReturnPayout): number {
    const { totals, events } = this.#state;
    if (!isAmount(amount_micros)) return this.#state.refuse(REASON.bad_field);
    const max = Number(totals.payouts_micros);
    if (amount_micros > max) return this.#state.refuse(REASON.not_in_flight, max, amount_micros);
    totals.addFees(amount_micros);
    totals.payouts_micros -= BigInt(amount_micros);
    events.emit("payout_returned", { amount_micros, feeAccount_micros: totals.feeAccount_micros });
    return DONE;
  }

  /** Checks the fields before the account, in the order of refusals that the rules state. */
  #problemOf(account: number, areFieldsFine: boolean): number {
    if (!areFieldsFine || !isAccountNumber(account)) return this.#state.refuse(REASON.bad_field);
    return this.#state.checkNames(account, NO_MARKET);
  }

  /** Refuses an amount above what an account or the exchange may hold. */
  #problemOfLimit(after_micros: number, max_micros: number): number {
    return after_micros > max_micros ? this.#state.refuse(REASON.balance_limit, max_micros, after_micros) : DONE;
  }
}
