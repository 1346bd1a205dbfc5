import { BUY, type Side } from "./codes.ts";
import { movedInto } from "./columns.ts";
import { MAX_TICKS } from "./limits.ts";
import { NO_SLOT, type OrderPool } from "./order-pool.ts";
import { bitsBelow, highestBit, PageSet } from "./page-set.ts";

/** No price: prices start at 1. */
export const NO_TICKS = 0;
/** No key: below every key. */
export const NO_KEY = -1;

/** A page is 1024 neighbouring keys. */
export const PAGE_BITS = 10;
const LEVELS_PER_PAGE = 1 << PAGE_BITS;
const PAGES = (MAX_TICKS + 1) >> PAGE_BITS;
const FIRST_PAGE_CAPACITY = 4;
/** Pages count from 1, as slots do. */
const NO_PAGE = 0;
/** The slot behind the last and before the first. A constant of this module: an imported one is looked up at every use. */
const END = NO_SLOT;

/** A level is 24 bytes, seen as 6 words or 3 doubles: first and last slot, number of orders; sum of their lots. */
const BYTES_PER_LEVEL = 24;
const HEAD = 0;
const TAIL = 1;
const ORDERS = 2;
const LOTS = 2;

/**
 * One side of one book. Inside, a price is a key that is higher the better the price: the ticks themselves for bids, the
 * ticks with all bits turned for asks. One scan, toward lower keys, therefore serves both sides without a branch.
 *
 * Levels live in pages of 1024 neighbouring ticks, taken when the first order comes and given back with the last. Each
 * page has a bitmap of its occupied levels and a summary of that bitmap's words; a `PageSet` knows the pages in use.
 */
export class PriceLevels {
  /** The key of the best level, or NO_KEY. */
  bestKey = NO_KEY;
  orders = 0;

  readonly side: Side;
  readonly #pool: OrderPool;
  readonly #mirror: number;
  /** One number in memory of its own: a field would be boxed anew where the sum outgrows 32 bits. */
  readonly #lots = new Float64Array(1);
  readonly #pageOf = new Uint16Array(PAGES);
  readonly #pagesInUse = new PageSet();
  #levelWords = new Int32Array(0);
  #levelDoubles = new Float64Array(0);
  #bitmaps = new Int32Array(0);
  #summaries = new Int32Array(0);
  #freePages = new Uint16Array(0);
  #freePageCount = 0;
  #firstFreshPage = 1;

  constructor(side: Side, pool: OrderPool) {
    this.side = side;
    this.#pool = pool;
    this.#mirror = side === BUY ? 0 : MAX_TICKS;
    this.#resize(FIRST_PAGE_CAPACITY);
  }

  /** All lots on this side. */
  get lots(): number {
    return this.#lots[0]!;
  }

  keyOf(ticks: number): number {
    return ticks ^ this.#mirror;
  }

  ticksOf(key: number): number {
    return key === NO_KEY ? NO_TICKS : key ^ this.#mirror;
  }

  get bestTicks(): number {
    return this.ticksOf(this.bestKey);
  }

  /** Whether an order of the other side at this price meets an order of this side. */
  isMetAt(ticks: number): boolean {
    return this.bestKey >= this.keyOf(ticks);
  }

  /** The next occupied level at a worse price, whether or not there is one at `ticks` itself. */
  ticksWorseThan(ticks: number): number {
    return this.ticksOf(this.keyBelow(this.keyOf(ticks)));
  }

  /** Pages of levels held now: how much memory the spread of the prices costs. */
  get pages(): number {
    return this.#firstFreshPage - 1 - this.#freePageCount;
  }

  headAt(key: number): number {
    return this.#levelWords[this.#levelAt(key) * 6 + HEAD]!;
  }

  tailAt(key: number): number {
    return this.#levelWords[this.#levelAt(key) * 6 + TAIL]!;
  }

  ordersAt(key: number): number {
    return this.#levelWords[this.#levelAt(key) * 6 + ORDERS]!;
  }

  lotsAt(key: number): number {
    return this.#levelDoubles[this.#levelAt(key) * 3 + LOTS]!;
  }

