import {
  BONUS_STATES,
  type Engine,
  type EngineEvent,
  type EventOf,
  FUND_ACCOUNT,
  NO_POSITION,
  type Reason,
} from "@bourse/engine";
import type { Applied } from "../host/exchange.ts";
import type { EventObserver } from "../market-data/event-walk.ts";
import type { TrackedOrder, TrackedOrders } from "../market-data/tracked-orders.ts";
import type { AccountReader } from "./account-reader.ts";
import type {
  ConditionalFact,
  ConditionalStatus,
  Execution,
  OrderFact,
  OrderStatus,
  PrivateFact,
} from "./private-facts.ts";
import { executionOf } from "./user-data-messages.ts";
import type { UserDataStream } from "./user-data-stream.ts";

/** Where facts go: they are kept, and told to those who follow the channel. */
export type FactSink = (account: number, commandNumber: number, fact: PrivateFact) => void;

/** Who tells bots of it, in the events they know. */
export type UserDataSink = Pick<UserDataStream, "onOrder" | "onConditional" | "onFill" | "onOther">;

export interface PrivateFeedOptions {
  readonly engine: Engine;
  readonly orders: TrackedOrders;
  readonly reader: AccountReader;
  readonly sink: FactSink;
  readonly userData: UserDataSink;
  readonly onError: (error: unknown) => void;
}

const PASSED_ON: ReadonlySet<string> = new Set(["takeover", "adl"]);

/**
 * Turns events into facts about accounts: orders as they happen, balances and positions once a turn, since of the many
 * that a batch of commands leads to only the last is true when anybody can read it.
 */
export class PrivateFeed implements EventObserver {
  readonly #options: PrivateFeedOptions;
  /** Whose balance, and which of whose positions (by number), have changed since they were last told. */
  readonly #accounts = new Set<number>();
  readonly #positions = new Set<number>();
  #telling: NodeJS.Immediate | undefined;

  constructor(options: PrivateFeedOptions) {
    this.#options = options;
  }

  onEvent(event: EngineEvent, applied: Applied): void {
    if (!("account" in event) || event.account === FUND_ACCOUNT || event.kind === "refused") return;
    this.#tell(event, applied);
    if (event.kind !== "conditional_activated" && event.kind !== "account_opened") this.#accounts.add(event.account);
    if (CHANGES_POSITION.has(event.kind)) {
      const { market } = event as EventOf<"fill">;
      const position = this.#options.engine.state.positions.find(event.account, market);
      if (position !== NO_POSITION) this.#positions.add(position);
    }
  }

