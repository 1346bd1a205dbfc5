import type { AccountOrder, ConditionalEvent, FapiAlgoOrder, OrderEvent } from "@bourse/api/client";
import { Decimal } from "../../lib/decimal.ts";

/** An order that rests in the book. */
export interface OpenOrder {
  readonly id: number;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  /** What it was placed as. */
  readonly type: string;
  readonly time_in_force: string;
  readonly price: string;
  readonly quantity: string;
  readonly executed_quantity: string;
  readonly reduce_only: boolean;
  readonly created_time: number;
}

/** An order that waits for its trigger. */
export interface WaitingOrder {
  readonly id: number;
  readonly symbol: string;
  readonly side: "BUY" | "SELL";
  readonly type: string;
  /** Undefined for a trailing stop, whose trigger moves. */
  readonly stop_price: string | undefined;
  /** Undefined where a market order follows. */
  readonly price: string | undefined;
  /** Undefined where it closes the whole position. */
  readonly quantity: string | undefined;
  readonly time_in_force: string;
  readonly activate_price: string | undefined;
  /** In percent. */
  readonly callback_rate: string | undefined;
  readonly working_type: "CONTRACT_PRICE" | "MARK_PRICE";
  readonly reduce_only: boolean;
  readonly close_position: boolean;
  /** It sleeps until this order is filled, and goes with it. */
  readonly parent_id: number | undefined;
  readonly created_time: number;
}

export interface OwnOrders {
  readonly open: readonly OpenOrder[];
  readonly waiting: readonly WaitingOrder[];
}

export const NO_ORDERS: OwnOrders = { open: [], waiting: [] };

const given = (text: string | null | undefined) =>
  text === null || text === undefined || Decimal.parse(text).isZero() ? undefined : text;

const byTime = <T extends { readonly created_time: number; readonly id: number }>(orders: readonly T[]): T[] =>
  orders.toSorted((a, b) => b.created_time - a.created_time || b.id - a.id);

function openFromRest(order: AccountOrder): OpenOrder {
  const { id, symbol, side, type, time_in_force, price, quantity, executed_quantity, reduce_only, created_time } =
    order;
  return { id, symbol, side, type, time_in_force, price, quantity, executed_quantity, reduce_only, created_time };
}

function waitingFromRest(order: AccountOrder, algo: FapiAlgoOrder | undefined): WaitingOrder {
  const isTrailing = order.type.startsWith("TRAILING");
  return {
    id: order.id,
    symbol: order.symbol,
    side: order.side,
    type: order.type,
    stop_price: isTrailing ? undefined : given(order.stop_price),
    price: given(order.price),
    quantity: given(order.quantity),
    time_in_force: order.time_in_force,
    activate_price: given(algo?.activatePrice),
    callback_rate: given(algo?.callbackRate),
    working_type: (algo?.workingType ?? order.working_type) === "MARK_PRICE" ? "MARK_PRICE" : "CONTRACT_PRICE",
    reduce_only: order.reduce_only,
    close_position: order.close_position,
    parent_id: order.parent_id ?? undefined,
    created_time: order.created_time,
  };
}

/** From the two lists that show them: only that of the bots' path knows how a trailing stop follows. */
export function ordersFromRest(orders: readonly AccountOrder[], algos: readonly FapiAlgoOrder[]): OwnOrders {
  const isResting = ({ type }: AccountOrder) => type === "LIMIT" || type === "MARKET";
  return {
    open: byTime(orders.filter(isResting).map(openFromRest)),
    waiting: byTime(
      orders
        .filter((order) => !isResting(order))
        .map((order) =>
          waitingFromRest(
            order,
            algos.find(({ algoId }) => algoId === order.id),
          ),
        ),
    ),
  };
}

function openFromEvent(event: OrderEvent): OpenOrder {
  const { order_id: id, symbol, side, original_type: type, time_in_force, price, quantity } = event;
  const { executed_quantity, reduce_only, created_at: created_time } = event;
  return { id, symbol, side, type, time_in_force, price, quantity, executed_quantity, reduce_only, created_time };
}

function waitingFromEvent(event: ConditionalEvent): WaitingOrder {
  const { symbol, side, type, time_in_force, working_type, reduce_only, close_position } = event;
  return {
    id: event.conditional_id,
    symbol,
    side,
    type,
    stop_price: given(event.stop_price),
    price: given(event.price),
    quantity: close_position ? undefined : given(event.quantity),
    time_in_force,
    activate_price: given(event.activate_price),
    callback_rate: given(event.callback_rate),
    working_type,
    reduce_only,
    close_position,
    parent_id: event.parent_order_id ?? undefined,
    created_time: event.created_at,
  };
}

export const isConditionalEvent = (event: OrderEvent | ConditionalEvent): event is ConditionalEvent =>
  event.conditional_id !== undefined;

/** Put in its place, or taken out: the newest first, the others where they were. */
function placed<T extends { readonly id: number; readonly created_time: number }>(
  orders: readonly T[],
  id: number,
  next: T | undefined,
): readonly T[] {
  const at = orders.findIndex((order) => order.id === id);
  if (next === undefined) return at < 0 ? orders : orders.toSpliced(at, 1);
  return at < 0 ? byTime([...orders, next]) : orders.with(at, next);
}

/** The orders after something has happened to one of them. Each event has the whole order: a repeated one changes nothing. */
export function applyOrderEvent(orders: OwnOrders, event: OrderEvent | ConditionalEvent): OwnOrders {
  if (isConditionalEvent(event)) {
    const next = event.status === "NEW" ? waitingFromEvent(event) : undefined;
    return { ...orders, waiting: placed(orders.waiting, event.conditional_id, next) };
  }
  if (event.order_id === 0) return orders;
  const isOpen = event.status === "NEW" || event.status === "PARTIALLY_FILLED";
  return { ...orders, open: placed(orders.open, event.order_id, isOpen ? openFromEvent(event) : undefined) };
}

export const ordersFromSnapshot = (events: readonly (OrderEvent | ConditionalEvent)[]): OwnOrders =>
  events.reduce(applyOrderEvent, NO_ORDERS);

export const remainingOf = ({ quantity, executed_quantity }: OpenOrder): Decimal =>
  Decimal.parse(quantity).sub(Decimal.parse(executed_quantity));

/** What the open orders of a side are worth at their prices; those that only reduce hold nothing. */
export function openValue(orders: readonly OpenOrder[], symbol: string, side: "BUY" | "SELL"): Decimal {
  return orders
    .filter((order) => order.symbol === symbol && order.side === side && !order.reduce_only)
    .reduce((sum, order) => sum.add(remainingOf(order).mul(Decimal.parse(order.price))), Decimal.ZERO);
}
