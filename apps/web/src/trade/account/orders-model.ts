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

/** What a list and the feed say of an order, under the names of the list. */
type WireOpen = Pick<AccountOrder, keyof OpenOrder>;
type WireWaiting = Pick<AccountOrder, Exclude<keyof WaitingOrder, "activate_price" | "callback_rate">> & {
  readonly activate_price?: string | undefined;
  readonly callback_rate?: string | undefined;
};

function openOrder(order: WireOpen): OpenOrder {
  const { id, symbol, side, type, time_in_force, price, quantity, executed_quantity, reduce_only, created_time } =
    order;
  return { id, symbol, side, type, time_in_force, price, quantity, executed_quantity, reduce_only, created_time };
}

function waitingOrder(order: WireWaiting): WaitingOrder {
  const { id, symbol, side, type, time_in_force, reduce_only, close_position, created_time } = order;
  return {
    id,
    symbol,
    side,
    type,
    stop_price: type.startsWith("TRAILING") ? undefined : given(order.stop_price),
    price: given(order.price),
    quantity: given(order.quantity),
    time_in_force,
    activate_price: given(order.activate_price),
    callback_rate: given(order.callback_rate),
    working_type: order.working_type === "MARK_PRICE" ? "MARK_PRICE" : "CONTRACT_PRICE",
    reduce_only,
    close_position,
    parent_id: order.parent_id ?? undefined,
    created_time,
  };
}

const openFromEvent = (event: OrderEvent): OpenOrder =>
  openOrder({ ...event, id: event.order_id, type: event.original_type, created_time: event.created_at });

const waitingFromEvent = (event: ConditionalEvent): WaitingOrder =>
  waitingOrder({
    ...event,
    id: event.conditional_id,
    parent_id: event.parent_order_id,
    created_time: event.created_at,
  });

/** Only the list of the bots' path knows how a trailing stop follows, and which price one without a trigger watches. */
function waitingFromRest(order: AccountOrder, algo: FapiAlgoOrder | undefined): WaitingOrder {
  if (algo === undefined) return waitingOrder(order);
  const { activatePrice: activate_price, callbackRate: callback_rate, workingType: working_type } = algo;
  return waitingOrder({ ...order, activate_price, callback_rate, working_type });
}

/** From the two lists that show them. */
export function ordersFromRest(orders: readonly AccountOrder[], algos: readonly FapiAlgoOrder[]): OwnOrders {
  const isResting = ({ type }: AccountOrder) => type === "LIMIT" || type === "MARKET";
  return {
    open: byTime(orders.filter(isResting).map(openOrder)),
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
