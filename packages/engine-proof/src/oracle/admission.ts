import type { OrderType, PriceMatch, SelfTradePrevention, Side, TimeInForce, WorkingType } from "@bourse/engine";
import {
  abs,
  BILLION_micros,
  ceilDiv,
  clamp,
  floorDiv,
  highestBuy,
  isHeavy,
  largestNotional,
  lowestSell,
  MAX_INSIDE_micros,
  MAX_LOTS,
  MAX_TICKS,
  max,
  min,
} from "./arithmetic.ts";
import { bestOpposite, lotsForFok, matchedPrice, ordersMet, scanBook } from "./book.ts";
import { equityOf } from "./fund.ts";
import {
  exposure,
  isBelowMaintenance,
  openInterest,
  openLots,
  reduceOnlyLots,
  restingLots,
  type Sums,
  sumsOf,
} from "./margin.ts";
import {
  BUY,
  CROSS,
  FOK,
  GTC,
  GTX,
  HALTED,
  type Holding,
  isAgainst,
  LIMIT,
  type OracleMarket,
  type Order,
  REDUCE_ONLY,
  type Refusal,
  refuse,
  type World,
} from "./state.ts";

export interface Attached {
  readonly triggerTicks: bigint;
  readonly ticks: bigint;
  readonly workingType: WorkingType;
}

/** An order before its checks: of a command, or of a conditional order that fires. */
export interface Draft {
  readonly account: number;
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly ticks: bigint;
  readonly lots: bigint;
  readonly quote: bigint;
  readonly isReduceOnly: boolean;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly clientId: string;
  readonly goodTill_ms: number;
  readonly priceMatch: PriceMatch;
  readonly maxSlippage_e8: bigint;
  readonly takeProfit: Attached | null;
  readonly stopLoss: Attached | null;
  /** Whether a conditional order produced it: then the counts of orders are not checked. */
  readonly isFired: boolean;
  readonly isClosePosition: boolean;
}

/** The values of a draft that passed the checks. */
export interface Admitted {
  readonly lots: bigint;
  readonly isReduceOnly: boolean;
  /** For a MARKET order: its bound. */
  readonly limitTicks: bigint;
}

/** The part of an order that the checks read, also for an order that is being modified. */
export interface Wish {
  readonly account: number;
  readonly market: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly ticks: bigint;
  readonly lots: bigint;
  readonly limitTicks: bigint;
  /** The order that is being modified. */
  readonly leftOut: Order | null;
}

/** Section 4, steps 2 to 10; the first failing check is the refusal. */
export function admit(world: World, asDrafted: Draft): Refusal | Admitted {
  const { priceMatch } = asDrafted;
  const market = world.markets[asDrafted.market]!;
  const matched = priceMatch === 0 ? null : (matchedPrice(world, market.number, asDrafted.side, priceMatch) ?? 0n);
  const draft = matched === null ? asDrafted : { ...asDrafted, ticks: matched };
  const symbolRefusal = checkSymbol(market);
  if (symbolRefusal !== null) return symbolRefusal;

  const reference = bestOpposite(world, draft.market, draft.side) ?? market.mark;
  const asked = draft.quote > 0n ? floorDiv(draft.quote, reference * market.unit) : draft.lots;
  const filterRefusal = checkFilters(world, market, draft, asked, reference);
  if (filterRefusal !== null) return filterRefusal;

  const isLimit = draft.type === LIMIT;
  const bound = draft.isFired ? triggeredBound(world, market, draft.side) : marketBound(world, market, draft.side);
  const limitTicks = isLimit ? draft.ticks : bound;
  const wish: Wish = { ...draft, lots: asked, limitTicks, leftOut: null };
  const reduced = checkReducing(world, wish, draft.isReduceOnly, draft.isClosePosition, true);
  if ("reason" in reduced) return reduced;

  const { lots, isReduceOnly } = reduced;
  const isFairOnly = world.isFair && !isLimit && !reduced.isReducing && world.accounts[draft.account]!.bonus > 0n;
  const reach = isFairOnly ? closer(draft.side, wish.limitTicks, fairTicks(market, draft.side)) : wish.limitTicks;
  const cut: Wish = { ...wish, lots, limitTicks: reach };
  const refusal =
    (reduced.isReducing ? null : checkExposure(world, cut)) ??
    (draft.isFired ? null : checkCounts(world, market, draft)) ??
    checkAttached(world, market, draft) ??
    checkBook(world, draft, cut);
  return refusal ?? { lots, isReduceOnly, limitTicks: reach };
}

