import { GTC, GTX } from "../book/codes.ts";
import { MAX_LOTS } from "../book/limits.ts";
import { NO_SLOT } from "../book/order-pool.ts";
import { NO_TICKS } from "../book/price-levels.ts";
import { CONTRACT_PRICE, CROSS, HALTED, LIMIT, MARKET, REDUCE_ONLY } from "../contract/codes.ts";
import { REASON } from "../contract/reasons.ts";
import { ceilDiv } from "../integers.ts";
import { type AccountMargin, valueAtMark, worstNotional } from "../risk/account-margin.ts";
import { fundEquity } from "../risk/fund-equity.ts";
import { isRefusedByBonusRatio } from "../rules/bonus.ts";
import { allowsOnlyReducing, BONUS_STATES } from "../rules/bonus-states.ts";
import { maxNotionalAt } from "../rules/brackets.ts";
import { lotsForQuote } from "../rules/notional.ts";
import { estimatedSlippage_e8, exceedsMaxSlippage } from "../rules/slippage.ts";
import { BUY, SELL, type Side } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import type { OrderRequest } from "./order-request.ts";
import { matchedTicks } from "./price-match.ts";
import { signedLots } from "./settlement.ts";

const OK = 0;
const {
  market_halted: MARKET_HALTED,
  no_price: NO_PRICE,
  lot_size: LOT_SIZE,
  price_above_band: PRICE_ABOVE_BAND,
  price_below_band: PRICE_BELOW_BAND,
  min_notional: MIN_NOTIONAL,
  max_notional: MAX_NOTIONAL,
  reduce_only_rejected: REDUCE_ONLY_REJECTED,
  market_reduce_only: MARKET_REDUCE_ONLY,
  bonus_only_reducing: BONUS_ONLY_REDUCING,
  bonus_ratio: BONUS_RATIO,
  position_limit: POSITION_LIMIT,
  market_full: MARKET_FULL,
  bonus_price_above: BONUS_PRICE_ABOVE,
  bonus_price_below: BONUS_PRICE_BELOW,
  in_liquidation: IN_LIQUIDATION,
  margin_insufficient: MARGIN_INSUFFICIENT,
  too_many_orders: TOO_MANY_ORDERS,
  too_many_conditionals: TOO_MANY_CONDITIONALS,
  duplicate_client_id: DUPLICATE_CLIENT_ID,
  would_trigger: WOULD_TRIGGER,
  slippage_exceeded: SLIPPAGE_EXCEEDED,
  post_only_would_take: POST_ONLY_WOULD_TAKE,
  no_price_level: NO_PRICE_LEVEL,
} = REASON;

/** The largest value of a market at its mark price, and of any one order: one billion USDT. */
export const MARKET_LIMIT_micros = 1e15;
/** The largest value of all markets together. Checked only if a market exceeds an equal share of it. */
export const EXCHANGE_LIMIT_micros = 4e15;

/** FUT-10: the open interest of a market that needs no fund behind it. */
const FREE_INTEREST_micros = 1e12;

/** By index in BONUS_STATES. */
const ONLY_REDUCING: readonly boolean[] = BONUS_STATES.map(allowsOnlyReducing);

const FILLED_LOTS = 0;
const FILLED_TICK_LOTS = 1;
const ORDER_VALUE = 2;

/**
 * FUT-16: the checks of a new order, from the symbol on. Each returns a reason, 0 for none; the first that is not 0 is
 * the refusal. They change only the request: its lots if they are cut, and its limit.
 */
export class Admission {
  readonly #state: State;
  readonly #margin: AccountMargin;
  readonly #figures = new Float64Array(3);

  constructor(state: State, margin: AccountMargin) {
    this.#state = state;
    this.#margin = margin;
  }

  /** Of the last scan of the book: the lots that would match at once, and the sum of ticks × lots. */
  get filledLots(): number {
    return this.#figures[FILLED_LOTS]!;
  }

