import type { Reason } from "@bourse/engine";
import { abs, max, min, toNumber } from "./arithmetic.ts";
import { ordersMet } from "./book.ts";
import { sumOf } from "./margin.ts";
import { feeOf, isFairFill, settle, staysSolvent } from "./settlement.ts";
import {
  FOK,
  FUND,
  IOC,
  isAgainst,
  MARKET,
  type Order,
  remaining,
  STP_EXPIRE_BOTH,
  STP_EXPIRE_MAKER,
  STP_EXPIRE_TAKER,
  STP_NONE,
  type Status,
  signed,
  type World,
} from "./state.ts";

/** Reports a new order. An account with an order has the entry too. */
export function openOrder(world: World, order: Order): void {
  world.createHolding(order.account, order.market);
  world.touch(order.account);
  world.say({
    kind: "order_opened",
    order: order.id,
    account: order.account,
    market: order.market,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    ticks: order.type === MARKET ? 0 : toNumber(order.ticks),
    lots: toNumber(order.lots),
    isReduceOnly: order.isReduceOnly ? 1 : 0,
    selfTradePrevention: order.selfTradePrevention,
    conditional: order.conditional,
    cause: order.cause,
    clientId: order.clientId,
    goodTill_ms: order.goodTill_ms,
    priceMatch: order.priceMatch,
  });
}

/** FUT-3: matches an order that is in no book; its remaining lots rest or expire. */
export function matchOrder(world: World, order: Order): void {
  const ending = matchWhilePossible(world, order);
  if (remaining(order) === 0n) return;
  if (ending === "self_trade") closeOrder(world, order, "EXPIRED_IN_MATCH", "self_trade");
  else if (ending !== "") closeOrder(world, order, "EXPIRED", ending);
  else if (order.timeInForce === IOC || order.timeInForce === FOK) closeOrder(world, order, "EXPIRED", "time_in_force");
  else {
    order.queue = world.nextQueue();
    world.orders.push(order);
  }
}

/** Removes an order, resting or not, and its attached orders if they end with it. */
export function closeOrder(world: World, order: Order, status: Status, reason: Reason): void {
  world.orders = world.orders.filter((other) => other !== order);
  world.touch(order.account);
  world.say({
    kind: "order_closed",
    order: order.id,
    account: order.account,
    market: order.market,
    status,
    reason,
    lots: toNumber(order.lots),
    executedLots: toNumber(order.executed),
    quote_micros: toNumber(order.quote),
  });
  const isByOwner = reason === "user" || reason === "modified";
  if (order.executed > 0n && !isByOwner) return;
  const attached = world.conditionalsOf(order.account).filter((conditional) => conditional.parent === order.id);
  for (const conditional of attached) closeConditional(world, conditional.id, "CANCELED", "parent_closed");
}

export function closeConditional(world: World, id: number, status: Status, reason: Reason): void {
  const { account, market } = world.conditionals.find((conditional) => conditional.id === id)!;
  world.conditionals = world.conditionals.filter((conditional) => conditional.id !== id);
  world.say({ kind: "conditional_closed", conditional: id, account, market, status, reason });
}

/** FUT-25: everything whose time has come, by time, then by id. */
export function expireDue(world: World): void {
  const due = [...world.orders, ...world.conditionals]
    .filter(({ goodTill_ms }) => goodTill_ms > 0 && goodTill_ms <= world.time_ms)
    .sort((one, other) => one.goodTill_ms - other.goodTill_ms || one.id - other.id);
  for (const { id } of due) {
    const order = world.orders.find((resting) => resting.id === id);
    if (order === undefined) closeConditional(world, id, "EXPIRED", "good_till");
    else closeOrder(world, order, "EXPIRED", "good_till");
  }
}

export function sayAmended(world: World, order: Order, reason: "modified" | "reduce_only_excess"): void {
  world.say({
    kind: "order_amended",
    order: order.id,
    account: order.account,
    market: order.market,
    ticks: toNumber(order.ticks),
    lots: toNumber(order.lots),
    executedLots: toNumber(order.executed),
    reason,
    priceMatch: order.priceMatch,
  });
}

/** FUT-6: after every fill, reduce-only orders hold at most the lots of the position; the newest are reduced first. */
export function cutReduceOnlyExcess(world: World, account: number, market: number): void {
  const position = world.holdingOrNew(account, market).lots;
  const orders = world.ordersOf(account, market).filter((order) => order.isReduceOnly);
  const against = orders.filter((order) => isAgainst(order.side, position));
  let excess = max(0n, sumOf(against, remaining) - abs(position));
  for (const order of orders.reverse()) {
    const cut = against.includes(order) ? min(excess, remaining(order)) : remaining(order);
    if (cut === 0n) continue;
    if (against.includes(order)) excess -= cut;
    if (cut === remaining(order)) {
      closeOrder(world, order, "CANCELED", "reduce_only_excess");
    } else {
      order.lots -= cut;
      sayAmended(world, order, "reduce_only_excess");
    }
  }
}

