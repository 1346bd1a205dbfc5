import type { Side } from "@bourse/engine";
import { min } from "./arithmetic.ts";
import { BUY, type Order, opposite, remaining, STP_EXPIRE_MAKER, STP_NONE, type World } from "./state.ts";

/** The orders that an order of this side and limit could meet, by price, then time. */
export function ordersMet(world: World, market: number, side: Side, limitTicks: bigint): Order[] {
  return world.orders
    .filter((order) => order.market === market && order.side === opposite(side) && reaches(side, limitTicks, order))
    .sort((one, other) => compareTicks(side, one, other) || one.queue - other.queue);
}

export function bestOpposite(world: World, market: number, side: Side): bigint | null {
  const makers = world.orders.filter((order) => order.market === market && order.side === opposite(side));
  return makers.length === 0 ? null : makers.sort((one, other) => compareTicks(side, one, other))[0]!.ticks;
}

/** FUT-26: the price of the level that is named, as the book stands; null if there are fewer levels. */
export function matchedPrice(world: World, market: number, side: Side, priceMatch: number): bigint | null {
  const isOpponent = priceMatch <= 4;
  const place = [1, 5, 10, 20][(priceMatch - 1) % 4]!;
  const wanted = isOpponent ? opposite(side) : side;
  const orders = world.orders.filter((order) => order.market === market && order.side === wanted);
  const best = orders.sort((one, other) => compareTicks(opposite(wanted), one, other));
  return [...new Set(best.map(({ ticks }) => ticks))][place - 1] ?? null;
}

export interface Scan {
  readonly lots: bigint;
  /** Σ price × lots, in ticks times lots. */
  readonly product: bigint;
  readonly bestTicks: bigint;
}

/** The part of these lots that would match at once, regardless of the orders' owners. */
export function scanBook(world: World, market: number, side: Side, limitTicks: bigint, lots: bigint): Scan {
  const makers = ordersMet(world, market, side, limitTicks);
  let matched = 0n;
  let product = 0n;
  for (const maker of makers) {
    const taken = min(lots - matched, remaining(maker));
    matched += taken;
    product += taken * maker.ticks;
  }
  return { lots: matched, product, bestTicks: makers[0]?.ticks ?? 0n };
}

/** How many lots a fill-or-kill order would find, without its own orders if its self-trade prevention excludes them. */
export function lotsForFok(
  world: World,
  order: Pick<Order, "account" | "market" | "side" | "selfTradePrevention">,
  limitTicks: bigint,
): bigint {
  let found = 0n;
  for (const maker of ordersMet(world, order.market, order.side, limitTicks)) {
    const isOwn = maker.account === order.account && order.selfTradePrevention !== STP_NONE;
    if (isOwn && order.selfTradePrevention !== STP_EXPIRE_MAKER) break;
    if (!isOwn) found += remaining(maker);
  }
  return found;
}

function reaches(side: Side, limitTicks: bigint, maker: Order): boolean {
  return side === BUY ? maker.ticks <= limitTicks : maker.ticks >= limitTicks;
}

/** Best price for an order of this side first. */
function compareTicks(side: Side, one: Order, other: Order): number {
  if (one.ticks === other.ticks) return 0;
  return one.ticks < other.ticks === (side === BUY) ? -1 : 1;
}
