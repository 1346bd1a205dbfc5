import { EngineOverflow } from "../integers.ts";
import { BUY, SELL, type Side } from "./codes.ts";
import { BookFault } from "./limits.ts";
import type { OrderIndex } from "./order-index.ts";
import { NO_SLOT, type OrderPool } from "./order-pool.ts";
import { NO_KEY, PriceLevels } from "./price-levels.ts";

/** No account: for readers that leave nobody out. */
export const NO_ACCOUNT = -1;

/**
 * The resting orders of one market. Pool and index are shared by all books. A slot enters by `insert` and leaves by
 * `remove`; taking and releasing slots is the business of whoever calls.
 */
export class OrderBook {
  readonly market: number;
  readonly pool: OrderPool;
  readonly index: OrderIndex;
  readonly bids: PriceLevels;
  readonly asks: PriceLevels;
  /** By side: `levels[BUY]` are the bids. */
  readonly levels: readonly [PriceLevels, PriceLevels];

  constructor(market: number, pool: OrderPool, index: OrderIndex) {
    this.market = market;
    this.pool = pool;
    this.index = index;
    this.bids = new PriceLevels(BUY, pool);
    this.asks = new PriceLevels(SELL, pool);
    this.levels = [this.bids, this.asks];
  }

  /** To the back of the queue at its price. Inserting in the order of `forEachResting` restores a book. */
  insert(slot: number): void {
    const pool = this.pool;
    const side = pool.side(slot);
    if (this.levels[side ^ 1]!.isMetAt(pool.ticks(slot))) {
      throw new BookFault(`order ${pool.id(slot)} would cross the book of market ${this.market}`);
    }
    this.assertRoomFor(side, pool.remainingLots(slot));
    this.rest(slot);
  }

  /** The same for an order that has just been matched as far as it goes, and for which there was room before. */
  rest(slot: number): void {
    this.index.add(slot);
    this.levels[this.pool.side(slot)]!.append(slot);
  }

  /** The slot stays taken, its columns as they were. */
  remove(slot: number): void {
    this.index.delete(slot);
    this.levels[this.pool.side(slot)]!.unlink(slot);
  }

  /** A resting order becomes smaller without being executed, as if it had been placed so. It keeps its place. */
  reduce(slot: number, lots: number): void {
    const pool = this.pool;
    const remaining = pool.remainingLots(slot);
    if (!(lots > 0 && lots < remaining && Math.floor(lots) === lots)) {
      throw new BookFault(`${lots} lots less do not leave a part of ${remaining}`);
    }
    this.levels[pool.side(slot)]!.takeLots(slot, lots);
    pool.setRemainingLots(slot, remaining - lots);
    pool.setOriginalLots(slot, pool.originalLots(slot) - lots);
  }

  /** The slot of a resting order of this book, or NO_SLOT. */
  find(id: number): number {
    const slot = this.index.get(id);
    return slot !== NO_SLOT && this.pool.market(slot) === this.market ? slot : NO_SLOT;
  }

  /** NO_TICKS where the side is empty. */
  bestTicks(side: Side): number {
    return this.levels[side].bestTicks;
  }

  /** All lots resting at a price; 0 where there are none. */
  lotsAt(side: Side, ticks: number): number {
    const levels = this.levels[side];
    return levels.lotsAt(levels.keyOf(ticks));
  }

  /** The first order in line on a side, or NO_SLOT. */
  firstInLine(side: number): number {
    const levels = this.levels[side]!;
    return levels.bestKey === NO_KEY ? NO_SLOT : levels.headAt(levels.bestKey);
  }

  /** The next in line behind a resting order: later at the same price, or first at the next worse one. */
  nextInLine(slot: number): number {
    const pool = this.pool;
    const next = pool.next(slot);
    if (next !== NO_SLOT) return next;
    const levels = this.levels[pool.side(slot)]!;
    const key = levels.keyBelow(levels.keyOf(pool.ticks(slot)));
    return key === NO_KEY ? NO_SLOT : levels.headAt(key);
  }

  /** Every resting order in the canonical order: bids then asks, best price first, first come first. */
  forEachResting(visit: (slot: number) => void): void {
    for (const side of [BUY, SELL]) {
      for (let slot = this.firstInLine(side); slot !== NO_SLOT; slot = this.nextInLine(slot)) visit(slot);
    }
  }

  /**
   * The lots resting on `side` at `limitTicks` or better that are not `exceptAccount`'s (NO_ACCOUNT leaves nobody out).
   * Looks no further than `enoughLots` and answers at most that.
   */
  lotsUpTo(side: Side, limitTicks: number, exceptAccount: number, enoughLots: number): number {
    const levels = this.levels[side];
    const limitKey = levels.keyOf(limitTicks);
    let sum = 0;
    for (let key = levels.bestKey; key >= limitKey && sum < enoughLots; key = levels.keyBelow(key)) {
      sum += exceptAccount === NO_ACCOUNT ? levels.lotsAt(key) : this.#lotsOfOthersAt(levels, key, exceptAccount);
    }
    return Math.min(sum, enoughLots);
  }

  /** The best `ticks.length` levels, best first, into the caller's arrays. Answers how many there were. */
  readDepth(side: Side, ticks: Int32Array, lots: Float64Array): number {
    const levels = this.levels[side];
    let count = 0;
    for (let key = levels.bestKey; key !== NO_KEY && count < ticks.length; key = levels.keyBelow(key)) {
      ticks[count] = levels.ticksOf(key);
      lots[count] = levels.lotsAt(key);
      count += 1;
    }
    return count;
  }

  /** A side's lots stay a safe integer, so every sum of some of them is exact. Throws `EngineOverflow`. */
  assertRoomFor(side: number, lots: number): void {
    if (this.levels[side]!.lots + lots > Number.MAX_SAFE_INTEGER) throw this.#overflow(side, lots);
  }

  #overflow(side: number, lots: number): EngineOverflow {
    return new EngineOverflow(`${lots} lots more on side ${side} of market ${this.market} are too many to count`);
  }

  #lotsOfOthersAt(levels: PriceLevels, key: number, account: number): number {
    const pool = this.pool;
    let sum = 0;
    for (let slot = levels.headAt(key); slot !== NO_SLOT; slot = pool.next(slot)) {
      if (pool.account(slot) !== account) sum += pool.remainingLots(slot);
    }
    return sum;
  }
}
