import type { AttachedTrigger, CancelAll, CancelOrder, ModifyOrder, PlaceOrder, Reason } from "@bourse/engine";
import {
  type Admitted,
  type Attached,
  admit,
  checkBand,
  checkExposure,
  checkLargest,
  checkNotional,
  checkPostOnly,
  checkReducing,
  type Draft,
  type Wish,
} from "./admission.ts";
import { toNumber } from "./arithmetic.ts";
import { matchedPrice } from "./book.ts";
import { closeConditional, closeOrder, matchOrder, openOrder, sayAmended } from "./matching.ts";
import {
  type Cause,
  type Conditional,
  GTC,
  HALTED,
  IOC,
  type Order,
  opposite,
  type Refusal,
  refuse,
  STOP,
  TAKE_PROFIT,
  type World,
} from "./state.ts";

const SCOPE_ORDERS = 1;
const SCOPE_CONDITIONALS = 2;

/** FUT-25. */
export function checkEnd(world: World, goodTill_ms = 0): Refusal | null {
  const hasPassed = goodTill_ms > 0 && goodTill_ms <= world.time_ms;
  return hasPassed ? refuse("good_till_passed", BigInt(world.time_ms), BigInt(goodTill_ms)) : null;
}

export function placeOrder(world: World, command: PlaceOrder): Refusal | null {
  const endRefusal = checkEnd(world, command.goodTill_ms);
  if (endRefusal !== null) return endRefusal;
  const draft: Draft = {
    account: command.account,
    market: command.market,
    side: command.side,
    type: command.type,
    timeInForce: command.timeInForce,
    ticks: BigInt(command.ticks),
    lots: BigInt(command.lots),
    quote: BigInt(command.quote_micros),
    isReduceOnly: command.isReduceOnly,
    selfTradePrevention: world.preventionOf(command.account, command.market, command.selfTradePrevention),
    clientId: command.clientId,
    goodTill_ms: command.goodTill_ms ?? 0,
    priceMatch: command.priceMatch ?? 0,
    maxSlippage_e8: BigInt(command.maxSlippage_e8),
    takeProfit: toAttached(command.takeProfit),
    stopLoss: toAttached(command.stopLoss),
    isFired: false,
    isClosePosition: false,
  };
  const answer = admit(world, draft);
  if ("reason" in answer) return answer;
  const order = newOrder(world, draft, answer, world.nextOrderId(), 0, "trade");
  openOrder(world, order);
  if (draft.takeProfit !== null) attach(world, order, TAKE_PROFIT, draft.takeProfit);
  if (draft.stopLoss !== null) attach(world, order, STOP, draft.stopLoss);
  matchOrder(world, order);
  return null;
}

export function newOrder(
  world: World,
  draft: Draft,
  admitted: Admitted,
  id: number,
  conditional: number,
  cause: Cause,
): Order {
  return {
    id,
    account: draft.account,
    market: draft.market,
    side: draft.side,
    type: draft.type,
    timeInForce: draft.timeInForce,
    isReduceOnly: admitted.isReduceOnly,
    selfTradePrevention: draft.selfTradePrevention,
    conditional,
    cause,
    clientId: draft.clientId,
    goodTill_ms: draft.goodTill_ms,
    priceMatch: draft.priceMatch,
    ticks: admitted.limitTicks,
    lots: admitted.lots,
    executed: 0n,
    quote: 0n,
    queue: world.nextQueue(),
  };
}

export function openConditional(world: World, conditional: Conditional): void {
  world.createHolding(conditional.account, conditional.market);
  world.conditionals.push(conditional);
  world.say({
    kind: "conditional_opened",
    conditional: conditional.id,
    account: conditional.account,
    market: conditional.market,
    side: conditional.side,
    type: conditional.type,
    ticks: toNumber(conditional.ticks),
    timeInForce: conditional.timeInForce,
    lots: toNumber(conditional.lots),
    triggerTicks: toNumber(conditional.triggerTicks),
    activateTicks: toNumber(conditional.activateTicks),
    callback_bps: toNumber(conditional.callback_bps),
    workingType: conditional.workingType,
    isReduceOnly: conditional.isReduceOnly ? 1 : 0,
    isClosePosition: conditional.isClosePosition ? 1 : 0,
    isPriceProtected: conditional.isPriceProtected ? 1 : 0,
    keepsId: conditional.keepsId ? 1 : 0,
    selfTradePrevention: conditional.selfTradePrevention,
    parent: conditional.parent,
    clientId: conditional.clientId,
    goodTill_ms: conditional.goodTill_ms,
    priceMatch: conditional.priceMatch,
  });
}

export function cancelOrder(world: World, command: CancelOrder): Refusal | null {
  const isMeant = isNamedBy(command);
  const order = command.scope & SCOPE_ORDERS ? world.orders.find(isMeant) : undefined;
  if (order !== undefined) {
    closeOrder(world, order, "CANCELED", "user");
    return null;
  }
  const conditional = command.scope & SCOPE_CONDITIONALS ? world.conditionals.find(isMeant) : undefined;
  if (conditional === undefined) return refuse("unknown_order");
  closeConditional(world, conditional.id, "CANCELED", "user");
  return null;
}

