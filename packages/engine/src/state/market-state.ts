import { MAX_TICKS } from "../book/limits.ts";
import { OrderBook } from "../book/order-book.ts";
import type { OrderIndex } from "../book/order-index.ts";
import type { OrderPool } from "../book/order-pool.ts";
import { CONTRACT_PRICE, type MarketStatus, TRADING, type WorkingType } from "../contract/codes.ts";
import { maxNotionalAt } from "../rules/brackets.ts";
import type { Market } from "../rules/market.ts";
import { defaultRules, type MarketRules } from "../rules/market-rules.ts";
import { worstTicks } from "../rules/notional.ts";
import { BUY, SELL } from "../side.ts";
import { type Conditional, TriggerQueues } from "./conditionals.ts";
import { FundInMarket } from "./fund-record.ts";
import { IndexWindow } from "./index-window.ts";

/** One market: its definition, its book, its prices and the entries of accounts in it. */
export class MarketState {
  readonly number: number;
  readonly definition: Market;
  readonly book: OrderBook;
  /** At the default leverage. */
  readonly defaultMaxNotional_micros: number;
  /** Hold from rules version 5 on. */
  rules: MarketRules;
  /** Whether they hold. */
  isFair: boolean;
  status: MarketStatus = TRADING;
  /** The prices and values derived from them; 0 before the first price. */
  markTicks = 0;
  indexTicks = 0;
  /** FUT-2: the highest price of a buy and the lowest of a sell. */
  readonly bandTicks: [buy: number, sell: number] = [0, 0];
  /** FUT-4: the worst prices of a market order. */
  readonly boundTicks: [buy: number, sell: number] = [0, 0];
  /** FUT-8: the worst prices of a market order that a trigger produced. */
  readonly triggeredTicks: [buy: number, sell: number] = [0, 0];
  /** BON-7, FUT-15: the highest and the lowest fair price. Before version 5 all are. */
  readonly fairTicks: [highest: number, lowest: number] = [MAX_TICKS, 0];
  /** FUT-8: the highest and the lowest last price that triggers see. Before version 5 they see all. */
  readonly #watchedTicks: [highest: number, lowest: number] = [MAX_TICKS, 0];
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
  /** FUT-8: conditional orders that have fired and are armed again, by id. Each price tries them. */
  rearmed: readonly Conditional[] = [];
  readonly indexWindow = new IndexWindow();
  readonly fund = new FundInMarket();
  /** In a rehearsal: lots that rest in the live book and were not copied. */
  restingElsewhere = 0;
  /** A typed array, because a field would be boxed when the sum exceeds 32 bits. */
  readonly #openInterest = new Float64Array(1);

  constructor(number: number, definition: Market, pool: OrderPool, index: OrderIndex, isFair: boolean) {
    this.number = number;
    this.definition = definition;
    this.rules = definition.rules ?? defaultRules(definition.brackets);
    this.isFair = isFair;
    this.book = new OrderBook(number, pool, index);
    this.defaultMaxNotional_micros = maxNotionalAt(definition.brackets, definition.defaultLeverage);
  }

  setPrices(indexTicks: number, markTicks: number): void {
    this.indexTicks = indexTicks;
    this.markTicks = markTicks;
    this.#setBounds();
  }

  /** The rules, or whether they hold, have changed. */
  setRules(rules: MarketRules, isFair: boolean): void {
    this.rules = rules;
    this.isFair = isFair;
    if (this.markTicks !== 0) this.#setBounds();
  }

  /** FUT-2. */
  get band_e8(): number {
    return this.isFair ? this.rules.priceBand_e8 : this.definition.percentPrice_e8;
  }

  /** FUT-4. */
  get bound_e8(): number {
    return this.isFair ? this.rules.marketBound_e8 : this.definition.marketBound_e8;
  }

  #setBounds(): void {
    const { markTicks, rules, band_e8, bound_e8 } = this;
    for (const side of [BUY, SELL]) {
      this.bandTicks[side] = worstTicks(side, markTicks, band_e8);
      this.boundTicks[side] = Math.min(MAX_TICKS, worstTicks(side, markTicks, bound_e8));
      this.triggeredTicks[side] = this.boundTicks[side];
      if (!this.isFair) continue;
      this.triggeredTicks[side] = Math.min(MAX_TICKS, worstTicks(side, markTicks, rules.triggeredBound_e8));
      this.fairTicks[side] = worstTicks(side, markTicks, rules.fairBound_e8);
      this.#watchedTicks[side] = worstTicks(side, markTicks, rules.triggerClamp_e8);
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
    return this.#openInterest[0]! + this.book.bids.lots + this.book.asks.lots + this.restingElsewhere;
  }

  /** The price that a trigger watches; 0 before there is one. */
  workingTicks(type: WorkingType): number {
    if (type !== CONTRACT_PRICE || this.lastTicks === 0) return this.markTicks;
    const watched = this.#watchedTicks;
    return Math.min(Math.max(this.lastTicks, watched[SELL]), watched[BUY]);
  }
}
