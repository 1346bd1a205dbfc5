import { EngineOverflow } from "../integers.ts";
import { BUY, SELL, type Side } from "./codes.ts";
import { BookFault } from "./limits.ts";
import type { OrderIndex } from "./order-index.ts";
import { NO_SLOT, type OrderPool } from "./order-pool.ts";
import { NO_KEY, PriceLevels } from "./price-levels.ts";

/** No account: readers that get it exclude no account. */
export const NO_ACCOUNT = -1;

/**
 * The resting orders of one market. All books share the pool and the index. A slot enters by `insert` and leaves by
 * `remove`; the caller takes and releases slots.
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

  /** Appends the order to the queue at its price. Inserting in the order of `forEachResting` restores a book. */
  insert(slot: number): void {
    const pool = this.pool;
    const side = pool.side(slot);
    if (this.levels[side ^ 1]!.isMetAt(pool.ticks(slot))) {
      throw new BookFault(`order ${pool.id(slot)} would cross the book of market ${this.market}`);
    }
    this.assertRoomFor(side, pool.remainingLots(slot));
    this.rest(slot);
  }

  /** Like `insert`, for an order that has just been matched and whose room was checked before. */
  rest(slot: number): void {
    this.index.add(slot);
    this.levels[this.pool.side(slot)]!.append(slot);
  }

  /** The slot stays taken and keeps its values. */
  remove(slot: number): void {
    this.index.delete(slot);
    this.levels[this.pool.side(slot)]!.unlink(slot);
  }

  /**
   * Lowers the quantity of a resting order without executing it, as if it had been placed so. It keeps its rank in the
   * queue.
   */
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

  /** NO_TICKS if the side is empty. */
  bestTicks(side: Side): number {
    return this.levels[side].bestTicks;
  }

  /** The price of the level that is at this place from the best, which is at 1; NO_TICKS if there are fewer. */
  ticksOfLevel(side: Side, place: number): number {
    const levels = this.levels[side];
    let key = levels.bestKey;
    for (let at = 1; at < place && key !== NO_KEY; at += 1) key = levels.keyBelow(key);
    return levels.ticksOf(key);
  }

  /** All lots resting at a price; 0 if there are none. */
  lotsAt(side: Side, ticks: number): number {
    const levels = this.levels[side];
    return levels.lotsAt(levels.keyOf(ticks));
  }

  /** The first order in line on a side, or NO_SLOT. */
  firstInLine(side: number): number {
    const levels = this.levels[side]!;
    return levels.bestKey === NO_KEY ? NO_SLOT : levels.headAt(levels.bestKey);
  }

  /** The order behind a resting order: later at the same price, or the first at the next worse price. */
  nextInLine(slot: number): number {
    const pool = this.pool;
    const next = pool.next(slot);
    if (next !== NO_SLOT) return next;
    const levels = this.levels[pool.side(slot)]!;
    const key = levels.keyBelow(levels.keyOf(pool.ticks(slot)));
    return key === NO_KEY ? NO_SLOT : levels.headAt(key);
  }

  /** Visits every resting order in the canonical order: bids then asks, best price first, oldest first. */
  forEachResting(visit: (slot: number) => void): void {
    for (const side of [BUY, SELL]) {
      for (let slot = this.firstInLine(side); slot !== NO_SLOT; slot = this.nextInLine(slot)) visit(slot);
    }
  }

  /**
   * The lots resting on `side` at `limitTicks` or better that do not belong to `exceptAccount` (NO_ACCOUNT excludes
   * none). Stops at `enoughLots`, which is the largest result.
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

  /** Writes the best `ticks.length` levels, best first, into the caller's arrays. Returns how many there were. */
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

  /** Keeps a side's lots a safe integer, so that every sum over them is exact. Throws `EngineOverflow`. */
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
