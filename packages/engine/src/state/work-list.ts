/**
 * A short list that is filled and emptied with every command. Emptying it keeps its memory: an array cut to length 0
 * would give its memory away and take it anew with the next item.
 */
export class WorkList<Item> {
  readonly #items: Item[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  at(place: number): Item {
    return this.#items[place]!;
  }

  add(item: Item): void {
    this.#items[this.#count] = item;
    this.#count += 1;
  }

  addOnce(item: Item): void {
    for (let place = 0; place < this.#count; place += 1) {
      if (this.#items[place] === item) return;
    }
    this.add(item);
  }

  clear(): void {
    this.#count = 0;
  }
}
