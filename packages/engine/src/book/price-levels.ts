import { BUY, type Side } from "./codes.ts";
import { movedInto } from "./columns.ts";
import { MAX_TICKS } from "./limits.ts";
import { NO_SLOT, type OrderPool } from "./order-pool.ts";
import { bitsBelow, highestBit, PageSet } from "./page-set.ts";

/** No price: prices start at 1. */
export const NO_TICKS = 0;
/** No key: lower than every key. */
export const NO_KEY = -1;
/** A page is 1024 neighbouring keys. */
export const PAGE_BITS = 10;

// Constants of this module, because the compiler reloads exported and imported ones at every use.
const END = NO_SLOT;
const NOWHERE = NO_KEY;
const KEY_BITS = PAGE_BITS;
const KEY_MASK = (1 << KEY_BITS) - 1;

/** A level is 16 bytes, read as 4 words or 2 doubles: first slot, last slot, sum of their lots. */
const HEAD = 0;
const TAIL = 1;
const LOTS = 1;
/** A page, in words: its levels, the bitmap of occupied levels, the bitmap's non-zero words, and a mark. */
const BITMAP = 4096;
const SUMMARY = BITMAP + 32;
const IS_LISTED = SUMMARY + 1;
const WORDS_PER_PAGE = BITMAP + 48;
/** Page 0 stands for all missing pages and stays empty. Its unused space holds the side's total lots. */
const NO_PAGE = 0;
const ALL_LOTS = (SUMMARY + 2) / 2;
/** Behind page 0: the start of each page, by the high bits of its keys. Behind that the pages. */
const DIRECTORY = WORDS_PER_PAGE;
const FIRST_PAGE = DIRECTORY + ((MAX_TICKS + 1) >> PAGE_BITS);
const FIRST_PAGE_CAPACITY = 4;

/**
 * One side of one book. Inside, a price is a key that is higher the better the price is: the ticks for bids, the ticks
 * with all bits inverted for asks. So one scan toward lower keys serves both sides without a branch.
 *
 * Levels are in pages of 1024 neighbouring ticks; a `PageSet` holds the pages with orders. Everything else is in one
 * buffer, because the compiler checks each array that a function touches, and the check costs more than the access. For
 * the same reason rare work is at the end of a function and not in its middle.
 *
 * Near the best price pages empty and fill all the time, so an empty page stays allocated and listed until another
 * price needs one: there are never more pages than were in use at one time.
 */
export class PriceLevels {
  /** The key of the best level, or NO_KEY. */
  bestKey = NO_KEY;
  orders = 0;
  /** Pages with orders. */
  pages = 0;

  readonly side: Side;
  readonly #pool: OrderPool;
  readonly #mirror: number;
  readonly #pagesInUse = new PageSet();
  #words = new Int32Array(0);
  #doubles = new Float64Array(0);
  #firstFreshPage = FIRST_PAGE;
  /** Numbers of pages that have been empty since they were allocated; some may be in use again. */
  readonly #listedPages: number[] = [];

  constructor(side: Side, pool: OrderPool) {
    this.side = side;
    this.#pool = pool;
    this.#mirror = side === BUY ? 0 : MAX_TICKS;
    this.#resize(FIRST_PAGE + FIRST_PAGE_CAPACITY * WORDS_PER_PAGE);
  }

  /** All lots on this side. */
  get lots(): number {
    return this.#doubles[ALL_LOTS]!;
  }

  keyOf(ticks: number): number {
    return ticks ^ this.#mirror;
  }

  ticksOf(key: number): number {
    return key === NOWHERE ? NO_TICKS : key ^ this.#mirror;
  }

  get bestTicks(): number {
    return this.ticksOf(this.bestKey);
  }

  /** Whether an order of the other side at this price matches an order of this side. */
  isMetAt(ticks: number): boolean {
    return this.bestKey >= this.keyOf(ticks);
  }

  /** The next occupied level at a worse price, whether or not `ticks` itself is occupied. */
  ticksWorseThan(ticks: number): number {
    return this.ticksOf(this.keyBelow(this.keyOf(ticks)));
  }

