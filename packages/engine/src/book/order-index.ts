import { BookFault } from "./limits.ts";
import { NO_SLOT, type OrderPool } from "./order-pool.ts";

const FIRST_CAPACITY = 2048;
/** A constant of this module: an imported one is looked up anew at every use. */
const EMPTY = NO_SLOT;

/**
 * From order id to slot: open addressing with linear probing, at most half full. Each place holds a slot (NO_SLOT where
 * it is empty) and 32 bits made of the order's id, which tell its home without a look into the pool. Deleting shifts the
 * entries behind it back instead of leaving a mark, so a table that lives for months with millions of orders coming and
 * going stays as fast as a fresh one.
 */
export class OrderIndex {
  readonly #pool: OrderPool;
  /** Pairs: slot, tag. */
  #table = new Int32Array(FIRST_CAPACITY * 2);
  #mask = FIRST_CAPACITY - 1;
  #shift = 32 - Math.log2(FIRST_CAPACITY);
  #size = 0;

  constructor(pool: OrderPool) {
    this.#pool = pool;
  }

  get size(): number {
    return this.#size;
  }

  /** The slot, or NO_SLOT. */
  get(id: number): number {
    const table = this.#table;
    const mask = this.#mask;
    const tag = tagOf(id);
    let place = homeOf(tag, this.#shift);
    for (let slot = table[place * 2]!; slot !== EMPTY; slot = table[place * 2]!) {
      if (table[place * 2 + 1] === tag && this.#pool.id(slot) === id) return slot;
      place = (place + 1) & mask;
    }
    return NO_SLOT;
  }

  add(slot: number): void {
    if (this.#size * 2 > this.#mask) this.#grow();
    const id = this.#pool.id(slot);
    const table = this.#table;
    const mask = this.#mask;
    const tag = tagOf(id);
    let place = homeOf(tag, this.#shift);
    for (let other = table[place * 2]!; other !== EMPTY; other = table[place * 2]!) {
      if (table[place * 2 + 1] === tag && this.#pool.id(other) === id) {
        throw new BookFault(`order id ${id} is in the index already`);
      }
      place = (place + 1) & mask;
    }
    table[place * 2] = slot;
    table[place * 2 + 1] = tag;
    this.#size += 1;
  }

  delete(slot: number): void {
    const table = this.#table;
    const mask = this.#mask;
    let place = homeOf(tagOf(this.#pool.id(slot)), this.#shift);
    for (let found = table[place * 2]!; found !== slot; found = table[place * 2]!) {
      if (found === EMPTY) throw new BookFault(`slot ${slot} is not in the index`);
      place = (place + 1) & mask;
    }
    this.#closeGap(place);
    this.#size -= 1;
  }

  /** An entry moves into the gap unless its home lies behind the gap, where a search for it never passes the gap. */
  #closeGap(emptied: number): void {
    const table = this.#table;
    const mask = this.#mask;
    const shift = this.#shift;
    let gap = emptied;
    let place = (gap + 1) & mask;
    for (let slot = table[place * 2]!; slot !== EMPTY; slot = table[place * 2]!) {
      const tag = table[place * 2 + 1]!;
      const stepsFromHome = (place - homeOf(tag, shift)) & mask;
      if (stepsFromHome >= ((place - gap) & mask)) {
        table[gap * 2] = slot;
        table[gap * 2 + 1] = tag;
        gap = place;
      }
      place = (place + 1) & mask;
    }
    table[gap * 2] = EMPTY;
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Int32Array(old.length * 2);
    this.#mask = old.length - 1;
    this.#shift -= 1;
    this.#size = 0;
    for (let at = 0; at < old.length; at += 2) {
      const slot = old[at]!;
      if (slot !== EMPTY) this.add(slot);
    }
  }
}

/** Ids need 50 bits, so both halves take part. Different ids rarely have the same tag, but they may. */
function tagOf(id: number): number {
  return (id | 0) ^ Math.imul((id / 2 ** 32) | 0, 0x85ebca6b);
}

/** Fibonacci hashing: the high bits of the product, which spread ids given out one after the other evenly. */
function homeOf(tag: number, shift: number): number {
  return Math.imul(tag, 0x9e3779b1) >>> shift;
}
