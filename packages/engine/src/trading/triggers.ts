import { GTX, IOC, STP_EXPIRE_MAKER, STP_NONE } from "../book/codes.ts";
import { MAX_LOTS } from "../book/limits.ts";
import {
  CONTRACT_PRICE,
  HALTED,
  ISOLATED,
  LIMIT,
  MARK_PRICE,
  MARKET,
  TRAILING_STOP,
  type WorkingType,
} from "../contract/codes.ts";
import type { PlaceConditional } from "../contract/commands.ts";
import { REASON, REASONS } from "../contract/reasons.ts";
import {
  isAccountNumber,
  isBoolean,
  isClientId,
  isCode,
  isLotsOrNone,
  isMarketNumber,
  isNone,
  isPriceOrMatch,
  isTicks,
  isTicksOrNone,
  isWhole,
  orNone,
} from "../contract/validation.ts";
import { ONE_e8 } from "../rules/units.ts";
import { BUY, SELL } from "../side.ts";
import { type Conditional, firesRising, type TriggerQueues } from "../state/conditionals.ts";
import type { MarketState } from "../state/market-state.ts";
import type { State } from "../state/state.ts";
import type { Admission } from "./admission.ts";
import type { ConditionalDesk } from "./conditional-desk.ts";
import { isEnd, type OrderDesk } from "./order-desk.ts";
import { OrderRequest } from "./order-request.ts";

const DONE = 0;
const ONE_bps = 10_000;
const MIN_CALLBACK_bps = 10;
const MAX_CALLBACK_bps = 1_000;

/** Section 6 of the rules: conditional orders are placed, and fire when their price is reached. */
export class Triggers {
  readonly #state: State;
  readonly #admission: Admission;
  readonly #desk: OrderDesk;
  readonly #conditionals: ConditionalDesk;
  readonly #request = new OrderRequest();

  constructor(state: State, admission: Admission, desk: OrderDesk, conditionals: ConditionalDesk) {
    this.#state = state;
    this.#admission = admission;
    this.#desk = desk;
    this.#conditionals = conditionals;
  }

  place(command: PlaceConditional): number {
    const refusal = this.checkEntry(command);
    if (refusal !== DONE) return refusal;
    const market = this.#state.markets[command.market]!;
    const isFollowing = command.type === TRAILING_STOP && command.activateTicks === 0;
    this.#open(command, market, isFollowing ? market.workingTicks(command.workingType) : 0);
    return DONE;
  }

  /** All checks of a new conditional order; changes nothing. */
  checkEntry(command: PlaceConditional): number {
    const { account } = command;
    const isKnown = isPlaceConditional(command) && this.#desk.knowsTerms(command);
    if (!isKnown) return this.#state.refuse(REASON.bad_field);
    const problem = this.#state.checkNames(account, command.market) || this.#desk.checkEnd(orNone(command.goodTill_ms));
    if (problem !== DONE) return problem;
    const market = this.#state.markets[command.market]!;
    if (market.status === HALTED) return this.#state.refuse(REASON.market_halted);
    if (market.markTicks === 0) return this.#state.refuse(REASON.no_price);
    const open = this.#state.positions.conditionals(this.#state.positions.find(account, market.number));
    const max = market.definition.maxConditionalOrders;
    if (open >= max) return this.#state.refuse(REASON.too_many_conditionals, max, open);
    if (command.clientId !== "" && this.#state.details.idOfName(account, command.clientId) !== 0) {
      return this.#state.refuse(REASON.duplicate_client_id);
    }
    const price = market.workingTicks(command.workingType);
    const isTrailing = command.type === TRAILING_STOP;
    const watched = isTrailing ? command.activateTicks : command.triggerTicks;
    // A rising price activates a trailing sell; a falling price fires a stop sell.
    const isRising = isTrailing ? command.side === SELL : firesRising(command.side, command.type);
    if (watched !== 0 && hasReached(price, watched, isRising)) {
      return this.#state.refuse(REASON.would_trigger, price, watched);
    }
    return DONE;
  }

  /** Fires the conditional orders that are due in the markets that the command has moved, until none is due. */
  fireMoved(): void {
    const { moved } = this.#state;
    // Orders that fire trade in their own market only, but each may move its price again.
    for (let i = 0; i < moved.count; i += 1) this.fireIn(moved.at(i));
    moved.clear();
  }

