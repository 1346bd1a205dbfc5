import {
  FOK,
  GTC,
  IOC,
  type SelfTradePrevention,
  STP_EXPIRE_MAKER,
  STP_NONE,
  type TimeInForce,
} from "../book/codes.ts";
import { MAX_LOTS } from "../book/limits.ts";
import { canFillAtOnce } from "../book/matching.ts";
import { NO_SLOT } from "../book/order-pool.ts";
import { NO_TICKS } from "../book/price-levels.ts";
import {
  HALTED,
  ISOLATED,
  LIMIT,
  MARKET,
  NO_MARKET,
  type PriceMatch,
  SCOPE_CONDITIONALS,
  SCOPE_ORDERS,
  STOP,
  TAKE_PROFIT,
} from "../contract/codes.ts";
import type {
  AttachedTrigger,
  CancelAll,
  CancelOrder,
  ModifyOrder,
  OrderTerms,
  PlaceConditional,
  PlaceOrder,
} from "../contract/commands.ts";
import { REASON } from "../contract/reasons.ts";
import {
  isAccountNumber,
  isAttachedOrNone,
  isBoolean,
  isClientId,
  isCode,
  isLotsOrNone,
  isMarketNumber,
  isNone,
  isPriceOrMatch,
  isWhole,
  MAX_AMOUNT_micros,
  MAX_TIME_ms,
  orNone,
} from "../contract/validation.ts";
import { SELL, type Side } from "../side.ts";
import type { MarketState } from "../state/market-state.ts";
import { ORDER_REDUCE_ONLY, orderFlags, selfTradePreventionOf, timeInForceOf } from "../state/order-details.ts";
import { NO_POSITION } from "../state/positions.ts";
import type { State } from "../state/state.ts";
import { type Admission, leverageOfNewEntry, maxNotionalOfNewEntry } from "./admission.ts";
import type { ConditionalDesk } from "./conditional-desk.ts";
import type { Ledger } from "./ledger.ts";
import type { Matcher } from "./matcher.ts";
import type { OpenOrders } from "./open-orders.ts";
import { OrderRequest } from "./order-request.ts";
import { matchedTicks } from "./price-match.ts";

const DONE = 0;
const BAD_FIELD = REASON.bad_field;
const UNKNOWN_ORDER = REASON.unknown_order;
const WRONG_SIDE = REASON.wrong_side;
const MARKET_HALTED = REASON.market_halted;
const NOTHING_TO_MODIFY = REASON.nothing_to_modify;
const FOK_NOT_FILLED = REASON.fok_not_filled;
const USER = REASON.user;
const MODIFIED = REASON.modified;
const GOOD_TILL_PASSED = REASON.good_till_passed;
const NO_PRICE_LEVEL = REASON.no_price_level;

/** Section 4 of the rules: orders placed, cancelled and modified. */
export class OrderDesk {
  readonly #state: State;
  readonly #admission: Admission;
  readonly #matcher: Matcher;
  readonly #orders: OpenOrders;
  readonly #conditionals: ConditionalDesk;
  readonly #ledger: Ledger;
  readonly #request = new OrderRequest();

  constructor(
    state: State,
    admission: Admission,
    matcher: Matcher,
    orders: OpenOrders,
    conditionals: ConditionalDesk,
    ledger: Ledger,
  ) {
    this.#state = state;
    this.#admission = admission;
    this.#matcher = matcher;
    this.#orders = orders;
    this.#conditionals = conditionals;
    this.#ledger = ledger;
  }

