import type { AttachedTrigger, Command, OrderTerms, TimeInForce } from "@bourse/engine";
import type { Prng } from "../../../engine/src/book/testing/prng.ts";
import { largestNotional } from "./arithmetic.ts";
import { bestOpposite } from "./book.ts";
import { anyAccount, anyMarket, available, DAY_ms, type Scene } from "./random-scene.ts";
import { BUY, type Holding, type OracleMarket, remaining } from "./state.ts";

const MAX_TICKS = 2 ** 24 - 1;
const MAX_LOTS = 2 ** 43;

type AnySide = 0 | 1;

/** Any order: near the current prices, of about the largest size that the account can carry. */
export function randomOrder(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const account = freeAccount(scene);
  const market = openMarket(scene);
  const number = market?.number ?? 0;
  const holding = world.findHolding(account, number);
  const isReducing = holding !== undefined && holding.lots !== 0n && random.isIn(30);
  const side: AnySide = isReducing ? (holding.lots > 0n ? 1 : 0) : random.pick([0, 1] as const);
  const isMarketOrder = random.isIn(22);
  const near = isMarketOrder ? 0 : nearTicks(scene, market, side);
  const terms = termsOf(scene, !isMarketOrder);
  const ticks = terms.priceMatch === 0 ? near : 0;
  const isQuote = random.isIn(12);
  const lots = isReducing ? part(random, holding.lots) : affordableLots(scene, account, market, near);
  const isReduceOnly = random.isIn(isReducing ? 50 : 4);
  const reference = near || Number(market?.last || market?.mark || 1n);
  return {
    kind: "place_order",
    time_ms,
    account,
    market: number,
    side,
    type: isMarketOrder ? 1 : 0,
    timeInForce: timeInForceOf(scene, isMarketOrder, terms),
    ticks,
    lots: isQuote ? 0 : lots,
    quote_micros: isQuote ? quoteOf(random, market, lots) : 0,
    isReduceOnly,
    selfTradePrevention: random.pick([0, 0, 1, 2, 3, 3] as const),
    clientId: clientIdOf(random),
    maxSlippage_e8: isMarketOrder && random.isIn(30) ? random.pick([0, 10_000, 200_000, 5_000_000, 1e8]) : -1,
    takeProfit: attachedOrNull(random, reference, side === BUY, isReduceOnly),
    stopLoss: attachedOrNull(random, reference, side !== BUY, isReduceOnly),
    ...terms,
  };
}

function timeInForceOf({ random }: Scene, isMarketOrder: boolean, { goodTill_ms }: Terms): TimeInForce {
  if (isMarketOrder) return 1;
  const drawn = random.pick([0, 0, 0, 0, 0, 1, 2, 3, 3] as const);
  return goodTill_ms > 0 && !random.isIn(3) ? 0 : drawn;
}

type Terms = Required<OrderTerms>;

/** FUT-25, FUT-26. Nothing is drawn by rules that do not know them, so that their commands stay the same. */
function termsOf({ random, world, time_ms }: Scene, isLimit: boolean): Terms {
  if (!world.hasOrderTerms) return { goodTill_ms: 0, priceMatch: 0 };
  const isMeant = isLimit || random.isIn(1);
  const now_ms = Math.max(world.time_ms, time_ms);
  const late_ms = random.below(random.pick([2_000, 20_000, 20_000, 600_000, DAY_ms]));
  const goodTill_ms = random.isIn(4) ? now_ms - late_ms : now_ms + 1 + late_ms;
  const hasEnd = isMeant && random.isIn(20);
  const hasMatch = isMeant && random.isIn(18);
  const priceMatch = random.pick([1, 1, 1, 2, 3, 4, 5, 5, 5, 6, 7, 8] as const);
  return { goodTill_ms: hasEnd ? goodTill_ms : 0, priceMatch: hasMatch ? priceMatch : 0 };
}