  /** FUT-8: a price tries what is armed again, each once. */
  retry(market: MarketState): void {
    if (market.status === HALTED) return;
    for (const conditional of market.rearmed) {
      if (this.#state.conditionals.get(conditional.id) !== conditional) continue;
      const price = market.workingTicks(conditional.workingType);
      const { side, type, triggerTicks } = conditional;
      if (type === TRAILING_STOP) followBest(conditional, price);
      const isDue =
        type === TRAILING_STOP
          ? hasComeBack(conditional, price)
          : hasReached(price, triggerTicks, firesRising(side, type));
      if (isDue) this.#fire(market, conditional);
    }
  }

  fireIn(market: MarketState): void {
    if (market.status === HALTED) return;
    const [byLast, byMark] = market.triggers;
    if (byLast.isEmpty && byMark.isEmpty) return;
    for (;;) {
      this.#follow(market, CONTRACT_PRICE);
      this.#follow(market, MARK_PRICE);
      const next =
        findDue(byLast, market.workingTicks(CONTRACT_PRICE)) ?? findDue(byMark, market.workingTicks(MARK_PRICE));
      if (next === undefined) return;
      this.#fire(market, next);
    }
  }

  #open(command: PlaceConditional, market: MarketState, bestTicks: number): void {
    const state = this.#state;
    state.lastOrderId += 1;
    this.#conditionals.open({
      id: state.lastOrderId,
      account: command.account,
      market: market.number,
      position: this.#desk.entryOf(command.account, market),
      side: command.side,
      type: command.type,
      ticks: command.ticks,
      timeInForce: command.timeInForce,
      lots: command.lots,
      triggerTicks: command.triggerTicks,
      activateTicks: command.activateTicks,
      callback_bps: command.callback_bps,
      workingType: command.workingType,
      isReduceOnly: command.isReduceOnly,
      isClosePosition: command.isClosePosition,
      isPriceProtected: command.isPriceProtected,
      keepsId: command.keepsId,
      selfTradePrevention: command.selfTradePrevention,
      parent: 0,
      clientId: command.clientId,
      created_ms: state.time_ms,
      isAsleep: false,
      bestTicks,
      tries: 0,
      goodTill_ms: orNone(command.goodTill_ms),
      priceMatch: orNone(command.priceMatch),
    });
  }

  /** A new price activates trailing stops, or moves the best price of active ones. */
  #follow(market: MarketState, type: WorkingType): void {
    const queues = market.triggers[type];
    const price = market.workingTicks(type);
    for (const conditional of queues.trailing) {
      const isSell = conditional.side === SELL;
      if (conditional.bestTicks !== 0) followBest(conditional, price);
      else if (hasReached(price, conditional.activateTicks, isSell)) {
        conditional.bestTicks = price;
        this.#conditionals.activated(conditional);
      }
    }
  }

  #fire(market: MarketState, conditional: Conditional): void {
    if (conditional.isPriceProtected && isOffMark(market)) {
      this.#conditionals.close(conditional, "EXPIRED", "price_protect");
      return;
    }
    const request = this.#request;
    const { account, position, side } = conditional;
    request.reset(market, account, position, side);
    const isMarket = conditional.ticks === 0 && conditional.priceMatch === 0;
    request.type = isMarket ? MARKET : LIMIT;
    request.timeInForce = isMarket ? IOC : conditional.timeInForce;
    request.ticks = conditional.ticks;
    request.goodTill_ms = conditional.goodTill_ms;
    request.priceMatch = conditional.priceMatch;
    request.lots = conditional.lots;
    request.isReduceOnly = conditional.isReduceOnly;
    request.selfTradePrevention = conditional.selfTradePrevention;
    if (this.#state.positions.mode(position) === ISOLATED && request.selfTradePrevention === STP_NONE) {
      request.selfTradePrevention = STP_EXPIRE_MAKER;
    }
    request.clientId = conditional.clientId;
    request.conditional = conditional.id;
    if (conditional.isClosePosition) {
      request.lots = Math.min(MAX_LOTS, this.#state.positions.lotsAgainst(position, side));
      request.isReduceOnly = true;
      request.isClosePosition = true;
      if (request.lots === 0) {
        this.#conditionals.close(conditional, "EXPIRED", "no_position");
        return;
      }
    }
    const refusal = this.#admission.check(request, false) || (this.#desk.canEnter(request) ? 0 : REASON.fok_not_filled);
    if (refusal !== DONE) {
      this.#conditionals.close(conditional, "REJECTED", REASONS[refusal]!);
      return;
    }
    this.#conditionals.takeOut(conditional);
    this.#enter(conditional);
  }

  #enter(conditional: Conditional): void {
    const state = this.#state;
    const { id, account, market, parent } = conditional;
    // The order of the first try has ended and keeps its id; later ones get ids of their own.
    const keepsId = conditional.keepsId && conditional.tries === 0;
    if (!keepsId) state.lastOrderId += 1;
    this.#request.id = keepsId ? id : state.lastOrderId;
    state.events.emit("conditional_triggered", { conditional: id, account, market, order: this.#request.id });
    if (parent !== 0) {
      for (const sibling of state.conditionals.childrenOf(parent)) {
        this.#conditionals.close(sibling, "CANCELED", "sibling_triggered");
      }
    }
    const request = this.#request;
    this.#desk.accept(request);
    const isRearmed = conditional.isReduceOnly || conditional.isClosePosition;
    if (!state.isFair || !isRearmed || request.type !== MARKET) return;
    const left = request.lots - this.#desk.executedLots;
    if (left > 0) this.#conditionals.rearm(conditional, left);
  }
}