  /** To the back of the queue at its price. */
  append(slot: number): void {
    const pool = this.#pool;
    const key = this.keyOf(pool.ticks(slot));
    const lots = pool.remainingLots(slot);
    if (this.#pageOf[key >>> PAGE_BITS] === NO_PAGE) this.#takePage(key >>> PAGE_BITS);
    const level = this.#levelAt(key);
    const words = this.#levelWords;
    const tail = words[level * 6 + TAIL]!;
    pool.setPrevious(slot, tail);
    pool.setNext(slot, END);
    words[level * 6 + TAIL] = slot;
    words[level * 6 + ORDERS]! += 1;
    this.#levelDoubles[level * 3 + LOTS]! += lots;
    this.#lots[0]! += lots;
    this.orders += 1;
    if (tail === END) {
      words[level * 6 + HEAD] = slot;
      this.#occupy(key);
    } else {
      pool.setNext(tail, slot);
    }
  }

  unlink(slot: number): void {
    const pool = this.#pool;
    const key = this.keyOf(pool.ticks(slot));
    const lots = pool.remainingLots(slot);
    const level = this.#levelAt(key);
    const words = this.#levelWords;
    const previous = pool.previous(slot);
    const next = pool.next(slot);
    words[level * 6 + ORDERS]! -= 1;
    this.#levelDoubles[level * 3 + LOTS]! -= lots;
    this.#lots[0]! -= lots;
    this.orders -= 1;
    if (previous === END) words[level * 6 + HEAD] = next;
    else pool.setNext(previous, next);
    if (next === END) words[level * 6 + TAIL] = previous;
    else pool.setPrevious(next, previous);
    if (previous === END && next === END) this.#vacate(key);
  }

  /** Off the totals. The order's own lots are its book's to change. */
  takeLots(slot: number, lots: number): void {
    this.#levelDoubles[this.#levelAt(this.keyOf(this.#pool.ticks(slot))) * 3 + LOTS]! -= lots;
    this.#lots[0]! -= lots;
  }

  /** The highest occupied key below the given one, or NO_KEY. */
  keyBelow(key: number): number {
    const page = this.#pageOf[key >>> PAGE_BITS]!;
    const wordInPage = (key >>> 5) & 31;
    const bits = this.#bitmaps[(page << 5) | wordInPage]! & bitsBelow(key);
    if (bits !== 0) return (key & ~31) | highestBit(bits);
    const summary = this.#summaries[page]! & bitsBelow(wordInPage);
    if (summary !== 0) return this.#highestKeyIn(key >>> PAGE_BITS, page, summary);
    const number = this.#pagesInUse.highestBelow(key >>> PAGE_BITS);
    if (number < 0) return NO_KEY;
    const lowerPage = this.#pageOf[number]!;
    return this.#highestKeyIn(number, lowerPage, this.#summaries[lowerPage]!);
  }

  #highestKeyIn(number: number, page: number, summary: number): number {
    const word = highestBit(summary);
    return (number << PAGE_BITS) | (word << 5) | highestBit(this.#bitmaps[(page << 5) | word]!);
  }

  /** Where the page is missing this is a place in page 0, whose levels are always empty. */
  #levelAt(key: number): number {
    return (this.#pageOf[key >>> PAGE_BITS]! << PAGE_BITS) | (key & (LEVELS_PER_PAGE - 1));
  }

  #occupy(key: number): void {
    const page = this.#pageOf[key >>> PAGE_BITS]!;
    const wordInPage = (key >>> 5) & 31;
    this.#bitmaps[(page << 5) | wordInPage]! |= 1 << (key & 31);
    this.#summaries[page]! |= 1 << wordInPage;
    if (key > this.bestKey) this.bestKey = key;
  }

  #vacate(key: number): void {
    const page = this.#pageOf[key >>> PAGE_BITS]!;
    const wordInPage = (key >>> 5) & 31;
    const word = (page << 5) | wordInPage;
    this.#bitmaps[word]! &= ~(1 << (key & 31));
    if (this.#bitmaps[word] === 0) {
      this.#summaries[page]! &= ~(1 << wordInPage);
      if (this.#summaries[page] === 0) this.#releasePage(key >>> PAGE_BITS);
    }
    if (key === this.bestKey) this.bestKey = this.keyBelow(key);
  }

  #takePage(number: number): void {
    let page: number;
    if (this.#freePageCount > 0) {
      this.#freePageCount -= 1;
      page = this.#freePages[this.#freePageCount]!;
    } else {
      if (this.#firstFreshPage === this.#summaries.length) this.#resize(this.#summaries.length * 2);
      page = this.#firstFreshPage++;
    }
    this.#pageOf[number] = page;
    this.#pagesInUse.add(number);
  }

  /** All its levels are empty again, so the next to take it finds it as new. */
  #releasePage(number: number): void {
    this.#freePages[this.#freePageCount] = this.#pageOf[number]!;
    this.#freePageCount += 1;
    this.#pageOf[number] = NO_PAGE;
    this.#pagesInUse.delete(number);
  }

  #resize(pages: number): void {
    const levels = new ArrayBuffer(pages * LEVELS_PER_PAGE * BYTES_PER_LEVEL);
    this.#levelWords = movedInto(new Int32Array(levels), this.#levelWords);
    this.#levelDoubles = new Float64Array(levels);
    this.#bitmaps = movedInto(new Int32Array(pages * 32), this.#bitmaps);
    this.#summaries = movedInto(new Int32Array(pages), this.#summaries);
    this.#freePages = movedInto(new Uint16Array(pages), this.#freePages);
  }
}