/** BON-7: the worst price that is fair. */
function fairTicks(market: OracleMarket, side: Side): bigint {
  const { fairBound_e8 } = market.rules;
  return side === BUY ? highestBuy(market.mark, fairBound_e8) : lowestSell(market.mark, fairBound_e8);
}

function closer(side: Side, one: bigint, other: bigint): bigint {
  return side === BUY ? min(one, other) : max(one, other);
}

/** BON-8: an order that opens with a bonus; of MARKET orders the bound is fair already. */
function checkFairPrice(world: World, wish: Wish): Refusal | null {
  if (!world.isFair || wish.type !== LIMIT || world.accounts[wish.account]!.bonus === 0n) return null;
  const fair = fairTicks(world.markets[wish.market]!, wish.side);
  if (closer(wish.side, fair, wish.ticks) === wish.ticks) return null;
  return refuse(wish.side === BUY ? "bonus_price_above" : "bonus_price_below", fair, wish.ticks);
}

/** Step 2. */
export function checkSymbol(market: OracleMarket): Refusal | null {
  if (market.status === HALTED) return refuse("market_halted");
  return market.mark === 0n ? refuse("no_price") : null;
}

/** FUT-4: the price at which a market order stops. */
export function marketBound(world: World, market: OracleMarket, side: Side): bigint {
  return bound(market, side, world.isFair ? market.rules.marketBound_e8 : market.marketBound_e8);
}

/** FUT-8: the same for an order that a trigger produced. */
function triggeredBound(world: World, market: OracleMarket, side: Side): bigint {
  return world.isFair ? bound(market, side, market.rules.triggeredBound_e8) : marketBound(world, market, side);
}

function bound(market: OracleMarket, side: Side, distance_e8: bigint): bigint {
  return side === BUY ? min(MAX_TICKS, highestBuy(market.mark, distance_e8)) : lowestSell(market.mark, distance_e8);
}

/** FUT-2. */
export function bandOf(world: World, market: OracleMarket): bigint {
  return world.isFair ? market.rules.priceBand_e8 : market.percentPrice_e8;
}

/** FUT-8: the price of the last trade as triggers see it. */
export function lastSeen(world: World, market: OracleMarket): bigint {
  if (market.last === 0n) return market.mark;
  return world.isFair ? clamp(market.last, market.mark, market.rules.triggerClamp_e8) : market.last;
}

/** The price band of step 3. */
export function checkBand(world: World, market: OracleMarket, side: Side, ticks: bigint): Refusal | null {
  if (side === BUY) {
    const highest = highestBuy(market.mark, bandOf(world, market));
    return ticks > highest ? refuse("price_above_band", highest, ticks) : null;
  }
  const lowest = lowestSell(market.mark, bandOf(world, market));
  return ticks < lowest ? refuse("price_below_band", lowest, ticks) : null;
}

/** Step 3: the bounds of an order's value. */
export function checkNotional(market: OracleMarket, notional: bigint, isReduceOnly: boolean): Refusal | null {
  if (!isReduceOnly && notional < market.minNotional) return refuse("min_notional", market.minNotional, notional);
  if (!isReduceOnly && notional > market.maxNotional) return refuse("max_notional", market.maxNotional, notional);
  return null;
}

export function checkLargest(notional: bigint): Refusal | null {
  return notional > BILLION_micros ? refuse("max_notional", BILLION_micros, notional) : null;
}

export interface Reduced {
  readonly lots: bigint;
  readonly isReduceOnly: boolean;
  readonly isReducing: boolean;
}

