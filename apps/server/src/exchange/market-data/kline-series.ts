import { HOUR_ms, MINUTE_ms } from "../../kernel/dates.ts";

/** FUT-20: the intervals of klines by the names in the bots' interface. Klines begin at multiples of their interval. */
export const INTERVALS = {
  "1m": MINUTE_ms,
  "3m": 3 * MINUTE_ms,
  "5m": 5 * MINUTE_ms,
  "15m": 15 * MINUTE_ms,
  "30m": 30 * MINUTE_ms,
  "1h": HOUR_ms,
  "2h": 2 * HOUR_ms,
  "4h": 4 * HOUR_ms,
  "6h": 6 * HOUR_ms,
  "8h": 8 * HOUR_ms,
  "12h": 12 * HOUR_ms,
  "1d": 24 * HOUR_ms,
} as const;

export type Interval = keyof typeof INTERVALS;
export const INTERVAL_NAMES = Object.keys(INTERVALS) as Interval[];
export const isInterval = (name: string): name is Interval => Object.hasOwn(INTERVALS, name);

/** Prices are in ticks (premiums in 1e-8). Trade ids are 0 if nothing was traded. */
export interface Kline {
  readonly open_ms: number;
  readonly close_ms: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly lots: number;
  readonly quote_micros: number;
  readonly trades: number;
  readonly takerLots: number;
  readonly takerQuote_micros: number;
  readonly firstTrade: number;
  readonly lastTrade: number;
}

export interface KlineQuery {
  readonly start_ms?: number | undefined;
  readonly end_ms?: number | undefined;
  readonly limit: number;
}

/** The number of klines of each interval in memory. */
export const KLINES_KEPT = 1_500;

const COLUMNS = 12;
const OPEN_TIME = 0;
const OPEN = 1;
const HIGH = 2;
const LOW = 3;
const CLOSE = 4;
const LOTS = 5;
const QUOTE = 6;
const TRADES = 7;
const TAKER_LOTS = 8;
const TAKER_QUOTE = 9;
const FIRST_TRADE = 10;
const LAST_TRADE = 11;

/** The latest klines of one interval, without gaps: a kline without trades has the previous close as its price. */
export class KlineSeries {
  readonly interval: Interval;
  readonly #length_ms: number;
  readonly #rows = new Float64Array(KLINES_KEPT * COLUMNS);
  /** Klines begun since the start; the last KLINES_KEPT are stored. */
  #begun = 0;
  /** How many had begun when a price was last added. */
  #touched = 0;

  constructor(interval: Interval) {
    this.interval = interval;
    this.#length_ms = INTERVALS[interval];
  }

