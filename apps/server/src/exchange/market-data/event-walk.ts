import type { EngineEvent } from "@bourse/engine";
import type { Applied, Exchange } from "../host/exchange.ts";
import { TrackedOrders } from "./tracked-orders.ts";

/** Looks at events one by one, with the orders they are about as they stand right after the event. */
export interface EventObserver {
  onEvent(event: EngineEvent, applied: Applied): void;
  /** After the last event of a command. The engine's state is that after the command. */
  onCommand(applied: Applied): void;
}

/** The one walk through the events of every command, shared by all who need to know which order an event is about. */
export class EventWalk {
  readonly orders: TrackedOrders;
  readonly #observers: EventObserver[] = [];

  constructor(exchange: Exchange) {
    this.orders = new TrackedOrders(exchange.engine.state);
    exchange.listen((applied) => this.#walk(applied));
  }

  /** Observers are told in the order in which they came. */
  observe(observer: EventObserver): void {
    this.#observers.push(observer);
  }

  #walk(applied: Applied): void {
    const { events, time_ms } = applied;
    if (events.length === 0 || events[0]!.kind === "refused") return;
    for (const event of events) {
      this.orders.hear(event, time_ms);
      for (const observer of this.#observers) observer.onEvent(event, applied);
      this.orders.settle(event);
    }
    for (const observer of this.#observers) observer.onCommand(applied);
    this.orders.endCommand();
  }
}
