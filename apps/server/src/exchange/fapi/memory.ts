import {
  type Conditional,
  type Engine,
  LIMIT,
  MARKET,
  NO_POSITION,
  NO_SLOT,
  ORDER_HAS_NAME,
  ORDER_IS_MARKET,
  ORDER_REDUCE_ONLY,
  timeInForceOf,
} from "@bourse/engine";
import type { AlgoRecord, OrderName, OrderRecord } from "./ports.ts";

/** Where self-trade prevention stands in an order's flags; a test reads back every kind of order. */
const SELF_TRADE_SHIFT = 3;

/** What the engine holds in memory of an account: open orders, and conditional orders that wait. Nothing is changed. */
export class OpenOrderReader {
  readonly #state: Engine["state"];

  constructor(engine: Engine) {
    this.#state = engine.state;
  }

  /** An open order of the account by id or client id. */
  findOrder(account: number, name: OrderName): OrderRecord | undefined {
    const { index, pool } = this.#state;
    const slot = index.get(this.#idOf(account, name));
    return slot !== NO_SLOT && pool.account(slot) === account ? this.#orderIn(slot) : undefined;
  }

  findConditional(account: number, name: OrderName): Conditional | undefined {
    const conditional = this.#state.conditionals.get(this.#idOf(account, name));
    return conditional?.account === account ? conditional : undefined;
  }

  /** All open orders, in one market or everywhere, by id. Those placed here with a trigger are among them (FUT-8). */
  orders(account: number, market?: number): OrderRecord[] {
    const { accounts, positions, pool } = this.#state;
    const found: OrderRecord[] = [];
    for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      if (market !== undefined && positions.market(at) !== market) continue;
      for (let slot = positions.firstOrder(at); slot !== NO_SLOT; slot = pool.ownerNext(slot)) {
        found.push(this.#orderIn(slot));
      }
    }
    for (const conditional of this.#conditionalsOf(account, market)) {
      if (conditional.keepsId) found.push(waitingOrder(waitingAlgo(conditional)));
    }
    return found.sort((a, b) => a.id - b.id);
  }

  /** Conditional orders of the other interface, by id: these never appear among the orders. */
  algoOrders(account: number, market?: number): Conditional[] {
    return this.#conditionalsOf(account, market).filter(({ keepsId }) => !keepsId);
  }

  #conditionalsOf(account: number, market: number | undefined): Conditional[] {
    const all = this.#state.conditionals.ofAccount(account);
    return market === undefined ? all : all.filter((conditional) => conditional.market === market);
  }

  #idOf(account: number, name: OrderName): number {
    return "id" in name ? name.id : this.#state.details.idOfName(account, name.clientId);
  }

  #orderIn(slot: number): OrderRecord {
    const { pool, details } = this.#state;
    const flags = pool.flags(slot);
    const lots = pool.originalLots(slot);
    const executedLots = lots - pool.remainingLots(slot);
    return {
      id: pool.id(slot),
      market: pool.market(slot),
      side: pool.side(slot),
      type: (flags & ORDER_IS_MARKET) === 0 ? LIMIT : MARKET,
      timeInForce: timeInForceOf(flags),
      selfTradePrevention: (flags >> SELF_TRADE_SHIFT) & 3,
      ticks: pool.ticks(slot),
      lots,
      executedLots,
      quote_micros: pool.quote_micros(slot),
      status: executedLots === 0 ? "NEW" : "PARTIALLY_FILLED",
      isReduceOnly: (flags & ORDER_REDUCE_ONLY) !== 0,
      clientId: (flags & ORDER_HAS_NAME) === 0 ? "" : details.clientId(slot),
      trigger: null,
      created_ms: details.created_ms(slot),
      updated_ms: details.updated_ms(slot),
    };
  }
}

/** A conditional order that waits. */
export function waitingAlgo(conditional: Conditional): AlgoRecord {
  return { ...conditional, status: "NEW", produced: null, updated_ms: conditional.created_ms, triggered_ms: 0 };
}

/** The same, where it was placed as an order. */
export function waitingOrder(algo: AlgoRecord): OrderRecord {
  return {
    id: algo.id,
    market: algo.market,
    side: algo.side,
    type: algo.ticks === 0 ? MARKET : LIMIT,
    timeInForce: algo.timeInForce,
    selfTradePrevention: algo.selfTradePrevention,
    ticks: algo.ticks,
    lots: algo.lots,
    executedLots: 0,
    quote_micros: 0,
    status: "NEW",
    isReduceOnly: algo.isReduceOnly || algo.isClosePosition,
    clientId: algo.clientId,
    trigger: algo,
    created_ms: algo.created_ms,
    updated_ms: algo.updated_ms,
  };
}
