import { movedInto } from "./columns.ts";
import { BookFault, isOrder } from "./limits.ts";

/** No order. Slots count from 1, so that zeroed memory refers to no order. */
export const NO_SLOT = 0;

/** A constant of this module, because the compiler reloads exported and imported ones at every use. */
const NONE = NO_SLOT;
const FIRST_CAPACITY = 1024;
const FRESH_AT_ONCE = 64;
const BYTES_PER_ORDER = 64;

/**
 * The orders of all markets, as records in one growing buffer. A slot is an order's record from `take` to `release`;
 * callers refer to orders by slot. One record is one line of the processor's cache: most accesses reach a single order
 * through a chain of links, and a column per property would miss the cache once for each property.
 *
 * A record is read as 8 doubles or 16 words; the fields that the book itself uses are in its first 48 bytes.
 *
 * | doubles                                                   | words                                         |
 * |-----------------------------------------------------------|-----------------------------------------------|
 * | 0 id, 1 remaining lots, 2 original lots, 6 executed quote | 6 ticks, 7 previous, 8 next, 9 account        |
 * |                                                           | 10 side (bit 0), flags (1–15), market (16–31) |
 * |                                                           | 11 position, 14 owner previous, 15 owner next |
 *
 * Only the code below uses these indices, as literals. With a named constant for each, the accessors exceed the size
 * that the compiler inlines into every caller, and the book becomes some percent slower.
 *
 * Flags, position, executed quote and the links between the orders of one owner belong to the caller; the book neither
 * reads nor changes them. Only its book changes ticks, lots and queue links of a resting order.
 */
export class OrderPool {
  #doubles = new Float64Array(0);
  #words = new Int32Array(0);
  #capacity = 0;
  #firstFree = NONE;
  /** Slots from here on are not in the free list yet. */
  #firstFresh = 1;
  #taken = 0;
  readonly #resizers: ((capacity: number) => void)[] = [];

  constructor() {
    this.#resize(FIRST_CAPACITY);
  }

  /** Every slot is below this number. */
  get capacity(): number {
    return this.#capacity;
  }

  get taken(): number {
    return this.#taken;
  }

