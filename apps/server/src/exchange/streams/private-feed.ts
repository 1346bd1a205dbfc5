import {
  BONUS_STATES,
  BUY,
  type Engine,
  type EngineEvent,
  type EventOf,
  FUND_ACCOUNT,
  IOC,
  LIMIT,
  NO_POSITION,
  type Reason,
  STP_NONE,
} from "@bourse/engine";
import type { Applied } from "../host/exchange.ts";
import type { EventObserver } from "../market-data/event-walk.ts";
import type { TrackedOrders } from "../market-data/tracked-orders.ts";
import { type ConditionalOrder, isOpen, type Order } from "../orders/order.ts";
import type { Execution, OrderFact } from "../orders/order-facts.ts";
import { orderOrigin, orderTerms } from "../projector/tables.ts";
import type { AccountEvent } from "./account-event.ts";
import type { AccountReader } from "./account-reader.ts";
import type { AdlFact, PrivateFact } from "./private-facts.ts";
import type { UserDataStream } from "./user-data-stream.ts";

/** Receives private events, which are stored and sent to the subscribers of the channel. */
export type FactSink = (account: number, commandNumber: number, fact: PrivateFact) => void;

/** Sends the same to bots, as events of the user data stream. */
export type UserDataSink = Pick<UserDataStream, "onOrder" | "onConditional" | "onFill" | "onAdl" | "onOther">;

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
 * Turns engine events into private events: orders as they happen, balances and positions once per turn, because of all
 * states within a batch of commands only the last can be read.
 */
export class PrivateFeed implements EventObserver {
  readonly #options: PrivateFeedOptions;
  /** The accounts and positions (by number) that have changed since they were last sent. */
  readonly #accounts = new Set<number>();
  readonly #positions = new Set<number>();
  #sending: NodeJS.Immediate | undefined;

  constructor(options: PrivateFeedOptions) {
    this.#options = options;
  }

  onEvent(event: EngineEvent, applied: Applied): void {
    if (!("account" in event) || event.account === FUND_ACCOUNT || event.kind === "refused") return;
    this.#send(event, applied);
    if (event.kind !== "conditional_activated" && event.kind !== "account_opened") this.#accounts.add(event.account);
    if (CHANGES_POSITION.has(event.kind)) {
      const { market } = event as EventOf<"fill">;
      const position = this.#options.engine.state.positions.find(event.account, market);
      if (position !== NO_POSITION) this.#positions.add(position);
    }
  }

