import { MarketDesk } from "./accounts/market-desk.ts";
import { MoneyDesk } from "./accounts/money-desk.ts";
import { SettingsDesk } from "./accounts/settings-desk.ts";
import { BonusDesk } from "./bonus/bonus-desk.ts";
import type { Command, ExternalCommand, PlaceConditional, PlaceOrder } from "./contract/commands.ts";
import { REASON, REASONS, type Reason } from "./contract/reasons.ts";
import { isWhole, MAX_TIME_ms } from "./contract/validation.ts";
import type { EventBuffer } from "./events/event-buffer.ts";
import { AccountMargin } from "./risk/account-margin.ts";
import { Deleveraging } from "./risk/deleveraging.ts";
import { Fund } from "./risk/fund.ts";
import { Funding } from "./risk/funding.ts";
import { Liquidation } from "./risk/liquidation.ts";
import { utcDay } from "./rules/volumes.ts";
import { State } from "./state/state.ts";
import { Admission } from "./trading/admission.ts";
import { ConditionalDesk } from "./trading/conditional-desk.ts";
import { Ledger } from "./trading/ledger.ts";
import { Matcher } from "./trading/matcher.ts";
import { OpenOrders } from "./trading/open-orders.ts";
import { OrderDesk } from "./trading/order-desk.ts";
import { Settlement } from "./trading/settlement.ts";
import { Tiers } from "./trading/tiers.ts";
import { Triggers } from "./trading/triggers.ts";

/** A log is replayed by the engine version that wrote it; a change of any rule raises the version. */
export const ENGINE_VERSION = 3;

/** The result of a command that was not refused. */
const DONE = 0;
const DAY_ms = 86_400_000;

export interface Refusal {
  readonly reason: Reason;
  readonly limit: number;
  readonly actual: number;
}

/**
 * The futures engine (FUT-1): `apply` a command, read `events`. No clock, no I/O, no randomness: the same commands give
 * the same events and the same state. This class connects the parts; each section of the rules is one part.
 */
export class Engine {
  readonly state: State;
  readonly margin: AccountMargin;
  readonly #tiers: Tiers;
  readonly #orders: OrderDesk;
  readonly #triggers: Triggers;
  readonly #markets: MarketDesk;
  readonly #money: MoneyDesk;
  readonly #settings: SettingsDesk;
  readonly #funding: Funding;
  readonly #bonus: BonusDesk;

  constructor(state = new State()) {
    const margin = new AccountMargin(state);
    const ledger = new Ledger(state);
    const tiers = new Tiers(state);
    const settlement = new Settlement(state, margin, ledger);
    const conditionals = new ConditionalDesk(state);
    const openOrders = new OpenOrders(state, ledger, conditionals);
    const matcher = new Matcher(state, settlement, openOrders, conditionals, tiers);
    const admission = new Admission(state, margin);
    const orders = new OrderDesk(state, admission, matcher, openOrders, conditionals, ledger);
    const triggers = new Triggers(state, admission, orders, conditionals);
    const deleveraging = new Deleveraging(state, margin, settlement, openOrders);
    const fund = new Fund(state, margin, orders, deleveraging);
    const liquidation = new Liquidation(state, margin, ledger, orders, deleveraging, fund);
    this.state = state;
    this.margin = margin;
    this.#tiers = tiers;
    this.#orders = orders;
    this.#triggers = triggers;
    this.#markets = new MarketDesk(state, triggers, liquidation);
    this.#money = new MoneyDesk(state, margin, ledger);
    this.#settings = new SettingsDesk(state, margin, ledger, orders);
    this.#funding = new Funding(state, ledger, liquidation);
    this.#bonus = new BonusDesk(state, margin, ledger, orders);
  }

  /** The events of the last command; valid until the next command. */
  get events(): EventBuffer {
    return this.state.events;
  }

