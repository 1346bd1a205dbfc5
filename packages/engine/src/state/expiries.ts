/** Fewer dead entries than this are not worth a new heap. */
const DEAD_ALLOWED = 64;

interface Entry {
  readonly time_ms: number;
  readonly id: number;
}

/**
 * FUT-25: orders and conditional orders by the time at which they end, then by id. A heap, from which an order that ends
 * earlier is not removed: its entry stays until it comes up, or until most entries are dead and the heap is made anew. So
 * adding and removing cost O(log n), and memory follows the orders that are open.
 */
export class Expiries {
  #heap: Entry[] = [];
  /** By id: when it ends. */
  readonly #ends = new Map<number, number>();
  #next_ms = Number.POSITIVE_INFINITY;

  get count(): number {
    return this.#ends.size;
  }

  /** Entries in memory, dead ones included. */
  get entries(): number {
    return this.#heap.length;
  }

  /** Undefined if it has no end. */
  endOf(id: number): number | undefined {
    return this.#ends.get(id);
  }

  add(id: number, time_ms: number): void {
    this.#ends.set(id, time_ms);
    this.#heap.push({ time_ms, id });
    siftUp(this.#heap, this.#heap.length - 1);
    this.#next_ms = this.#heap[0]!.time_ms;
  }

  remove(id: number): void {
    if (!this.#ends.delete(id) || this.#heap.length <= 2 * this.#ends.size + DEAD_ALLOWED) return;
    // A sorted list is a heap.
    this.#heap = [...this.#ends].map(([live, time_ms]) => ({ time_ms, id: live })).sort(compare);
    this.#next_ms = this.#heap[0]?.time_ms ?? Number.POSITIVE_INFINITY;
  }

  /** May be true where only dead entries are due; false costs one comparison. */
  mayBeDue(time_ms: number): boolean {
    return this.#next_ms <= time_ms;
  }

  /** The next one that is due, which the caller ends; undefined if none is. */
  nextDue(time_ms: number): number | undefined {
    for (let first = this.#heap[0]; first !== undefined && first.time_ms <= time_ms; first = this.#heap[0]) {
      this.#takeFirst();
      if (this.#ends.get(first.id) === first.time_ms) return first.id;
    }
    return undefined;
  }

  #takeFirst(): void {
    const last = this.#heap.pop()!;
    if (this.#heap.length > 0) {
      this.#heap[0] = last;
      siftDown(this.#heap);
    }
    this.#next_ms = this.#heap[0]?.time_ms ?? Number.POSITIVE_INFINITY;
  }
}

function compare(a: Entry, b: Entry): number {
  return a.time_ms - b.time_ms || a.id - b.id;
}

function siftUp(heap: Entry[], from: number): void {
  const entry = heap[from]!;
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (compare(heap[parent]!, entry) <= 0) break;
    heap[at] = heap[parent]!;
    at = parent;
  }
  heap[at] = entry;
}

function siftDown(heap: Entry[]): void {
  const entry = heap[0]!;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const child = right < heap.length && compare(heap[right]!, heap[left]!) < 0 ? right : left;
    if (compare(heap[child]!, entry) >= 0) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = entry;
}
