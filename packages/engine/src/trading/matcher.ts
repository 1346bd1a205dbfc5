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
import { FUND_ACCOUNT } from "../contract/codes.ts";
import { CAUSES } from "../contract/events.ts";
import { REASON } from "../contract/reasons.ts";
import { BUY, SELL } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_HAS_CHILDREN, selfTradePreventionOf, timeInForceOf } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import type { ConditionalDesk } from "./conditional-desk.ts";
import { EXPIRED_IN_MATCH_STATUS, EXPIRED_STATUS, type OpenOrders } from "./open-orders.ts";
import { MAKER, type Settlement, signedLots, TAKER, TRADE_VALUE } from "./settlement.ts";
import type { Tiers } from "./tiers.ts";

const TRADE = CAUSES.indexOf("trade");
const BONUS_EXPIRY = CAUSES.indexOf("bonus_expiry");

const EXECUTED_LOTS = 0;
const EXECUTED_QUOTE = 1;

const SELF_TRADE = REASON.self_trade;
const INSOLVENT = REASON.insolvent;
const TIME_IN_FORCE = REASON.time_in_force;
const OFF_MARKET = REASON.off_market;
const HOUR_ms = 3_600_000;

/** Matches orders with the book and settles the fills (sections 4 and 5 of the rules). */
export class Matcher implements MatchListener {
  readonly #state: State;
  readonly #settlement: Settlement;
  readonly #orders: OpenOrders;
  readonly #conditionals: ConditionalDesk;
  readonly #tiers: Tiers;
  readonly #executed = new Float64Array(2);
  #market!: MarketState;
  #cause = TRADE;
  /**
   * False for orders of liquidations and of the fund: they pay no trading fee, add no volume and skip the solvency
   * check.
   */
  #isOrdinary = true;
  /** BON-7, VLT-3: whether the prices of the trade that was judged last have to be looked at. */
  #hasBonus = false;
  /** Why the last verdict was not MAY_FILL. */
  #reason = INSOLVENT;

  constructor(state: State, settlement: Settlement, orders: OpenOrders, conditionals: ConditionalDesk, tiers: Tiers) {
    this.#state = state;
    this.#settlement = settlement;
    this.#orders = orders;
    this.#conditionals = conditionals;
    this.#tiers = tiers;
  }

  /** The total executed lots of the order submitted last. */
  get executedLots(): number {
    return this.#executed[EXECUTED_LOTS]!;
  }

  get executedQuote_micros(): number {
    return this.#executed[EXECUTED_QUOTE]!;
  }