function followBest(trailing: Conditional, price: number): void {
  const best = trailing.bestTicks;
  const isSell = trailing.side === SELL;
  trailing.bestTicks = isSell ? Math.max(best, price) : Math.min(best, price);
}

function findDue(queues: TriggerQueues, price: number): Conditional | undefined {
  const rising = queues.rising[0];
  if (rising !== undefined && rising.triggerTicks <= price) return rising;
  const falling = queues.falling[0];
  if (falling !== undefined && falling.triggerTicks >= price) return falling;
  return queues.trailing.find((conditional) => hasComeBack(conditional, price));
}

function hasComeBack({ side, bestTicks, callback_bps }: Conditional, price: number): boolean {
  if (bestTicks === 0) return false;
  return side === BUY
    ? price * ONE_bps >= bestTicks * (ONE_bps + callback_bps)
    : price * ONE_bps <= bestTicks * (ONE_bps - callback_bps);
}

function hasReached(price: number, ticks: number, isRising: boolean): boolean {
  return isRising ? price >= ticks : price <= ticks;
}

/** FUT-8: whether the last price is further from the mark price than limit orders may be. */
function isOffMark({ lastTicks, markTicks, band_e8 }: MarketState): boolean {
  return lastTicks !== 0 && Math.abs(lastTicks - markTicks) * ONE_e8 > markTicks * band_e8;
}

function isPlaceConditional(command: PlaceConditional): boolean {
  const { type, ticks, lots, triggerTicks, activateTicks, callback_bps, isClosePosition } = command;
  const priceMatch = orNone(command.priceMatch);
  const isMarket = isNone(ticks) && isNone(priceMatch);
  const areCodesFine =
    isCode(command.side, SELL) &&
    isCode(type, TRAILING_STOP) &&
    isCode(command.timeInForce, GTX) &&
    isCode(command.workingType, MARK_PRICE) &&
    isCode(command.selfTradePrevention, STP_NONE);
  const areFlagsFine =
    isBoolean(command.isReduceOnly) &&
    isBoolean(isClosePosition) &&
    isBoolean(command.isPriceProtected) &&
    isBoolean(command.keepsId);
  if (!isAccountNumber(command.account) || !isMarketNumber(command.market)) return false;
  if (!areCodesFine || !areFlagsFine || !isClientId(command.clientId)) return false;
  if (!isMarket && !isPriceOrMatch(ticks, priceMatch)) return false;
  // What becomes a market order does not rest, so it has no end.
  if (!isEnd(command) || (isMarket && !isNone(orNone(command.goodTill_ms)))) return false;
  if (!isLotsOrNone(lots) || (lots === 0) !== isClosePosition) return false;
  if (isClosePosition && (!isMarket || command.isReduceOnly)) return false;
  if (type !== TRAILING_STOP) return isTicks(triggerTicks) && isNone(activateTicks) && isNone(callback_bps);
  const isCallback = isWhole(callback_bps, MIN_CALLBACK_bps, MAX_CALLBACK_bps);
  return isCallback && isMarket && isNone(triggerTicks) && isTicksOrNone(activateTicks);
}