  apply(command: Command): void {
    const { state } = this;
    state.events.clear();
    state.commandNumber += 1;
    if (typeof command !== "object" || command === null || !isWhole(command.time_ms, 0, MAX_TIME_ms)) {
      state.events.refused(this.#accountOf(command), REASON.bad_field, 0, 0);
      return;
    }
    if (command.time_ms > state.time_ms) this.#advance(command.time_ms);
    const refusal = this.#dispatch(command);
    if (refusal !== DONE) {
      state.events.refused(this.#accountOf(command), refusal, state.refusalLimit, state.refusalActual);
      return;
    }
    if (state.moved.count > 0) this.#triggers.fireMoved();
    if (state.touched.count > 0) this.#bonus.closeOff();
  }

  /** Whether an order would be accepted now; changes nothing. Undefined: it would. */
  checkOrder(command: PlaceOrder | PlaceConditional): Refusal | undefined {
    const { state } = this;
    const isPlain = command.kind === "place_order";
    const reason = isPlain ? this.#orders.checkEntry(command) : this.#triggers.checkEntry(command);
    if (reason === DONE) return undefined;
    return { reason: REASONS[reason]!, limit: state.refusalLimit, actual: state.refusalActual };
  }

  #advance(time_ms: number): void {
    const { state } = this;
    state.time_ms = time_ms;
    if (time_ms < (state.day + 1) * DAY_ms) return;
    this.#tiers.rollTo(utcDay(time_ms));
  }

  /** A reason, or DONE. */
  #dispatch(command: Command): number {
    switch (command.kind) {
      case "place_order":
        return this.#orders.place(command);
      case "cancel_order":
        return this.#orders.cancel(command);
      case "modify_order":
        return this.#orders.modify(command);
      case "cancel_all":
        return this.#orders.cancelAll(command);
      case "place_conditional":
        return this.#triggers.place(command);
      case "set_price":
        return this.#markets.setPrice(command);
      case "set_leverage":
        return this.#settings.setLeverage(command);
      case "set_margin_mode":
        return this.#settings.setMarginMode(command);
      case "move_isolated_margin":
        return this.#settings.moveIsolatedMargin(command);
      case "apply_funding":
        return this.#funding.apply(command);
      case "open_account":
        return this.#markets.openAccount(command);
      case "add_market":
        return this.#markets.addMarket(command);
      case "set_market_status":
        return this.#markets.setStatus(command);
      case "expire_bonus":
        return this.#bonus.expire(command);
      case "close_expired_bonus":
        return this.#bonus.closeExpired(command);
      case "advance_time":
        return DONE;
      default:
        return this.#dispatchExternal(command);
    }
  }

  #dispatchExternal(command: ExternalCommand): number {
    const { state } = this;
    if (!EXTERNAL_KINDS.has(command.kind) || !isWhole(command.number, 1, Number.MAX_SAFE_INTEGER)) {
      return state.refuse(REASON.bad_field);
    }
    if (command.number <= state.externalNumber) {
      state.events.emit("ignored", { number: command.number, lastNumber: state.externalNumber });
      return DONE;
    }
    state.externalNumber = command.number;
    switch (command.kind) {
      case "deposit":
        return this.#money.deposit(command);
      case "hold_withdrawal":
        return this.#money.holdWithdrawal(command);
      case "settle_withdrawal":
        return this.#money.settleWithdrawal(command);
      case "grant_bonus":
        return this.#bonus.grant(command);
      case "freeze_bonus":
        return this.#bonus.freeze(command);
      case "unfreeze_bonus":
        return this.#bonus.unfreeze(command);
      case "recall_bonus":
        return this.#bonus.recall(command);
      case "set_terms":
        return this.#money.setTerms(command);
      case "follow_terms":
        return this.#money.followTerms(command);
      case "set_discount":
        return this.#money.setDiscount(command);
      case "seed_fund":
        return this.#money.seedFund(command);
      case "pay_out":
        return this.#money.payOut(command);
      case "return_payout":
        return this.#money.returnPayout(command);
    }
  }

  #accountOf(command: Command): number {
    const account = (command as { readonly account?: number } | null)?.account ?? 0;
    return this.state.accounts.isAccount(account) ? account : 0;
  }
}

const EXTERNAL_KINDS: ReadonlySet<string> = new Set<ExternalCommand["kind"]>([
  "deposit",
  "hold_withdrawal",
  "settle_withdrawal",
  "grant_bonus",
  "freeze_bonus",
  "unfreeze_bonus",
  "recall_bonus",
  "set_terms",
  "follow_terms",
  "set_discount",
  "seed_fund",
  "pay_out",
  "return_payout",
]);
