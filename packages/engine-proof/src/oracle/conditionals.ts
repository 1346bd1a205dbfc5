import type { PlaceConditional, WorkingType } from "@bourse/engine";
import { admit, bandOf, checkSymbol, conditionalCount, type Draft, isClientIdUsed, lastSeen } from "./admission.ts";
import { abs, MAX_LOTS, max, min, toNumber } from "./arithmetic.ts";
import { closeConditional, matchOrder, openOrder } from "./matching.ts";
import { checkEnd, newOrder, openConditional } from "./orders.ts";
import {
  BUY,
  CONTRACT_PRICE,
  type Conditional,
  HALTED,
  IOC,
  isAgainst,
  LIMIT,
  MARK_PRICE,
  MARKET,
  type OracleMarket,
  type Refusal,
  refuse,
  SELL,
  STOP,
  TRAILING_STOP,
  type World,
} from "./state.ts";

export function placeConditional(world: World, command: PlaceConditional): Refusal | null {
  const endRefusal = checkEnd(world, command.goodTill_ms);
  if (endRefusal !== null) return endRefusal;
  const market = world.markets[command.market]!;
  const symbolRefusal = checkSymbol(market);
  if (symbolRefusal !== null) return symbolRefusal;
  const count = conditionalCount(world, command.account, command.market);
  if (count >= market.maxConditionalOrders) {
    return refuse("too_many_conditionals", market.maxConditionalOrders, count);
  }
  if (isClientIdUsed(world, command.account, command.clientId)) return refuse("duplicate_client_id");

  const price = workingPrice(world, market, command.workingType);
  const isTrailing = command.type === TRAILING_STOP;
  const conditional: Conditional = {
    id: world.lastOrderId + 1,
    account: command.account,
    market: command.market,
    side: command.side,
    type: command.type,
    ticks: BigInt(command.ticks),
    timeInForce: command.timeInForce,
    lots: BigInt(command.lots),
    triggerTicks: BigInt(command.triggerTicks),
    activateTicks: BigInt(command.activateTicks),
    callback_bps: BigInt(command.callback_bps),
    workingType: command.workingType,
    isReduceOnly: command.isReduceOnly,
    isClosePosition: command.isClosePosition,
    isPriceProtected: command.isPriceProtected,
    keepsId: command.keepsId,
    selfTradePrevention: command.selfTradePrevention,
    parent: 0,
    clientId: command.clientId,
    goodTill_ms: command.goodTill_ms ?? 0,
    priceMatch: command.priceMatch ?? 0,
    isActive: !isTrailing || command.activateTicks === 0,
    best: price,
    tries: 0,
  };
  if (!isTrailing && isReached(conditional, price)) return refuse("would_trigger", price, conditional.triggerTicks);
  if (!conditional.isActive && isActivated(conditional, price)) {
    return refuse("would_trigger", price, conditional.activateTicks);
  }
  world.nextOrderId();
  openConditional(world, conditional);
  return null;
}

/** Section 6: in rounds, until none fires. */
export function fireConditionals(world: World, marketNumber: number): void {
  const market = world.markets[marketNumber]!;
  if (market.status === HALTED || market.mark === 0n) return;
  for (;;) {
    followPrice(world, market, CONTRACT_PRICE);
    followPrice(world, market, MARK_PRICE);
    const first = firstToFire(world, market, CONTRACT_PRICE) ?? firstToFire(world, market, MARK_PRICE);
    if (first === null) break;
    fire(world, market, first);
  }
  world.traded = world.traded.filter((number) => number !== marketNumber);
}

function workingPrice(world: World, market: OracleMarket, workingType: WorkingType): bigint {
  return workingType === CONTRACT_PRICE ? lastSeen(world, market) : market.mark;
}

/** FUT-8: with each price, those that were armed again before it, by id. */
export function retryRearmed(world: World, marketNumber: number): void {
  const market = world.markets[marketNumber]!;
  const rearmed = world.conditionals.filter(({ tries, market: own }) => own === marketNumber && tries > 0);
  for (const conditional of rearmed.sort((one, other) => one.id - other.id)) {
    if (!world.conditionals.includes(conditional)) continue;
    const price = workingPrice(world, market, conditional.workingType);
    conditional.best = conditional.side === SELL ? max(conditional.best, price) : min(conditional.best, price);
    if (isReached(conditional, price)) fire(world, market, conditional);
  }
}

/** What the order of a trigger left is open again. */
function rearm(world: World, fired: Conditional, left: bigint): void {
  const { id, account, market } = fired;
  const tries = fired.tries + 1;
  if (tries > 60) {
    world.say({
      kind: "conditional_closed",
      conditional: id,
      account,
      market,
      status: "EXPIRED",
      reason: "tries_used",
    });
    return;
  }
  const lots = fired.isClosePosition ? 0n : left;
  world.conditionals.push({ ...fired, lots, tries, parent: 0 });
  world.say({ kind: "conditional_rearmed", conditional: id, account, market, lots: toNumber(lots), tries });
}

/** Fires at or above its trigger. */
function isRising(conditional: Conditional): boolean {
  return (conditional.side === BUY) === (conditional.type === STOP);
}