  onCommand(): void {
    if (this.#accounts.size > 0) this.#sending ??= setImmediate(() => this.#trySendStates());
  }

  /** Reports the error itself, because no caller awaits it. */
  #trySendStates(): void {
    try {
      this.sendStates();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  /** Sends the changed balances and positions with their present values. */
  sendStates(): void {
    clearImmediate(this.#sending);
    this.#sending = undefined;
    const { reader, sink, engine } = this.#options;
    const { commandNumber, time_ms, positions } = engine.state;
    for (const position of this.#positions) {
      sink(positions.account(position), commandNumber, reader.position(position, time_ms));
    }
    for (const account of this.#accounts) sink(account, commandNumber, reader.balance(account, time_ms));
    this.#positions.clear();
    this.#accounts.clear();
  }

  #send(event: AccountEvent, applied: Applied): void {
    const { orders, userData } = this.#options;
    switch (event.kind) {
      case "order_opened":
        this.#onOrder(orders.order(event.order), applied, "NEW", "none");
        return;
      case "order_amended":
        this.#onOrder(orders.order(event.order), applied, "AMENDMENT", event.reason);
        return;
      case "order_closed": {
        const execution = event.status === "CANCELED" ? "CANCELED" : "EXPIRED";
        this.#onOrder(orders.order(event.order), applied, execution, event.reason);
        return;
      }
      case "fill":
        this.#onFill(event, applied);
        return;
      case "conditional_opened":
      case "conditional_triggered":
      case "conditional_rearmed":
      case "conditional_closed": {
        const conditional = orders.conditional(event.conditional);
        if (conditional !== undefined && event.kind === "conditional_triggered") {
          // FUT-8: to its client it is an order, and the order that it produces now is another one.
          if (conditional.keepsId && event.order !== conditional.id) {
            this.#onConditional({ ...conditional, status: "EXPIRED" }, applied);
            return;
          }
          this.#onConditional({ ...conditional, status: "TRIGGERING" }, applied);
        }
        this.#onConditional(conditional, applied);
        return;
      }
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
      case "adl":
        this.#onAdl(event, applied);
        return;
      default:
        userData.onOther(event, applied);
    }
  }

  #sink(account: number, { number }: Applied, fact: PrivateFact): void {
    this.#options.sink(account, number, fact);
  }

  #onOrder(
    order: (Order & { readonly source?: ConditionalOrder | undefined }) | undefined,
    applied: Applied,
    execution: Execution,
    reason: Reason,
    fill?: EventOf<"fill">,
  ): void {
    if (order === undefined) return;
    const { source } = order;
    const { time_ms } = applied;
    // A copy, because the order changes later.
    const copy = { ...order, reason };
    const fact: OrderFact = { channel: "orders", kind: "order", order: copy, execution, fill, time_ms };
    this.#sink(order.account, applied, fact);
    this.#options.userData.onOrder(order.account, fact);
    if (isOpen(order) || source === undefined || source.keepsId || goesOn(source, applied)) return;
    this.#onConditional({ ...source, status: "FINISHED", reason: "none", produced: copy }, applied);
  }

  #onFill(fill: EventOf<"fill">, applied: Applied): void {
    const isPassedOn = PASSED_ON.has(fill.cause);
    const isForced = fill.isMaker === 0 && (fill.cause === "liquidation" || isPassedOn);
    const order = isPassedOn
      ? orderInstead(fill, this.#options.engine, applied)
      : this.#options.orders.order(fill.order);
    this.#onOrder(order, applied, isForced ? "CALCULATED" : "TRADE", "none", fill);
    this.#options.userData.onFill(fill, applied);
  }

  #onConditional(order: ConditionalOrder | undefined, applied: Applied): void {
    if (order === undefined) return;
    const fact = { channel: "orders", kind: "conditional", order, time_ms: applied.time_ms } as const;
    this.#sink(order.account, applied, fact);
    this.#options.userData.onConditional(order.account, fact);
  }

  /** FUT-23. It comes behind the fill that it explains. */
  #onAdl(event: EventOf<"adl">, applied: Applied): void {
    const { account, market, lots, ticks, markTicks, indexTicks } = event;
    const fill = applied.events.findLast(
      (other): other is EventOf<"fill"> =>
        other.kind === "fill" && other.cause === "adl" && other.account === account && other.market === market,
    );
    const figures = { market, side: fill?.side ?? BUY, lots, ticks, markTicks, indexTicks };
    const reason = event.reason as AdlFact["reason"];
    const fact: AdlFact = { channel: "adl", kind: "adl", ...figures, reason, time_ms: applied.time_ms };
    this.#sink(account, applied, fact);
    this.#options.userData.onAdl(account, fact);
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

const CHANGES_POSITION: ReadonlySet<string> = new Set<EngineEvent["kind"]>([
  "fill",
  "leverage_set",
  "margin_mode_set",
  "isolated_margin_moved",
  "funding_paid",
  "liquidation_fee_paid",
]);

/** FUT-8: what its order left is armed again, or its tries are used up; then that is told instead of its end. */
const goesOn = ({ id }: ConditionalOrder, { events }: Applied): boolean =>
  events.some(
    (event) =>
      (event.kind === "conditional_rearmed" || event.kind === "conditional_closed") && event.conditional === id,
  );

/** Shows lots that were taken over without an order as an order that was filled at once. */
function orderInstead(fill: EventOf<"fill">, { state }: Engine, { time_ms }: Applied): Order {
  const { account, market, side, cause, ticks, lots } = fill;
  return {
    ...orderOrigin.none,
    ...orderTerms.none,
    id: 0,
    account,
    market,
    side,
    type: LIMIT,
    timeInForce: IOC,
    ticks,
    lots,
    executedLots: lots,
    quote_micros: ticks * lots * state.markets[market]!.definition.unit_micros,
    isReduceOnly: true,
    selfTradePrevention: STP_NONE,
    cause,
    parent: 0,
    conditional: 0,
    trigger: null,
    status: "FILLED",
    reason: "none",
    created_ms: time_ms,
    updated_ms: time_ms,
  };
}
