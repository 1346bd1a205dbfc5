import type { EngineEvent } from "@bourse/engine";
import type { Applied, Exchange } from "../host/exchange.ts";
import { TrackedOrders } from "./tracked-orders.ts";

/** Receives events one by one, together with the state of the affected orders right after each event. */
export interface EventObserver {
  onEvent(event: EngineEvent, applied: Applied): void;
  /** Called after the last event of a command, with the engine in the state after the command. */
  onCommand(applied: Applied): void;
}

/** Walks through the events of every command once, for all observers that need the affected orders. */
export class EventWalk {
  readonly orders: TrackedOrders;
  readonly #observers: EventObserver[] = [];

  constructor(exchange: Exchange) {
    this.orders = new TrackedOrders(exchange.engine.state);
    exchange.listen((applied) => this.#walk(applied));
  }

  /** Observers are called in the order of registration. */
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
