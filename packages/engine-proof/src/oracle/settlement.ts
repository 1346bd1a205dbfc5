import type { EventOf, Side } from "@bourse/engine";
import {
  abs,
  bonusShare,
  ceilDiv,
  changePosition,
  max,
  min,
  type PositionChange,
  toNumber,
  tradeFee,
} from "./arithmetic.ts";
import { sumsOf, unrealisedOf } from "./margin.ts";
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
      : settleCross(account, change, fill.fee);
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
  const isCounted = fill.order !== null && !fill.isSelfTrade && !isForced;
  if (isCounted) countVolume(world, account, value);
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
  if (holding.mode === CROSS) return sumsOf(world, account).balance + filled * (mark - ticks) * unit - fee >= 0n;

  const change = changePosition(holding, filled, ticks * unit);
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
  return own + need + opened * (mark - ticks) * unit - fee >= 0n;
}

function settleCross(account: OracleAccount, change: PositionChange, fee: bigint): Consumed {
  const feeFromBonus = takeCost(account, fee);
  if (change.realised >= 0n) {
    account.principal += change.realised;
    return { fee: feeFromBonus, loss: 0n };
  }
  return { fee: feeFromBonus, loss: takeCost(account, -change.realised) };
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
  });
}
