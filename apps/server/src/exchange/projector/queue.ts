import type { Applied } from "../host/exchange.ts";

/**
 * Commands `from` … `to` with their events, in order, read again from the log. The caller may stop early (`return`), and
 * asks anew from where it came to.
 */
export type Reread = (from: number, to: number) => AsyncIterable<Applied>;

export interface QueueOptions {
  /** How much is kept in memory, commands and events together. */
  readonly mostQueued: number;
  readonly reread: Reread;
}

interface Gap {
  readonly from: number;
  to: number;
}

const weightOf = ({ events }: Applied) => 1 + events.length;

/**
 * What is applied and not yet written. Memory holds a bounded stretch; what comes beyond it is dropped, since the log
 * has it, and read again when memory has been worked off. So the order is: the gap being read, memory, the open gap.
 */
export class ProjectionQueue {
  readonly #options: QueueOptions;
  #memory: Applied[] = [];
  #head = 0;
  #weight = 0;
  /** What was dropped and is being read again. */
  #reading: Gap | undefined;
  #source: AsyncIterator<Applied> | undefined;
  /** What is being dropped: everything that comes belongs to it until memory is empty. */
  #dropping: Gap | undefined;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  push(applied: Applied): void {
    if (this.#dropping !== undefined) {
      this.#dropping.to = applied.number;
      return;
    }
    const weight = weightOf(applied);
    // A single command is always taken, however many events it has: it could never be read otherwise.
    if (this.#weight + weight > this.#options.mostQueued && this.#memory.length > this.#head) {
      this.#dropping = { from: applied.number, to: applied.number };
      return;
    }
    this.#memory.push(applied);
    this.#weight += weight;
  }

  /** Whether some of it is not in memory. */
  get isSpilled(): boolean {
    return this.#reading !== undefined || this.#dropping !== undefined;
  }

  get isEmpty(): boolean {
    return this.#memory.length === this.#head && !this.isSpilled;
  }

  /** The first one in memory. */
  get oldest(): Applied | undefined {
    return this.#memory[this.#head];
  }

  *inMemory(): Iterable<Applied> {
    for (let at = this.#head; at < this.#memory.length; at += 1) yield this.#memory[at]!;
  }

  /** The next commands, at least one if there is any, and no more once their events reach `mostEvents`. */
  async take(mostEvents: number): Promise<Applied[]> {
    if (this.#reading === undefined && this.#memory.length === this.#head && this.#dropping !== undefined) {
      this.#reading = this.#dropping;
      this.#dropping = undefined;
    }
    return this.#reading === undefined ? this.#takeFromMemory(mostEvents) : await this.#takeFromLog(mostEvents);
  }

  /** Lets go of the log. */
  async close(): Promise<void> {
    const source = this.#source;
    this.#source = undefined;
    await source?.return?.();
  }

  #takeFromMemory(mostEvents: number): Applied[] {
    const taken: Applied[] = [];
    let events = 0;
    while (this.#head < this.#memory.length && events < mostEvents) {
      const applied = this.#memory[this.#head]!;
      // A large command waits for a batch of its own.
      if (taken.length > 0 && events + applied.events.length > mostEvents) break;
      this.#head += 1;
      this.#weight -= weightOf(applied);
      taken.push(applied);
      events += applied.events.length;
      // Commands without events cost nothing to write, but must not make an endless batch.
      if (taken.length >= mostEvents) break;
    }
    if (this.#head * 2 >= this.#memory.length) {
      this.#memory = this.#memory.slice(this.#head);
      this.#head = 0;
    }
    return taken;
  }

  async #takeFromLog(mostEvents: number): Promise<Applied[]> {
    const gap = this.#reading!;
    const taken: Applied[] = [];
    let next = gap.from;
    let events = 0;
    try {
      this.#source ??= this.#options.reread(gap.from, gap.to)[Symbol.asyncIterator]();
      while (next <= gap.to && events < mostEvents && taken.length < mostEvents) {
        const { done, value } = await this.#source.next();
        if (done === true) throw new Error(`the log ends before command ${next}`);
        if (value.number !== next) throw new Error(`the log gave command ${value.number} in place of ${next}`);
        taken.push(value);
        events += value.events.length;
        next += 1;
      }
    } catch (error) {
      // Nothing of it has been handed out: the next attempt reads the same again.
      await this.close();
      throw error;
    }
    this.#reading = next > gap.to ? undefined : { from: next, to: gap.to };
    if (this.#reading === undefined) await this.close();
    return taken;
  }
}
