import {
  DROP_MAKER,
  EXPIRED_IN_MATCH,
  FILLED,
  type FillVerdict,
  MAY_FILL,
  RESTING,
  type SelfTradePrevention,
  STOP_TAKER,
  STOPPED,
  type TimeInForce,
} from "../book/codes.ts";
import { type MatchListener, submitOrder } from "../book/matching.ts";
import { CAUSES } from "../contract/events.ts";
import { REASON } from "../contract/reasons.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_CHILDREN, selfTradePreventionOf, timeInForceOf } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import type { ConditionalDesk } from "./conditional-desk.ts";
import { EXPIRED_IN_MATCH_STATUS, EXPIRED_STATUS, type OpenOrders } from "./open-orders.ts";
import { type Settlement, signedLots } from "./settlement.ts";
import type { Tiers } from "./tiers.ts";

const TRADE = CAUSES.indexOf("trade");
const BONUS_EXPIRY = CAUSES.indexOf("bonus_expiry");

const EXECUTED_LOTS = 0;
const EXECUTED_QUOTE = 1;

const SELF_TRADE = REASON.self_trade;
const INSOLVENT = REASON.insolvent;
const TIME_IN_FORCE = REASON.time_in_force;

/** Lets an order meet the book, and settles what comes of it (sections 4 and 5 of the rules). */
export class Matcher implements MatchListener {
  readonly #state: State;
  readonly #settlement: Settlement;
  readonly #orders: OpenOrders;
  readonly #conditionals: ConditionalDesk;
  readonly #tiers: Tiers;
  readonly #executed = new Float64Array(2);
  #market!: MarketState;
  #cause = TRADE;
  /** Liquidations and the fund pay no trading fee, make no volume and are not asked whether they can afford a fill. */
  #isOrdinary = true;

  constructor(state: State, settlement: Settlement, orders: OpenOrders, conditionals: ConditionalDesk, tiers: Tiers) {
    this.#state = state;
    this.#settlement = settlement;
    this.#orders = orders;
    this.#conditionals = conditionals;
    this.#tiers = tiers;
  }

  /** What the order submitted last has executed in all. */
  get executedLots(): number {
    return this.#executed[EXECUTED_LOTS]!;
  }

  get executedQuote_micros(): number {
    return this.#executed[EXECUTED_QUOTE]!;
  }

  /** The order in a slot, which is in no book: matches it, then lets the rest of it rest or end. */
  submit(market: MarketState, slot: number, cause: number): void {
    const { pool } = this.#state;
    this.#market = market;
    this.#cause = cause;
    this.#isOrdinary = cause === TRADE || cause === BONUS_EXPIRY;
    const flags = pool.flags(slot);
    const timeInForce = timeInForceOf(flags) as TimeInForce;
    const outcome = submitOrder(
      market.book,
      slot,
      timeInForce,
      selfTradePreventionOf(flags) as SelfTradePrevention,
      this,
    );
    this.#executed[EXECUTED_LOTS] = pool.originalLots(slot) - pool.remainingLots(slot);
    this.#executed[EXECUTED_QUOTE] = pool.quote_micros(slot);
    if (outcome === RESTING) {
      this.#orders.add(slot);
      return;
    }
    if (outcome === FILLED) this.#orders.forgetName(slot);
    else if (outcome === EXPIRED_IN_MATCH) this.#orders.closed(slot, EXPIRED_IN_MATCH_STATUS, SELF_TRADE);
    else if (outcome === STOPPED) this.#orders.closed(slot, EXPIRED_STATUS, INSOLVENT);
    else this.#orders.closed(slot, EXPIRED_STATUS, TIME_IN_FORCE);
    pool.release(slot);
  }

  judge(taker: number, maker: number, ticks: number, lots: number): FillVerdict {
    if (this.#isInsolvent(maker, ticks, lots, true)) return DROP_MAKER;
    return this.#isOrdinary && this.#isInsolvent(taker, ticks, lots, false) ? STOP_TAKER : MAY_FILL;
  }

  filled(taker: number, maker: number, ticks: number, lots: number): void {
    const state = this.#state;
    const { pool, events } = state;
    const market = this.#market;
    const value = ticks * lots * market.terms.unit_micros;
    const isSelfTrade = pool.account(taker) === pool.account(maker);
    market.trades += 1;
    this.#setLast(market, ticks);
    pool.addQuote(taker, value);
    pool.addQuote(maker, value);
    this.#orders.hold(maker, -lots);
    state.details.updated(maker, state.time_ms);
    events.fillTrade(market.trades, market.number, this.#cause, ticks, lots, isSelfTrade ? 1 : 0);
    this.#settle(taker, ticks, lots, value, false, isSelfTrade);
    events.fillTrade(market.trades, market.number, TRADE, ticks, lots, isSelfTrade ? 1 : 0);
    this.#settle(maker, ticks, lots, value, true, isSelfTrade);
    if (pool.remainingLots(maker) === 0) {
      this.#orders.unlink(maker);
      this.#orders.forgetName(maker);
    }
    this.#orders.trimReduceOnly(pool.position(taker));
    this.#orders.trimReduceOnly(pool.position(maker));
    this.#wake(taker, lots);
    this.#wake(maker, lots);
  }

  makerExpired(_taker: number, maker: number): void {
    this.#orders.release(maker);
    this.#orders.closed(maker, EXPIRED_IN_MATCH_STATUS, SELF_TRADE);
  }

  makerDropped(_taker: number, maker: number): void {
    this.#orders.release(maker);
    this.#orders.closed(maker, EXPIRED_STATUS, INSOLVENT);
  }

  #settle(slot: number, ticks: number, lots: number, value: number, isMaker: boolean, isSelfTrade: boolean): void {
    const { pool, events } = this.#state;
    const account = pool.account(slot);
    const side = pool.side(slot);
    const orderLots = pool.originalLots(slot);
    const executed = orderLots - pool.remainingLots(slot);
    const isCharged = isMaker || this.#isOrdinary;
    const fee = isCharged ? this.#settlement.feeOf(account, isMaker, value) : 0;
    events.fillOrder(account, pool.id(slot), side, isMaker ? 1 : 0, orderLots, executed, pool.quote_micros(slot));
    this.#settlement.settle(this.#market, pool.position(slot), account, signedLots(side, lots), ticks, fee);
    if (isCharged && !isSelfTrade) this.#tiers.addVolume(account, value);
  }

  #isInsolvent(slot: number, ticks: number, lots: number, isMaker: boolean): boolean {
    const { pool } = this.#state;
    const signed = signedLots(pool.side(slot), lots);
    const account = pool.account(slot);
    return this.#settlement.isInsolventAfter(this.#market, pool.position(slot), account, signed, ticks, isMaker);
  }

  /** An order's first fill wakes what is attached to it. */
  #wake(slot: number, lots: number): void {
    const { pool } = this.#state;
    if ((pool.flags(slot) & ORDER_HAS_CHILDREN) === 0) return;
    const executed = pool.originalLots(slot) - pool.remainingLots(slot);
    if (executed === lots) this.#conditionals.wakeChildren(pool.id(slot));
  }

  #setLast(market: MarketState, ticks: number): void {
    market.lastTicks = ticks;
    if (!this.#state.moved.includes(market)) this.#state.moved.push(market);
  }
}