  get count(): number {
    return Math.min(this.#begun, KLINES_KEPT);
  }

  /** Earlier klines are only in the database. Infinity if there are none. */
  get oldest_ms(): number {
    return this.count === 0 ? Number.POSITIVE_INFINITY : this.#rows[this.#at(0) + OPEN_TIME]!;
  }

  addTrade(time_ms: number, ticks: number, lots: number, quote_micros: number, isTakerBuy: boolean, trade: number) {
    this.addPrice(time_ms, ticks);
    const rows = this.#rows;
    const at = this.#at(this.count - 1);
    rows[at + LOTS]! += lots;
    rows[at + QUOTE]! += quote_micros;
    rows[at + TRADES]! += 1;
    if (isTakerBuy) {
      rows[at + TAKER_LOTS]! += lots;
      rows[at + TAKER_QUOTE]! += quote_micros;
    }
    if (rows[at + FIRST_TRADE] === 0) rows[at + FIRST_TRADE] = trade;
    rows[at + LAST_TRADE] = trade;
  }

  addPrice(time_ms: number, price: number): void {
    const open_ms = this.#beginOf(time_ms);
    const rows = this.#rows;
    const newest_ms = this.count === 0 ? Number.NEGATIVE_INFINITY : rows[this.#at(this.count - 1) + OPEN_TIME]!;
    if (open_ms > newest_ms) {
      this.rollTo(open_ms - 1);
      this.#begin(open_ms, price);
    }
    const at = this.#at(this.count - 1);
    // A kline that the clock alone has begun opens with its first price.
    if (this.#touched < this.#begun) this.#setAll(at, price);
    if (price > rows[at + HIGH]!) rows[at + HIGH] = price;
    if (price < rows[at + LOW]!) rows[at + LOW] = price;
    rows[at + CLOSE] = price;
    this.#touched = this.#begun;
  }

  /** Begins the klines up to this time. */
  rollTo(time_ms: number): void {
    if (this.#begun === 0) return;
    const last = this.#at(this.count - 1);
    const close = this.#rows[last + CLOSE]!;
    const target_ms = this.#beginOf(time_ms);
    const next_ms = this.#rows[last + OPEN_TIME]! + this.#length_ms;
    const earliest_ms = target_ms - (KLINES_KEPT - 1) * this.#length_ms;
    for (let open_ms = Math.max(next_ms, earliest_ms); open_ms <= target_ms; open_ms += this.#length_ms) {
      this.#begin(open_ms, close);
    }
  }

  /** Adds klines from the database, oldest first, before anything else; fills gaps. */
  seed(klines: readonly Kline[]): void {
    for (const kline of klines) {
      if (this.#begun > 0 && kline.open_ms <= this.#rows[this.#at(this.count - 1) + OPEN_TIME]!) continue;
      this.rollTo(kline.open_ms - 1);
      this.#begin(kline.open_ms, kline.open);
      const { high, low, close, lots, quote_micros, trades, takerLots, takerQuote_micros } = kline;
      const { firstTrade, lastTrade } = kline;
      const figures = [high, low, close, lots, quote_micros, trades, takerLots, takerQuote_micros];
      this.#rows.set([...figures, firstTrade, lastTrade], this.#at(this.count - 1) + HIGH);
      if (trades > 0) this.#touched = this.#begun;
    }
  }

  /** Counted from the oldest. */
  get(place: number): Kline {
    const rows = this.#rows;
    const at = this.#at(place);
    return {
      open_ms: rows[at + OPEN_TIME]!,
      close_ms: rows[at + OPEN_TIME]! + this.#length_ms - 1,
      open: rows[at + OPEN]!,
      high: rows[at + HIGH]!,
      low: rows[at + LOW]!,
      close: rows[at + CLOSE]!,
      lots: rows[at + LOTS]!,
      quote_micros: rows[at + QUOTE]!,
      trades: rows[at + TRADES]!,
      takerLots: rows[at + TAKER_LOTS]!,
      takerQuote_micros: rows[at + TAKER_QUOTE]!,
      firstTrade: rows[at + FIRST_TRADE]!,
      lastTrade: rows[at + LAST_TRADE]!,
    };
  }

  /** By opening time, oldest first: with a start the first `limit` from there on, otherwise the last `limit`. */
  read({ start_ms, end_ms, limit }: KlineQuery): Kline[] {
    const count = this.count;
    if (count === 0) return [];
    const placeOf = (time_ms: number) => (time_ms - this.oldest_ms) / this.#length_ms;
    const first = start_ms === undefined ? 0 : Math.max(0, Math.ceil(placeOf(start_ms)));
    const last = end_ms === undefined ? count - 1 : Math.min(count - 1, Math.floor(placeOf(end_ms)));
    const from = start_ms === undefined ? Math.max(first, last - limit + 1) : first;
    const klines: Kline[] = [];
    for (let place = from; place <= last && klines.length < limit; place += 1) klines.push(this.get(place));
    return klines;
  }

  #setAll(at: number, price: number): void {
    for (const column of [OPEN, HIGH, LOW, CLOSE]) this.#rows[at + column] = price;
  }

  #begin(open_ms: number, price: number): void {
    const at = (this.#begun % KLINES_KEPT) * COLUMNS;
    this.#begun += 1;
    this.#rows.fill(0, at, at + COLUMNS);
    this.#rows[at + OPEN_TIME] = open_ms;
    this.#setAll(at, price);
  }

  #beginOf(time_ms: number): number {
    return time_ms - (time_ms % this.#length_ms);
  }

  #at(place: number): number {
    const first = this.#begun <= KLINES_KEPT ? 0 : this.#begun % KLINES_KEPT;
    return ((first + place) % KLINES_KEPT) * COLUMNS;
  }
}

/** The klines of one price in every interval. */
export class KlineSet {
  readonly #series = new Map<Interval, KlineSeries>(INTERVAL_NAMES.map((name) => [name, new KlineSeries(name)]));

  of(interval: Interval): KlineSeries {
    return this.#series.get(interval)!;
  }

  all(): Iterable<KlineSeries> {
    return this.#series.values();
  }

  addPrice(time_ms: number, price: number): void {
    for (const series of this.#series.values()) series.addPrice(time_ms, price);
  }

  rollTo(time_ms: number): void {
    for (const series of this.#series.values()) series.rollTo(time_ms);
  }
}
