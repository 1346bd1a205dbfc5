import { type Engine, type EngineEvent, type EventOf, readOpenOrder } from "@bourse/engine";
import { restingOrder, waitingConditional } from "../orders/from-engine.ts";
import { advance, conditionalAfter, openedConditional, openedOrder } from "../orders/from-events.ts";
import type { ConditionalOrder, Order } from "../orders/order.ts";

type State = Engine["state"];

type Changing<Record> = { -readonly [Field in keyof Record]: Record[Field] };

/** An order that has not ended, according to the events. Events that end an order contain only its id. */
export interface TrackedOrder extends Changing<Order> {
  /** The conditional order that produced it, if known. */
  readonly source: ConditionalOrder | undefined;
  /** The price before the last amendment. */
  previousTicks: number;
  /** Whether it was in the book at the end of a command. */
  isResting: boolean;
}

/**
 * All orders and conditional orders that have not ended. Read from the engine's state at the start, then updated by
 * events: `hear` an event, read the orders, then `settle` the event.
 */
export class TrackedOrders {
  readonly #orders = new Map<number, TrackedOrder>();
  readonly #conditionals = new Map<number, ConditionalOrder>();
  /** Conditional orders that were triggered in this command, by the id of their order. */
  readonly #fired = new Map<number, ConditionalOrder>();
  /** Orders that the current command has opened or modified, including ended ones. */
  readonly #entered: TrackedOrder[] = [];

  constructor(state: State) {
    for (const { position, isAsleep, bestTicks, tries, ...conditional } of state.conditionals.all()) {
      this.#conditionals.set(conditional.id, waitingConditional(conditional));
    }
    for (const { book } of state.markets) {
      book.forEachResting((slot) => {
        const order = restingOrder(readOpenOrder(state, slot));
        this.#orders.set(order.id, { ...order, source: undefined, previousTicks: order.ticks, isResting: true });
      });
    }
  }

  get count(): number {
    return this.#orders.size;
  }

  order(id: number): TrackedOrder | undefined {
    return this.#orders.get(id);
  }

  conditional(id: number): ConditionalOrder | undefined {
    return this.#conditionals.get(id);
  }

  /** The orders that the current command has opened or modified and that are now in the book. */
  *entered(): Iterable<TrackedOrder> {
    for (const order of this.#entered) if (this.#orders.has(order.id)) yield order;
  }

  hear(event: EngineEvent, time_ms: number): void {
    switch (event.kind) {
      case "order_opened":
        this.#open(event, time_ms);
        return;
      case "order_amended":
      case "order_closed":
      case "fill":
        this.#advance(event, time_ms);
        return;
      case "conditional_opened":
        this.#conditionals.set(event.conditional, openedConditional(event, time_ms));
        return;
      case "conditional_triggered":
      case "conditional_closed": {
        // FUT-8: one whose tries are used up has fired just before.
        const known = this.#conditionals.get(event.conditional) ?? this.#firedAs(event.conditional);
        if (known === undefined) return;
        const conditional = conditionalAfter(known, event, time_ms);
        this.#conditionals.set(event.conditional, conditional);
        if (event.kind === "conditional_triggered") this.#fired.set(event.order, conditional);
        return;
      }
      case "conditional_rearmed": {
        const fired = this.#firedAs(event.conditional);
        if (fired !== undefined) this.#conditionals.set(fired.id, conditionalAfter(fired, event, time_ms));
      }
    }
  }

  /** Removes the orders that the event has ended. */
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

  #firedAs(id: number): ConditionalOrder | undefined {
    for (const fired of this.#fired.values()) if (fired.id === id) return fired;
    return undefined;
  }

  #open(event: EventOf<"order_opened">, time_ms: number): void {
    const source = event.conditional === 0 ? undefined : this.#fired.get(event.order);
    const opened = openedOrder(event, time_ms, source?.trigger);
    const order = { ...opened, source, previousTicks: event.ticks, isResting: false };
    this.#orders.set(order.id, order);
    this.#entered.push(order);
  }

  #advance(event: EventOf<"order_amended"> | EventOf<"order_closed"> | EventOf<"fill">, time_ms: number): void {
    const order = this.#orders.get(event.order);
    if (order === undefined) return;
    if (event.kind === "order_amended") order.previousTicks = order.ticks;
    advance(order, event, time_ms);
    if (event.kind === "order_amended" && event.reason === "modified") this.#entered.push(order);
  }
}
