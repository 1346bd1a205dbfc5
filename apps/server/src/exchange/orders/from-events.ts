import type { EngineEvent, EventOf } from "@bourse/engine";
import type { Applied } from "../host/exchange.ts";
import { waitingConditional } from "./from-engine.ts";
import {
  type ConditionalOrder,
  type ConditionalStatus,
  isOpen,
  type Order,
  runningStatus,
  type Trigger,
} from "./order.ts";

/*
 * What commands did, from their events: by the time a reply is made the engine's memory may have gone further.
 */

/** An order as it is opened. */
export function openedOrder(event: EventOf<"order_opened">, time_ms: number, trigger: Trigger | null = null): Order {
  const { kind, order: id, conditional, isReduceOnly, ...fields } = event;
  return {
    ...fields,
    id,
    executedLots: 0,
    quote_micros: 0,
    isReduceOnly: isReduceOnly === 1,
    parent: 0,
    conditional: conditional === id ? 0 : conditional,
    trigger,
    status: "NEW",
    reason: "none",
    created_ms: time_ms,
    updated_ms: time_ms,
  };
}

/** A conditional order as it is opened. */
export function openedConditional(event: EventOf<"conditional_opened">, time_ms: number): ConditionalOrder {
  const { kind, conditional: id, ...fields } = event;
  return waitingConditional({
    ...fields,
    id,
    isReduceOnly: event.isReduceOnly === 1,
    isClosePosition: event.isClosePosition === 1,
    isPriceProtected: event.isPriceProtected === 1,
    keepsId: event.keepsId === 1,
    created_ms: time_ms,
  });
}

/** What events change of an order. */
export type Progress = {
  -readonly [Field in
    | "ticks"
    | "priceMatch"
    | "lots"
    | "executedLots"
    | "quote_micros"
    | "status"
    | "reason"
    | "updated_ms"]: Order[Field];
};

/** The order after an event of its own. */
export function advance(order: Progress, event: EngineEvent, time_ms: number): void {
  if (event.kind === "fill") {
    order.lots = event.orderLots;
    order.executedLots = event.executedLots;
    order.quote_micros = event.quote_micros;
    order.status = event.executedLots === event.orderLots ? "FILLED" : "PARTIALLY_FILLED";
  } else if (event.kind === "order_amended") {
    order.ticks = event.ticks;
    order.priceMatch = event.priceMatch;
    order.lots = event.lots;
    order.executedLots = event.executedLots;
    order.status = runningStatus(event.executedLots);
  } else if (event.kind === "order_closed") {
    order.lots = event.lots;
    order.executedLots = event.executedLots;
    order.quote_micros = event.quote_micros;
    order.status = event.status;
    order.reason = event.reason;
  } else if (event.kind === "conditional_closed") {
    order.status = event.status;
    order.reason = event.reason;
  } else return;
  order.updated_ms = time_ms;
}

const isOf = (event: EngineEvent, id: number) =>
  ("order" in event && event.order === id) || (event.kind === "conditional_closed" && event.conditional === id);

/** The order as a command left it. */
function orderAfter(order: Order, { events, time_ms }: Applied): Order {
  const after = { ...order };
  for (const event of events) if (isOf(event, order.id)) advance(after, event, time_ms);
  return after;
}

/** The order that a command has placed, as the command left it. */
export function placedOrder(applied: Applied): Order {
  const opened = applied.events.find((event) => event.kind === "order_opened");
  if (opened === undefined) throw new Error("an order was accepted without being opened");
  return orderAfter(openedOrder(opened, applied.time_ms), applied);
}

/** A known order after a command that ended it; undefined where the command did not. */
export function endedOrder(order: Order, applied: Applied): Order | undefined {
  const after = orderAfter(order, applied);
  return isOpen(after) ? undefined : { ...after, updated_ms: applied.time_ms };
}

/** The conditional order that a command has placed. */
export function placedConditional({ events, time_ms }: Applied): ConditionalOrder {
  const opened = events.find((event) => event.kind === "conditional_opened");
  if (opened === undefined) throw new Error("a conditional order was accepted without being opened");
  return openedConditional(opened, time_ms);
}

/** A conditional order after one of its own events. */
export function conditionalAfter(conditional: ConditionalOrder, event: EngineEvent, time_ms: number): ConditionalOrder {
  if (event.kind === "conditional_triggered") {
    const trigger = { ...conditional.trigger, triggered_ms: time_ms };
    return { ...conditional, trigger, producedId: event.order, status: "TRIGGERED", updated_ms: time_ms };
  }
  // FUT-8: what its order left waits again, and its next order gets an id of its own.
  if (event.kind === "conditional_rearmed") {
    const trigger = { ...conditional.trigger, triggered_ms: 0 };
    const waiting = { lots: event.lots, parent: 0, producedId: 0, produced: null };
    return { ...conditional, ...waiting, trigger, status: "NEW", reason: "none", updated_ms: time_ms };
  }
  if (event.kind !== "conditional_closed") return conditional;
  const { status, reason } = event;
  return { ...conditional, status: status as ConditionalStatus, reason, updated_ms: time_ms };
}
