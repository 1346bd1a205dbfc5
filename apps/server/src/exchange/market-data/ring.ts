/** The last `capacity` items; when it is full, a new item replaces the oldest. */
export class Ring<Item> {
  readonly capacity: number;
  readonly #items: Item[] = [];
  /** When the ring is full: the index of the oldest item, which the next one replaces. */
  #next = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get length(): number {
    return this.#items.length;
  }

  push(item: Item): void {
    if (this.#items.length < this.capacity) {
      this.#items.push(item);
      return;
    }
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.capacity;
  }

  /** Counted from the oldest. */
  at(place: number): Item | undefined {
    return place < 0 ? undefined : this.#items[(this.#next + place) % this.capacity];
  }

  get newest(): Item | undefined {
    return this.at(this.length - 1);
  }

  /** The newest `count` items, oldest first. */
  last(count: number): Item[] {
    return this.slice(Math.max(0, this.length - count), this.length);
  }

  slice(from: number, to: number): Item[] {
    const items: Item[] = [];
    for (let place = from; place < to; place += 1) items.push(this.at(place)!);
    return items;
  }

  /** The first index whose item is at or above a bound; items ascend by `measure`. */
  placeOf(bound: number, measure: (item: Item) => number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (measure(this.at(middle)!) < bound) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
