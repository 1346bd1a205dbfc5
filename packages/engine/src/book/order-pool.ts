import { movedInto } from "./columns.ts";
import { BookFault, isOrder } from "./limits.ts";

/** No order. Slots count from 1, so that fresh memory, all zeros, points nowhere. */
export const NO_SLOT = 0;

const FIRST_CAPACITY = 1024;
/** A record is 64 bytes, seen as 8 doubles or 16 words. What a match or a cancel touches lies in its first 48. */
const BYTES_PER_ORDER = 64;
const ID = 0;
const REMAINING_LOTS = 1;
const ORIGINAL_LOTS = 2;
const TICKS = 6;
const PREVIOUS = 7;
const NEXT = 8;
const ACCOUNT = 9;
const SIDE = 10;
const MARKET = 11;
const FLAGS = 12;

/**
 * The orders of all markets, as records in one growing buffer. A slot is an order's record from `take` to `release`;
 * everybody passes slots around. One record is one line of the processor's cache: an order is mostly met alone, at the
 * end of a chain of links, and a column per property would miss the cache once for each of them.
 *
 * `flags` belong to the caller; the book neither reads nor changes them. Ticks, lots and links of a resting order change
 * through its book alone.
 */
export class OrderPool {
  #doubles = new Float64Array(0);
  #words = new Int32Array(0);
  #capacity = 0;
  #firstFree = NO_SLOT;
  /** Slots from here on were never taken. */
  #firstFresh = 1;
  #taken = 0;
  readonly #resizers: ((capacity: number) => void)[] = [];

  constructor() {
    this.#resize(FIRST_CAPACITY);
  }

  /** Slots are below this number. */
  get capacity(): number {
    return this.#capacity;
  }

  get taken(): number {
    return this.#taken;
  }

  /** For columns kept elsewhere: called at once with the capacity, and again before a slot beyond it is given out. */
  onGrow(resize: (capacity: number) => void): void {
    this.#resizers.push(resize);
    resize(this.#capacity);
  }

  take(id: number, account: number, market: number, side: number, ticks: number, lots: number, flags: number): number {
    if (!isOrder(id, account, market, ticks, lots)) {
      throw new BookFault(`no order ${id} of account ${account} in market ${market}: ${lots} lots at ${ticks} ticks`);
    }
    const slot = this.#freeSlot();
    const doubles = this.#doubles;
    const words = this.#words;
    doubles[(slot << 3) | ID] = id;
    doubles[(slot << 3) | REMAINING_LOTS] = lots;
    doubles[(slot << 3) | ORIGINAL_LOTS] = lots;
    words[(slot << 4) | TICKS] = ticks;
    words[(slot << 4) | ACCOUNT] = account;
    words[(slot << 4) | SIDE] = side;
    words[(slot << 4) | MARKET] = market;
    words[(slot << 4) | FLAGS] = flags;
    this.#taken += 1;
    return slot;
  }

  release(slot: number): void {
    if (!this.isTaken(slot)) throw new BookFault(`slot ${slot} is released but not taken`);
    this.#doubles[(slot << 3) | ID] = 0;
    this.#words[(slot << 4) | NEXT] = this.#firstFree;
    this.#firstFree = slot;
    this.#taken -= 1;
  }

  isTaken(slot: number): boolean {
    return slot > NO_SLOT && slot < this.#firstFresh && this.#doubles[(slot << 3) | ID] !== 0;
  }

  id(slot: number): number {
    return this.#doubles[(slot << 3) | ID]!;
  }

  remainingLots(slot: number): number {
    return this.#doubles[(slot << 3) | REMAINING_LOTS]!;
  }

  originalLots(slot: number): number {
    return this.#doubles[(slot << 3) | ORIGINAL_LOTS]!;
  }

  ticks(slot: number): number {
    return this.#words[(slot << 4) | TICKS]!;
  }

  account(slot: number): number {
    return this.#words[(slot << 4) | ACCOUNT]!;
  }

  side(slot: number): number {
    return this.#words[(slot << 4) | SIDE]!;
  }

  market(slot: number): number {
    return this.#words[(slot << 4) | MARKET]!;
  }

  flags(slot: number): number {
    return this.#words[(slot << 4) | FLAGS]!;
  }

  /** The one before it in the queue of its price level. */
  previous(slot: number): number {
    return this.#words[(slot << 4) | PREVIOUS]!;
  }

  /** The one behind it in the queue of its price level. In a free record this is the next free slot. */
  next(slot: number): number {
    return this.#words[(slot << 4) | NEXT]!;
  }

  setRemainingLots(slot: number, lots: number): void {
    this.#doubles[(slot << 3) | REMAINING_LOTS] = lots;
  }

  setOriginalLots(slot: number, lots: number): void {
    this.#doubles[(slot << 3) | ORIGINAL_LOTS] = lots;
  }

  setTicks(slot: number, ticks: number): void {
    this.#words[(slot << 4) | TICKS] = ticks;
  }

  setFlags(slot: number, flags: number): void {
    this.#words[(slot << 4) | FLAGS] = flags;
  }

  setPrevious(slot: number, previous: number): void {
    this.#words[(slot << 4) | PREVIOUS] = previous;
  }

  setNext(slot: number, next: number): void {
    this.#words[(slot << 4) | NEXT] = next;
  }

  /** The newest freed slot comes first: it is the likeliest to be in the processor's cache. */
  #freeSlot(): number {
    const slot = this.#firstFree;
    if (slot !== NO_SLOT) {
      this.#firstFree = this.next(slot);
      return slot;
    }
    if (this.#firstFresh === this.#capacity) this.#resize(this.#capacity * 2);
    return this.#firstFresh++;
  }

  #resize(capacity: number): void {
    const records = new ArrayBuffer(capacity * BYTES_PER_ORDER);
    this.#words = movedInto(new Int32Array(records), this.#words);
    this.#doubles = new Float64Array(records);
    this.#capacity = capacity;
    for (const resize of this.#resizers) resize(capacity);
  }
}