  /** The largest number of pages in use at one time: what the spread of the prices costs in memory. */
  get pagesMade(): number {
    return (this.#firstFreshPage - FIRST_PAGE) / WORDS_PER_PAGE;
  }

  headAt(key: number): number {
    return this.#words[this.#levelAt(key) + HEAD]!;
  }

  tailAt(key: number): number {
    return this.#words[this.#levelAt(key) + TAIL]!;
  }

  lotsAt(key: number): number {
    return this.#doubles[(this.#levelAt(key) >> 1) + LOTS]!;
  }

  /** Counts by walking the queue: nothing on the hot path calls it. */
  ordersAt(key: number): number {
    let orders = 0;
    for (let slot = this.headAt(key); slot !== END; slot = this.#pool.next(slot)) orders += 1;
    return orders;
  }

  /** Appends the order to the queue at its price. */
  append(slot: number): void {
    const pool = this.#pool;
    const key = pool.ticks(slot) ^ this.#mirror;
    const lots = pool.remainingLots(slot);
    const words = this.#words;
    const doubles = this.#doubles;
    const page = words[DIRECTORY + (key >>> KEY_BITS)]!;
    if (page === NO_PAGE) {
      this.#takePage(key >>> KEY_BITS);
      this.append(slot);
      return;
    }
    const level = page + ((key & KEY_MASK) << 2);
    const tail = words[level + TAIL]!;
    pool.linkBehind(tail, slot);
    words[level + TAIL] = slot;
    doubles[(level >> 1) + LOTS]! += lots;
    doubles[ALL_LOTS]! += lots;
    this.orders += 1;
    // Whether the level was empty is unpredictable on the hot path, so no branch depends on it.
    const wasEmpty = (tail - 1) >> 31;
    words[level + HEAD] = (words[level + HEAD]! & ~wasEmpty) | (slot & wasEmpty);
    words[page + BITMAP + ((key >>> 5) & 31)]! |= 1 << (key & 31);
    const summary = words[page + SUMMARY]!;
    words[page + SUMMARY] = summary | (1 << ((key >>> 5) & 31));
    if (key > this.bestKey) this.bestKey = key;
    if (summary === 0) this.#usePage(key >>> KEY_BITS);
  }

  unlink(slot: number): void {
    const pool = this.#pool;
    const words = this.#words;
    const doubles = this.#doubles;
    const key = pool.ticks(slot) ^ this.#mirror;
    const lots = pool.remainingLots(slot);
    const page = words[DIRECTORY + (key >>> KEY_BITS)]!;
    const level = page + ((key & KEY_MASK) << 2);
    const previous = pool.previous(slot);
    const next = pool.next(slot);
    doubles[(level >> 1) + LOTS]! -= lots;
    doubles[ALL_LOTS]! -= lots;
    this.orders -= 1;
    pool.linkNeighbours(previous, next);
    if (previous === END) words[level + HEAD] = next;
    if (next === END) words[level + TAIL] = previous;
    if ((previous | next) === END) this.#vacate(key, page);
  }

  /** Subtracts lots from the totals. The book changes the order's own lots. */
  takeLots(slot: number, lots: number): void {
    const doubles = this.#doubles;
    doubles[(this.#levelAt(this.#pool.ticks(slot) ^ this.#mirror) >> 1) + LOTS]! -= lots;
    doubles[ALL_LOTS]! -= lots;
  }

  /** The highest occupied key below the given one, or NO_KEY. */
  keyBelow(key: number): number {
    const words = this.#words;
    const page = words[DIRECTORY + (key >>> KEY_BITS)]!;
    const wordInPage = (key >>> 5) & 31;
    const bits = words[page + BITMAP + wordInPage]! & bitsBelow(key);
    if (bits !== 0) return (key & ~31) | highestBit(bits);
    const summary = words[page + SUMMARY]! & bitsBelow(wordInPage);
    if (summary !== 0) return this.#highestKeyIn(key >>> KEY_BITS, summary);
    const number = this.#pagesInUse.highestBelow(key >>> KEY_BITS);
    if (number < 0) return NOWHERE;
    return this.#highestKeyIn(number, words[words[DIRECTORY + number]! + SUMMARY]!);
  }

  #highestKeyIn(number: number, summary: number): number {
    const words = this.#words;
    const word = highestBit(summary);
    return (number << KEY_BITS) | (word << 5) | highestBit(words[words[DIRECTORY + number]! + BITMAP + word]!);
  }

  /** If the page is missing, the result points into page 0, whose levels are always empty. */
  #levelAt(key: number): number {
    return this.#words[DIRECTORY + (key >>> KEY_BITS)]! + ((key & KEY_MASK) << 2);
  }

  #vacate(key: number, page: number): void {
    const words = this.#words;
    const wordInPage = (key >>> 5) & 31;
    const bits = words[page + BITMAP + wordInPage]! & ~(1 << (key & 31));
    words[page + BITMAP + wordInPage] = bits;
    if (bits === 0) {
      const summary = words[page + SUMMARY]! & ~(1 << wordInPage);
      words[page + SUMMARY] = summary;
      if (summary === 0) this.#leavePage(key >>> KEY_BITS, page);
    }
    if (key === this.bestKey) this.bestKey = this.keyBelow(key);
  }

  #usePage(number: number): void {
    this.#pagesInUse.add(number);
    this.pages += 1;
  }

  #leavePage(number: number, page: number): void {
    this.#pagesInUse.delete(number);
    this.pages -= 1;
    if (this.#words[page + IS_LISTED] !== 0) return;
    this.#words[page + IS_LISTED] = 1;
    this.#listedPages.push(number);
  }

  #takePage(number: number): void {
    const page = this.#emptyPage() ?? this.#freshPage();
    this.#words[DIRECTORY + number] = page;
  }

  /** All levels of an empty page have their initial values. */
  #emptyPage(): number | undefined {
    const words = this.#words;
    for (let number = this.#listedPages.pop(); number !== undefined; number = this.#listedPages.pop()) {
      const page = words[DIRECTORY + number]!;
      words[page + IS_LISTED] = 0;
      if (words[page + SUMMARY] !== 0) continue;
      words[DIRECTORY + number] = NO_PAGE;
      return page;
    }
    return undefined;
  }

  #freshPage(): number {
    if (this.#firstFreshPage === this.#words.length) this.#resize(2 * this.#words.length - FIRST_PAGE);
    const page = this.#firstFreshPage;
    this.#firstFreshPage += WORDS_PER_PAGE;
    return page;
  }

  #resize(length: number): void {
    const buffer = new ArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT);
    this.#words = movedInto(new Int32Array(buffer), this.#words);
    this.#doubles = new Float64Array(buffer);
  }
}