  place(command: PlaceOrder): number {
    const refusal = this.checkEntry(command);
    if (refusal !== DONE) return refusal;
    this.accept(this.#request);
    return DONE;
  }

  /** All checks of a new order; changes nothing. */
  checkEntry(command: PlaceOrder): number {
    const request = this.#request;
    const refusal = this.#prepare(command) || this.#admission.check(request, true);
    if (refusal !== DONE) return refusal;
    return this.canEnter(request) ? DONE : this.#state.refuse(FOK_NOT_FILLED);
  }

  /** The executed lots of the order accepted last. */
  get executedLots(): number {
    return this.#matcher.executedLots;
  }

  get executedQuote_micros(): number {
    return this.#matcher.executedQuote_micros;
  }

  /** Makes an order of a request, which was checked or is the engine's own, and matches it. */
  accept(request: OrderRequest): void {
    this.#enter(request, this.#take(request));
  }

  /** For orders of conditional orders, which have been checked: false if FOK finds too few lots. */
  canEnter(request: OrderRequest): boolean {
    if (request.timeInForce !== FOK) return true;
    const { pool } = this.#state;
    const slot = this.#takeSlot(request, 1, NO_POSITION);
    const canFill = canFillAtOnce(request.market.book, slot, request.selfTradePrevention);
    pool.release(slot);
    return canFill;
  }

  cancel(command: CancelOrder): number {
    const { account, order, clientId, scope } = command;
    const isNamed = isWhole(order, 0, Number.MAX_SAFE_INTEGER) && isClientId(clientId);
    if (!isNamed || !isAccountNumber(account) || !isWhole(scope, 1, 3)) return this.#state.refuse(BAD_FIELD);
    const problem = this.#state.checkNames(account, NO_MARKET);
    if (problem !== DONE) return problem;
    const id = order === 0 ? this.#state.details.idOfName(account, clientId) : order;
    const slot = (scope & SCOPE_ORDERS) === 0 ? NO_SLOT : this.#findOrder(account, id);
    if (slot !== NO_SLOT) {
      this.#orders.cancel(slot, USER);
      return DONE;
    }
    const conditional = (scope & SCOPE_CONDITIONALS) === 0 ? undefined : this.#state.conditionals.get(id);
    if (conditional === undefined || conditional.account !== account) {
      return this.#state.refuse(UNKNOWN_ORDER);
    }
    this.#conditionals.close(conditional, "CANCELED", "user");
    return DONE;
  }

  cancelAll(command: CancelAll): number {
    const { account, market, scope } = command;
    const isMarket = market === NO_MARKET || isMarketNumber(market);
    if (!isAccountNumber(account) || !isMarket || !isWhole(scope, 1, 3)) return this.#state.refuse(BAD_FIELD);
    const problem = this.#state.checkNames(account, market);
    if (problem !== DONE) return problem;
    if ((scope & SCOPE_ORDERS) !== 0) this.cancelOrders(account, market, USER, false);
    if ((scope & SCOPE_CONDITIONALS) !== 0) this.cancelConditionals(account, market, "user");
    return DONE;
  }

  /** Cancels the resting orders of an account in one market or in all: entries and orders from the oldest. */
  cancelOrders(account: number, market: number, reason: number, keepsReduceOnly: boolean): void {
    const { accounts, positions } = this.#state;
    for (let at = accounts.firstPosition(account); at !== NO_POSITION; at = positions.next(at)) {
      if (market === NO_MARKET || positions.market(at) === market) this.cancelOrdersOf(at, reason, keepsReduceOnly);
    }
  }

  cancelOrdersOf(position: number, reason: number, keepsReduceOnly: boolean): void {
    const { positions, pool } = this.#state;
    let slot = positions.firstOrder(position);
    while (slot !== NO_SLOT) {
      const next = pool.ownerNext(slot);
      const isKept = keepsReduceOnly && (pool.flags(slot) & ORDER_REDUCE_ONLY) !== 0;
      if (!isKept) this.#orders.cancel(slot, reason);
      slot = next;
    }
  }

  cancelConditionals(account: number, market: number, reason: "user" | "bonus_ended"): void {
    for (const conditional of this.#state.conditionals.ofAccount(account)) {
      const isMeant = market === NO_MARKET || conditional.market === market;
      if (isMeant) this.#conditionals.close(conditional, "CANCELED", reason);
    }
  }

  modify(command: ModifyOrder): number {
    const { account, order, clientId, side, lots } = command;
    const { details, pool, markets } = this.#state;
    const priceMatch = orNone(command.priceMatch);
    const isNamed = isWhole(order, 0, Number.MAX_SAFE_INTEGER) && isClientId(clientId) && isAccountNumber(account);
    const isPriced = isPriceOrMatch(command.ticks, priceMatch) && this.knowsTerms({ priceMatch });
    const isSized = isWhole(side, -1, 1) && isPriced && isWhole(lots, 1, MAX_LOTS);
    if (!isNamed || !isSized) return this.#state.refuse(BAD_FIELD);
    const problem = this.#state.checkNames(account, NO_MARKET);
    if (problem !== DONE) return problem;
    const slot = this.#findOrder(account, order === 0 ? details.idOfName(account, clientId) : order);
    if (slot === NO_SLOT) return this.#state.refuse(UNKNOWN_ORDER);
    if (side !== -1 && side !== pool.side(slot)) return this.#state.refuse(WRONG_SIDE);
    const market = markets[pool.market(slot)]!;
    if (market.status === HALTED) return this.#state.refuse(MARKET_HALTED);
    const ticks = priceMatch === 0 ? command.ticks : matchedTicks(market.book, pool.side(slot) as Side, priceMatch);
    if (ticks === NO_TICKS) return this.#state.refuse(NO_PRICE_LEVEL);
    const original = pool.originalLots(slot);
    if (ticks === pool.ticks(slot) && lots === original) return this.#state.refuse(NOTHING_TO_MODIFY);
    if (lots > original - pool.remainingLots(slot)) return this.#replace(slot, ticks, lots, priceMatch);
    this.#orders.cancel(slot, MODIFIED);
    return DONE;
  }

  /** Whether the rules know what a command asks for beyond the fields that it always had. */
  knowsTerms({ goodTill_ms, priceMatch }: OrderTerms): boolean {
    return this.#state.hasOrderTerms || (isNone(orNone(goodTill_ms)) && isNone(orNone(priceMatch)));
  }

  /** FUT-25: a reason to refuse an order whose end has passed. */
  checkEnd(goodTill_ms: number): number {
    const { time_ms } = this.#state;
    const hasPassed = goodTill_ms !== 0 && goodTill_ms <= time_ms;
    return hasPassed ? this.#state.refuse(GOOD_TILL_PASSED, time_ms, goodTill_ms) : DONE;
  }

  /** The entry of an account in a market, made if it does not exist. */
  entryOf(account: number, market: MarketState): number {
    const { positions } = this.#state;
    const found = positions.find(account, market.number);
    if (found !== NO_POSITION) return found;
    const leverage = leverageOfNewEntry(this.#state, account, market);
    const position = positions.create(account, market.number, leverage, maxNotionalOfNewEntry(market, leverage));
    market.positions.push(position);
    return position;
  }

  #prepare(command: PlaceOrder): number {
    const { positions, markets } = this.#state;
    if (!isPlaceOrder(command) || !this.knowsTerms(command)) return this.#state.refuse(BAD_FIELD);
    const problem = this.#state.checkNames(command.account, command.market);
    if (problem !== DONE) return problem;
    if (!isNone(orNone(command.goodTill_ms))) {
      const refusal = this.checkEnd(command.goodTill_ms!);
      if (refusal !== DONE) return refusal;
    }
    const position = positions.find(command.account, command.market);
    // A trade with oneself could move margin out of an isolated position.
    const isProne = command.selfTradePrevention === STP_NONE && positions.mode(position) === ISOLATED;
    const prevention = isProne ? STP_EXPIRE_MAKER : command.selfTradePrevention;
    this.#request.take(command, markets[command.market]!, position, prevention);
    return DONE;
  }

  #take(request: OrderRequest): number {
    const state = this.#state;
    if (request.position === NO_POSITION) request.position = this.entryOf(request.account, request.market);
    if (request.id === 0) {
      state.lastOrderId += 1;
      request.id = state.lastOrderId;
    }
    const slot = this.#takeSlot(request, request.id, request.position);
    state.details.created(slot, request.conditional, request.goodTill_ms, request.priceMatch);
    if (request.clientId !== "") {
      state.details.setClientId(slot, request.clientId);
      state.details.addName(request.account, request.clientId, request.id);
    }
    return slot;
  }

