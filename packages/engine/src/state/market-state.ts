import { MAX_TICKS } from "../book/limits.ts";
import { OrderBook } from "../book/order-book.ts";
import type { OrderIndex } from "../book/order-index.ts";
import type { OrderPool } from "../book/order-pool.ts";
import { CONTRACT_PRICE, type MarketStatus, TRADING, type WorkingType } from "../contract/codes.ts";
import { maxNotionalAt } from "../rules/brackets.ts";
import type { Market } from "../rules/market.ts";
import { worstTicks } from "../rules/notional.ts";
import { BUY, SELL } from "../side.ts";
import { TriggerQueues } from "./conditionals.ts";

/** One market: its definition, its book, its prices and the entries of accounts in it. */
export class MarketState {
  readonly number: number;
  readonly definition: Market;
  readonly book: OrderBook;
  /** At the default leverage. */
  readonly defaultMaxNotional_micros: number;
  status: MarketStatus = TRADING;
  /** The prices and values derived from them; 0 before the first price. */
  markTicks = 0;
  indexTicks = 0;
  /** FUT-2: the highest price of a buy and the lowest of a sell. */
  readonly bandTicks: [buy: number, sell: number] = [0, 0];
  /** FUT-4: the worst prices of a market order. */
  readonly boundTicks: [buy: number, sell: number] = [0, 0];
  /** The last trade; 0 before the first. */
  lastTicks = 0;
  /** Trades so far; also the id of the last. */
  trades = 0;
  /** The last hour that was settled, in hours since 1970. */
  fundingHour = -1;
  /** All entries in this market, in the order in which they were made. */
  readonly positions: number[] = [];
  /** By working type. */
  readonly triggers: readonly [TriggerQueues, TriggerQueues] = [new TriggerQueues(), new TriggerQueues()];
  /** A typed array, because a field would be boxed when the sum exceeds 32 bits. */
  readonly #openInterest = new Float64Array(1);

  constructor(number: number, definition: Market, pool: OrderPool, index: OrderIndex) {
    this.number = number;
    this.definition = definition;
    this.book = new OrderBook(number, pool, index);
    this.defaultMaxNotional_micros = maxNotionalAt(definition.brackets, definition.defaultLeverage);
  }

  setPrices(indexTicks: number, markTicks: number): void {
    const { percentPrice_e8, marketBound_e8 } = this.definition;
    this.indexTicks = indexTicks;
    this.markTicks = markTicks;
    for (const side of [BUY, SELL]) {
      this.bandTicks[side] = worstTicks(side, markTicks, percentPrice_e8);
      this.boundTicks[side] = Math.min(MAX_TICKS, worstTicks(side, markTicks, marketBound_e8));
    }
  }

  /** The lots of all long positions, which equal those of all short ones. */
  get openInterestLots(): number {
    return this.#openInterest[0]!;
  }

  addOpenInterest(lots: number): void {
    this.#openInterest[0]! += lots;
  }

  /** Open interest and all lots that rest in the book. */
  get totalLots(): number {
    return this.#openInterest[0]! + this.book.bids.lots + this.book.asks.lots;
  }

  /** The price that a trigger watches; 0 before there is one. */
  workingTicks(type: WorkingType): number {
    return type === CONTRACT_PRICE && this.lastTicks !== 0 ? this.lastTicks : this.markTicks;
  }
}
