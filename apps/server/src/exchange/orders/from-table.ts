import { LIMIT, MARKET, type Reason } from "@bourse/engine";
import type { AlgoRow, OrderRow } from "../projector/tables.ts";
import {
  type Cause,
  type ConditionalOrder,
  type ConditionalStatus,
  isOpen,
  type Order,
  type OrderStatus,
  type Trigger,
} from "./order.ts";

type TriggerColumns = Pick<
  OrderRow & AlgoRow,
  | "trigger_ticks"
  | "activate_ticks"
  | "callback_bps"
  | "working_type"
  | "is_close_position"
  | "is_price_protected"
  | "triggered_ms"
>;

function triggerOfRow(type: number, row: TriggerColumns): Trigger {
  return {
    type,
    triggerTicks: row.trigger_ticks,
    activateTicks: row.activate_ticks,
    callback_bps: row.callback_bps,
    workingType: row.working_type,
    isClosePosition: row.is_close_position,
    isPriceProtected: row.is_price_protected,
    triggered_ms: row.triggered_ms,
  };
}

/** What both tables have. */
type CommonColumns = Pick<OrderRow, keyof OrderRow & keyof AlgoRow>;

const commonOfRow = (row: CommonColumns) => ({
  account: row.account,
  market: row.market,
  side: row.side,
  timeInForce: row.time_in_force,
  ticks: row.ticks,
  lots: row.lots,
  isReduceOnly: row.is_reduce_only,
  selfTradePrevention: row.self_trade_prevention,
  clientId: row.client_id,
  reason: row.reason as Reason,
  created_ms: row.created_ms,
  updated_ms: row.updated_ms,
});

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

/** A conditional order with an id of its own. `produced`: the order it led to, where that is still stored. */
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
