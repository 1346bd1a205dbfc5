import { movedInto } from "./columns.ts";
import { BookFault, isOrder, MAX_FLAGS } from "./limits.ts";

/** No order. Slots count from 1, so that fresh memory, all zeros, points nowhere. */
export const NO_SLOT = 0;

const FIRST_CAPACITY = 1024;
/** A record is 64 bytes, seen as 8 doubles or 16 words. What the book itself touches lies in its first 48. */
const BYTES_PER_ORDER = 64;
const ID = 0;
const REMAINING_LOTS = 1;
const ORIGINAL_LOTS = 2;
const TICKS = 6;
const PREVIOUS = 7;
const NEXT = 8;
const ACCOUNT = 9;
/** Side in bit 0, flags in bits 1 to 15, market in bits 16 to 31. */
const KIND = 10;
const FLAGS_SHIFT = 1;
/** A constant of this module: an imported one is looked up anew at every use. */
const FLAGS_MASK = MAX_FLAGS;
const MARKET_SHIFT = 16;
const POSITION = 11;
const QUOTE_MICROS = 6;
const OWNER_PREVIOUS = 14;
const OWNER_NEXT = 15;

/**
 * The orders of all markets, as records in one growing buffer. A slot is an order's record from `take` to `release`;
 * everybody passes slots around. One record is one line of the processor's cache: an order is mostly met alone, at the
 * end of a chain of links, and a column per property would miss the cache once for each of them.
 *
 * Flags, position, executed quote and the links between the orders of one owner belong to the caller; the book neither
 * reads nor changes them. Ticks, lots and queue links of a resting order change through its book alone.
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

  /** Executed quote, position and owner links start at 0. */
  take(id: number, account: number, market: number, side: number, ticks: number, lots: number, flags: number): number {
    if (!isOrder(id, account, market, ticks, lots) || !isKind(side, flags)) {
      const order = `order ${id} of account ${account} in market ${market}`;
      throw new BookFault(`no ${order}: side ${side}, ${lots} lots at ${ticks} ticks, flags ${flags}`);
    }
    const slot = this.#freeSlot();
    const doubles = this.#doubles;
    const words = this.#words;
    doubles[(slot << 3) | ID] = id;
    doubles[(slot << 3) | REMAINING_LOTS] = lots;
    doubles[(slot << 3) | ORIGINAL_LOTS] = lots;
    words[(slot << 4) | TICKS] = ticks;
    words[(slot << 4) | ACCOUNT] = account;
    words[(slot << 4) | KIND] = (market << MARKET_SHIFT) | (flags << FLAGS_SHIFT) | side;
    words[(slot << 4) | POSITION] = 0;
    doubles[(slot << 3) | QUOTE_MICROS] = 0;
    words[(slot << 4) | OWNER_PREVIOUS] = 0;
    words[(slot << 4) | OWNER_NEXT] = 0;
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
    return this.#words[(slot << 4) | KIND]! & 1;
  }

  market(slot: number): number {
    return this.#words[(slot << 4) | KIND]! >>> MARKET_SHIFT;
  }

  flags(slot: number): number {
    return (this.#words[(slot << 4) | KIND]! >>> FLAGS_SHIFT) & FLAGS_MASK;
  }

  /** The value executed so far. */
  quote_micros(slot: number): number {
    return this.#doubles[(slot << 3) | QUOTE_MICROS]!;
  }

  position(slot: number): number {
    return this.#words[(slot << 4) | POSITION]!;
  }

  /** The one before it among its owner's orders. */
  ownerPrevious(slot: number): number {
    return this.#words[(slot << 4) | OWNER_PREVIOUS]!;
  }

  /** The one behind it among its owner's orders. */
  ownerNext(slot: number): number {
    return this.#words[(slot << 4) | OWNER_NEXT]!;
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
    if ((flags & FLAGS_MASK) !== flags) throw new BookFault(`flags ${flags} do not fit`);
    const at = (slot << 4) | KIND;
    this.#words[at] = (this.#words[at]! & ~(FLAGS_MASK << FLAGS_SHIFT)) | (flags << FLAGS_SHIFT);
  }

  addQuote(slot: number, micros: number): void {
    this.#doubles[(slot << 3) | QUOTE_MICROS]! += micros;
  }

  setPosition(slot: number, position: number): void {
    this.#words[(slot << 4) | POSITION] = position;
  }

  setOwnerPrevious(slot: number, previous: number): void {
    this.#words[(slot << 4) | OWNER_PREVIOUS] = previous;
  }

  setOwnerNext(slot: number, next: number): void {
    this.#words[(slot << 4) | OWNER_NEXT] = next;
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

function isKind(side: number, flags: number): boolean {
  return (side & 1) === side && (flags & FLAGS_MASK) === flags;
}
