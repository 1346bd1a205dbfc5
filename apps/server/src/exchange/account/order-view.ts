import type { AccountOrder, PlacedOrder } from "@bourse/api";
import {
  BUY,
  type Conditional,
  type Engine,
  type EventOf,
  MARK_PRICE,
  type Market,
  NO_POSITION,
  NO_SLOT,
  ORDER_HAS_NAME,
  ORDER_IS_MARKET,
  ORDER_REDUCE_ONLY,
  STOP,
  TAKE_PROFIT,
  timeInForceOf,
} from "@bourse/engine";
import { clientIdOf } from "../fapi/client-ids.ts";
import type { Applied } from "../host/exchange.ts";
import { averagePriceText, moneyText, priceText, quantityText } from "../units.ts";

export const TIME_IN_FORCE_NAMES = ["GTC", "IOC", "FOK", "GTX"] as const;
export const sideName = (side: number) => (side === BUY ? "BUY" : "SELL");
export const workingTypeName = (type: number) => (type === MARK_PRICE ? "MARK_PRICE" : "CONTRACT_PRICE");

const CONDITIONAL_NAMES = ["STOP", "TAKE_PROFIT", "TRAILING_STOP"] as const;

/** STOP, STOP_MARKET, TAKE_PROFIT …: what it does and whether its order has a price. */
export const conditionalTypeName = (type: number, ticks: number) =>
  `${CONDITIONAL_NAMES[type]!}${ticks === 0 ? "_MARKET" : ""}`;

/** An order in the engine's numbers, wherever it comes from: memory, events, history. */
export interface OrderNumbers {
  readonly id: number;
  readonly clientId: string;
  readonly side: number;
  readonly type: string;
  readonly timeInForce: number;
  readonly status: string;
  readonly reason: string | null;
  /** 0 for a market order. */
  readonly ticks: number;
  readonly lots: number;
  readonly executedLots: number;
  readonly quote_micros: number;
  readonly isReduceOnly: boolean;
  readonly isClosePosition: boolean;
  /** 0 where it is no conditional order. */
  readonly triggerTicks: number;
  readonly workingType: number;
  readonly parent: number;
  readonly created_ms: number;
  readonly updated_ms: number;
}

export function orderView(terms: Market, order: OrderNumbers): AccountOrder {
  const isConditional = order.triggerTicks !== 0;
  return {
    id: order.id,
    client_order_id: clientIdOf(order.id, order.clientId),
    symbol: terms.symbol,
    side: sideName(order.side),
    type: order.type,
    time_in_force: TIME_IN_FORCE_NAMES[order.timeInForce] ?? "GTC",
    status: order.status,
    reason: order.reason,
    price: order.ticks === 0 ? "0" : priceText(terms, order.ticks),
    quantity: quantityText(terms, order.lots),
    executed_quantity: quantityText(terms, order.executedLots),
    executed_value: moneyText(order.quote_micros),
    average_price: averagePriceText(terms, order.quote_micros, order.executedLots),
    reduce_only: order.isReduceOnly,
    close_position: order.isClosePosition,
    stop_price: isConditional ? priceText(terms, order.triggerTicks) : null,
    working_type: isConditional ? workingTypeName(order.workingType) : null,
    parent_id: order.parent === 0 ? null : order.parent,
    created_time: order.created_ms,
    updated_time: order.updated_ms,
  };
}

/** A resting order, by its slot. */
export function restingNumbers({ state }: Engine, slot: number): OrderNumbers {
  const { pool, details } = state;
  const flags = pool.flags(slot);
  const lots = pool.originalLots(slot);
  const executedLots = lots - pool.remainingLots(slot);
  return {
    id: pool.id(slot),
    clientId: (flags & ORDER_HAS_NAME) === 0 ? "" : details.clientId(slot),
    side: pool.side(slot),
    type: (flags & ORDER_IS_MARKET) === 0 ? "LIMIT" : "MARKET",
    timeInForce: timeInForceOf(flags),
    status: executedLots === 0 ? "NEW" : "PARTIALLY_FILLED",
    reason: null,
    ticks: pool.ticks(slot),
    lots,
    executedLots,
    quote_micros: pool.quote_micros(slot),
    isReduceOnly: (flags & ORDER_REDUCE_ONLY) !== 0,
    isClosePosition: false,
    triggerTicks: 0,
    workingType: 0,
    parent: 0,
    created_ms: details.created_ms(slot),
    updated_ms: details.updated_ms(slot),
  };
}