  get filledTickLots(): number {
    return this.#figures[FILLED_TICK_LOTS]!;
  }

  /** All checks of a new order. `isCounted` is false for orders that conditional orders produce. */
  check(request: OrderRequest, isCounted: boolean): number {
    this.#state.refuse(OK);
    const { market } = request;
    if (market.status === HALTED) return MARKET_HALTED;
    if (market.markTicks === 0) return NO_PRICE;
    if (request.priceMatch !== 0) request.ticks = matchedTicks(market.book, request.side, request.priceMatch);
    return (
      this.#checkFilters(request) ||
      this.#checkReducing(request) ||
      this.#checkExposure(request) ||
      (isCounted ? this.#checkCounts(request) : OK) ||
      this.#checkAttached(request) ||
      this.#checkBook(request)
    );
  }

  /**
   * The checks of a modified order; its hold has been released before. The notional bounds apply to its whole quantity,
   * all other checks to its remaining lots.
   */
  checkModified(request: OrderRequest, executedLots: number): number {
    this.#state.refuse(OK);
    const refusal = this.#checkFilters(request);
    if (refusal !== OK) return refusal;
    request.lots -= executedLots;
    return this.#checkReducing(request) || this.#checkExposure(request) || this.#checkBook(request);
  }

  /** Scans the lots that would match at once, whole levels in order of price, regardless of their owners. */
  scan(market: MarketState, side: Side, limitTicks: number, lots: number): void {
    const levels = market.book.levels[side ^ 1]!;
    const limitKey = levels.keyOf(limitTicks);
    let left = lots;
    let tickLots = 0;
    for (let key = levels.bestKey; key >= limitKey && left > 0; key = levels.keyBelow(key)) {
      const taken = Math.min(left, levels.lotsAt(key));
      tickLots += taken * levels.ticksOf(key);
      left -= taken;
    }
    this.#figures[FILLED_LOTS] = lots - left;
    this.#figures[FILLED_TICK_LOTS] = tickLots;
  }

  /** FUT-2, FUT-4, FUT-5. */
  #checkFilters(request: OrderRequest): number {
    const { market, side, type } = request;
    const { definition } = market;
    const unit = definition.unit_micros;
    const best = market.book.bestTicks((side ^ 1) as Side);
    const reference = best === NO_TICKS ? market.markTicks : best;
    if (request.quote_micros > 0) {
      // If one lot is worth more than any amount, the product would be out of range; it also exceeds this amount.
      const isTooDear = reference * unit > request.quote_micros;
      request.lots = isTooDear ? 0 : lotsForQuote(request.quote_micros, reference, unit);
    }
    if (request.lots === 0) return LOT_SIZE;
    if (type === LIMIT) {
      if (request.ticks === NO_TICKS) return NO_PRICE_LEVEL;
      const refusal = this.#checkBand(market, side, request.ticks);
      if (refusal !== OK) return refusal;
      request.limitTicks = request.ticks;
    } else {
      request.limitTicks = request.conditional === 0 ? market.boundTicks[side] : market.triggeredTicks[side];
    }
    if (request.isClosePosition) return OK;
    return this.#checkNotional(request, (type === LIMIT ? request.ticks : reference) * request.lots * unit);
  }

