import { movedInto } from "./columns.ts";
import { BookFault } from "./limits.ts";
import { NO_SLOT, type OrderPool } from "./order-pool.ts";

const FIRST_CAPACITY = 2048;
/** Cells without a live id use memory but no cache, so there are many of them and chains are rare. */
const MIN_CELLS_PER_ORDER = 4;
/** A constant of this module, because the compiler reloads an imported one at every use. */
const NONE = NO_SLOT;

/**
 * Maps order ids to slots. Ids are consecutive, so their low bits alone spread them over the cells: orders of about the
 * same age are neighbours, and the cell of a new order is likely in the processor's cache. A cell holds NO_SLOT, a
 * slot, or, if several live ids share it, the negated first slot of a chain. The links of chains are in a separate
 * column beside the pool, which nothing else touches.
 *
 * The size follows the largest number of orders that were live at one time, not their age or how many have ended. An
 * old order forms a chain of two when a newer one shares its cell.
 */
export class OrderIndex {
  readonly #pool: OrderPool;
  #cells = new Int32Array(FIRST_CAPACITY);
  #mask = FIRST_CAPACITY - 1;
  #size = 0;
  #maxOrders = FIRST_CAPACITY / MIN_CELLS_PER_ORDER;
  /** By slot: the next slot of its chain. */
  #nextInChain = new Int32Array(0);

  constructor(pool: OrderPool) {
    this.#pool = pool;
    pool.onGrow((capacity) => {
      this.#nextInChain = movedInto(new Int32Array(capacity), this.#nextInChain);
    });
  }

  get size(): number {
    return this.#size;
  }

  /** The slot, or NO_SLOT. */
  get(id: number): number {
    const slot = this.#cells[id & this.#mask]!;
    if (slot < NONE) return this.#getFromChain(id, -slot);
    return slot !== NONE && this.#pool.id(slot) === id ? slot : NONE;
  }

  add(slot: number): void {
    if (this.#size === this.#maxOrders) {
      this.#grow();
      this.add(slot);
      return;
    }
    const id = this.#pool.id(slot);
    const cells = this.#cells;
    const cell = id & this.#mask;
    if (cells[cell] !== NONE) {
      this.#addToChain(slot, id, cell);
      return;
    }
    cells[cell] = slot;
    this.#size += 1;
  }

  delete(slot: number): void {
    const cells = this.#cells;
    const cell = this.#pool.id(slot) & this.#mask;
    if (cells[cell] !== slot) {
      this.#deleteFromChain(slot, cell);
      return;
    }
    cells[cell] = NONE;
    this.#size -= 1;
  }

  #getFromChain(id: number, first: number): number {
    let slot = first;
    while (slot !== NONE && this.#pool.id(slot) !== id) slot = this.#nextInChain[slot]!;
    return slot;
  }

  #addToChain(slot: number, id: number, cell: number): void {
    const next = this.#nextInChain;
    const content = this.#cells[cell]!;
    const first = Math.abs(content);
    if (content > NONE) next[first] = NONE;
    if (this.#getFromChain(id, first) !== NONE) throw new BookFault(`order id ${id} is in the index already`);
    next[slot] = first;
    this.#cells[cell] = -slot;
    this.#size += 1;
  }

  #deleteFromChain(slot: number, cell: number): void {
    const next = this.#nextInChain;
    let first = -this.#cells[cell]!;
    if (first === slot) {
      first = next[slot]!;
    } else {
      let before = first;
      while (before > NONE && next[before] !== slot) before = next[before]!;
      if (before <= NONE) throw new BookFault(`slot ${slot} is not in the index`);
      next[before] = next[slot]!;
    }
    this.#cells[cell] = next[first] === NONE ? first : -first;
    this.#size -= 1;
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Int32Array(old.length * 2);
    this.#mask = this.#cells.length - 1;
    this.#maxOrders = this.#cells.length / MIN_CELLS_PER_ORDER;
    this.#size = 0;
    for (const content of old) {
      if (content > NONE) this.add(content);
      for (let slot = -content; slot > NONE; ) {
        const next = this.#nextInChain[slot]!;
        this.add(slot);
        slot = next;
      }
    }
  }
}