  #takeSlot(request: OrderRequest, id: number, position: number): number {
    const { pool } = this.#state;
    const flags = orderFlags(
      request.isReduceOnly,
      request.timeInForce,
      request.selfTradePrevention,
      request.type === MARKET,
      request.clientId !== "",
      request.takeProfit !== null || request.stopLoss !== null,
      request.cause,
      request.goodTill_ms !== 0,
    );
    const { account, market, side, limitTicks, lots } = request;
    const slot = pool.take(id, account, market.number, side, limitTicks, lots, flags);
    pool.setPosition(slot, position);
    return slot;
  }

  #enter(request: OrderRequest, slot: number): void {
    const { account, market, id: order } = request;
    this.#state.events.orderOpened(request);
    this.#ledger.touch(account);
    if (request.takeProfit !== null) this.#attach(request, order, TAKE_PROFIT, request.takeProfit);
    if (request.stopLoss !== null) this.#attach(request, order, STOP, request.stopLoss);
    this.#matcher.submit(market, slot, request.cause);
  }

  #attach(request: OrderRequest, parent: number, type: typeof STOP | typeof TAKE_PROFIT, trigger: AttachedTrigger) {
    const state = this.#state;
    state.lastOrderId += 1;
    this.#conditionals.open({
      id: state.lastOrderId,
      account: request.account,
      market: request.market.number,
      position: request.position,
      side: (request.side ^ 1) as Side,
      type,
      ticks: trigger.ticks,
      timeInForce: trigger.ticks === 0 ? IOC : GTC,
      lots: request.lots,
      triggerTicks: trigger.triggerTicks,
      activateTicks: 0,
      callback_bps: 0,
      workingType: trigger.workingType,
      isReduceOnly: true,
      isClosePosition: false,
      isPriceProtected: false,
      keepsId: false,
      selfTradePrevention: request.selfTradePrevention,
      parent,
      clientId: "",
      created_ms: state.time_ms,
      isAsleep: true,
      bestTicks: 0,
      tries: 0,
      goodTill_ms: 0,
      priceMatch: 0,
    });
  }

  /** FUT-7: the order leaves the book and returns, under its id, at the end of the queue. */
  #replace(slot: number, ticks: number, lots: number, priceMatch: PriceMatch): number {
    const { pool, markets, events, details } = this.#state;
    const orders = this.#orders;
    const account = pool.account(slot);
    const market = markets[pool.market(slot)]!;
    const remaining = pool.remainingLots(slot);
    const executed = pool.originalLots(slot) - remaining;
    const request = this.#request;
    const flags = pool.flags(slot);
    request.reset(market, account, pool.position(slot), pool.side(slot) as Side);
    request.timeInForce = timeInForceOf(flags) as TimeInForce;
    request.selfTradePrevention = selfTradePreventionOf(flags) as SelfTradePrevention;
    request.ticks = ticks;
    request.lots = lots;
    request.isReduceOnly = (flags & ORDER_REDUCE_ONLY) !== 0;
    request.replacedSlot = slot;
    orders.hold(slot, -remaining);
    const refusal = this.#admission.checkModified(request, executed);
    if (refusal !== DONE) {
      orders.hold(slot, remaining);
      return refusal;
    }
    orders.unlink(slot);
    market.book.remove(slot);
    const newLots = executed + request.lots;
    pool.setTicks(slot, ticks);
    pool.setOriginalLots(slot, newLots);
    pool.setRemainingLots(slot, request.lots);
    details.updated(slot);
    details.setPriceMatch(slot, priceMatch);
    events.emit("order_amended", {
      order: pool.id(slot),
      account,
      market: market.number,
      ticks,
      lots: newLots,
      executedLots: executed,
      reason: "modified",
      priceMatch,
    });
    this.#ledger.touch(account);
    this.#matcher.submit(market, slot, request.cause);
    return DONE;
  }

  #findOrder(account: number, id: number): number {
    const slot = id === 0 ? NO_SLOT : this.#state.index.get(id);
    return slot !== NO_SLOT && this.#state.pool.account(slot) === account ? slot : NO_SLOT;
  }
}

