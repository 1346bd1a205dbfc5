import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { OrderFlow } from "../codec/testing/order-flow.ts";
import type { EngineEvent } from "../contract/events.ts";
import { Engine } from "../engine.ts";
import {
  conditionalsOf,
  findConditional,
  findOpenOrder,
  type OpenOrder,
  openOrdersOf,
  readOpenOrder,
  type WaitingConditional,
} from "./open-orders.ts";

type Told = Record<string, number | string | boolean>;

const SEED = 5;
const COMMANDS = 6_000;

/** Every order and conditional order that has not ended, by id, according to the events alone. */
class ToldOrders {
  readonly orders = new Map<number, Told>();
  readonly conditionals = new Map<number, Told>();
  /** FUT-8: what has fired may be armed again. */
  readonly #fired = new Map<number, Told>();

  hear(event: EngineEvent, time_ms: number): void {
    if (event.kind === "order_opened") {
      const { kind, order, ...fields } = event;
      const isReduceOnly = event.isReduceOnly === 1;
      this.orders.set(order, {
        ...fields,
        id: order,
        isReduceOnly,
        executedLots: 0,
        quote_micros: 0,
        created_ms: time_ms,
      });
    } else if (event.kind === "order_amended") {
      const { ticks, lots, executedLots } = event;
      Object.assign(this.orders.get(event.order)!, { ticks, lots, executedLots });
    } else if (event.kind === "fill") {
      const { executedLots, quote_micros, orderLots } = event;
      Object.assign(this.orders.get(event.order) ?? {}, { executedLots, quote_micros });
      if (executedLots === orderLots) this.orders.delete(event.order);
    } else if (event.kind === "order_closed") this.orders.delete(event.order);
    else if (event.kind === "conditional_opened") {
      const { kind, conditional, ...fields } = event;
      const yes = (flag: number) => flag === 1;
      this.conditionals.set(conditional, {
        ...fields,
        id: conditional,
        isReduceOnly: yes(event.isReduceOnly),
        isClosePosition: yes(event.isClosePosition),
        isPriceProtected: yes(event.isPriceProtected),
        keepsId: yes(event.keepsId),
        created_ms: time_ms,
      });
    } else if (event.kind === "conditional_triggered") {
      this.#fired.set(
        event.conditional,
        this.conditionals.get(event.conditional) ?? this.#fired.get(event.conditional)!,
      );
      this.conditionals.delete(event.conditional);
    } else if (event.kind === "conditional_rearmed") {
      // FUT-8: what its order left waits again, for itself.
      const fired = this.#fired.get(event.conditional)!;
      this.conditionals.set(event.conditional, { ...fired, lots: event.lots, parent: 0 });
    } else if (event.kind === "conditional_closed") this.conditionals.delete(event.conditional);
  }
}

function busyExchange(): { readonly engine: Engine; readonly told: ToldOrders } {
  const engine = new Engine();
  const flow = new OrderFlow(SEED, engine.state);
  const told = new ToldOrders();
  for (let i = 0; i < COMMANDS; i += 1) {
    engine.apply(flow.next());
    for (const event of engine.events.decode()) told.hear(event, engine.state.time_ms);
  }
  return { engine, told };
}

const { engine, told } = busyExchange();
const { state } = engine;
const byId = (a: { id: unknown }, b: { id: unknown }) => Number(a.id) - Number(b.id);
const sorted = (orders: Iterable<Told>) => [...orders].sort(byId as (a: Told, b: Told) => number);

function withoutWhatEventsDoNotTell({ position, updated_ms, ...order }: OpenOrder): Told {
  return order;
}

function withoutProgress({ position, isAsleep, bestTicks, tries, ...conditional }: WaitingConditional): Told {
  return conditional;
}

describe("open orders read from the engine", () => {
  it("FUT-3: every resting order reads as its events report it", () => {
    const orders: OpenOrder[] = [];
    for (const { book } of state.markets) book.forEachResting((slot) => orders.push(readOpenOrder(state, slot)));
    assert.ok(orders.length > 50);
    assert.deepEqual(sorted(orders.map(withoutWhatEventsDoNotTell)), sorted(told.orders.values()));
    for (const order of orders) {
      assert.equal(order.position, state.positions.find(order.account, order.market));
      assert.ok(order.updated_ms >= order.created_ms);
      assert.deepEqual(findOpenOrder(state, order.id), order);
    }
    const variety = (field: keyof OpenOrder) => new Set(orders.map((order) => order[field])).size;
    for (const field of ["side", "market", "selfTradePrevention", "isReduceOnly"] as const)
      assert.ok(variety(field) > 1);
    assert.ok(orders.some(({ clientId }) => clientId !== "") && orders.some(({ executedLots }) => executedLots > 0));
  });

  it("FUT-8: every waiting conditional order reads as its events report it", () => {
    const all = [...state.conditionals.all()].map(({ id }) => findConditional(state, id)!);
    assert.ok(all.length > 10);
    assert.deepEqual(sorted(all.map(withoutProgress)), sorted(told.conditionals.values()));
    assert.notEqual(all[0], state.conditionals.get(all[0]!.id));
  });

  it("lists what an account has in one market or in all", () => {
    const orders = new Map<number, OpenOrder[]>();
    for (let account = 1; account <= state.accounts.count; account += 1) {
      const own = openOrdersOf(state, account);
      orders.set(account, own);
      const perMarket = state.markets.flatMap(({ number }) => openOrdersOf(state, account, number));
      assert.deepEqual(perMarket.sort(byId), [...own].sort(byId));
      const waiting = conditionalsOf(state, account);
      const waitingPerMarket = state.markets.flatMap(({ number }) => conditionalsOf(state, account, number));
      assert.deepEqual(waitingPerMarket.sort(byId), waiting);
      assert.ok([...own, ...waiting].every((order) => order.account === account));
    }
    assert.equal([...orders.values()].flat().length, told.orders.size);
  });

  it("finds nothing where nothing rests or waits", () => {
    assert.equal(findOpenOrder(state, state.lastOrderId + 1), undefined);
    assert.equal(findConditional(state, state.lastOrderId + 1), undefined);
    assert.deepEqual(openOrdersOf(state, 1, 99), []);
  });
});
