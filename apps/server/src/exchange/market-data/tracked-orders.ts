import {
  type CAUSES,
  type Engine,
  type EngineEvent,
  type EventOf,
  ORDER_HAS_NAME,
  ORDER_IS_MARKET,
  ORDER_REDUCE_ONLY,
  selfTradePreventionOf,
  timeInForceOf,
} from "@bourse/engine";

type State = Engine["state"];

/** An order that has not ended, as the events tell of it. Events that end an order name it by its id alone. */
export interface TrackedOrder {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  readonly side: number;
  readonly type: number;
  readonly timeInForce: number;
  readonly isReduceOnly: boolean;
  readonly selfTradePrevention: number;
  readonly cause: (typeof CAUSES)[number];
  readonly clientId: string;
  /** The conditional order it came from, where that is known. */
  readonly conditional: TrackedConditional | undefined;
  readonly created_ms: number;
  /** 0 for a MARKET order. */
  ticks: number;
  /** Before the last amendment. */
  previousTicks: number;
  lots: number;
  executedLots: number;
  /** The value executed so far. */
  quote_micros: number;
  /** It stood in the book when a command ended. */
  isResting: boolean;
}

export interface TrackedConditional extends Omit<EventOf<"conditional_opened">, "kind"> {
  readonly created_ms: number;
  /** 0 before it has fired. */
  triggered_ms: number;
  /** The order it has produced. */
  order: number;
}

/**
 * Every order and conditional order that has not ended. Taken from the engine's state at the start, kept up by events
 * from then on: first `hear` an event, then look, then `settle` it.
 */
export class TrackedOrders {
  readonly #orders = new Map<number, TrackedOrder>();
  readonly #conditionals = new Map<number, TrackedConditional>();
  /** Fired in this command, their order not opened yet: by the id of the order. */
  readonly #fired = new Map<number, TrackedConditional>();
  /** Orders that the present command has opened or modified, ended ones among them. */
  readonly #entered: TrackedOrder[] = [];

  constructor(state: State) {
    for (const conditional of state.conditionals.all()) {
      const { position, isAsleep, bestTicks, id, ...rest } = conditional;
      this.#conditionals.set(id, {
        ...rest,
        conditional: id,
        isReduceOnly: Number(rest.isReduceOnly),
        isClosePosition: Number(rest.isClosePosition),
        isPriceProtected: Number(rest.isPriceProtected),
        keepsId: Number(rest.keepsId),
        triggered_ms: 0,
        order: 0,
      });
    }
    for (const { book } of state.markets) book.forEachResting((slot) => this.#takeUp(state, slot));
  }

  get count(): number {
    return this.#orders.size;
  }

  order(id: number): TrackedOrder | undefined {
    return this.#orders.get(id);
  }

  conditional(id: number): TrackedConditional | undefined {
    return this.#conditionals.get(id);
  }

  /** Of those that the present command has opened or modified: the ones that now stand in the book. */
  *entered(): Iterable<TrackedOrder> {
    for (const order of this.#entered) if (this.#orders.has(order.id)) yield order;
  }

  hear(event: EngineEvent, time_ms: number): void {
    switch (event.kind) {
      case "order_opened":
        this.#open(event, time_ms);
        return;
      case "order_amended":
        this.#amend(event);
        return;
      case "fill": {
        const order = this.#orders.get(event.order);
        if (order === undefined) return;
        order.executedLots = event.executedLots;
        order.quote_micros = event.quote_micros;
        return;
      }
      case "conditional_opened": {
        const { kind, ...opened } = event;
        this.#conditionals.set(event.conditional, { ...opened, created_ms: time_ms, triggered_ms: 0, order: 0 });
        return;
      }
      case "conditional_triggered": {
        const conditional = this.#conditionals.get(event.conditional);
        if (conditional === undefined) return;
        conditional.triggered_ms = time_ms;
        conditional.order = event.order;
        this.#fired.set(event.order, conditional);
      }
    }
  }

  /** Forgets what the event has ended. */
  settle(event: EngineEvent): void {
    switch (event.kind) {
      case "fill":
        if (event.executedLots === event.orderLots) this.#orders.delete(event.order);
        return;
      case "order_closed":
        this.#orders.delete(event.order);
        return;
      case "conditional_triggered":
      case "conditional_closed":
        this.#conditionals.delete(event.conditional);
    }
  }

  endCommand(): void {
    if (this.#entered.length === 0) return;
    for (const order of this.#entered) order.isResting = true;
    this.#entered.length = 0;
    this.#fired.clear();
  }

  #open(event: EventOf<"order_opened">, time_ms: number): void {
    const order: TrackedOrder = {
      id: event.order,
      account: event.account,
      market: event.market,
      side: event.side,
      type: event.type,
      timeInForce: event.timeInForce,
      isReduceOnly: event.isReduceOnly !== 0,
      selfTradePrevention: event.selfTradePrevention,
      cause: event.cause,
      clientId: event.clientId,
      conditional: event.conditional === 0 ? undefined : this.#fired.get(event.order),
      created_ms: time_ms,
      ticks: event.ticks,
      previousTicks: event.ticks,
      lots: event.lots,
      executedLots: 0,
      quote_micros: 0,
      isResting: false,
    };
    this.#orders.set(order.id, order);
    this.#entered.push(order);
  }

  #amend({ order: id, ticks, lots, executedLots, reason }: EventOf<"order_amended">): void {
    const order = this.#orders.get(id);
    if (order === undefined) return;
    order.previousTicks = order.ticks;
    order.ticks = ticks;
    order.lots = lots;
    order.executedLots = executedLots;
    if (reason === "modified") this.#entered.push(order);
  }

  /** An order that rests in the book from before the start. */
  #takeUp({ pool, details }: State, slot: number): void {
    const flags = pool.flags(slot);
    const ticks = pool.ticks(slot);
    this.#orders.set(pool.id(slot), {
      id: pool.id(slot),
      account: pool.account(slot),
      market: pool.market(slot),
      side: pool.side(slot),
      type: (flags & ORDER_IS_MARKET) === 0 ? 0 : 1,
      timeInForce: timeInForceOf(flags),
      isReduceOnly: (flags & ORDER_REDUCE_ONLY) !== 0,
      selfTradePrevention: selfTradePreventionOf(flags),
      // The engine's own orders never rest.
      cause: "trade",
      clientId: (flags & ORDER_HAS_NAME) === 0 ? "" : details.clientId(slot),
      conditional: undefined,
      created_ms: details.created_ms(slot),
      ticks,
      previousTicks: ticks,
      lots: pool.originalLots(slot),
      executedLots: pool.originalLots(slot) - pool.remainingLots(slot),
      quote_micros: pool.quote_micros(slot),
      isResting: true,
    });
  }
}