/** Steps 4 and 5: reduce-only, states that only allow reducing, the ratio of the bonus. */
export function checkReducing(
  world: World,
  wish: Wish,
  isReduceOnly: boolean,
  isClosePosition: boolean,
  mayBecomeReduceOnly: boolean,
): Refusal | Reduced {
  const { account, market, side, leftOut } = wish;
  const owner = world.accounts[account]!;
  const position = world.holdingOrNew(account, market).lots;
  if (isReduceOnly) {
    const lots = isClosePosition ? wish.lots : cutToPosition(world, wish, position);
    if (typeof lots !== "bigint") return lots;
    return { lots, isReduceOnly: true, isReducing: true };
  }
  const open = openLots(world, account, market, side, leftOut);
  const isOpposed = isAgainst(side, position);
  const isReducing = isOpposed && wish.lots + open <= abs(position);
  const isMarketReducing = world.markets[market]!.status === REDUCE_ONLY;
  const isBonusReducing = owner.bonusState === "frozen" || owner.bonusState === "expired_pending";
  if (!isReducing && isMarketReducing) return refuse("market_reduce_only");
  if (!isReducing && isBonusReducing) return refuse("bonus_only_reducing");
  if ((isMarketReducing || isBonusReducing) && mayBecomeReduceOnly) {
    const lots = cutToPosition(world, wish, position);
    return typeof lots === "bigint" ? { lots, isReduceOnly: true, isReducing } : lots;
  }
  const isTooLarge = isOpposed && wish.lots + open > abs(position);
  if (isTooLarge && isHeavy(owner.bonus, owner.principal)) {
    return refuse("bonus_ratio", abs(position), wish.lots + open);
  }
  return { lots: wish.lots, isReduceOnly: false, isReducing };
}

/** Steps 6 and 7: leverage, the market's total, margin. Not for orders that only reduce. */
export function checkExposure(world: World, wish: Wish): Refusal | null {
  const { account, side, lots, leftOut } = wish;
  const market = world.markets[wish.market]!;
  const unfair = checkFairPrice(world, wish);
  if (unfair !== null) return unfair;
  const scan = scanBook(world, wish.market, side, wish.limitTicks, lots);
  const restTicks = wish.type === LIMIT ? wish.ticks : market.mark;
  const value = (scan.product + (lots - scan.lots) * restTicks) * market.unit;
  const assumption = { market: wish.market, side, value, leftOut };

  const holding = world.holdingOrNew(account, wish.market);
  const largest = largestNotional(market.brackets, holding.leverage);
  const worst = exposure(world, holding, assumption);
  if (worst > largest) return refuse("position_limit", largest, worst);

  const allLots = openInterest(world, wish.market) + restingLots(world, wish.market, leftOut) + lots;
  const total = allLots * market.mark * market.unit;
  if (total > BILLION_micros) return refuse("market_full", BILLION_micros, total);
  const interest = (openInterest(world, wish.market) + lots) * market.mark * market.unit;
  const backed = min(BILLION_micros, equityOf(world) * market.rules.openInterestFactor);
  const mostInterest = max(1_000_000_000_000n, backed);
  if (world.isFair && interest > mostInterest) return refuse("market_full", mostInterest, interest);
  if (total * BigInt(world.markets.length) > MAX_INSIDE_micros) {
    const others = world.markets.filter((other) => other !== market);
    const lotsOf = (other: OracleMarket): bigint =>
      openInterest(world, other.number) + restingLots(world, other.number, null);
    const all = others.reduce((sum, other) => sum + lotsOf(other) * other.mark * other.unit, total);
    if (all > MAX_INSIDE_micros) return refuse("market_full", MAX_INSIDE_micros, all);
  }

  const atMark = lots * market.mark * market.unit;
  const openLoss = max(0n, side === BUY ? value - atMark : atMark - value);
  const before = sumsOf(world, account, { market: wish.market, leftOut });
  const after = sumsOf(world, account, assumption);
  const funds = fundsOf(world, holding, before);
  if (funds - after.initial - openLoss >= 0n) return null;
  const reason = isBelowMaintenance(before) ? "in_liquidation" : "margin_insufficient";
  return refuse(reason, funds - before.initial, after.initial - before.initial + openLoss);
}

/** Neither bonus nor open profits can be moved into an isolated position. */
function fundsOf(world: World, holding: Holding, sums: Sums): bigint {
  if (holding.mode === CROSS) return sums.balance;
  return world.accounts[holding.account]!.principal + min(0n, sums.unrealised);
}

/** Step 10 for post-only orders. */
export function checkPostOnly(world: World, wish: Wish, timeInForce: TimeInForce): Refusal | null {
  const isTaking = ordersMet(world, wish.market, wish.side, wish.limitTicks).length > 0;
  return timeInForce === GTX && isTaking ? refuse("post_only_would_take") : null;
}

/** Is the client id that of an open order or conditional order of the account? */
export function isClientIdUsed(world: World, account: number, clientId: string): boolean {
  const isUsed = [...world.orders, ...world.conditionals].some(
    (order) => order.account === account && order.clientId === clientId,
  );
  return clientId !== "" && isUsed;
}

