import type { Reason } from "@bourse/engine";
import { rowMaker } from "../projector/columns.ts";
import {
  ALGO_COLUMNS,
  type AlgoRow,
  ORDER_COLUMNS,
  type OrderRow,
  orderOrigin,
  orderTerms,
  triggerTerms,
} from "../projector/tables.ts";
import {
  type Cause,
  type ConditionalOrder,
  type ConditionalStatus,
  isOpen,
  type Order,
  type OrderStatus,
  producedType,
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

const NO_TRIGGER: Trigger = { type: -1, ...triggerTerms.none };

const triggerOfRow = (type: number, row: CommonColumns): Trigger => ({ type, ...triggerTerms.recordOf(row) });

const orderRow = rowMaker<typeof ORDER_COLUMNS, [Order, Order, Trigger]>(
  ORDER_COLUMNS,
  orderOrigin,
  orderTerms,
  triggerTerms,
);
const algoRow = rowMaker<typeof ALGO_COLUMNS, [ConditionalOrder, ConditionalOrder, Trigger]>(
  ALGO_COLUMNS,
  orderOrigin,
  orderTerms,
  triggerTerms,
);

function setState(row: CommonColumns, order: Order | ConditionalOrder, command_number: number): void {
  row.status = order.status;
  row.reason = order.reason;
  row.created_ms = order.created_ms;
  row.updated_ms = order.updated_ms;
  row.command_number = command_number;
}

/** `command_number`: of the command that opened it. */
export function rowOfOrder(order: Order, command_number: number): OrderRow {
  const trigger = order.trigger ?? NO_TRIGGER;
  const row = orderRow(order, order, trigger);
  setState(row, order, command_number);
  row.order_id = order.id;
  row.type = order.type;
  row.executed_lots = order.executedLots;
  row.quote_micros = order.quote_micros;
  row.cause = order.cause;
  row.conditional_id = order.conditional;
  row.conditional_type = trigger.type;
  row.amendments = 0;
  return row;
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
  const row = algoRow(order, order, order.trigger);
  setState(row, order, command_number);
  row.algo_id = order.id;
  row.type = order.trigger.type;
  row.parent_id = order.parent;
  row.actual_order_id = order.producedId;
  return row;
}

/** `produced`: the order it led to, where that is still stored. */
export function conditionalOfRow(row: AlgoRow, produced: ConditionalOrder["produced"]): ConditionalOrder {
  // An order that is no longer stored has ended.
  const hasFinished = row.status === "TRIGGERED" && !(produced !== null && isOpen(produced));
  return {
    ...commonOfRow(row),
    id: row.algo_id,
    type: producedType({ ticks: row.ticks, priceMatch: row.price_match }),
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