/** A conditional order that waits. */
export function conditionalNumbers(conditional: Conditional): OrderNumbers {
  return {
    ...conditional,
    type: conditionalTypeName(conditional.type, conditional.ticks),
    status: "NEW",
    reason: null,
    executedLots: 0,
    quote_micros: 0,
    triggerTicks: conditional.triggerTicks === 0 ? conditional.activateTicks : conditional.triggerTicks,
    updated_ms: conditional.created_ms,
  };
}

/** Everything of an account that rests or waits, by time. */
export function openOrders(engine: Engine, account: number, market?: number): AccountOrder[] {
  const { accounts, positions, pool, conditionals, markets } = engine.state;
  const orders: AccountOrder[] = [];
  const isAskedFor = (number: number) => market === undefined || number === market;
  for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
    const number = positions.market(at);
    if (!isAskedFor(number)) continue;
    for (let slot = positions.firstOrder(at); slot !== NO_SLOT; slot = pool.ownerNext(slot)) {
      orders.push(orderView(markets[number]!.terms, restingNumbers(engine, slot)));
    }
  }
  for (const conditional of conditionals.ofAccount(account)) {
    if (!isAskedFor(conditional.market)) continue;
    orders.push(orderView(markets[conditional.market]!.terms, conditionalNumbers(conditional)));
  }
  return orders.sort((a, b) => a.created_time - b.created_time || a.id - b.id);
}

type OrderOpened = EventOf<"order_opened">;

/** What became of an order within the command that placed it. */
function afterPlacing(opened: OrderOpened, { events, time_ms }: Applied) {
  let executedLots = 0;
  let quote_micros = 0;
  let fee_micros = 0;
  let realised_micros = 0;
  let lots = opened.lots;
  let closed: EventOf<"order_closed"> | undefined;
  for (const event of events) {
    if (event.kind === "fill" && event.order === opened.order) {
      executedLots = event.executedLots;
      quote_micros = event.quote_micros;
      fee_micros += event.fee_micros;
      realised_micros += event.realised_micros;
    } else if (event.kind === "order_closed" && event.order === opened.order) closed = event;
    else if (event.kind === "order_amended" && event.order === opened.order) lots = event.lots;
  }
  const running = executedLots === 0 ? "NEW" : executedLots === lots ? "FILLED" : "PARTIALLY_FILLED";
  const numbers: OrderNumbers = {
    id: opened.order,
    clientId: opened.clientId,
    side: opened.side,
    type: opened.ticks === 0 ? "MARKET" : "LIMIT",
    timeInForce: opened.timeInForce,
    status: closed?.status ?? running,
    reason: closed?.reason ?? null,
    ticks: opened.ticks,
    lots,
    executedLots,
    quote_micros,
    isReduceOnly: opened.isReduceOnly === 1,
    isClosePosition: false,
    triggerTicks: 0,
    workingType: 0,
    parent: 0,
    created_ms: time_ms,
    updated_ms: time_ms,
  };
  return { numbers, fee_micros, realised_micros };
}

/** The reply to a command that placed an order, from its events alone: nothing waits for the database. */
export function placedOrder(terms: Market, applied: Applied): PlacedOrder {
  const { events, time_ms } = applied;
  const [first] = events;
  if (first?.kind === "conditional_opened") {
    const numbers: OrderNumbers = {
      ...first,
      id: first.conditional,
      type: conditionalTypeName(first.type, first.ticks),
      status: "NEW",
      reason: null,
      executedLots: 0,
      quote_micros: 0,
      isReduceOnly: first.isReduceOnly === 1,
      isClosePosition: first.isClosePosition === 1,
      created_ms: time_ms,
      updated_ms: time_ms,
    };
    const nothing = { fee: moneyText(0), realized_pnl: moneyText(0), take_profit_id: null, stop_loss_id: null };
    return { ...orderView(terms, numbers), ...nothing };
  }
  const opened = events.find((event) => event.kind === "order_opened");
  if (opened === undefined) throw new Error("a command was done that opened no order");
  const { numbers, fee_micros, realised_micros } = afterPlacing(opened, applied);
  const attached = (type: number) =>
    events.find((event) => event.kind === "conditional_opened" && event.parent === opened.order && event.type === type);
  const idOf = (event: ReturnType<typeof attached>) =>
    event?.kind === "conditional_opened" ? event.conditional : null;
  return {
    ...orderView(terms, numbers),
    fee: moneyText(fee_micros),
    realized_pnl: moneyText(realised_micros),
    take_profit_id: idOf(attached(TAKE_PROFIT)),
    stop_loss_id: idOf(attached(STOP)),
  };
}
