import { Decimal } from "../../lib/decimal.ts";
import type { Position } from "./margin.ts";
import type { OpenOrder, WaitingOrder } from "./orders-model.ts";

export type TriggerRole = "take_profit" | "stop_loss" | "trailing";

export function roleOf({ type }: Pick<WaitingOrder, "type">): TriggerRole {
  if (type.startsWith("TRAILING")) return "trailing";
  return type.startsWith("TAKE_PROFIT") ? "take_profit" : "stop_loss";
}

/** Whether a conditional order would close (a part of) the position. */
export function closes(order: WaitingOrder, position: Pick<Position, "symbol" | "side">): boolean {
  const isAgainst = (order.side === "SELL") === (position.side === "LONG");
  return order.symbol === position.symbol && isAgainst && (order.reduce_only || order.close_position);
}

/** The triggers of a position, those that fire first at the front. */
export function triggersOf(position: Position, waiting: readonly WaitingOrder[]): readonly WaitingOrder[] {
  const distance = ({ stop_price }: WaitingOrder) => {
    if (stop_price === undefined) return Decimal.ZERO;
    const gap = Decimal.parse(stop_price).sub(Decimal.parse(position.entry_price));
    return gap.isNegative() ? Decimal.ZERO.sub(gap) : gap;
  };
  return waiting
    .filter((order) => closes(order, position))
    .toSorted((a, b) => distance(a).compare(distance(b)) || a.id - b.id);
}

/** It is inactive until its parent order is filled: until then it cannot be moved. */
export const isAsleep = (order: WaitingOrder, open: readonly OpenOrder[]): boolean =>
  order.parent_id !== undefined &&
  open.some(({ id, executed_quantity }) => id === order.parent_id && Decimal.parse(executed_quantity).isZero());

/** Whether a trigger can be moved by replacing it; trailing stops move automatically. */
export const isMovable = (order: WaitingOrder, open: readonly OpenOrder[]): boolean =>
  order.stop_price !== undefined && !isAsleep(order, open);

/** A new trigger for the whole position, at the market or at a limit of its own. */
export function closingTrigger(
  position: Pick<Position, "symbol" | "side">,
  role: "take_profit" | "stop_loss",
  stop_price: string,
  working_type: "MARK_PRICE" | "CONTRACT_PRICE",
) {
  return {
    symbol: position.symbol,
    side: position.side === "LONG" ? "SELL" : "BUY",
    type: role === "take_profit" ? "TAKE_PROFIT_MARKET" : "STOP_MARKET",
    stop_price,
    working_type,
    close_position: true,
  } as const;
}

/** FUT-8: whether a trigger of this role is reached already at a price, and so would fire at once. */
export function isReached(
  position: Pick<Position, "side">,
  role: "take_profit" | "stop_loss",
  trigger: Decimal,
  price: string,
): boolean {
  const firesAbove = (position.side === "LONG") === (role === "take_profit");
  const now = Decimal.parse(price);
  return firesAbove ? trigger.lte(now) : trigger.gte(now);
}
