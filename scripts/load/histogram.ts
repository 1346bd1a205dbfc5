/**
 * Values below it have one bucket each; above it there are as many buckets for every doubling, each 1.6 % wide at most.
 */
const EXACT = 128;
const PER_DOUBLING = EXACT / 2;
const DOUBLINGS = 30;
const BUCKETS = EXACT + PER_DOUBLING * DOUBLINGS;

/** Pairs of bucket and count as a flat list, for messages between processes. */
export type HistogramRecord = readonly number[];

/** A histogram of durations in microseconds, up to more than a day, in constant memory. */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS);
  #count = 0;
  #max_us = 0;

  static of(record: HistogramRecord): Histogram {
    const histogram = new Histogram();
    histogram.addRecord(record);
    return histogram;
  }

  get count(): number {
    return this.#count;
  }

  add_us(value_us: number): void {
    const whole_us = Math.max(0, Math.round(value_us));
    const bucket = bucketOf(whole_us);
    this.#counts[bucket] = this.#counts[bucket]! + 1;
    this.#count += 1;
    if (whole_us > this.#max_us) this.#max_us = whole_us;
  }

  add_ms(value_ms: number): void {
    this.add_us(value_ms * 1_000);
  }

  merge(other: Histogram): void {
    this.addRecord(other.toRecord());
  }

  addRecord([max_us = 0, ...cells]: HistogramRecord): void {
    for (let at = 0; at < cells.length; at += 2) {
      const bucket = cells[at]!;
      this.#counts[bucket] = this.#counts[bucket]! + cells[at + 1]!;
      this.#count += cells[at + 1]!;
    }
    this.#max_us = Math.max(this.#max_us, max_us);
  }

  /** The upper end of the bucket below which this share of all values lies; NaN without values. */
  quantile_ms(share: number): number {
    if (this.#count === 0) return Number.NaN;
    const wanted = Math.max(1, Math.ceil(share * this.#count));
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      seen += this.#counts[bucket]!;
      if (seen >= wanted) return Math.min(upperEnd_us(bucket), this.#max_us) / 1_000;
    }
    return this.#max_us / 1_000;
  }

  get max_ms(): number {
    return this.#count === 0 ? Number.NaN : this.#max_us / 1_000;
  }

  toRecord(): HistogramRecord {
    const record = [this.#max_us];
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      if (this.#counts[bucket] !== 0) record.push(bucket, this.#counts[bucket]!);
    }
    return record;
  }

  clear(): void {
    this.#counts.fill(0);
    this.#count = 0;
    this.#max_us = 0;
  }
}

function bucketOf(value_us: number): number {
  if (value_us < EXACT) return value_us;
  const doubling = Math.floor(Math.log2(value_us / EXACT));
  const step_us = 2 ** (doubling + 1);
  const place = Math.floor(value_us / step_us) - PER_DOUBLING;
  return Math.min(BUCKETS - 1, EXACT + doubling * PER_DOUBLING + place);
}

function upperEnd_us(bucket: number): number {
  if (bucket < EXACT) return bucket;
  const doubling = Math.floor((bucket - EXACT) / PER_DOUBLING);
  const place = (bucket - EXACT) % PER_DOUBLING;
  return (PER_DOUBLING + place + 1) * 2 ** (doubling + 1) - 1;
}
