import { BUY, type Engine, type EventOf, SELL, type Side } from "@bourse/engine";
import { MINUTE_ms } from "../../kernel/dates.ts";
import { type Kline, KlineSet } from "./kline-series.ts";
import { Ring } from "./ring.ts";

export type MarketState = Engine["state"]["markets"][number];

export interface Trade {
  readonly id: number;
  readonly ticks: number;
  readonly lots: number;
  readonly quote_micros: number;
  readonly time_ms: number;
  readonly isBuyerMaker: boolean;
}

/**
 * The trades of one taking order at one price within a command. Its id is that of the first trade: rising, with gaps.
 */
export interface AggTrade {
  readonly id: number;
  readonly ticks: number;
  readonly lots: number;
  readonly firstTrade: number;
  readonly lastTrade: number;
  readonly time_ms: number;
  readonly isBuyerMaker: boolean;
}

export interface Ticker {
  readonly open_ms: number;
  readonly close_ms: number;
  readonly openTicks: number;
  readonly highTicks: number;
  readonly lowTicks: number;
  readonly lastTicks: number;
  readonly lastLots: number;
  readonly lots: number;
  readonly quote_micros: number;
  readonly trades: number;
  readonly firstTrade: number;
  readonly lastTrade: number;
}

/** A price level; 0 lots mean that it no longer exists. */
export type Level = readonly [ticks: number, lots: number];

export interface Depth {
  readonly updateId: number;
  /** When the book last changed. */
  readonly time_ms: number;
  /** Best first. */
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Side and price of a level in one number. */
export const levelKey = (side: number, ticks: number) => ticks * 2 + side;
const sideOfKey = (key: number) => (key % 2) as Side;
const ticksOfKey = (key: number) => Math.floor(key / 2);

export const TRADES_KEPT = 1_000;
const TICKER_MINUTES = 1_440;
/** The largest depth that can be requested. */
const MAX_LEVELS = 1_000;

/** Public data of one market that the engine does not keep: book updates, trades, klines, tickers, funding. */
export class MarketBoard {
  readonly market: MarketState;
  readonly trades = new Ring<Trade>(TRADES_KEPT);
  readonly aggTrades = new Ring<AggTrade>(TRADES_KEPT);
  readonly klines = new KlineSet();
  readonly markKlines = new KlineSet();
  readonly indexKlines = new KlineSet();
  /** (mark − index) / index, in 1e-8. */
  readonly premiumKlines = new KlineSet();
  /** The number of the last command that changed the book, so it rises over a restart too. */
  updateId: number;
  bookChanged_ms: number;
  /** The last settled rate and its time; 0 before the first settlement. */
  lastFunding_e8 = 0;
  lastFunding_ms = 0;
  priceSet_ms = 0;
  lastLots = 0;
  readonly #levelTicks = new Int32Array(MAX_LEVELS);
  readonly #levelLots = new Float64Array(MAX_LEVELS);

  constructor(market: MarketState, updateId: number, time_ms: number) {
    this.market = market;
    this.updateId = updateId;
    this.bookChanged_ms = time_ms;
  }

  get symbol(): string {
    return this.market.definition.symbol;
  }

  addTrade(trade: Trade): void {
    this.trades.push(trade);
    this.lastLots = trade.lots;
    const { time_ms, ticks, lots, quote_micros, isBuyerMaker, id } = trade;
    for (const series of this.klines.all()) series.addTrade(time_ms, ticks, lots, quote_micros, !isBuyerMaker, id);
  }

  setPrice({ indexTicks, markTicks }: EventOf<"price_set">, time_ms: number): void {
    this.priceSet_ms = time_ms;
    this.markKlines.addPrice(time_ms, markTicks);
    this.indexKlines.addPrice(time_ms, indexTicks);
    this.premiumKlines.addPrice(time_ms, Math.round(((markTicks - indexTicks) * 1e8) / indexTicks));
  }

  rollTo(time_ms: number): void {
    for (const set of [this.klines, this.markKlines, this.indexKlines, this.premiumKlines]) set.rollTo(time_ms);
  }

  depth(limit: number): Depth {
    const { updateId, bookChanged_ms } = this;
    return { updateId, time_ms: bookChanged_ms, bids: this.#levels(BUY, limit), asks: this.#levels(SELL, limit) };
  }

  /** The present levels of these keys. */
  levelsOf(keys: Iterable<number>): { bids: Level[]; asks: Level[] } {
    const sides: [Level[], Level[]] = [[], []];
    for (const key of keys) {
      const side = sideOfKey(key);
      const ticks = ticksOfKey(key);
      sides[side].push([ticks, this.market.book.lotsAt(side, ticks)]);
    }
    return { bids: sides[BUY], asks: sides[SELL] };
  }

  /** The last 24 hours in whole minutes; undefined before the first trade. */
  ticker(now_ms: number): Ticker | undefined {
    const minutes = this.klines.of("1m");
    minutes.rollTo(now_ms);
    const { count } = minutes;
    const { lastTicks } = this.market;
    if (count === 0 || lastTicks === 0) return undefined;
    const newest = minutes.get(count - 1);
    const rows = minutes.read({ start_ms: newest.open_ms - (TICKER_MINUTES - 1) * MINUTE_ms, limit: TICKER_MINUTES });
    const sums = { ...sumOf(rows), ...this.#tradesOf(rows) };
    const { lastLots } = this;
    return { ...sums, open_ms: rows[0]!.open_ms, close_ms: now_ms, lastTicks, lastLots };
  }

  /**
   * The first and last trade of some klines. Klines from the database have no trade ids; then the ids are counted back.
   */
  #tradesOf(rows: readonly Kline[]): { readonly firstTrade: number; readonly lastTrade: number } {
    const traded = rows.filter(({ trades }) => trades > 0);
    const lastTrade = traded.length === 0 ? 0 : traded.at(-1)!.lastTrade || (this.trades.newest?.id ?? 0);
    if (lastTrade === 0) return { firstTrade: 0, lastTrade };
    const count = traded.reduce((sum, { trades }) => sum + trades, 0);
    const areKnown = traded.every(({ firstTrade }) => firstTrade !== 0);
    return { firstTrade: areKnown ? traded[0]!.firstTrade : Math.max(1, lastTrade - count + 1), lastTrade };
  }

  #levels(side: Side, limit: number): Level[] {
    const room = Math.min(limit, MAX_LEVELS);
    const ticks = this.#levelTicks.subarray(0, room);
    const lots = this.#levelLots.subarray(0, room);
    const count = this.market.book.readDepth(side, ticks, lots);
    return Array.from({ length: count }, (_, place): Level => [ticks[place]!, lots[place]!]);
  }
}

function sumOf(rows: readonly Kline[]) {
  const sums = {
    openTicks: rows[0]!.open,
    highTicks: rows[0]!.high,
    lowTicks: rows[0]!.low,
    lots: 0,
    quote_micros: 0,
    trades: 0,
  };
  for (const row of rows) {
    sums.highTicks = Math.max(sums.highTicks, row.high);
    sums.lowTicks = Math.min(sums.lowTicks, row.low);
    sums.lots += row.lots;
    sums.quote_micros += row.quote_micros;
    sums.trades += row.trades;
  }
  return sums;
}