export function randomConditional(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const account = anyAccount(scene);
  const market = world.markets[anyMarket(scene)];
  const number = market?.number ?? 0;
  const holding = world.findHolding(account, number);
  const hasPosition = holding !== undefined && holding.lots !== 0n;
  const isClosing = hasPosition && random.isIn(60);
  const side: AnySide = isClosing ? (holding.lots > 0n ? 1 : 0) : random.pick([0, 1] as const);
  const type = random.pick([0, 1, 2] as const);
  const isTrailing = type === 2;
  const price = Number(market?.last || market?.mark || 1n);
  const isRising = (side === BUY) === (type === 0);
  const isWrongWay = random.isIn(10);
  const triggerTicks = isTrailing ? 0 : shifted(random, price, isRising !== isWrongWay, 150);
  const isClosePosition = random.isIn(25);
  const isMarketOrder = isTrailing || isClosePosition || random.isIn(50);
  const terms = termsOf(scene, !isMarketOrder);
  const limitTicks = clampTicks(triggerTicks + (isMarketOrder ? 0 : random.between(-20, 20)));
  return {
    kind: "place_conditional",
    time_ms,
    account,
    market: number,
    side,
    type,
    ticks: isMarketOrder || terms.priceMatch !== 0 ? 0 : limitTicks,
    timeInForce: isMarketOrder
      ? random.pick([1, 1, 0] as const)
      : random.pick(terms.goodTill_ms > 0 ? ([0] as const) : ([0, 0, 1, 2, 3] as const)),
    lots: isClosePosition ? 0 : isClosing ? part(random, holding.lots) : affordableLots(scene, account, market, price),
    triggerTicks,
    activateTicks: isTrailing && random.isIn(50) ? shifted(random, price, (side === BUY) === isWrongWay, 100) : 0,
    callback_bps: isTrailing ? random.pick([10, 20, 50, 100, 1_000]) : 0,
    workingType: random.pick([0, 1] as const),
    isReduceOnly: !isClosePosition && random.isIn(40),
    isClosePosition,
    isPriceProtected: random.isIn(30),
    keepsId: random.isIn(40),
    selfTradePrevention: random.pick([0, 1, 2, 3] as const),
    clientId: clientIdOf(random),
    ...terms,
  };
}

export function randomModify(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const orders = world.orders;
  const order = orders.length > 0 && random.isIn(93) ? random.pick(orders) : null;
  if (order === null) {
    const id = random.between(1, world.lastOrderId + 1);
    return {
      kind: "modify_order",
      time_ms,
      account: anyAccount(scene),
      order: id,
      clientId: "",
      side: -1,
      ticks: 5,
      lots: 5,
    };
  }
  const byClientId = order.clientId !== "" && random.isIn(50);
  const isSamePrice = random.isIn(30);
  const now = Number(order.lots);
  const smaller = Number(order.executed) + random.between(0, Number(remaining(order)));
  const lots = random.pick([now, smaller, now + random.between(1, now), Math.max(1, Number(order.executed))]);
  const { priceMatch } = termsOf(scene, true);
  const near = isSamePrice ? Number(order.ticks) : nearTicks(scene, world.markets[order.market], order.side);
  return {
    kind: "modify_order",
    time_ms,
    account: order.account,
    order: byClientId ? 0 : order.id,
    clientId: byClientId ? order.clientId : "",
    side: random.pick([-1, order.side, order.side, random.pick([0, 1] as const)]),
    ticks: priceMatch === 0 ? near : 0,
    lots: Math.min(MAX_LOTS, Math.max(1, lots)),
    priceMatch,
  };
}

export function cancelOne(scene: Scene): Command {
  const { random, world, time_ms } = scene;
  const live = [...world.orders, ...world.conditionals];
  const isDead = live.length === 0 || random.isIn(8);
  const target = isDead ? { id: random.between(1, world.lastOrderId + 2), clientId: "gone" } : random.pick(live);
  const account = "account" in target && !random.isIn(3) ? target.account : anyAccount(scene);
  const byClientId = target.clientId !== "" && random.isIn(60);
  const scope = random.pick([3, 3, 3, 1, 2] as const);
  const order = byClientId ? 0 : target.id;
  return { kind: "cancel_order", time_ms, account, order, clientId: byClientId ? target.clientId : "", scope };
}