  /**
   * For columns kept elsewhere: `resize` is called at once with the capacity, and again before a larger slot is taken.
   */
  onGrow(resize: (capacity: number) => void): void {
    this.#resizers.push(resize);
    resize(this.#capacity);
  }

  /**
   * Executed quote, position and owner links start at 0. The most recently freed slot is taken first: it is likely in
   * cache.
   */
  take(id: number, account: number, market: number, side: number, ticks: number, lots: number, flags: number): number {
    if (!isOrder(id, account, market, side, ticks, lots, flags)) {
      throw refusal(id, account, market, side, ticks, lots, flags);
    }
    const slot = this.#firstFree;
    if (slot === NONE) {
      this.#addFreeSlots();
      return this.take(id, account, market, side, ticks, lots, flags);
    }
    const doubles = this.#doubles;
    const words = this.#words;
    doubles[slot << 3] = id;
    doubles[(slot << 3) | 1] = lots;
    doubles[(slot << 3) | 2] = lots;
    words[(slot << 4) | 6] = ticks;
    words[(slot << 4) | 9] = account;
    words[(slot << 4) | 10] = (market << 16) | (flags << 1) | side;
    words[(slot << 4) | 11] = 0;
    doubles[(slot << 3) | 6] = 0;
    doubles[(slot << 3) | 7] = 0;
    this.#firstFree = words[(slot << 4) | 8]!;
    this.#taken += 1;
    return slot;
  }

  release(slot: number): void {
    if (!this.isTaken(slot)) throw new BookFault(`slot ${slot} is released but not taken`);
    this.#doubles[slot << 3] = 0;
    this.#words[(slot << 4) | 8] = this.#firstFree;
    this.#firstFree = slot;
    this.#taken -= 1;
  }

  isTaken(slot: number): boolean {
    return slot > NONE && slot < this.#firstFresh && this.#doubles[slot << 3] !== 0;
  }

  id(slot: number): number {
    return this.#doubles[slot << 3]!;
  }

  remainingLots(slot: number): number {
    return this.#doubles[(slot << 3) | 1]!;
  }

  originalLots(slot: number): number {
    return this.#doubles[(slot << 3) | 2]!;
  }

  ticks(slot: number): number {
    return this.#words[(slot << 4) | 6]!;
  }

  account(slot: number): number {
    return this.#words[(slot << 4) | 9]!;
  }

  side(slot: number): number {
    return this.#words[(slot << 4) | 10]! & 1;
  }

  market(slot: number): number {
    return this.#words[(slot << 4) | 10]! >>> 16;
  }

  flags(slot: number): number {
    return (this.#words[(slot << 4) | 10]! >>> 1) & 0x7fff;
  }

  /** The value executed so far. */
  quote_micros(slot: number): number {
    return this.#doubles[(slot << 3) | 6]!;
  }

  position(slot: number): number {
    return this.#words[(slot << 4) | 11]!;
  }

  /** The previous order of the same owner. */
  ownerPrevious(slot: number): number {
    return this.#words[(slot << 4) | 14]!;
  }

  /** The next order of the same owner. */
  ownerNext(slot: number): number {
    return this.#words[(slot << 4) | 15]!;
  }

  /** The previous order in the queue of its price level. */
  previous(slot: number): number {
    return this.#words[(slot << 4) | 7]!;
  }

  /** The next order in the queue of its price level. In a free record this is the next free slot. */
  next(slot: number): number {
    return this.#words[(slot << 4) | 8]!;
  }

  setRemainingLots(slot: number, lots: number): void {
    this.#doubles[(slot << 3) | 1] = lots;
  }

  setOriginalLots(slot: number, lots: number): void {
    this.#doubles[(slot << 3) | 2] = lots;
  }

  setTicks(slot: number, ticks: number): void {
    this.#words[(slot << 4) | 6] = ticks;
  }

  setFlags(slot: number, flags: number): void {
    if ((flags & 0x7fff) !== flags) throw new BookFault(`flags ${flags} do not fit`);
    const at = (slot << 4) | 10;
    this.#words[at] = (this.#words[at]! & ~(0x7fff << 1)) | (flags << 1);
  }

  addQuote(slot: number, micros: number): void {
    this.#doubles[(slot << 3) | 6]! += micros;
  }

  setPosition(slot: number, position: number): void {
    this.#words[(slot << 4) | 11] = position;
  }

  setOwnerPrevious(slot: number, previous: number): void {
    this.#words[(slot << 4) | 14] = previous;
  }

  setOwnerNext(slot: number, next: number): void {
    this.#words[(slot << 4) | 15] = next;
  }

  setPrevious(slot: number, previous: number): void {
    this.#words[(slot << 4) | 7] = previous;
  }

  /** Appends to a queue. If the queue is empty, one link is written to the record of NO_SLOT, which no order uses. */
  linkBehind(tail: number, slot: number): void {
    const words = this.#words;
    words[(slot << 4) | 7] = tail;
    words[(slot << 4) | 8] = NONE;
    words[(tail << 4) | 8] = slot;
  }

  /** Makes two orders neighbours in a queue; NO_SLOT marks its ends. */
  linkNeighbours(previous: number, next: number): void {
    const words = this.#words;
    words[(previous << 4) | 8] = next;
    words[(next << 4) | 7] = previous;
  }

  setNext(slot: number, next: number): void {
    this.#words[(slot << 4) | 8] = next;
  }

  /** Adds a number of slots at a time, linked in ascending order, as if they had been released from last to first. */
  #addFreeSlots(): void {
    if (this.#firstFresh === this.#capacity) this.#resize(this.#capacity * 2);
    const end = Math.min(this.#firstFresh + FRESH_AT_ONCE, this.#capacity);
    for (let slot = end - 1; slot >= this.#firstFresh; slot--) {
      this.setNext(slot, this.#firstFree);
      this.#firstFree = slot;
    }
    this.#firstFresh = end;
  }

  #resize(capacity: number): void {
    const records = new ArrayBuffer(capacity * BYTES_PER_ORDER);
    this.#words = movedInto(new Int32Array(records), this.#words);
    this.#doubles = new Float64Array(records);
    this.#capacity = capacity;
    for (const resize of this.#resizers) resize(capacity);
  }
}

function refusal(...[id, account, market, side, ticks, lots, flags]: Parameters<OrderPool["take"]>): BookFault {
  const order = `order ${id} of account ${account} in market ${market}`;
  return new BookFault(`no ${order}: side ${side}, ${lots} lots at ${ticks} ticks, flags ${flags}`);
}
