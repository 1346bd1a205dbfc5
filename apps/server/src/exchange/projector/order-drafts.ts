import type { EngineEvent, EventOf } from "@bourse/engine";
import { openedConditional, openedOrder } from "../orders/from-events.ts";
import { asOrder } from "../orders/order.ts";
import { rowOfConditional, rowOfOrder } from "../orders/table-rows.ts";
import { type AlgoRow, type OrderRow, orderTerms } from "./tables.ts";

/** What happened to an order that stands in the table already: only what changed. */
export type OrderChange = Pick<OrderRow, "order_id" | "updated_ms" | "command_number"> & Partial<OrderRow>;
export type AlgoChange = Pick<AlgoRow, "algo_id" | "updated_ms" | "command_number"> & Partial<AlgoRow>;
/** How a conditional order ended of which only the tables know where it stands. */
export type ConditionalEnd = Pick<AlgoRow, "algo_id" | "status" | "reason" | "updated_ms" | "command_number">;

/** What is left of a conditional order that kept its id and is armed again: from now on it is one with an id of its own. */
export type RearmedOrder = Pick<AlgoRow, "algo_id" | "lots" | "updated_ms" | "command_number">;

export interface Amendment {
  readonly order_id: number;
  readonly account: number;
  readonly market: number;
  readonly reason: string;
  readonly ticks: number;
  readonly lots: number;
  readonly time_ms: number;
}

/** An order as it was before its first amendment here. */
export type AmendmentBase = Pick<OrderRow, "ticks" | "lots" | "amendments">;

/** When something happened: the command and its time. */
export interface Moment {
  readonly number: number;
  readonly time_ms: number;
}

type Patch = Partial<Omit<OrderRow, "order_id">>;

/**
 * The orders of a stretch of events, each brought to its last state: those that were opened in it as whole rows, those
 * from before it as changes. However often an order changed, it is written once.
 */
export class OrderDrafts {
  readonly opened = new Map<number, OrderRow>();
  readonly changed = new Map<number, OrderChange>();
  readonly algosOpened = new Map<number, AlgoRow>();
  readonly algosChanged = new Map<number, AlgoChange>();
  readonly conditionalsEnded: ConditionalEnd[] = [];
  readonly ordersRearmed = new Map<number, RearmedOrder>();
  readonly amendments: Amendment[] = [];
  /** Of amended orders that were opened here; those of the others stand in the table. */
  readonly amendmentBases = new Map<number, AmendmentBase>();
  /** The conditional order that fired last, if its order has its id: what is left of it is armed again right after. */
  #kept = 0;

  hear(event: EngineEvent, moment: Moment): void {
    switch (event.kind) {
      case "order_opened":
        this.#open(event, moment);
        return;
      case "order_amended":
        this.#amend(event, moment);
        return;
      case "order_closed": {
        const { status, reason, lots, executedLots, quote_micros } = event;
        this.#change(event.order, { status, reason, lots, executed_lots: executedLots, quote_micros }, moment);
        return;
      }
      case "fill":
        this.#fill(event, moment);
        return;
      case "conditional_opened":
        this.#openConditional(event, moment);
        return;
      case "conditional_triggered":
        this.#trigger(event, moment);
        return;
      case "conditional_rearmed":
        this.#rearm(event, moment);
        return;
      case "conditional_closed":
        this.#endConditional(event, moment);
        return;
      default:
    }
  }

  #change(order_id: number, patch: Patch, { number, time_ms }: Moment): void {
    const stamp = { updated_ms: time_ms, command_number: number };
    const row = this.opened.get(order_id) ?? this.changed.get(order_id);
    if (row === undefined) this.changed.set(order_id, { order_id, ...patch, ...stamp });
    else Object.assign(row, patch, stamp);
  }

  #open(event: EventOf<"order_opened">, moment: Moment): void {
    const order = openedOrder(event, moment.time_ms);
    if (event.conditional === event.order) {
      // It was here as a conditional order; now it has fired and goes on under its id.
      const patch = { type: order.type, ...orderTerms.rowOf(order), triggered_ms: moment.time_ms };
      this.#change(order.id, patch, moment);
    } else this.opened.set(order.id, rowOfOrder(order, moment.number));
  }

  #amend({ order, account, market, ticks, lots, reason, priceMatch }: EventOf<"order_amended">, moment: Moment): void {
    const row = this.opened.get(order);
    if (row !== undefined && !this.amendmentBases.has(order)) this.amendmentBases.set(order, { ...row });
    this.amendments.push({ order_id: order, account, market, reason, ticks, lots, time_ms: moment.time_ms });
    this.#change(order, { ticks, lots, price_match: priceMatch }, moment);
  }

  #fill({ order, orderLots, executedLots, quote_micros }: EventOf<"fill">, moment: Moment): void {
    if (order === 0) return;
    const status = executedLots === orderLots ? "FILLED" : "PARTIALLY_FILLED";
    this.#change(order, { status, executed_lots: executedLots, quote_micros }, moment);
  }

  #openConditional(event: EventOf<"conditional_opened">, { number, time_ms }: Moment): void {
    const conditional = openedConditional(event, time_ms);
    const { id } = conditional;
    if (conditional.keepsId) this.opened.set(id, rowOfOrder(asOrder(conditional), number));
    else this.algosOpened.set(id, rowOfConditional(conditional, number));
  }

  #changeAlgo(algo_id: number, patch: Partial<AlgoRow>, { number, time_ms }: Moment): void {
    const stamp = { updated_ms: time_ms, command_number: number };
    const row = this.algosOpened.get(algo_id) ?? this.algosChanged.get(algo_id);
    if (row === undefined) this.algosChanged.set(algo_id, { algo_id, ...patch, ...stamp });
    else Object.assign(row, patch, stamp);
  }

  #trigger({ conditional, order }: EventOf<"conditional_triggered">, moment: Moment): void {
    this.#kept = conditional === order ? conditional : 0;
    if (conditional === order) return;
    const patch = { status: "TRIGGERED", actual_order_id: order, triggered_ms: moment.time_ms };
    this.#changeAlgo(conditional, patch, moment);
  }

  /** FUT-8: it waits again, with what its order left. */
  #rearm({ conditional, lots }: EventOf<"conditional_rearmed">, moment: Moment): void {
    if (this.#kept !== conditional) {
      const patch = { status: "NEW", lots, parent_id: 0, actual_order_id: 0, triggered_ms: 0 };
      this.#changeAlgo(conditional, patch, moment);
      return;
    }
    const stamp = { updated_ms: moment.time_ms, command_number: moment.number };
    this.ordersRearmed.set(conditional, { algo_id: conditional, lots, ...stamp });
  }

  #endConditional({ conditional, status, reason }: EventOf<"conditional_closed">, { number, time_ms }: Moment): void {
    const stamp = { updated_ms: time_ms, command_number: number };
    const waiting = this.ordersRearmed.has(conditional) ? undefined : this.opened.get(conditional);
    const row = this.algosOpened.get(conditional) ?? waiting;
    if (row === undefined) this.conditionalsEnded.push({ algo_id: conditional, status, reason, ...stamp });
    else Object.assign(row, { status, reason }, stamp);
  }
}