  /** Matches the order in a slot that no book contains; then its remaining lots rest or end. */
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
    else if (outcome === STOPPED) this.#orders.closed(slot, EXPIRED_STATUS, this.#reason);
    else this.#orders.closed(slot, EXPIRED_STATUS, TIME_IN_FORCE);
    pool.release(slot);
  }

  judge(taker: number, maker: number, ticks: number, lots: number): FillVerdict {
    const { pool, accounts } = this.#state;
    const settlement = this.#settlement;
    const market = this.#market;
    const takerAccount = pool.account(taker);
    const makerAccount = pool.account(maker);
    const side = pool.side(taker);
    settlement.priceTrade(market, ticks, lots, takerAccount, makerAccount, this.#isOrdinary);
    const makerLots = signedLots(side ^ 1, lots);
    this.#hasBonus = market.isFair && (accounts.bonus(takerAccount) > 0 || accounts.bonus(makerAccount) > 0);
    if (settlement.isInsolventAfter(market, pool.position(maker), makerLots, ticks, MAKER, false)) {
      this.#reason = INSOLVENT;
      return DROP_MAKER;
    }
    if (this.#hasBonus && settlement.isUnfairAfter(market, pool.position(maker), makerLots, ticks)) {
      this.#reason = OFF_MARKET;
      return DROP_MAKER;
    }
    if (!this.#isOrdinary) return MAY_FILL;
    const isSelfTrade = takerAccount === makerAccount;
    const isStopped = settlement.isInsolventAfter(market, pool.position(taker), -makerLots, ticks, TAKER, isSelfTrade);
    if (isStopped) {
      this.#reason = INSOLVENT;
      return STOP_TAKER;
    }
    const isAsked = this.#hasBonus && this.#cause === TRADE;
    if (!isAsked || !settlement.isUnfairAfter(market, pool.position(taker), -makerLots, ticks)) return MAY_FILL;
    this.#reason = OFF_MARKET;
    return STOP_TAKER;
  }

  filled(taker: number, maker: number, ticks: number, lots: number): void {
    const state = this.#state;
    const { pool } = state;
    const market = this.#market;
    const orders = this.#orders;
    const value = this.#settlement.figures[TRADE_VALUE]!;
    const isSelfTrade = pool.account(taker) === pool.account(maker);
    market.trades += 1;
    this.#setLast(market, ticks);
    pool.addQuote(taker, value);
    pool.addQuote(maker, value);
    orders.hold(maker, -lots);
    state.details.updated(maker);
    if (this.#hasBonus && !isSelfTrade && ticks !== market.markTicks) this.#holdGain(taker, maker, ticks, lots);
    this.#settle(taker, ticks, lots, TAKER, this.#cause, isSelfTrade);
    this.#settle(maker, ticks, lots, MAKER, TRADE, isSelfTrade);
    if (pool.remainingLots(maker) === 0) {
      orders.unlink(maker);
      orders.forgetName(maker);
    }
    const { positions } = state;
    if (positions.reduceOnlyLots(pool.position(taker)) > 0) orders.trimReduceOnly(pool.position(taker));
    if (positions.reduceOnlyLots(pool.position(maker)) > 0) orders.trimReduceOnly(pool.position(maker));
    if ((pool.flags(taker) & ORDER_HAS_CHILDREN) !== 0) this.#wake(taker, lots);
    if ((pool.flags(maker) & ORDER_HAS_CHILDREN) !== 0) this.#wake(maker, lots);
  }

  /** VLT-3: the advantage against the mark, where the other side has a bonus. */
  #holdGain(taker: number, maker: number, ticks: number, lots: number): void {
    const { pool, accounts, fairness, time_ms } = this.#state;
    const { markTicks, definition } = this.#market;
    const gains = ticks > markTicks ? SELL : BUY;
    const isTaker = pool.side(taker) === gains;
    const winner = pool.account(isTaker ? taker : maker);
    if (accounts.bonus(pool.account(isTaker ? maker : taker)) === 0 || winner === FUND_ACCOUNT) return;
    const gain = Math.abs(ticks - markTicks) * lots * definition.unit_micros;
    fairness.hold(winner, Math.floor(time_ms / HOUR_ms), gain);
  }

  makerExpired(_taker: number, maker: number): void {
    this.#orders.release(maker);
    this.#orders.closed(maker, EXPIRED_IN_MATCH_STATUS, SELF_TRADE);
  }

  makerDropped(_taker: number, maker: number): void {
    this.#orders.release(maker);
    this.#orders.closed(maker, EXPIRED_STATUS, this.#reason);
  }

  #settle(slot: number, ticks: number, lots: number, side: number, cause: number, isSelfTrade: boolean): void {
    const { pool, events } = this.#state;
    const market = this.#market;
    const account = pool.account(slot);
    const orderLots = pool.originalLots(slot);
    const executed = orderLots - pool.remainingLots(slot);
    const bookSide = pool.side(slot);
    const isOffMarket = ticks > market.fairTicks[BUY] || ticks < market.fairTicks[SELL];
    const mark = market.isFair ? market.markTicks : 0;
    events.fillTrade(market.trades, market.number, cause, ticks, lots, isSelfTrade ? 1 : 0, mark, isOffMarket ? 1 : 0);
    events.fillOrder(account, pool.id(slot), bookSide, side, orderLots, executed);
    this.#settlement.settle(market, pool.position(slot), slot, signedLots(bookSide, lots), ticks, side);
    const isCounted = !isSelfTrade && !isOffMarket && (side === MAKER || this.#isOrdinary);
    if (isCounted) this.#tiers.addVolume(account, this.#settlement.figures, TRADE_VALUE);
  }

  /** An order's first fill wakes its attached orders. */
  #wake(slot: number, lots: number): void {
    const { pool } = this.#state;
    const executed = pool.originalLots(slot) - pool.remainingLots(slot);
    if (executed === lots) this.#conditionals.wakeChildren(pool.id(slot));
  }

  #setLast(market: MarketState, ticks: number): void {
    market.lastTicks = ticks;
    this.#state.moved.addOnce(market);
  }
}
