import type { Side } from "@bourse/engine";
import { abs, ceilDiv, maintenanceMargin, max } from "./arithmetic.ts";
import { ALL_CROSS, BUY, CROSS, type Holding, ISOLATED, type Order, remaining, SELL, type World } from "./state.ts";

/** A hypothetical change: one order more, one order less, or another leverage in one market. */
export interface Assumption {
  readonly market: number;
  readonly side?: Side;
  readonly value?: bigint;
  readonly leverage?: bigint;
  readonly leftOut?: Order | null;
}

export interface Sums {
  readonly unrealised: bigint;
  readonly maintenance: bigint;
  readonly initial: bigint;
  readonly balance: bigint;
  readonly available: bigint;
}

/** P: the position's value at the mark price, signed. */
export function positionValue(world: World, holding: Holding): bigint {
  const market = world.markets[holding.market]!;
  return holding.lots * market.mark * market.unit;
}

export function unrealisedOf(world: World, holding: Holding): bigint {
  return positionValue(world, holding) - holding.cost;
}

export function maintenanceOf(world: World, holding: Holding): bigint {
  return maintenanceMargin(world.markets[holding.market]!.brackets, abs(positionValue(world, holding)));
}

/** Lots of resting orders of one side that are not reduce-only. */
export function openLots(world: World, account: number, market: number, side: Side, leftOut: Order | null): bigint {
  return sumOf(
    world.orders.filter(
      (order) => isCounted(order, account, market, leftOut) && order.side === side && !order.isReduceOnly,
    ),
    remaining,
  );
}

export function reduceOnlyLots(world: World, account: number, market: number, leftOut: Order | null): bigint {
  const orders = world.orders.filter((order) => isCounted(order, account, market, leftOut) && order.isReduceOnly);
  return sumOf(orders, remaining);
}

/** `max(P + buys, sells − P)`: the largest value that the position can reach. */
export function exposure(world: World, holding: Holding, assumption: Assumption | null): bigint {
  const isAssumed = assumption?.market === holding.market;
  const leftOut = (isAssumed && assumption.leftOut) || null;
  let buys = openValue(world, holding, BUY, leftOut);
  let sells = openValue(world, holding, SELL, leftOut);
  if (isAssumed && assumption.side === BUY) buys += assumption.value ?? 0n;
  if (isAssumed && assumption.side === SELL) sells += assumption.value ?? 0n;
  const position = positionValue(world, holding);
  return max(position + buys, sells - position);
}

export function sumsOf(world: World, account: number, assumption: Assumption | null = null): Sums {
  const holdings = world.holdingsOf(account);
  if (assumption !== null && world.findHolding(account, assumption.market) === undefined) {
    holdings.push(world.holdingOrNew(account, assumption.market));
  }
  const cross = holdings.filter((holding) => holding.mode === CROSS);
  const unrealised = sumOf(cross, (holding) => unrealisedOf(world, holding));
  const maintenance = sumOf(cross, (holding) => maintenanceOf(world, holding));
  const initial = sumOf(holdings, (holding) => initialOf(world, holding, assumption));
  const { principal, bonus } = world.accounts[account]!;
  const balance = principal + bonus + unrealised;
  return { unrealised, maintenance, initial, balance, available: balance - initial };
}

export interface Standing {
  readonly maintenance: bigint;
  readonly balance: bigint;
}

/** Of an account's cross positions (market −1), or of an isolated one. */
export function standingOf(world: World, account: number, market: number): Standing {
  if (market === ALL_CROSS) return sumsOf(world, account);
  const holding = world.findHolding(account, market)!;
  return {
    maintenance: maintenanceOf(world, holding),
    balance: holding.isolated + unrealisedOf(world, holding),
  };
}

export function isBelowMaintenance({ maintenance, balance }: Standing): boolean {
  return maintenance > 0n && maintenance >= balance;
}

/** One side of all positions. */
export function openInterest(world: World, market: number): bigint {
  const longs = world.holdings.filter((holding) => holding.market === market && holding.lots > 0n);
  return sumOf(longs, (holding) => holding.lots);
}

export function restingLots(world: World, market: number, leftOut: Order | null): bigint {
  return sumOf(
    world.orders.filter((order) => order.market === market && order !== leftOut),
    remaining,
  );
}

export function sumOf<T>(list: readonly T[], value: (entry: T) => bigint): bigint {
  return list.reduce((sum, entry) => sum + value(entry), 0n);
}

function initialOf(world: World, holding: Holding, assumption: Assumption | null): bigint {
  const isAssumed = assumption?.market === holding.market;
  const leverage = (isAssumed && assumption.leverage) || holding.leverage;
  const worst = exposure(world, holding, assumption);
  const own = holding.mode === ISOLATED ? abs(positionValue(world, holding)) : 0n;
  return ceilDiv(worst - own, leverage);
}

function openValue(world: World, holding: Holding, side: Side, leftOut: Order | null): bigint {
  const { unit } = world.markets[holding.market]!;
  const orders = world.orders.filter(
    (order) => isCounted(order, holding.account, holding.market, leftOut) && order.side === side && !order.isReduceOnly,
  );
  return sumOf(orders, (order) => remaining(order) * order.ticks * unit);
}

function isCounted(order: Order, account: number, market: number, leftOut: Order | null): boolean {
  return order.account === account && order.market === market && order !== leftOut;
}
