import type { EventOf, Side } from "@bourse/engine";
import {
  abs,
  bonusShare,
  ceilDiv,
  changePosition,
  highestBuy,
  lowestSell,
  max,
  min,
  type PositionChange,
  toNumber,
  tradeFee,
} from "./arithmetic.ts";
import { maintenanceOf, sumsOf, unrealisedOf } from "./margin.ts";
import { runOf } from "./run.ts";
import {
  type Cause,
  CROSS,
  FUND,
  type Holding,
  ISOLATED,
  type OracleAccount,
  type Order,
  signed,
  type World,
} from "./state.ts";
import { countVolume } from "./tiers.ts";

/** One side of a trade. */
export interface FillSide {
  readonly account: number;
  readonly market: number;
  readonly side: Side;
  readonly ticks: bigint;
  readonly lots: bigint;
  readonly fee: bigint;
  readonly cause: Cause;
  readonly trade: number;
  readonly isMaker: boolean;
  readonly isSelfTrade: boolean;
  /** None in takeovers and auto-deleveraging. */
  readonly order: Order | null;
}

type Line = EventOf<"bonus_line">["line"];

/** The bonus that the two costs of a fill consumed. */
interface Consumed {
  readonly fee: bigint;
  readonly loss: bigint;
}

export function feeOf(world: World, account: number, value: bigint, isMaker: boolean, cause: Cause): bigint {
  const isFree = account === FUND || (!isMaker && cause === "liquidation");
  const { tier, discount_bps } = world.accounts[account]!;
  return isFree ? 0n : tradeFee(value, tier, isMaker, discount_bps);
}

/** FUT-9, FUT-15, BON-7: settles a fill on one account and reports its events. */
export function settle(world: World, fill: FillSide): void {
  const account = world.accounts[fill.account]!;
  const holding = world.createHolding(fill.account, fill.market);
  const { unit } = world.markets[fill.market]!;
  const lotValue = fill.ticks * unit;
  const change = changePosition(holding, signed(fill.side, fill.lots), lotValue);
  const before = { bonus: account.bonus, consumed: account.consumed, locked: account.locked };
  if (change.opened > 0n && account.bonus > 0n) account.hasOpenedOnBonus = true;

  world.touch(fill.account);
  world.feeAccount += fill.fee;
  const fromBonus =
    holding.mode === ISOLATED
      ? settleIsolated(world, account, holding, change, lotValue, fill.fee)
      : settleCross(world, account, change, fill);
  if (world.isFair && fill.account === FUND) {
    const { fund } = world.markets[fill.market]!;
    fund.realised += change.realised;
    if (holding.lots === 0n) fund.since_ms = world.time_ms;
  }
  holding.lots = change.lots;
  holding.cost = change.cost;
  const value = fill.lots * lotValue;
  if (fill.order !== null) {
    fill.order.executed += fill.lots;
    fill.order.quote += value;
  }

  sayFill(world, fill, account, holding, change.realised, fromBonus);
  sayLine(world, fill.account, "CONSUME_FEE", fromBonus.fee, {
    bonus: before.bonus - fromBonus.fee,
    locked: min(before.locked, before.bonus - fromBonus.fee),
    consumed: before.consumed + fromBonus.fee,
  });
  sayLine(world, fill.account, "CONSUME_LOSS", fromBonus.loss, account);
  const isForced = !fill.isMaker && (fill.cause === "liquidation" || fill.cause === "fund");
  const isFairPrice = !isOffMarket(world, fill.market, fill.ticks);
  const isCounted = fill.order !== null && !fill.isSelfTrade && !isForced && isFairPrice;
  if (isCounted) countVolume(world, account, value);
}

/** FUT-15: further from the mark than fair. */
function isOffMarket(world: World, market: number, ticks: bigint): boolean {
  const { mark, rules } = world.markets[market]!;
  const { fairBound_e8 } = rules;
  return world.isFair && (ticks > highestBuy(mark, fairBound_e8) || ticks < lowestSell(mark, fairBound_e8));
}

/** Charges a cost to an account's cross balance. Returns the part that the bonus paid. */
export function takeCost(account: OracleAccount, cost: bigint): bigint {
  const fromBonus = bonusShare(cost, account.principal, account.bonus);
  account.principal -= cost - fromBonus;
  account.bonus -= fromBonus;
  account.consumed += fromBonus;
  account.locked = min(account.locked, account.bonus);
  return fromBonus;
}

/** Reports nothing if the amount is 0. */
export function sayLine(
  world: World,
  account: number,
  line: Line,
  amount: bigint,
  after: { readonly bonus: bigint; readonly locked: bigint; readonly consumed: bigint },
): void {
  if (amount === 0n) return;
  world.say({
    kind: "bonus_line",
    account,
    line,
    amount_micros: toNumber(amount),
    bonus_micros: toNumber(after.bonus),
    locked_micros: toNumber(after.locked),
    consumed_micros: toNumber(after.consumed),
  });
}

