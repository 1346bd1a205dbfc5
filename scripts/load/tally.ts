import { Histogram, type HistogramRecord } from "./histogram.ts";

/** The kinds of a bot's requests. */
export const KINDS = ["rest", "take", "reduce", "batch", "cancel", "query"] as const;
export type Kind = (typeof KINDS)[number];

export interface TallyRecord {
  readonly latencies: Readonly<Partial<Record<Kind, HistogramRecord>>>;
  /** By kind, then by the code of the refusal; "ok" for none. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly lateness: HistogramRecord;
  readonly offered: number;
  readonly orders: number;
  readonly cpu_us: number;
  readonly wall_ms: number;
}

export const OK = "ok";
/** The connection broke. */
export const BROKEN = "broken";

/** The results of requests in a span of time, of one process or of several together. */
export class Tally {
  readonly #latencies = new Map<Kind, Histogram>();
  readonly #outcomes = new Map<string, number>();
  /** From the due time of a request to the time at which it was sent. */
  readonly lateness = new Histogram();
  /** Requests that were due. */
  offered = 0;
  /** Orders that were placed; a batch has several. */
  orders = 0;
  /** Processor time of the processes of the fleet, and the observed time, both summed over the processes. */
  cpu_us = 0;
  wall_ms = 0;

  answered(kind: Kind, took_ms: number, outcome: string): void {
    this.#histogram(kind).add_ms(took_ms);
    this.count(kind, outcome, 1);
  }

  count(kind: string, outcome: string, times: number): void {
    if (times === 0) return;
    const key = `${kind} ${outcome}`;
    this.#outcomes.set(key, (this.#outcomes.get(key) ?? 0) + times);
  }

  outcome(kind: string, outcome: string): number {
    return this.#outcomes.get(`${kind} ${outcome}`) ?? 0;
  }

  /** Of all kinds, by code. */
  refusals(): Map<string, number> {
    const sums = new Map<string, number>();
    for (const [key, times] of this.#outcomes) {
      const code = key.slice(key.indexOf(" ") + 1);
      if (code !== OK) sums.set(code, (sums.get(code) ?? 0) + times);
    }
    return sums;
  }

  get requests(): number {
    return [...this.#latencies.values()].reduce((sum, { count }) => sum + count, 0);
  }

  latencies(...kinds: readonly Kind[]): Histogram {
    const all = new Histogram();
    for (const [kind, histogram] of this.#latencies) {
      if (kinds.length === 0 || kinds.includes(kind)) all.merge(histogram);
    }
    return all;
  }

  /** Cores that the fleet itself used. */
  get fleetCores(): number {
    return this.wall_ms === 0 ? 0 : this.cpu_us / 1_000 / this.wall_ms;
  }

  add(record: TallyRecord): void {
    for (const kind of KINDS) {
      const latencies = record.latencies[kind];
      if (latencies !== undefined) this.#histogram(kind).addRecord(latencies);
    }
    for (const [key, times] of Object.entries(record.outcomes)) {
      this.#outcomes.set(key, (this.#outcomes.get(key) ?? 0) + times);
    }
    this.lateness.addRecord(record.lateness);
    this.orders += record.orders;
    this.offered += record.offered;
    this.cpu_us += record.cpu_us;
    this.wall_ms += record.wall_ms;
  }

  toRecord(): TallyRecord {
    const { offered, orders, cpu_us, wall_ms } = this;
    const latencies = Object.fromEntries([...this.#latencies].map(([kind, each]) => [kind, each.toRecord()]));
    const outcomes = Object.fromEntries(this.#outcomes);
    return { latencies, outcomes, lateness: this.lateness.toRecord(), offered, orders, cpu_us, wall_ms };
  }

  #histogram(kind: Kind): Histogram {
    let histogram = this.#latencies.get(kind);
    if (histogram === undefined) {
      histogram = new Histogram();
      this.#latencies.set(kind, histogram);
    }
    return histogram;
  }
}