function matchWhilePossible(world: World, taker: Order): "" | "self_trade" | "insolvent" | "off_market" {
  const { market, selfTradePrevention: prevention } = taker;
  const isTakerAsked = taker.cause === "trade" || taker.cause === "bonus_expiry";
  while (remaining(taker) > 0n) {
    const maker = ordersMet(world, market, taker.side, taker.ticks)[0];
    if (maker === undefined) return "";
    if (maker.account === taker.account && prevention !== STP_NONE) {
      if (prevention === STP_EXPIRE_MAKER || prevention === STP_EXPIRE_BOTH) {
        closeOrder(world, maker, "EXPIRED_IN_MATCH", "self_trade");
      }
      if (prevention === STP_EXPIRE_TAKER || prevention === STP_EXPIRE_BOTH) return "self_trade";
      continue;
    }
    const lots = min(remaining(taker), remaining(maker));
    if (!bearsFill(world, maker, taker, maker, lots)) {
      closeOrder(world, maker, "EXPIRED", "insolvent");
      continue;
    }
    if (!isFairFill(world, maker.account, market, signed(maker.side, lots), maker.ticks)) {
      closeOrder(world, maker, "EXPIRED", "off_market");
      continue;
    }
    if (isTakerAsked && !bearsFill(world, taker, taker, maker, lots)) return "insolvent";
    const isPriceAsked = taker.cause === "trade";
    if (isPriceAsked && !isFairFill(world, taker.account, market, signed(taker.side, lots), maker.ticks)) {
      return "off_market";
    }
    trade(world, taker, maker, lots);
  }
  return "";
}

function bearsFill(world: World, side: Order, taker: Order, maker: Order, lots: bigint): boolean {
  const value = lots * maker.ticks * world.markets[maker.market]!.unit;
  const own = feeOf(world, side.account, value, side === maker, taker.cause);
  const isSelfTrade = taker.account === maker.account && side === taker;
  const fee = isSelfTrade ? own + feeOf(world, maker.account, value, true, taker.cause) : own;
  return staysSolvent(world, side.account, side.market, signed(side.side, lots), maker.ticks, fee);
}

function trade(world: World, taker: Order, maker: Order, lots: bigint): void {
  const market = world.markets[taker.market]!;
  market.lastTrade += 1;
  market.last = maker.ticks;
  world.setTraded(market.number);
  const isSelfTrade = taker.account === maker.account;
  const value = lots * maker.ticks * market.unit;
  if (world.isFair && !isSelfTrade) holdGain(world, taker, maker, lots);
  const wakes = [taker, maker].filter((order) => order.executed === 0n);
  for (const order of [taker, maker]) {
    settle(world, {
      account: order.account,
      market: market.number,
      side: order.side,
      ticks: maker.ticks,
      lots,
      fee: feeOf(world, order.account, value, order === maker, taker.cause),
      cause: order.cause,
      trade: market.lastTrade,
      isMaker: order === maker,
      isSelfTrade,
      order,
    });
  }
  world.orders = world.orders.filter((order) => remaining(order) > 0n);
  cutReduceOnlyExcess(world, taker.account, market.number);
  if (!isSelfTrade) cutReduceOnlyExcess(world, maker.account, market.number);
  for (const order of wakes) wakeAttached(world, order);
}

/** VLT-3: what one side gains against the mark from a side with a bonus. */
function holdGain(world: World, taker: Order, maker: Order, lots: bigint): void {
  const { mark, unit } = world.markets[maker.market]!;
  for (const [winner, loser] of [
    [taker, maker],
    [maker, taker],
  ] as const) {
    const amount = signed(winner.side, lots) * (mark - maker.ticks) * unit;
    const isHeld = amount > 0n && world.accounts[loser.account]!.bonus > 0n && winner.account !== FUND;
    if (isHeld) world.accounts[winner.account]!.gains.push({ hour: Math.floor(world.time_ms / 3_600_000), amount });
  }
}

/** The first fill of an order wakes its attached orders. */
function wakeAttached(world: World, order: Order): void {
  const attached = world.conditionalsOf(order.account).filter((conditional) => conditional.parent === order.id);
  for (const conditional of attached) {
    conditional.isActive = true;
    world.say({
      kind: "conditional_activated",
      conditional: conditional.id,
      account: conditional.account,
      market: conditional.market,
    });
  }
}
