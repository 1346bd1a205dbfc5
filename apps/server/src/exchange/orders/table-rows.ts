import { LIMIT, MARKET, type Reason } from "@bourse/engine";
import { type AlgoRow, type OrderRow, orderOrigin, orderTerms, triggerTerms } from "../projector/tables.ts";
import {
  type Cause,
  type ConditionalOrder,
  type ConditionalStatus,
  isOpen,
  type Order,
  type OrderStatus,
  type Trigger,
} from "./order.ts";

/** What both tables have. */
type CommonColumns = Pick<OrderRow, keyof OrderRow & keyof AlgoRow>;

const commonOfRow = (row: CommonColumns) => ({
  ...orderOrigin.recordOf(row),
  ...orderTerms.recordOf(row),
  reason: row.reason as Reason,
  created_ms: row.created_ms,
  updated_ms: row.updated_ms,
});

const commonColumns = (order: Order | ConditionalOrder, command_number: number) => ({
  ...orderOrigin.rowOf(order),
  ...orderTerms.rowOf(order),
  ...triggerTerms.rowOf(order.trigger ?? NO_TRIGGER),
  status: order.status,
  reason: order.reason,
  created_ms: order.created_ms,
  updated_ms: order.updated_ms,
  command_number,
});

const NO_TRIGGER: Trigger = { type: -1, ...triggerTerms.none };

const triggerOfRow = (type: number, row: CommonColumns): Trigger => ({ type, ...triggerTerms.recordOf(row) });

/** `command_number`: of the command that opened it. */
export function rowOfOrder(order: Order, command_number: number): OrderRow {
  return {
    ...commonColumns(order, command_number),
    order_id: order.id,
    type: order.type,
    executed_lots: order.executedLots,
    quote_micros: order.quote_micros,
    cause: order.cause,
    conditional_id: order.conditional,
    conditional_type: (order.trigger ?? NO_TRIGGER).type,
    amendments: 0,
  };
}

/** `source`: the conditional order with an id of its own that produced it, where it did. */
export function orderOfRow(row: OrderRow, source: AlgoRow | undefined): Order {
  const produced = source === undefined ? null : triggerOfRow(source.type, source);
  return {
    ...commonOfRow(row),
    id: row.order_id,
    type: row.type,
    executedLots: row.executed_lots,
    quote_micros: row.quote_micros,
    cause: row.cause as Cause,
    parent: 0,
    conditional: row.conditional_id,
    trigger: row.conditional_type >= 0 ? triggerOfRow(row.conditional_type, row) : produced,
    status: row.status as OrderStatus,
  };
}

/** Of a conditional order with an id of its own. */
export function rowOfConditional(order: ConditionalOrder, command_number: number): AlgoRow {
  return {
    ...commonColumns(order, command_number),
    algo_id: order.id,
    type: order.trigger.type,
    parent_id: order.parent,
    actual_order_id: order.producedId,
  };
}

/** `produced`: the order it led to, where that is still stored. */
export function conditionalOfRow(row: AlgoRow, produced: ConditionalOrder["produced"]): ConditionalOrder {
  // An order that is no longer stored has ended.
  const hasFinished = row.status === "TRIGGERED" && !(produced !== null && isOpen(produced));
  return {
    ...commonOfRow(row),
    id: row.algo_id,
    type: row.ticks === 0 ? MARKET : LIMIT,
    executedLots: 0,
    quote_micros: 0,
    cause: "trade",
    parent: row.parent_id,
    trigger: triggerOfRow(row.type, row),
    keepsId: false,
    producedId: row.actual_order_id,
    produced,
    status: hasFinished ? "FINISHED" : (row.status as ConditionalStatus),
  };
}