function isReached(conditional: Conditional, price: bigint): boolean {
  if (conditional.type === TRAILING_STOP) return hasComeBack(conditional, price);
  return isRising(conditional) ? price >= conditional.triggerTicks : price <= conditional.triggerTicks;
}

function hasComeBack({ side, best, callback_bps }: Conditional, price: bigint): boolean {
  if (side === SELL) return price * 10_000n <= best * (10_000n - callback_bps);
  return price * 10_000n >= best * (10_000n + callback_bps);
}

function isActivated({ side, activateTicks }: Conditional, price: bigint): boolean {
  return side === SELL ? price >= activateTicks : price <= activateTicks;
}

function watching(world: World, market: OracleMarket, workingType: WorkingType): Conditional[] {
  return world.conditionals
    .filter((conditional) => conditional.market === market.number && conditional.workingType === workingType)
    .filter(({ tries }) => tries === 0)
    .sort((one, other) => one.id - other.id);
}

/** Updates trailing stops; a price that they have seen already changes nothing. */
function followPrice(world: World, market: OracleMarket, workingType: WorkingType): void {
  const price = workingPrice(world, market, workingType);
  for (const trailing of watching(world, market, workingType)) {
    if (trailing.type !== TRAILING_STOP) continue;
    if (trailing.isActive) {
      trailing.best = trailing.side === SELL ? max(trailing.best, price) : min(trailing.best, price);
    } else if (isActivated(trailing, price)) {
      trailing.isActive = true;
      trailing.best = price;
      const { id, account } = trailing;
      world.say({ kind: "conditional_activated", conditional: id, account, market: market.number });
    }
  }
}

/** Rising ones by lowest trigger, falling ones by highest, then trailing ones; by id among equals. */
function firstToFire(world: World, market: OracleMarket, workingType: WorkingType): Conditional | null {
  const price = workingPrice(world, market, workingType);
  const ready = watching(world, market, workingType).filter(
    (conditional) => conditional.isActive && isReached(conditional, price),
  );
  const fixed = ready.filter((conditional) => conditional.type !== TRAILING_STOP);
  const trailing = ready.filter((conditional) => conditional.type === TRAILING_STOP);
  const byTrigger = (one: Conditional, other: Conditional): number => Number(one.triggerTicks - other.triggerTicks);
  const rising = fixed.filter(isRising).sort(byTrigger);
  const falling = fixed.filter((conditional) => !isRising(conditional)).sort((one, other) => byTrigger(other, one));
  return [...rising, ...falling, ...trailing][0] ?? null;
}

function fire(world: World, market: OracleMarket, conditional: Conditional): void {
  const { account, id } = conditional;
  const distance = abs(market.last - market.mark) * 100_000_000n;
  const isTooFar = market.last > 0n && distance > market.mark * bandOf(world, market);
  if (conditional.isPriceProtected && isTooFar) {
    closeConditional(world, id, "EXPIRED", "price_protect");
    return;
  }
  const position = world.holdingOrNew(account, market.number).lots;
  if (conditional.isClosePosition && !isAgainst(conditional.side, position)) {
    closeConditional(world, id, "EXPIRED", "no_position");
    return;
  }
  const draft = toDraft(world, conditional, position);
  const answer = admit(world, draft);
  if ("reason" in answer) {
    closeConditional(world, id, "REJECTED", answer.reason);
    return;
  }
  const orderId = conditional.keepsId && conditional.tries === 0 ? id : world.nextOrderId();
  world.conditionals = world.conditionals.filter((other) => other !== conditional);
  world.say({ kind: "conditional_triggered", conditional: id, account, market: market.number, order: orderId });
  const siblings = world.conditionalsOf(account).filter((other) => other.parent === conditional.parent);
  if (conditional.parent !== 0) {
    for (const sibling of siblings) closeConditional(world, sibling.id, "CANCELED", "sibling_triggered");
  }
  const order = newOrder(world, draft, answer, orderId, id, "trade");
  openOrder(world, order);
  matchOrder(world, order);
  const isProtecting = conditional.isReduceOnly || conditional.isClosePosition;
  const left = order.lots - order.executed;
  if (world.isFair && isProtecting && draft.type === MARKET && left > 0n) rearm(world, conditional, left);
}

function toDraft(world: World, conditional: Conditional, position: bigint): Draft {
  const isMarketOrder = conditional.ticks === 0n && conditional.priceMatch === 0;
  return {
    account: conditional.account,
    market: conditional.market,
    side: conditional.side,
    type: isMarketOrder ? MARKET : LIMIT,
    timeInForce: isMarketOrder ? IOC : conditional.timeInForce,
    ticks: conditional.ticks,
    lots: conditional.isClosePosition ? min(abs(position), MAX_LOTS) : conditional.lots,
    quote: 0n,
    isReduceOnly: conditional.isReduceOnly || conditional.isClosePosition,
    selfTradePrevention: world.preventionOf(conditional.account, conditional.market, conditional.selfTradePrevention),
    clientId: conditional.clientId,
    goodTill_ms: conditional.goodTill_ms,
    priceMatch: conditional.priceMatch,
    maxSlippage_e8: -1n,
    takeProfit: null,
    stopLoss: null,
    isFired: true,
    isClosePosition: conditional.isClosePosition,
  };
}
