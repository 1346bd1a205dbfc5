import {
  CANCELED,
  EXPIRED,
  EXPIRED_IN_MATCH,
  FILLED,
  MAY_FILL,
  type ModifyOutcome,
  REJECTED_FOK,
  REJECTED_GTX,
  RESTING,
  type Side,
  STOPPED,
  UNCHANGED,
} from "../codes.ts";
import { type MatchListener, modifyOrder, submitOrder } from "../matching.ts";
import { OrderBook } from "../order-book.ts";
import { OrderIndex } from "../order-index.ts";
import { NO_SLOT, OrderPool } from "../order-pool.ts";
import type { Answer, BookEvent, Command, TestedBook } from "./command.ts";

const OUTCOMES: Readonly<Record<ModifyOutcome, string>> = {
  [RESTING]: "RESTING",
  [FILLED]: "FILLED",
  [EXPIRED]: "EXPIRED",
  [EXPIRED_IN_MATCH]: "EXPIRED_IN_MATCH",
  [REJECTED_FOK]: "REJECTED_FOK",
  [REJECTED_GTX]: "REJECTED_GTX",
  [CANCELED]: "CANCELED",
  [STOPPED]: "STOPPED",
  [UNCHANGED]: "UNCHANGED",
};

/** The engine's book behind the interface of the tests: ids instead of slots, names instead of codes. */
export class EngineBook implements TestedBook, MatchListener {
  readonly pool = new OrderPool();
  readonly book: OrderBook;
  #events: BookEvent[] = [];

  constructor(market = 1) {
    this.book = new OrderBook(market, this.pool, new OrderIndex(this.pool));
  }

  filled(taker: number, maker: number, ticks: number, lots: number): void {
    const { pool } = this;
    const left = [pool.remainingLots(taker), pool.remainingLots(maker)] as const;
    this.#events.push(["filled", pool.id(taker), pool.id(maker), ticks, lots, ...left]);
  }

  makerExpired(taker: number, maker: number): void {
    const { pool } = this;
    this.#events.push(["makerExpired", pool.id(taker), pool.id(maker), pool.remainingLots(maker)]);
  }

  judge(): typeof MAY_FILL {
    return MAY_FILL;
  }

  makerDropped(): void {
    throw new Error("this listener refuses nobody");
  }

  apply(command: Command, events: BookEvent[]): Answer {
    const { book, pool } = this;
    this.#events = events;
    if (command.kind === "place") {
      const { id, account, side, ticks, lots, timeInForce, selfTradePrevention } = command;
      const slot = pool.take(id, account, book.market, side, ticks, lots, 0);
      return this.#answer(slot, submitOrder(book, slot, timeInForce, selfTradePrevention, this));
    }
    const slot = book.find(command.id);
    if (slot === NO_SLOT) return ["UNKNOWN", 0];
    if (command.kind === "modify") {
      const { ticks, lots, timeInForce, selfTradePrevention } = command;
      return this.#answer(slot, modifyOrder(book, slot, ticks, lots, timeInForce, selfTradePrevention, this));
    }
    book.remove(slot);
    return this.#answer(slot, CANCELED);
  }

  orders(side: Side): number[] {
    const { book, pool } = this;
    const orders: number[] = [];
    for (let slot = book.firstInLine(side); slot !== NO_SLOT; slot = book.nextInLine(slot)) {
      orders.push(
        pool.id(slot),
        pool.account(slot),
        pool.ticks(slot),
        pool.originalLots(slot),
        pool.remainingLots(slot),
      );
    }
    return orders;
  }

  depth(side: Side): number[] {
    const maxLevels = this.book.levels[side].orders;
    const ticks = new Int32Array(maxLevels);
    const lots = new Float64Array(maxLevels);
    const count = this.book.readDepth(side, ticks, lots);
    return Array.from({ length: count * 2 }, (_, i) => (i % 2 === 0 ? ticks : lots)[i >> 1]!);
  }

  #answer(slot: number, outcome: ModifyOutcome): Answer {
    const remaining = this.pool.remainingLots(slot);
    if (outcome !== RESTING && outcome !== UNCHANGED) this.pool.release(slot);
    return [OUTCOMES[outcome], remaining];
  }
}