/** Section 5: whether the account would be solvent after a fill of signed lots. */
export function staysSolvent(
  world: World,
  account: number,
  market: number,
  filled: bigint,
  ticks: bigint,
  fee: bigint,
): boolean {
  const { mark, unit } = world.markets[market]!;
  const holding = world.holdingOrNew(account, market);
  const change = changePosition(holding, filled, ticks * unit);
  const after: Holding = { ...holding, lots: change.lots };
  const isRaised = world.isFair && change.opened > 0n;
  if (holding.mode === CROSS) {
    const sums = sumsOf(world, account);
    const left = sums.balance + filled * (mark - ticks) * unit - fee;
    const maintenance = sums.maintenance - maintenanceOf(world, holding) + maintenanceOf(world, after);
    return left >= (isRaised ? maintenance : 0n);
  }
  if (change.closed > 0n) {
    const left = holding.isolated + holding.lots * ticks * unit - holding.cost - fee;
    if (left < 0n) return false;
  }
  if (change.opened === 0n) return true;
  const need = ceilDiv(change.opened * ticks * unit, holding.leverage);
  const back = change.closed > 0n ? holding.isolated + holding.lots * ticks * unit - holding.cost : 0n;
  if (need > spareOf(world, world.accounts[account]!, back)) return false;
  const own = change.closed > 0n ? 0n : holding.isolated + unrealisedOf(world, holding);
  const opened = filled < 0n ? -change.opened : change.opened;
  return own + need + opened * (mark - ticks) * unit - fee >= (isRaised ? maintenanceOf(world, after) : 0n);
}

function settleCross(world: World, account: OracleAccount, change: PositionChange, fill: FillSide): Consumed {
  const fair = world.isFair && account.bonus > 0n ? account.fair : null;
  if (fair !== null) {
    const before = max(0n, fair.slip - fair.grant / 20n);
    fair.slip += slipOf(world, fill.market, signed(fill.side, fill.lots), fill.ticks);
    fair.own += max(0n, fair.slip - fair.grant / 20n) - before;
  }
  const feeFromBonus = takeCost(account, fill.fee);
  if (change.realised >= 0n) {
    account.principal += change.realised;
    return { fee: feeFromBonus, loss: 0n };
  }
  const loss = -change.realised;
  const fromBonus = takeCost(account, loss);
  if (fair !== null) {
    const unfair = min(loss, fair.own);
    fair.own -= unfair;
    fair.owed += ceilDiv(fromBonus * unfair, loss);
  }
  return { fee: feeFromBonus, loss: fromBonus };
}

/** BON-7: what a fill of signed lots costs against the mark. */
function slipOf(world: World, market: number, lots: bigint, ticks: bigint): bigint {
  const { mark, unit } = world.markets[market]!;
  return max(0n, lots * (ticks - mark) * unit);
}

/** BON-7: whether bonus money pays a fill of signed lots. */
export function isFairFill(world: World, number: number, market: number, lots: bigint, ticks: bigint): boolean {
  const account = world.accounts[number]!;
  const holding = world.holdingOrNew(number, market);
  if (!world.isFair || account.bonus === 0n || holding.mode === ISOLATED) return true;
  const { mark, unit, rules } = world.markets[market]!;
  const isBeyond = (distance_e8: bigint): bigint =>
    max(0n, lots > 0n ? ticks - highestBuy(mark, distance_e8) : lowestSell(mark, distance_e8) - ticks);
  const { opened, closed } = changePosition(holding, lots, ticks * unit);
  const ownMoney = max(0n, account.principal);
  const { slip, grant } = account.fair!;
  const isTooMuch = slip + slipOf(world, market, lots, ticks) - grant / 20n > ownMoney;
  if (opened > 0n && (isBeyond(rules.fairBound_e8) > 0n || isTooMuch)) return false;
  return isBeyond(runOf(world, world.markets[market]!).reach) * closed * unit <= ownMoney;
}

function settleIsolated(
  world: World,
  account: OracleAccount,
  holding: Holding,
  change: PositionChange,
  lotValue: bigint,
  fee: bigint,
): Consumed {
  if (change.closed > 0n) {
    const released = ceilDiv(holding.isolated * change.closed, abs(holding.lots));
    holding.isolated -= released;
    account.principal += released + change.realised;
  }
  const need = ceilDiv(change.opened * lotValue, holding.leverage);
  account.principal -= need;
  holding.isolated += need;
  const fromPrincipal = change.lots === 0n ? fee : min(fee, spareOf(world, account));
  account.principal -= fromPrincipal;
  holding.isolated -= fee - fromPrincipal;
  return { fee: 0n, loss: 0n };
}

/** What principal can give to an isolated position after an amount has returned to it. */
function spareOf(world: World, account: OracleAccount, back = 0n): bigint {
  return max(0n, account.principal + back + min(0n, sumsOf(world, account.number).unrealised));
}

function sayFill(
  world: World,
  fill: FillSide,
  account: OracleAccount,
  holding: Holding,
  realised: bigint,
  fromBonus: Consumed,
): void {
  world.say({
    kind: "fill",
    trade: fill.trade,
    market: fill.market,
    account: fill.account,
    order: fill.order?.id ?? 0,
    side: fill.side,
    isMaker: fill.isMaker ? 1 : 0,
    cause: fill.cause,
    ticks: toNumber(fill.ticks),
    lots: toNumber(fill.lots),
    orderLots: toNumber(fill.order?.lots ?? 0n),
    executedLots: toNumber(fill.order?.executed ?? 0n),
    quote_micros: toNumber(fill.order?.quote ?? 0n),
    fee_micros: toNumber(fill.fee),
    feeFromBonus_micros: toNumber(fromBonus.fee),
    realised_micros: toNumber(realised),
    lossFromBonus_micros: toNumber(fromBonus.loss),
    positionLots: toNumber(holding.lots),
    cost_micros: toNumber(holding.cost),
    principal_micros: toNumber(account.principal),
    bonus_micros: toNumber(account.bonus),
    isolated_micros: toNumber(holding.isolated),
    termsVersion: world.accounts[account.termsLeader]!.termsVersion,
    isSelfTrade: fill.isSelfTrade ? 1 : 0,
    markTicks: world.isFair ? toNumber(world.markets[fill.market]!.mark) : 0,
    isOffMarket: isOffMarket(world, fill.market, fill.ticks) ? 1 : 0,
  });
}