export function conditionalCount(world: World, account: number, market: number): bigint {
  return BigInt(world.conditionalsOf(account).filter((conditional) => conditional.market === market).length);
}

function checkFilters(
  world: World,
  market: OracleMarket,
  draft: Draft,
  lots: bigint,
  reference: bigint,
): Refusal | null {
  if (lots === 0n) return refuse("lot_size");
  if (draft.type === LIMIT && draft.ticks === 0n) return refuse("no_price_level");
  const isLimit = draft.type === LIMIT;
  const bandRefusal = isLimit ? checkBand(world, market, draft.side, draft.ticks) : null;
  if (bandRefusal !== null) return bandRefusal;
  if (draft.isClosePosition) return null;
  const notional = (isLimit ? draft.ticks : reference) * lots * market.unit;
  const notionalRefusal = checkNotional(market, notional, draft.isReduceOnly);
  if (notionalRefusal !== null) return notionalRefusal;
  return lots > MAX_LOTS ? refuse("max_notional", MAX_LOTS, lots) : checkLargest(notional);
}

/** Step 4. */
function cutToPosition(world: World, wish: Wish, position: bigint): Refusal | bigint {
  const isOpposed = isAgainst(wish.side, position);
  const open = reduceOnlyLots(world, wish.account, wish.market, wish.leftOut);
  const left = isOpposed ? max(0n, abs(position) - open) : 0n;
  return left === 0n ? refuse("reduce_only_rejected", 0n, wish.lots) : min(left, wish.lots);
}

/** Step 8. */
function checkCounts(world: World, market: OracleMarket, draft: Draft): Refusal | null {
  const open = BigInt(world.ordersOf(draft.account, draft.market).length);
  const mayRest = draft.timeInForce === GTC || draft.timeInForce === GTX;
  if (mayRest && open >= market.maxOpenOrders) return refuse("too_many_orders", market.maxOpenOrders, open);
  const attached = [draft.takeProfit, draft.stopLoss].filter((trigger) => trigger !== null).length;
  const conditionals = conditionalCount(world, draft.account, draft.market) + BigInt(attached);
  if (attached > 0 && conditionals > market.maxConditionalOrders) {
    return refuse("too_many_conditionals", market.maxConditionalOrders, conditionals);
  }
  return isClientIdUsed(world, draft.account, draft.clientId) ? refuse("duplicate_client_id") : null;
}

/** Step 9. */
function checkAttached(world: World, market: OracleMarket, draft: Draft): Refusal | null {
  const reference = draft.type === LIMIT ? draft.ticks : lastSeen(world, market);
  const { takeProfit, stopLoss } = draft;
  const isBuy = draft.side === BUY;
  const isFine = (trigger: bigint, isAbove: boolean): boolean => (isAbove ? trigger > reference : trigger < reference);
  if (takeProfit !== null && !isFine(takeProfit.triggerTicks, isBuy)) {
    return refuse("would_trigger", reference, takeProfit.triggerTicks);
  }
  if (stopLoss !== null && !isFine(stopLoss.triggerTicks, !isBuy)) {
    return refuse("would_trigger", reference, stopLoss.triggerTicks);
  }
  return null;
}

/** Step 10. */
function checkBook(world: World, draft: Draft, wish: Wish): Refusal | null {
  if (draft.maxSlippage_e8 >= 0n) {
    const slippageRefusal = checkSlippage(world, wish, draft.maxSlippage_e8);
    if (slippageRefusal !== null) return slippageRefusal;
  }
  const isFilledAtOnce = draft.timeInForce !== FOK || lotsForFok(world, draft, wish.limitTicks) >= wish.lots;
  return checkPostOnly(world, wish, draft.timeInForce) ?? (isFilledAtOnce ? null : refuse("fok_not_filled"));
}

/** FUT-4. An order that the book cannot fill within the bound is refused too. */
function checkSlippage(world: World, wish: Wish, max_e8: bigint): Refusal | null {
  const scan = scanBook(world, wish.market, wish.side, wish.limitTicks, wish.lots);
  if (scan.lots < wish.lots) return refuse("slippage_exceeded", max_e8);
  const atBest = scan.bestTicks * wish.lots;
  const worse = abs(scan.product - atBest);
  const isExceeded = worse * 100_000_000n > max_e8 * atBest;
  return isExceeded ? refuse("slippage_exceeded", max_e8, ceilDiv(worse * 100_000_000n, atBest)) : null;
}
