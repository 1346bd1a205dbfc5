import { type CAUSES, LIMIT, MARKET, NO_PRICE_MATCH, type Reason } from "@bourse/engine";
import type { Columns, RecordOf } from "../projector/columns.ts";

/*
 * An order, wherever it comes from: the engine's memory, its events, the tables. Codes and units are the engine's: ticks,
 * lots, micros, milliseconds, markets by number. Every wire form is made from this record.
 */

export const ORDER_STATUSES = [
  "NEW",
  "PARTIALLY_FILLED",
  "FILLED",
  "CANCELED",
  "EXPIRED",
  "EXPIRED_IN_MATCH",
  "REJECTED",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

export const CONDITIONAL_STATUSES = [
  "NEW",
  "TRIGGERING",
  "TRIGGERED",
  "FINISHED",
  "CANCELED",
  "EXPIRED",
  "REJECTED",
] as const;
export type ConditionalStatus = (typeof CONDITIONAL_STATUSES)[number];

export type Cause = (typeof CAUSES)[number];

/** What never changes of an order, with the types in which it is stored; the columns are in `projector/tables.ts`. */
export const ORDER_ORIGIN = {
  account: "integer",
  market: "integer",
  side: "smallint",
  /** "" where the client gave none. */
  clientId: "text",
} as const satisfies Columns;

/** What an order is to do. The order that a conditional order produces has terms of its own. */
export const ORDER_TERMS = {
  timeInForce: "smallint",
  /** 0 for a MARKET order, and for one that waits and takes its price from the book. */
  ticks: "integer",
  lots: "bigint",
  isReduceOnly: "boolean",
  selfTradePrevention: "smallint",
  /** FUT-25: 0 for no end. */
  goodTill_ms: "bigint",
  /** FUT-26: a place in the engine's PRICE_MATCHES. */
  priceMatch: "smallint",
} as const satisfies Columns;

export const TRIGGER_TERMS = {
  /** 0 for a trailing stop. */
  triggerTicks: "integer",
  activateTicks: "integer",
  /** 0 where it is no trailing stop. */
  callback_bps: "integer",
  workingType: "smallint",
  isClosePosition: "boolean",
  isPriceProtected: "boolean",
  /** 0 while it waits. */
  triggered_ms: "bigint",
} as const satisfies Columns;

/** What an order waits or waited for. */
export interface Trigger extends RecordOf<typeof TRIGGER_TERMS> {
  /** STOP, TAKE_PROFIT or TRAILING_STOP of the engine. */
  readonly type: number;
}

/** What a conditional order produces. */
export const producedType = ({ ticks, priceMatch }: Pick<Order, "ticks" | "priceMatch">) =>
  ticks === 0 && priceMatch === NO_PRICE_MATCH ? MARKET : LIMIT;

/** What orders in the book and orders that wait have in common. */
interface OrderFields<Status extends string> extends RecordOf<typeof ORDER_ORIGIN>, RecordOf<typeof ORDER_TERMS> {
  readonly id: number;
  /** LIMIT or MARKET: of an order that waits, what it will produce. */
  readonly type: number;
  readonly executedLots: number;
  /** The value executed so far. */
  readonly quote_micros: number;
  readonly cause: Cause;
  /** The order it is attached to; 0 for none. */
  readonly parent: number;
  readonly status: Status;
  /** Why it ended or was changed; `none` otherwise. */
  readonly reason: Reason;
  readonly created_ms: number;
  readonly updated_ms: number;
}

export interface Order extends OrderFields<OrderStatus> {
  /** The conditional order with an id of its own that produced it; 0 for none. */
  readonly conditional: number;
  /** Null where nothing triggers it, or where that is no longer known. */
  readonly trigger: Trigger | null;
}

/** An order that waits for its trigger, or has waited: fired, it is followed by the order it produced. */
export interface ConditionalOrder extends OrderFields<ConditionalStatus> {
  readonly trigger: Trigger;
  /** The order it produces has its id. */
  readonly keepsId: boolean;
  /** The id of the order it produced; 0 before. */
  readonly producedId: number;
  /** That order; null before, and where it is no longer known. */
  readonly produced: Pick<Order, "id" | "type" | "lots" | "executedLots" | "quote_micros" | "status"> | null;
}

/** A name of an order or conditional order: its id, or the client's. */
export type OrderName = { readonly id: number } | { readonly clientId: string };

export const isOpen = ({ status }: Pick<Order, "status">): boolean => status === "NEW" || status === "PARTIALLY_FILLED";

export const runningStatus = (executedLots: number): "NEW" | "PARTIALLY_FILLED" =>
  executedLots === 0 ? "NEW" : "PARTIALLY_FILLED";

/** What closes a position reduces it, whether or not it says so. */
export const isReducing = ({ isReduceOnly, trigger }: Pick<Order, "isReduceOnly" | "trigger">): boolean =>
  isReduceOnly || trigger?.isClosePosition === true;

/** A conditional order that keeps its id is an order to its client. */
export function asOrder({ keepsId, producedId, produced, status, ...fields }: ConditionalOrder): Order {
  return { ...fields, status: status as OrderStatus, conditional: 0 };
}
