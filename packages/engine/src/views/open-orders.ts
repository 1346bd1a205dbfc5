import { NO_SLOT } from "../book/order-pool.ts";
import {
  LIMIT,
  MARKET,
  type OrderType,
  type SelfTradePrevention,
  type Side,
  type TimeInForce,
} from "../contract/codes.ts";
import { CAUSES } from "../contract/events.ts";
import { ORDER_DETAILS, ORDER_TERMS, type OrderDetailsRow } from "../snapshot/state-tables.ts";
import type { Conditional } from "../state/conditionals.ts";
import {
  causeOf,
  ORDER_HAS_NAME,
  ORDER_IS_MARKET,
  ORDER_REDUCE_ONLY,
  selfTradePreventionOf,
  timeInForceOf,
} from "../state/order-details.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";

/** An order that rests in a book, copied out of the engine's memory. */
export interface OpenOrder extends Omit<OrderDetailsRow, "age_ms"> {
  readonly id: number;
  readonly account: number;
  readonly market: number;
  /** The account's entry in the market. */
  readonly position: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly ticks: number;
  readonly lots: number;
  readonly executedLots: number;
  /** The value executed so far. */
  readonly quote_micros: number;
  readonly isReduceOnly: boolean;
  readonly cause: (typeof CAUSES)[number];
  /** "" for none. */
  readonly clientId: string;
  readonly updated_ms: number;
}

/** A conditional order that has neither fired nor ended, copied from the engine's memory. */
export type WaitingConditional = Readonly<Conditional>;

/** The order in a taken slot of the pool. */
export function readOpenOrder({ pool, details }: State, slot: number): OpenOrder {
  const flags = pool.flags(slot);
  const lots = pool.originalLots(slot);
  const { age_ms, ...kept } = { ...ORDER_DETAILS.rowOf(details, slot), ...ORDER_TERMS.rowOf(details, slot) };
  return {
    id: pool.id(slot),
    account: pool.account(slot),
    market: pool.market(slot),
    position: pool.position(slot),
    side: pool.side(slot) as Side,
    type: (flags & ORDER_IS_MARKET) === 0 ? LIMIT : MARKET,
    timeInForce: timeInForceOf(flags) as TimeInForce,
    selfTradePrevention: selfTradePreventionOf(flags) as SelfTradePrevention,
    ticks: pool.ticks(slot),
    lots,
    executedLots: lots - pool.remainingLots(slot),
    quote_micros: pool.quote_micros(slot),
    isReduceOnly: (flags & ORDER_REDUCE_ONLY) !== 0,
    cause: CAUSES[causeOf(flags)]!,
    clientId: (flags & ORDER_HAS_NAME) === 0 ? "" : details.clientId(slot),
    ...kept,
    updated_ms: kept.created_ms + age_ms,
  };
}

/** Undefined if no order with that id rests. */
export function findOpenOrder(state: State, id: number): OpenOrder | undefined {
  const slot = state.index.get(id);
  return slot === NO_SLOT ? undefined : readOpenOrder(state, slot);
}

/** The account's resting orders, in one market or in all: entry by entry, the oldest first. */
export function openOrdersOf(state: State, account: number, market?: number): OpenOrder[] {
  const { accounts, positions, pool } = state;
  const orders: OpenOrder[] = [];
  for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
    if (market !== undefined && positions.market(at) !== market) continue;
    for (let slot = positions.firstOrder(at); slot !== NO_SLOT; slot = pool.ownerNext(slot)) {
      orders.push(readOpenOrder(state, slot));
    }
  }
  return orders;
}

/** Undefined if no conditional order with that id waits. */
export function findConditional(state: State, id: number): WaitingConditional | undefined {
  const conditional = state.conditionals.get(id);
  return conditional === undefined ? undefined : { ...conditional };
}

/** The account's waiting conditional orders, in one market or in all, by id. */
export function conditionalsOf(state: State, account: number, market?: number): WaitingConditional[] {
  const all = state.conditionals.ofAccount(account);
  const asked = market === undefined ? all : all.filter((conditional) => conditional.market === market);
  return asked.map((conditional) => ({ ...conditional }));
}
