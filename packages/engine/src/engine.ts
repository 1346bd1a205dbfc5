import { MarketDesk } from "./accounts/market-desk.ts";
import { MoneyDesk } from "./accounts/money-desk.ts";
import { SettingsDesk } from "./accounts/settings-desk.ts";
import { BonusDesk } from "./bonus/bonus-desk.ts";
import type {
  AddMarket,
  Command,
  ExternalCommand,
  OpenAccount,
  PlaceConditional,
  PlaceOrder,
  SetMarketRules,
  SetMarketStatus,
  SetRulesVersion,
} from "./contract/commands.ts";
import { REASON, REASONS, type Reason } from "./contract/reasons.ts";
import { isStamp, isWhole, MAX_TIME_ms } from "./contract/validation.ts";
import { extendDigest } from "./digest.ts";
import type { EventBuffer } from "./events/event-buffer.ts";
import { AccountMargin } from "./risk/account-margin.ts";
import { Deleveraging } from "./risk/deleveraging.ts";
import { beginFairMarkets } from "./risk/fair-begin.ts";
import { FairFund } from "./risk/fair-fund.ts";
import { FairSteps } from "./risk/fair-steps.ts";
import { Fund } from "./risk/fund.ts";
import { beginFundHour, HOUR_ms } from "./risk/fund-equity.ts";
import { Funding } from "./risk/funding.ts";
import { Liquidation } from "./risk/liquidation.ts";
import { isApplicableRulesVersion, RULES_WITH_FAIR_MARKETS, RULES_WITH_REFERENCES } from "./rules/version.ts";
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

/** No reason to refuse. */
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
  readonly #openOrders: OpenOrders;
  readonly #conditionals: ConditionalDesk;
  readonly #orders: OrderDesk;
  readonly #triggers: Triggers;
  readonly #markets: MarketDesk;
  readonly #money: MoneyDesk;
  readonly #settings: SettingsDesk;
  readonly #funding: Funding;
  readonly #bonus: BonusDesk;
  #numberRefusal = DONE;

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
    const fairFund = new FairFund(state, margin, orders, deleveraging);
    const fairSteps = new FairSteps(state, margin, ledger, orders, deleveraging, fairFund);
    const liquidation = new Liquidation(state, margin, ledger, orders, deleveraging, fund, fairFund, fairSteps);
    this.state = state;
    this.margin = margin;
    this.#tiers = tiers;
    this.#openOrders = openOrders;
    this.#conditionals = conditionals;
    this.#orders = orders;
    this.#triggers = triggers;
    this.#markets = new MarketDesk(state, triggers, liquidation, fairFund);
    this.#money = new MoneyDesk(state, margin, ledger);
    this.#settings = new SettingsDesk(state, margin, ledger, orders);
    this.#funding = new Funding(state, ledger, liquidation);
    this.#bonus = new BonusDesk(state, margin, ledger, orders, fairSteps);
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
    }
    // A refused command moves nothing, but its time may have ended orders.
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
    if (state.isFair && time_ms >= (state.fundHours.hour + 1) * HOUR_ms) beginFundHour(state);
    if (time_ms >= (state.day + 1) * DAY_ms) this.#tiers.rollTo(utcDay(time_ms));
    if (state.expiries.mayBeDue(time_ms)) this.#expireDue();
  }

  /** FUT-25: what is due by now ends before the command, in the order of its time, then of its id. */
  #expireDue(): void {
    const { expiries, time_ms, index, conditionals } = this.state;
    for (let id = expiries.nextDue(time_ms); id !== undefined; id = expiries.nextDue(time_ms)) {
      const conditional = conditionals.get(id);
      if (conditional === undefined) this.#openOrders.expire(index.get(id));
      else this.#conditionals.close(conditional, "EXPIRED", "good_till");
    }
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
      case "add_market":
      case "set_market_rules":
      case "set_market_status": {
        if (command.kind === "set_market_rules" && !this.state.isFair) return this.state.refuse(REASON.bad_field);
        const isNumbered = this.state.rulesVersion >= RULES_WITH_REFERENCES && command.number !== undefined;
        if (isNumbered && !this.#isNext(command)) return this.#numberRefusal;
        return this.#dispatchOpening(command);
      }
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

  #dispatchOpening(command: OpenAccount | AddMarket | SetMarketStatus | SetMarketRules): number {
    if (command.kind === "open_account") return this.#markets.openAccount(command);
    if (command.kind === "add_market") return this.#markets.addMarket(command);
    return command.kind === "set_market_rules" ? this.#markets.setRules(command) : this.#markets.setStatus(command);
  }

  /** Takes the number of a command of the outside world; where it cannot, `#numberRefusal` is what to answer. */
  #isNext(command: Command & { readonly number?: number }): boolean {
    const { state } = this;
    const { number = 0 } = command;
    const hasReferences = state.rulesVersion >= RULES_WITH_REFERENCES;
    this.#numberRefusal = DONE;
    if (!isWhole(number, 1, Number.MAX_SAFE_INTEGER) || (hasReferences && !isStamp(command))) {
      this.#numberRefusal = state.refuse(REASON.bad_field);
      return false;
    }
    if (number <= state.externalNumber) {
      state.events.emit("ignored", { number, lastNumber: state.externalNumber });
      return false;
    }
    state.externalNumber = number;
    if (hasReferences) state.externalDigest = extendDigest(state.externalDigest, number, command.reference ?? "");
    return true;
  }

  #setRulesVersion({ version }: SetRulesVersion): number {
    const { state } = this;
    const { rulesVersion: previous } = state;
    if (!isWhole(version, 1, Number.MAX_SAFE_INTEGER)) return state.refuse(REASON.bad_field);
    // A version that this release does not know is never read from a log nor written to one: see the codec.
    if (!isApplicableRulesVersion(version) || version <= previous) return state.refuse(REASON.rules_version, previous);
    if (previous < RULES_WITH_REFERENCES && version >= RULES_WITH_REFERENCES) {
      state.referencesFrom = state.externalNumber;
    }
    state.rulesVersion = version;
    if (previous < RULES_WITH_FAIR_MARKETS && state.isFair) beginFairMarkets(state);
    state.events.emit("rules_version_set", { version, previous });
    return DONE;
  }

  #dispatchExternal(command: ExternalCommand): number {
    if (!EXTERNAL_KINDS.has(command.kind)) return this.state.refuse(REASON.bad_field);
    if (!this.#isNext(command)) return this.#numberRefusal;
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
      case "set_rules_version":
        return this.#setRulesVersion(command);
      case "commit_wallet":
        return this.#markets.commitWallet(command);
      case "note":
        this.state.events.emit("noted", { number: command.number });
        return DONE;
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
  "set_rules_version",
  "commit_wallet",
  "note",
]);