export function cancelAll(world: World, command: CancelAll): null {
  const isMeant = (entry: { readonly market: number }): boolean =>
    command.market < 0 || entry.market === command.market;
  if (command.scope & SCOPE_ORDERS) cancelOrders(world, command.account, "user", isMeant);
  if (command.scope & SCOPE_CONDITIONALS) cancelConditionals(world, command.account, "user", isMeant);
  return null;
}

/** Entries in the order in which they were made; in each the orders from the oldest. */
export function cancelOrders(
  world: World,
  account: number,
  reason: Reason,
  isMeant: (order: Order) => boolean = () => true,
): void {
  for (const holding of world.holdingsOf(account)) {
    for (const order of world.ordersOf(account, holding.market).filter(isMeant)) {
      closeOrder(world, order, "CANCELED", reason);
    }
  }
}

export function cancelConditionals(
  world: World,
  account: number,
  reason: Reason,
  isMeant: (conditional: Conditional) => boolean = () => true,
): void {
  for (const conditional of world.conditionalsOf(account).filter(isMeant)) {
    closeConditional(world, conditional.id, "CANCELED", reason);
  }
}

/** FUT-7. */
export function modifyOrder(world: World, command: ModifyOrder): Refusal | null {
  const order = world.orders.find(isNamedBy(command));
  if (order === undefined) return refuse("unknown_order");
  if (command.side >= 0 && command.side !== order.side) return refuse("wrong_side");
  const market = world.markets[order.market]!;
  if (market.status === HALTED) return refuse("market_halted");
  const { priceMatch = 0 } = command;
  const matched = priceMatch === 0 ? null : matchedPrice(world, order.market, order.side, priceMatch);
  if (priceMatch !== 0 && matched === null) return refuse("no_price_level");
  const ticks = matched ?? BigInt(command.ticks);
  const lots = BigInt(command.lots);
  if (ticks === order.ticks && lots === order.lots) return refuse("nothing_to_modify");
  if (lots <= order.executed) {
    closeOrder(world, order, "CANCELED", "modified");
    return null;
  }
  const filterRefusal =
    checkBand(world, market, order.side, ticks) ??
    checkNotional(market, ticks * lots * market.unit, order.isReduceOnly) ??
    checkLargest(ticks * lots * market.unit);
  if (filterRefusal !== null) return filterRefusal;

  const { account, side, type } = order;
  const wanted = lots - order.executed;
  const wish: Wish = {
    account,
    market: order.market,
    side,
    type,
    ticks,
    lots: wanted,
    limitTicks: ticks,
    leftOut: order,
  };
  const reduced = checkReducing(world, wish, order.isReduceOnly, false, false);
  if ("reason" in reduced) return reduced;
  const refusal =
    (reduced.isReducing ? null : checkExposure(world, wish)) ?? checkPostOnly(world, wish, order.timeInForce);
  if (refusal !== null) return refusal;

  world.orders = world.orders.filter((other) => other !== order);
  world.touch(account);
  order.ticks = ticks;
  order.priceMatch = priceMatch;
  order.lots = order.executed + reduced.lots;
  sayAmended(world, order, "modified");
  matchOrder(world, order);
  return null;
}

function isNamedBy(command: { readonly account: number; readonly order: number; readonly clientId: string }) {
  return (order: { readonly id: number; readonly account: number; readonly clientId: string }): boolean => {
    if (order.account !== command.account) return false;
    if (command.order !== 0) return order.id === command.order;
    return command.clientId !== "" && order.clientId === command.clientId;
  };
}

function toAttached(trigger: AttachedTrigger | null): Attached | null {
  if (trigger === null) return null;
  const { workingType } = trigger;
  return { triggerTicks: BigInt(trigger.triggerTicks), ticks: BigInt(trigger.ticks), workingType };
}

function attach(world: World, parent: Order, type: typeof STOP | typeof TAKE_PROFIT, trigger: Attached): void {
  openConditional(world, {
    id: world.nextOrderId(),
    account: parent.account,
    market: parent.market,
    side: opposite(parent.side),
    type,
    ticks: trigger.ticks,
    timeInForce: trigger.ticks > 0n ? GTC : IOC,
    lots: parent.lots,
    triggerTicks: trigger.triggerTicks,
    activateTicks: 0n,
    callback_bps: 0n,
    workingType: trigger.workingType,
    isReduceOnly: true,
    isClosePosition: false,
    isPriceProtected: false,
    keepsId: false,
    selfTradePrevention: parent.selfTradePrevention,
    parent: parent.id,
    clientId: "",
    goodTill_ms: 0,
    priceMatch: 0,
    isActive: false,
    best: 0n,
    tries: 0,
  });
}
