import type { EngineEvent } from "@bourse/engine";
import type { Applied } from "../host/exchange.ts";
import type { AlgoRecord, OrderRecord } from "./ports.ts";

/*
 * What a command did, from its events: by the time a reply is made the engine's memory may have gone further.
 */

/** What the events of one command say about an order. */
interface Progress {
  lots: number;
  executedLots: number;
  quote_micros: number;
  status: string;
}

function follow(progress: Progress, event: EngineEvent, order: number): void {
  if (event.kind === "fill" && event.order === order) {
    progress.lots = event.orderLots;
    progress.executedLots = event.executedLots;
    progress.quote_micros = event.quote_micros;
    progress.status = event.executedLots === event.orderLots ? "FILLED" : "PARTIALLY_FILLED";
  } else if (event.kind === "order_amended" && event.order === order) {
    progress.lots = event.lots;
    progress.executedLots = event.executedLots;
  } else if (event.kind === "order_closed" && event.order === order) {
    progress.lots = event.lots;
    progress.executedLots = event.executedLots;
    progress.quote_micros = event.quote_micros;
    progress.status = event.status;
  }
}

/** The order that a command has placed, as the command left it. */
export function placedOrder({ events, time_ms }: Applied): OrderRecord {
  const opened = events.find((event) => event.kind === "order_opened");
  if (opened === undefined) throw new Error("an order was accepted without being opened");
  const progress: Progress = { lots: opened.lots, executedLots: 0, quote_micros: 0, status: "NEW" };
  for (const event of events) follow(progress, event, opened.order);
  return {
    id: opened.order,
    market: opened.market,
    side: opened.side,
    type: opened.type,
    timeInForce: opened.timeInForce,
    selfTradePrevention: opened.selfTradePrevention,
    ticks: opened.ticks,
    ...progress,
    isReduceOnly: opened.isReduceOnly === 1,
    clientId: opened.clientId,
    trigger: null,
    created_ms: time_ms,
    updated_ms: time_ms,
  };
}

/** A known order after a command that ended it; undefined where the command did not. */
export function endedOrder(order: OrderRecord, { events, time_ms }: Applied): OrderRecord | undefined {
  const { lots, executedLots, quote_micros, status } = order;
  const progress: Progress = { lots, executedLots, quote_micros, status };
  let ticks = order.ticks;
  for (const event of events) {
    follow(progress, event, order.id);
    if (event.kind === "order_amended" && event.order === order.id) ticks = event.ticks;
    if (event.kind === "conditional_closed" && event.conditional === order.id) progress.status = event.status;
  }
  const isOpen = progress.status === "NEW" || progress.status === "PARTIALLY_FILLED";
  return isOpen ? undefined : { ...order, ...progress, ticks, updated_ms: time_ms };
}

/** The conditional order that a command has placed. */
export function placedAlgo({ events, time_ms }: Applied): AlgoRecord {
  const opened = events.find((event) => event.kind === "conditional_opened");
  if (opened === undefined) throw new Error("a conditional order was accepted without being opened");
  return {
    id: opened.conditional,
    market: opened.market,
    side: opened.side,
    type: opened.type,
    ticks: opened.ticks,
    timeInForce: opened.timeInForce,
    lots: opened.lots,
    triggerTicks: opened.triggerTicks,
    activateTicks: opened.activateTicks,
    callback_bps: opened.callback_bps,
    workingType: opened.workingType,
    isReduceOnly: opened.isReduceOnly === 1,
    isClosePosition: opened.isClosePosition === 1,
    isPriceProtected: opened.isPriceProtected === 1,
    selfTradePrevention: opened.selfTradePrevention,
    clientId: opened.clientId,
    status: "NEW",
    produced: null,
    created_ms: time_ms,
    updated_ms: time_ms,
    triggered_ms: 0,
  };
}