  #checkNotional(request: OrderRequest, notional: number): number {
    const { minNotional_micros: min, maxNotional_micros: max } = request.market.definition;
    if (!request.isReduceOnly) {
      if (notional < min) return this.#state.refuse(MIN_NOTIONAL, min, notional);
      if (notional > max) return this.#state.refuse(MAX_NOTIONAL, max, notional);
    }
    if (request.lots > MAX_LOTS) return this.#state.refuse(MAX_NOTIONAL, MAX_LOTS, request.lots);
    return notional > MARKET_LIMIT_micros ? this.#state.refuse(MAX_NOTIONAL, MARKET_LIMIT_micros, notional) : OK;
  }

  #checkBand(market: MarketState, side: Side, ticks: number): number {
    const bound = market.bandTicks[side];
    if (side === BUY) return ticks > bound ? this.#state.refuse(PRICE_ABOVE_BAND, bound, ticks) : OK;
    return ticks < bound ? this.#state.refuse(PRICE_BELOW_BAND, bound, ticks) : OK;
  }

  /** FUT-6, BON-8, BON-9, BON-10. */
  #checkReducing(request: OrderRequest): number {
    const { positions, accounts } = this.#state;
    const { account, position, side } = request;
    if (request.isReduceOnly) return this.#cutToPosition(request);
    const isOnlyReducing = ONLY_REDUCING[accounts.bonusState(account)]!;
    if (isOnlyReducing || request.market.status === REDUCE_ONLY) {
      if (!this.#isReducing(request))
        return request.market.status === REDUCE_ONLY ? MARKET_REDUCE_ONLY : BONUS_ONLY_REDUCING;
      // A modified order keeps its reduce-only flag.
      if (request.replacedSlot !== NO_SLOT) return OK;
      request.isReduceOnly = true;
      return this.#cutToPosition(request);
    }
    const bonus = accounts.bonus(account);
    if (bonus === 0) return OK;
    const isRefused = isRefusedByBonusRatio(
      bonus,
      accounts.principal(account),
      positions.lots(position),
      signedLots(side, request.lots),
      positions.openLots(position, side),
    );
    if (!isRefused) return OK;
    const held = Math.abs(positions.lots(position));
    return this.#state.refuse(BONUS_RATIO, held, request.lots + positions.openLots(position, side));
  }

  #cutToPosition(request: OrderRequest): number {
    const { positions } = this.#state;
    if (request.isClosePosition) return OK;
    const { position, side } = request;
    const left = Math.max(0, positions.lotsAgainst(position, side) - positions.reduceOnlyLots(position));
    if (left === 0) return this.#state.refuse(REDUCE_ONLY_REJECTED, 0, request.lots);
    request.lots = Math.min(request.lots, left);
    return OK;
  }

  #isReducing(request: OrderRequest): boolean {
    if (request.isReduceOnly) return true;
    const { positions } = this.#state;
    const { position, side } = request;
    const against = positions.lotsAgainst(position, side);
    return against > 0 && request.lots + positions.openLots(position, side) <= against;
  }

  /** FUT-9, FUT-10: position limit, market limit and margin, for every order that adds exposure. */
  #checkExposure(request: OrderRequest): number {
    if (this.#isReducing(request)) return OK;
    const { positions } = this.#state;
    const { market, position, side, lots } = request;
    const unit = market.definition.unit_micros;
    const isNew = position === NO_POSITION;
    const unfair = market.isFair && this.#state.accounts.bonus(request.account) > 0 ? this.#checkFair(request) : OK;
    if (unfair !== OK) return unfair;
    this.#computeValue(request);
    const order = this.#figures[ORDER_VALUE]!;
    const held = valueAtMark(market, positions.lots(position));
    const buys = positions.openValue(position, BUY) + (side === BUY ? order : 0);
    const sells = positions.openValue(position, SELL) + (side === SELL ? order : 0);
    const worst = worstNotional(held, buys, sells);
    // Adding 0 keeps both branches plain doubles; else the compiler would box the second to match a call's result.
    const max = isNew ? this.#maxNotionalOfNew(request) + 0 : positions.maxNotional(position);
    if (worst > max) return this.#state.refuse(POSITION_LIMIT, max, worst);
    const { replacedSlot } = request;
    const replaced = replacedSlot === NO_SLOT ? 0 : this.#state.pool.remainingLots(replacedSlot);
    const total = (market.totalLots - replaced + lots) * market.markTicks * unit;
    if (total > MARKET_LIMIT_micros) return this.#state.refuse(MARKET_FULL, MARKET_LIMIT_micros, total);
    const full = market.isFair ? this.#checkOpenInterest(market, lots) : OK;
    if (full !== OK) return full;
    const { markets } = this.#state;
    if (total * markets.length > EXCHANGE_LIMIT_micros) {
      const all = this.#totalOfOthers(market) + total;
      if (all > EXCHANGE_LIMIT_micros) return this.#state.refuse(MARKET_FULL, EXCHANGE_LIMIT_micros, all);
    }
    const margin = this.#margin;
    const isCross = positions.mode(position) === CROSS;
    margin.compute(request.account);
    // The rise of this entry's initial margin; what an isolated position holds already is in neither of the two.
    const leverage = isNew ? this.leverageOfNew(request) : positions.leverage(position);
    const own = isCross ? 0 : Math.abs(held);
    const worstBefore = worstNotional(held, positions.openValue(position, BUY), positions.openValue(position, SELL));
    const rise = ceilDiv(worst - own, leverage) - ceilDiv(worstBefore - own, leverage);
    const atMark = lots * market.markTicks * unit;
    const openLoss = Math.max(0, side === BUY ? order - atMark : atMark - order);
    // Principal alone pays for an isolated position: neither bonus nor open profits can be moved into it.
    const principal = this.#state.accounts.principal(request.account);
    const funds = isCross ? margin.balance_micros : principal + Math.min(0, margin.unrealised_micros);
    const available = funds - margin.initial_micros;
    if (available - rise - openLoss >= 0) return OK;
    margin.computeAll(request.account);
    const isInLiquidation = margin.maintenance_micros > 0 && margin.maintenance_micros >= margin.balance_micros;
    return this.#state.refuse(isInLiquidation ? IN_LIQUIDATION : MARGIN_INSUFFICIENT, available, rise + openLoss);
  }

  /** BON-8: with a bonus, which the account has, nothing is opened at a price worse than fair. */
  #checkFair(request: OrderRequest): number {
    const { market, side, ticks } = request;
    const fair = market.fairTicks[side];
    const isWorse = side === BUY ? request.limitTicks > fair : request.limitTicks < fair;
    if (!isWorse) return OK;
    if (request.type === LIMIT) {
      return this.#state.refuse(side === BUY ? BONUS_PRICE_ABOVE : BONUS_PRICE_BELOW, fair, ticks);
    }
    request.limitTicks = fair;
    return OK;
  }

  /** FUT-10: open interest stays within what the fund can stand behind. */
  #checkOpenInterest(market: MarketState, lots: number): number {
    const open = (market.openInterestLots + lots) * market.markTicks * market.definition.unit_micros;
    if (open <= FREE_INTEREST_micros) return OK;
    const byFund = Math.min(MARKET_LIMIT_micros, fundEquity(this.#state) * market.rules.openInterestFactor);
    const limit = Math.max(FREE_INTEREST_micros, byFund);
    return open > limit ? this.#state.refuse(MARKET_FULL, limit, open) : OK;
  }

  /** The value of the other markets, open interest and resting orders, at their mark prices. */
  #totalOfOthers(market: MarketState): number {
    let sum = 0;
    for (const other of this.#state.markets) {
      if (other !== market) sum += other.totalLots * other.markTicks * other.definition.unit_micros;
    }
    return sum;
  }

  /** The leverage of an entry that does not exist yet: the market's default, at most the grant's. */
  leverageOfNew(request: OrderRequest): number {
    return leverageOfNewEntry(this.#state, request.account, request.market);
  }

  #maxNotionalOfNew(request: OrderRequest): number {
    return maxNotionalOfNewEntry(request.market, this.leverageOfNew(request));
  }

  /**
   * Lots that would match at once at the prices of the book, the rest at the limit price; for a MARKET order at the
   * mark price.
   */
  #computeValue(request: OrderRequest): void {
    const { market, side, lots, limitTicks } = request;
    const unit = market.definition.unit_micros;
    const restTicks = request.type === MARKET ? market.markTicks : limitTicks;
    if (market.book.levels[side ^ 1]!.isMetAt(limitTicks)) {
      this.scan(market, side, limitTicks, lots);
      this.#figures[ORDER_VALUE] = (this.filledTickLots + (lots - this.filledLots) * restTicks) * unit;
    } else {
      this.#figures[ORDER_VALUE] = lots * restTicks * unit;
    }
  }

  #checkCounts(request: OrderRequest): number {
    const { positions, details } = this.#state;
    const { position, timeInForce } = request;
    const { definition } = request.market;
    const orders = positions.orders(position);
    if ((timeInForce === GTC || timeInForce === GTX) && orders >= definition.maxOpenOrders) {
      return this.#state.refuse(TOO_MANY_ORDERS, definition.maxOpenOrders, orders);
    }
    const attached = (request.takeProfit === null ? 0 : 1) + (request.stopLoss === null ? 0 : 1);
    const conditionals = positions.conditionals(position) + attached;
    if (attached > 0 && conditionals > definition.maxConditionalOrders) {
      return this.#state.refuse(TOO_MANY_CONDITIONALS, definition.maxConditionalOrders, conditionals);
    }
    const isTaken = request.clientId !== "" && details.idOfName(request.account, request.clientId) !== 0;
    return isTaken ? DUPLICATE_CLIENT_ID : OK;
  }

  /** FUT-8: an attached trigger must be on its side of the price at which the order is expected to trade. */
  #checkAttached(request: OrderRequest): number {
    const { takeProfit, stopLoss, market, side } = request;
    if (takeProfit === null && stopLoss === null) return OK;
    const reference = request.type === LIMIT ? request.ticks : market.workingTicks(CONTRACT_PRICE);
    if (takeProfit !== null && !isBeyond(takeProfit.triggerTicks, reference, side === BUY)) {
      return this.#state.refuse(WOULD_TRIGGER, reference, takeProfit.triggerTicks);
    }
    if (stopLoss !== null && !isBeyond(stopLoss.triggerTicks, reference, side === SELL)) {
      return this.#state.refuse(WOULD_TRIGGER, reference, stopLoss.triggerTicks);
    }
    return OK;
  }

  /** FOK is checked once the order has its slot, because it depends on whose orders it would meet. */
  #checkBook(request: OrderRequest): number {
    const { market, side, limitTicks } = request;
    const levels = market.book.levels[side ^ 1]!;
    if (request.timeInForce === GTX && levels.isMetAt(limitTicks)) return POST_ONLY_WOULD_TAKE;
    if (request.maxSlippage_e8 < 0) return OK;
    this.scan(market, side, limitTicks, request.lots);
    const scan = {
      filledLots: this.filledLots,
      filledTickLots: this.filledTickLots,
      referenceTicks: levels.bestTicks,
    };
    if (!exceedsMaxSlippage(scan, side, request.lots, request.maxSlippage_e8)) return OK;
    const slippage_e8 = scan.filledLots < request.lots ? 0 : estimatedSlippage_e8(scan, side);
    return this.#state.refuse(SLIPPAGE_EXCEEDED, request.maxSlippage_e8, slippage_e8);
  }
}

export function leverageOfNewEntry(state: State, account: number, market: MarketState): number {
  const { accounts } = state;
  const byDefault = market.definition.defaultLeverage;
  return accounts.bonus(account) > 0 ? Math.min(byDefault, accounts.bonusLeverage(account)) : byDefault;
}

export function maxNotionalOfNewEntry(market: MarketState, leverage: number): number {
  return leverage === market.definition.defaultLeverage
    ? market.defaultMaxNotional_micros
    : maxNotionalAt(market.definition.brackets, leverage);
}

function isBeyond(triggerTicks: number, referenceTicks: number, isAbove: boolean): boolean {
  return isAbove ? triggerTicks > referenceTicks : triggerTicks < referenceTicks;
}