export function cancelMany(scene: Scene): Command {
  const market = scene.random.isIn(50) ? -1 : anyMarket(scene);
  const scope = scene.random.pick([1, 2, 3] as const);
  return { kind: "cancel_all", time_ms: scene.time_ms, account: anyAccount(scene), market, scope };
}

/** Mostly an account that may open positions. */
function freeAccount(scene: Scene): number {
  const { random, world } = scene;
  const account = anyAccount(scene);
  const state = world.accounts[account]?.bonusState;
  const isBound = state === "frozen" || state === "expired_pending";
  return isBound && random.isIn(60) ? anyAccount(scene) : account;
}

/** Mostly a market with trading. */
function openMarket(scene: Scene): OracleMarket | undefined {
  const market = scene.world.markets[anyMarket(scene)];
  const isOpen = market !== undefined && market.status === 0 && market.mark > 0n;
  return isOpen || scene.random.isIn(30) ? market : scene.world.markets[anyMarket(scene)];
}

function clampTicks(ticks: number): number {
  return Math.min(MAX_TICKS, Math.max(1, Math.round(ticks)));
}

/** Mostly near the other side's best price or the mark price, sometimes beyond the band. */
function nearTicks({ random, world }: Scene, market: OracleMarket | undefined, side: AnySide): number {
  if (market === undefined) return 1;
  const mark = Number(market.mark) || 100;
  const best = Number(bestOpposite(world, market.number, side) ?? market.mark) || mark;
  const drawn = random.below(100);
  if (drawn < 40) return clampTicks(best + random.between(-2, 2));
  if (drawn < 75) return clampTicks(mark + random.between(-3, 3));
  const reach_bps = drawn < 96 ? 150 : 3_000;
  return clampTicks(mark * (1 + random.between(-reach_bps, reach_bps) / 10_000));
}

function shifted(random: Prng, ticks: number, isUp: boolean, max_bps: number): number {
  const step = Math.max(1, Math.round((ticks * random.between(1, max_bps)) / 10_000));
  return clampTicks(isUp ? ticks + step : ticks - step);
}

/** A part of a position, sometimes more than all of it. */
function part(random: Prng, lots: Holding["lots"]): number {
  const held = Math.abs(Number(lots));
  return Math.max(1, random.isIn(40) ? held : Math.floor((held * random.between(1, 150)) / 100));
}

function affordableLots(scene: Scene, account: number, market: OracleMarket | undefined, ticks: number): number {
  const { random, world } = scene;
  if (market === undefined) return 1;
  const price = ticks || Number(market.mark) || 100;
  const lotValue = price * Number(market.unit);
  const leverage = Number(world.holdingOrNew(account, market.number).leverage);
  const spendable = Math.max(1e7, available(world, account)) * leverage;
  const widest = Number(largestNotional(market.brackets, BigInt(leverage)));
  const max = random.isIn(95) ? Math.min(spendable, widest, Number(market.maxNotional)) : spendable;
  const share = random.pick([2, 10, 30, 60, 80, 90, 95, 97, 98, 101]);
  return Math.min(MAX_LOTS, Math.max(1, Math.floor((max * share) / 100 / lotValue)));
}

function quoteOf(random: Prng, market: OracleMarket | undefined, lots: number): number {
  if (market === undefined || random.isIn(2)) return random.pick([1, 1e15]);
  const lotValue = Number(market.mark || 100n) * Number(market.unit);
  return Math.min(1e15, Math.max(1, Math.floor(lots * lotValue + random.between(-1_000, 1_000))));
}

/** From a small set, so that ids repeat. */
function clientIdOf(random: Prng): string {
  return random.isIn(35) ? `c${random.below(60)}` : "";
}

function attachedOrNull(
  random: Prng,
  reference: number,
  isAbove: boolean,
  isReduceOnly: boolean,
): AttachedTrigger | null {
  if (!random.isIn(isReduceOnly ? 1 : 12)) return null;
  const triggerTicks = shifted(random, reference, random.isIn(7) ? !isAbove : isAbove, 120);
  const ticks = random.isIn(50) ? 0 : clampTicks(triggerTicks + random.between(-10, 10));
  return { triggerTicks, ticks, workingType: random.pick([0, 1] as const) };
}
