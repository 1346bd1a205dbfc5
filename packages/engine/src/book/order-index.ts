import { movedInto } from "./columns.ts";
import { BookFault } from "./limits.ts";
import { NO_SLOT, type OrderPool } from "./order-pool.ts";

const FIRST_CAPACITY = 2048;
/** Cells that no live id falls on cost memory but no cache, so there may be many: chains then hardly ever happen. */
const MIN_CELLS_PER_ORDER = 4;
/** A constant of this module: an imported one is looked up anew at every use. */
const NONE = NO_SLOT;

/**
 * From order id to slot. Ids are given out one after the other, so their low bits alone spread them over the cells: the
 * orders of some time lie side by side, and a new one finds its cell in the processor's cache. A cell holds nothing
 * (NO_SLOT), a slot, or, where several live ids fall on it, the first slot of a chain with a minus before it. The chain
 * goes on in a column beside the pool, which nobody touches otherwise.
 *
 * The size follows the most orders there were at a time, however old they are and however many came and went; an old
 * order costs a chain of two whenever a newer one falls on its cell.
 */
export class OrderIndex {
  readonly #pool: OrderPool;
  #cells = new Int32Array(FIRST_CAPACITY);
  #mask = FIRST_CAPACITY - 1;
  #size = 0;
  #mostOrders = FIRST_CAPACITY / MIN_CELLS_PER_ORDER;
  /** By slot: the next one in its chain, where it is in one. */
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
    if (this.#size === this.#mostOrders) {
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
    this.#mostOrders = this.#cells.length / MIN_CELLS_PER_ORDER;
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