  onCommand(): void {
    if (this.#accounts.size > 0) this.#telling ??= setImmediate(() => this.#tellStates());
  }

  /** Nobody waits for it, so nobody else would hear of its failure. */
  #tellStates(): void {
    try {
      this.tellStates();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Balances and positions that have changed, as they are now. */
  tellStates(): void {
    clearImmediate(this.#telling);
    this.#telling = undefined;
    const { reader, sink, engine } = this.#options;
    const { commandNumber, time_ms, positions } = engine.state;
    for (const position of this.#positions) {
      sink(positions.account(position), commandNumber, reader.position(position, time_ms));
    }
    for (const account of this.#accounts) sink(account, commandNumber, reader.balance(account, time_ms));
    this.#positions.clear();
    this.#accounts.clear();
  }

  #tell(event: AccountEvent, applied: Applied): void {
    const { orders, userData } = this.#options;
    switch (event.kind) {
      case "order_opened":
        this.#onOrder(orders.order(event.order), applied, "NEW", "NEW", "none");
        return;
      case "order_amended": {
        const status = event.executedLots > 0 ? "PARTIALLY_FILLED" : "NEW";
        this.#onOrder(orders.order(event.order), applied, "AMENDMENT", status, event.reason);
        return;
      }
      case "order_closed":
        this.#onOrder(orders.order(event.order), applied, executionOf(event.status), event.status, event.reason);
        return;
      case "fill":
        this.#onFill(event, applied);
        return;
      case "conditional_opened":
      case "conditional_triggered":
      case "conditional_closed":
        this.#onConditional(event, applied);
        return;
      case "tier_changed": {
        const { change, tier, previousTier, volume14d_micros } = event;
        const figures = { change, tier, previousTier, volume14d_micros };
        this.#sink(event.account, applied, { channel: "vip_tier", kind: "tier", ...figures, time_ms: applied.time_ms });
        return;
      }
      case "bonus_line":
      case "bonus_state_set":
        this.#onBonus(event, applied);
        return;
      default:
        userData.onOther(event, applied);
    }
  }

  #sink(account: number, { number }: Applied, fact: PrivateFact): void {
    this.#options.sink(account, number, fact);
  }

  #onOrder(
    order: TrackedOrder | undefined,
    applied: Applied,
    execution: Execution,
    status: OrderStatus,
    reason: Reason,
    fill?: EventOf<"fill">,
  ): void {
    if (order === undefined) return;
    const { ticks, lots, executedLots, quote_micros } = order;
    const figures = { ticks, lots, executedLots, quote_micros, execution, status, reason, fill };
    const fact: OrderFact = { channel: "orders", kind: "order", order, ...figures, time_ms: applied.time_ms };
    this.#sink(order.account, applied, fact);
    this.#options.userData.onOrder(order.account, fact);
    const hasEnded = status !== "NEW" && status !== "PARTIALLY_FILLED";
    const { conditional } = order;
    if (hasEnded && conditional !== undefined && conditional.keepsId === 0) {
      this.#conditionalFact(order.account, applied, {
        channel: "orders",
        kind: "conditional",
        conditional: { ...conditional },
        status: "FINISHED",
        reason: "none",
        produced: fact,
        time_ms: applied.time_ms,
      });
    }
  }

  #onFill(fill: EventOf<"fill">, applied: Applied): void {
    const isForced = fill.isMaker === 0 && (fill.cause === "liquidation" || PASSED_ON.has(fill.cause));
    const order = PASSED_ON.has(fill.cause) ? orderInstead(fill, this.#options.engine, applied) : undefined;
    const status = order !== undefined || fill.executedLots === fill.orderLots ? "FILLED" : "PARTIALLY_FILLED";
    const tracked = order ?? this.#options.orders.order(fill.order);
    this.#onOrder(tracked, applied, isForced ? "CALCULATED" : "TRADE", status, "none", fill);
    this.#options.userData.onFill(fill, applied);
  }

  #onConditional(
    event: EventOf<"conditional_opened"> | EventOf<"conditional_triggered"> | EventOf<"conditional_closed">,
    applied: Applied,
  ): void {
    const conditional = this.#options.orders.conditional(event.conditional);
    if (conditional === undefined) return;
    const told = (status: ConditionalStatus, reason: Reason) =>
      this.#conditionalFact(event.account, applied, {
        channel: "orders",
        kind: "conditional",
        conditional: { ...conditional },
        status,
        reason,
        produced: undefined,
        time_ms: applied.time_ms,
      });
    if (event.kind === "conditional_opened") told("NEW", "none");
    else if (event.kind === "conditional_closed") told(event.status as ConditionalStatus, event.reason);
    else {
      told("TRIGGERING", "none");
      told("TRIGGERED", "none");
    }
  }

  #conditionalFact(account: number, applied: Applied, fact: ConditionalFact): void {
    this.#sink(account, applied, fact);
    this.#options.userData.onConditional(account, fact);
  }

  #onBonus(event: EventOf<"bonus_line"> | EventOf<"bonus_state_set">, applied: Applied): void {
    const { accounts } = this.#options.engine.state;
    const { account } = event;
    const isLine = event.kind === "bonus_line";
    this.#sink(account, applied, {
      channel: "bonus",
      kind: "bonus",
      line: isLine ? event.line : undefined,
      amount_micros: isLine ? event.amount_micros : 0,
      state: isLine ? BONUS_STATES[accounts.bonusState(account)]! : event.state,
      bonus_micros: isLine ? event.bonus_micros : accounts.bonus(account),
      locked_micros: isLine ? event.locked_micros : accounts.locked(account),
      consumed_micros: isLine ? event.consumed_micros : accounts.consumed(account),
      expires_ms: isLine ? accounts.expires_ms(account) : event.expires_ms,
      time_ms: applied.time_ms,
    });
    if (isLine) this.#options.userData.onOther(event, applied);
  }
}

type AccountEvent = Extract<EngineEvent, { readonly account: number }>;

export type { AccountEvent };

const CHANGES_POSITION: ReadonlySet<string> = new Set<EngineEvent["kind"]>([
  "fill",
  "leverage_set",
  "margin_mode_set",
  "isolated_margin_moved",
  "funding_paid",
  "liquidation_fee_paid",
]);

/** What was passed on without an order is told as one that was filled at once. */
function orderInstead(fill: EventOf<"fill">, { state }: Engine, { time_ms }: Applied): TrackedOrder {
  const { unit_micros } = state.markets[fill.market]!.terms;
  return {
    id: 0,
    account: fill.account,
    market: fill.market,
    side: fill.side,
    type: 0,
    timeInForce: 1,
    isReduceOnly: true,
    selfTradePrevention: 3,
    cause: fill.cause,
    clientId: "",
    conditional: undefined,
    created_ms: time_ms,
    ticks: fill.ticks,
    previousTicks: fill.ticks,
    lots: fill.lots,
    executedLots: fill.lots,
    quote_micros: fill.ticks * fill.lots * unit_micros,
    isResting: false,
  };
}
