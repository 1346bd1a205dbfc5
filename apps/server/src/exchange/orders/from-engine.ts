import {
  conditionalsOf,
  type Engine,
  findConditional,
  findOpenOrder,
  type OpenOrder,
  openOrdersOf,
  type WaitingConditional,
} from "@bourse/engine";
import { asOrder, type ConditionalOrder, type Order, type OrderName, producedType, runningStatus } from "./order.ts";

/** An order that rests in the book. What triggered it is not known there. */
export function restingOrder({ position, conditional, ...order }: OpenOrder): Order {
  return {
    ...order,
    parent: 0,
    conditional: conditional === order.id ? 0 : conditional,
    trigger: null,
    status: runningStatus(order.executedLots),
    reason: "none",
  };
}

type Numbers<Fields> = { readonly [Name in keyof Fields]: Fields[Name] extends number ? number : Fields[Name] };
type ConditionalFields = Numbers<Omit<WaitingConditional, "position" | "isAsleep" | "bestTicks" | "tries">>;

/** A conditional order that waits, in the words of the engine. */
export function waitingConditional(conditional: ConditionalFields): ConditionalOrder {
  const {
    type,
    triggerTicks,
    activateTicks,
    callback_bps,
    workingType,
    isClosePosition,
    isPriceProtected,
    // One rest, not two: taking it is most of the work.
    ...fields
  } = conditional;
  const trigger = { type, triggerTicks, activateTicks, callback_bps, workingType, isClosePosition, isPriceProtected };
  return {
    ...fields,
    type: producedType(fields),
    executedLots: 0,
    quote_micros: 0,
    cause: "trade",
    trigger: { ...trigger, triggered_ms: 0 },
    producedId: 0,
    produced: null,
    status: "NEW",
    reason: "none",
    updated_ms: fields.created_ms,
  };
}

/** What the engine holds in memory of an account: open orders, and conditional orders that wait. Nothing is changed. */
export class OpenOrderReader {
  readonly #state: Engine["state"];

  constructor({ state }: Pick<Engine, "state">) {
    this.#state = state;
  }

  /** An order of the account in the book, by id or client id. */
  findResting(account: number, name: OrderName): Order | undefined {
    const order = findOpenOrder(this.#state, this.#idOf(account, name));
    return order?.account === account ? restingOrder(order) : undefined;
  }

  findConditional(account: number, name: OrderName): ConditionalOrder | undefined {
    const conditional = findConditional(this.#state, this.#idOf(account, name));
    return conditional?.account === account ? waitingConditional(conditional) : undefined;
  }

  /** An open order; those that were placed as orders with a trigger are among them (FUT-8). */
  findOrder(account: number, name: OrderName): Order | undefined {
    const resting = this.findResting(account, name);
    if (resting !== undefined) return resting;
    const conditional = this.findConditional(account, name);
    return conditional?.keepsId === true ? asOrder(conditional) : undefined;
  }

  /** Everything in the book, in one market or everywhere. */
  resting(account: number, market?: number): Order[] {
    return openOrdersOf(this.#state, account, market).map(restingOrder);
  }

  /** Everything that waits, by id. */
  conditionals(account: number, market?: number): ConditionalOrder[] {
    return conditionalsOf(this.#state, account, market).map(waitingConditional);
  }

  /** All open orders by id. Those placed as orders with a trigger are among them (FUT-8). */
  orders(account: number, market?: number): Order[] {
    const waiting = this.conditionals(account, market).filter(({ keepsId }) => keepsId);
    return [...this.resting(account, market), ...waiting.map(asOrder)].sort((a, b) => a.id - b.id);
  }

  /** Conditional orders with ids of their own, by id: these never appear among the orders. */
  algoOrders(account: number, market?: number): ConditionalOrder[] {
    return this.conditionals(account, market).filter(({ keepsId }) => !keepsId);
  }

  #idOf(account: number, name: OrderName): number {
    return "id" in name ? name.id : this.#state.details.idOfName(account, name.clientId);
  }
}
