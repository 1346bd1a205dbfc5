import type { AccountOrder, ConditionalEvent, OrderEvent, PlacedOrder } from "@bourse/api";
import { type EventOf, type Market, type MarketState, STOP, TAKE_PROFIT } from "@bourse/engine";
import { averagePriceText, decimalText, moneyText, priceText, quantityText } from "../../kernel/units.ts";
import type { Applied } from "../host/exchange.ts";
import { clientIdOf } from "./client-ids.ts";
import { placedConditional, placedOrder } from "./from-events.ts";
import { placedTypeName, sideName, timeInForceName, typeName, workingTypeName } from "./names.ts";
import type { ConditionalOrder, Order, Trigger } from "./order.ts";
import type { ShownConditionalFact, ShownFill, ShownOrderFact } from "./order-facts.ts";

/*
 * Orders in the words of the platform's own interfaces: snake_case, decimals as strings, times in milliseconds. The
 * account area says `id` and `created_time` where the private stream says `order_id` (`conditional_id`) and `created_at`.
 */

const PERCENT_DIGITS = 2;

type Shared = Pick<Order, "id" | "clientId" | "side" | "timeInForce" | "lots" | "isReduceOnly"> &
  Partial<Pick<Order, "goodTill_ms">>;

/** What both interfaces say alike of every order. */
const sharedFields = (definition: Market, order: Shared) => ({
  client_order_id: clientIdOf(order.id, order.clientId),
  symbol: definition.symbol,
  side: sideName(order.side),
  time_in_force: timeInForceName(order),
  quantity: quantityText(definition, order.lots),
  reduce_only: order.isReduceOnly,
});

/** Where a trailing stop begins to follow stands for its trigger; 0 where it follows at once. */
const shownTriggerTicks = (trigger: Trigger | null): number =>
  trigger === null ? 0 : trigger.triggerTicks || trigger.activateTicks;

/** An order as the account area shows it, also one that waits. */
export function accountOrder(definition: Market, order: Order | ConditionalOrder): AccountOrder {
  const { trigger } = order;
  const triggerTicks = shownTriggerTicks(trigger);
  return {
    ...sharedFields(definition, order),
    id: order.id,
    type: placedTypeName(order),
    status: order.status,
    reason: order.reason === "none" ? null : order.reason,
    price: order.ticks === 0 ? "0" : priceText(definition, order.ticks),
    executed_quantity: quantityText(definition, order.executedLots),
    executed_value: moneyText(order.quote_micros),
    average_price: averagePriceText(definition, order.quote_micros, order.executedLots),
    close_position: trigger?.isClosePosition ?? false,
    stop_price: triggerTicks === 0 ? null : priceText(definition, triggerTicks),
    working_type: triggerTicks === 0 || trigger === null ? null : workingTypeName(trigger.workingType),
    parent_id: order.parent === 0 ? null : order.parent,
    created_time: order.created_ms,
    updated_time: order.updated_ms,
  };
}

/** The reply to a command that placed an order, from its events alone: nothing waits for the database. */
export function placedAccountOrder(definition: Market, applied: Applied): PlacedOrder {
  const { events } = applied;
  // What a command opens first is what it was to place.
  const opened = events.find(({ kind }) => kind === "order_opened" || kind === "conditional_opened");
  const order = opened?.kind === "conditional_opened" ? placedConditional(applied) : placedOrder(applied);
  let fee_micros = 0;
  let realised_micros = 0;
  for (const event of events) {
    if (event.kind !== "fill" || event.order !== order.id) continue;
    fee_micros += event.fee_micros;
    realised_micros += event.realised_micros;
  }
  const isAttached = (event: Applied["events"][number]): event is EventOf<"conditional_opened"> =>
    event.kind === "conditional_opened" && event.parent === order.id;
  const attached = events.filter(isAttached);
  const idOf = (type: number) => attached.find((event) => event.type === type)?.conditional ?? null;
  return {
    ...accountOrder(definition, order),
    fee: moneyText(fee_micros),
    realized_pnl: moneyText(realised_micros),
    take_profit_id: idOf(TAKE_PROFIT),
    stop_loss_id: idOf(STOP),
  };
}

const tradeOf = (definition: Market, fill: ShownFill): NonNullable<OrderEvent["trade"]> => ({
  id: fill.trade,
  price: priceText(definition, fill.ticks),
  quantity: quantityText(definition, fill.lots),
  fee: moneyText(fill.fee_micros),
  realized_pnl: moneyText(fill.realised_micros),
  is_maker: fill.isMaker !== 0,
  cause: fill.cause,
});

/** An order after something has happened to it, as the private stream tells it. */
export function orderEvent({ order, execution, fill, time_ms }: ShownOrderFact, markets: readonly MarketState[]) {
  const { definition } = markets[order.market]!;
  return {
    ...sharedFields(definition, order),
    order_id: order.id,
    type: typeName(order.type),
    original_type: placedTypeName(order),
    price: priceText(definition, order.ticks),
    executed_quantity: quantityText(definition, order.executedLots),
    average_price: averagePriceText(definition, order.quote_micros, order.executedLots),
    event: execution,
    status: order.status,
    reason: order.reason,
    created_at: order.created_ms,
    time: time_ms,
    trade: fill === undefined ? null : tradeOf(definition, fill),
  } satisfies Record<keyof Omit<OrderEvent, "conditional_id">, unknown>;
}

/** The same of an order that waits for its trigger. */
export function conditionalEvent({ order, time_ms }: ShownConditionalFact, markets: readonly MarketState[]) {
  const { definition } = markets[order.market]!;
  const { trigger } = order;
  const trailing =
    trigger.callback_bps === 0
      ? {}
      : {
          activate_price: priceText(definition, trigger.activateTicks),
          callback_rate: decimalText(trigger.callback_bps, PERCENT_DIGITS),
        };
  return {
    ...sharedFields(definition, order),
    conditional_id: order.id,
    type: placedTypeName(order),
    stop_price: priceText(definition, trigger.triggerTicks),
    price: priceText(definition, order.ticks),
    ...trailing,
    working_type: workingTypeName(trigger.workingType),
    close_position: trigger.isClosePosition,
    parent_order_id: order.parent === 0 ? null : order.parent,
    order_id: order.producedId === 0 ? null : order.producedId,
    status: order.status,
    reason: order.reason,
    created_at: order.created_ms,
    time: time_ms,
  } satisfies Record<keyof Omit<ConditionalEvent, "activate_price" | "callback_rate">, unknown>;
}