/** FUT-25: no end, or one of an order that would rest for ever. */
export function isEnd({ goodTill_ms, timeInForce }: PlaceOrder | PlaceConditional): boolean {
  const end = orNone(goodTill_ms);
  return isNone(end) || (isWhole(end, 1, MAX_TIME_ms) && timeInForce === GTC);
}

function isPlaceOrder(command: PlaceOrder): boolean {
  const { type, ticks, lots, quote_micros, maxSlippage_e8, takeProfit, stopLoss } = command;
  const priceMatch = orNone(command.priceMatch);
  const areCodesFine =
    isCode(command.side, SELL) &&
    isCode(type, MARKET) &&
    isCode(command.timeInForce, 3) &&
    isCode(command.selfTradePrevention, STP_NONE);
  if (!isAccountNumber(command.account) || !isMarketNumber(command.market)) return false;
  if (!areCodesFine || !isBoolean(command.isReduceOnly) || !isClientId(command.clientId)) return false;
  const isPriced =
    type === LIMIT
      ? isPriceOrMatch(ticks, priceMatch)
      : isNone(ticks) && isNone(priceMatch) && command.timeInForce === IOC;
  if (!isPriced || !isEnd(command)) return false;
  if (!isLotsOrNone(lots) || !isWhole(quote_micros, 0, MAX_AMOUNT_micros) || (lots > 0 && quote_micros > 0))
    return false;
  if (maxSlippage_e8 !== -1 && (type === LIMIT || !isWhole(maxSlippage_e8, 0, 1e8))) return false;
  if (!isAttachedOrNone(takeProfit) || !isAttachedOrNone(stopLoss)) return false;
  return !command.isReduceOnly || (takeProfit === null && stopLoss === null);
}
