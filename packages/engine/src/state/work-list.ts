/**
 * A short list that is filled and emptied by every command. Emptying it keeps its memory: an array cut to length 0
 * would release its memory and allocate it again for the next item.
 */
export class WorkList<Item> {
  readonly #items: Item[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  at(index: number): Item {
    return this.#items[index]!;
  }

  add(item: Item): void {
    this.#items[this.#count] = item;
    this.#count += 1;
  }

  addOnce(item: Item): void {
    for (let index = 0; index < this.#count; index += 1) {
      if (this.#items[index] === item) return;
    }
    this.add(item);
  }

  clear(): void {
    this.#count = 0;
  }
}
