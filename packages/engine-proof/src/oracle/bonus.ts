import type {
  CloseExpiredBonus,
  ExpireBonus,
  FreezeBonus,
  GrantBonus,
  RecallBonus,
  UnfreezeBonus,
} from "@bourse/engine";
import { marketBound } from "./admission.ts";
import { abs, BILLION_micros, lockedBonus, MAX_INSIDE_micros, max, min, toNumber } from "./arithmetic.ts";
import { sendIoc, sweep } from "./liquidation.ts";
import { sumsOf } from "./margin.ts";
import { cancelConditionals, cancelOrders } from "./orders.ts";
import { sayLine } from "./settlement.ts";
import {
  type BonusState,
  BUY,
  CROSS,
  HALTED,
  ISOLATED,
  isRunning,
  type OracleAccount,
  type Refusal,
  refuse,
  SELL,
  type World,
} from "./state.ts";

const GRACE_ms = 7 * 86_400_000;

export function grantBonus(world: World, command: GrantBonus): Refusal | null {
  const account = world.accounts[command.account]!;
  const amount = BigInt(command.amount_micros);
  if (isRunning(account.bonusState)) return refuse("already_has_bonus");
  if (world.isFair && account.principal < 0n) return refuse("account_in_debt");
  const after = account.principal + amount;
  if (after > BILLION_micros) return refuse("balance_limit", BILLION_micros, after);
  const inside = world.inside + amount;
  if (inside > MAX_INSIDE_micros) return refuse("balance_limit", MAX_INSIDE_micros, inside);

  world.granted += amount;
  account.bonus = amount;
  account.consumed = 0n;
  account.locked = 0n;
  account.hasOpenedOnBonus = false;
  account.grantLeverage = BigInt(command.maxLeverage);
  account.expires_ms = command.expires_ms;
  world.touch(account.number);
  setState(world, account, "active");
  sayLine(world, account.number, "GRANT", amount, account);
  if (world.isFair) {
    const own = max(0n, -sumsOf(world, account.number).unrealised);
    account.fair = { grant: amount, slip: 0n, own, owed: account.fair?.owed ?? 0n };
  } else coverShortfall(world, account);
  adaptSymbols(world, account);
  return null;
}

export function freezeBonus(world: World, command: FreezeBonus): Refusal | null {
  const account = world.accounts[command.account]!;
  if (!isRunning(account.bonusState)) return refuse("no_bonus");
  if (account.bonusState === "frozen") return refuse("already_frozen");
  if (account.bonusState === "expired_pending") return refuse("already_expired");
  setState(world, account, "frozen");
  cancelOrders(world, account.number, "bonus_frozen", (order) => !order.isReduceOnly);
  return null;
}

export function unfreezeBonus(world: World, command: UnfreezeBonus): Refusal | null {
  const account = world.accounts[command.account]!;
  if (!isRunning(account.bonusState)) return refuse("no_bonus");
  if (account.bonusState !== "frozen") return refuse("not_frozen");
  setState(world, account, "active");
  return null;
}

export function recallBonus(world: World, command: RecallBonus): Refusal | null {
  const account = world.accounts[command.account]!;
  if (!isRunning(account.bonusState)) return refuse("no_bonus");
  const locked = lockedNow(world, account);
  if (locked > 0n) return refuse("bonus_locked", 0n, locked);
  relock(world, account);
  returnBonus(world, account, "RECALL", account.bonus);
  repay(world, account);
  setState(world, account, "recalled");
  return null;
}

export function expireBonus(world: World, command: ExpireBonus): Refusal | null {
  const account = world.accounts[command.account]!;
  if (!isRunning(account.bonusState)) return null;
  if (world.time_ms < account.expires_ms) {
    return refuse("not_due", BigInt(account.expires_ms), BigInt(world.time_ms));
  }
  if (account.bonusState === "expired_pending") return refuse("already_expired");
  cancelEverything(world, account);
  world.touch(account.number);
  if (isFlat(world, account)) {
    relock(world, account);
    returnBonus(world, account, "EXPIRE", account.bonus);
    repay(world, account);
    setState(world, account, "recalled");
  } else {
    setState(world, account, "expired_pending");
  }
  return null;
}

export function closeExpiredBonus(world: World, command: CloseExpiredBonus): Refusal | null {
  const account = world.accounts[command.account]!;
  if (!isRunning(account.bonusState)) return null;
  if (account.bonusState !== "expired_pending") return refuse("not_expired");
  const due_ms = account.expires_ms + GRACE_ms;
  if (world.time_ms < due_ms) return refuse("not_due", BigInt(due_ms), BigInt(world.time_ms));
  for (const holding of world.holdingsOf(account.number)) {
    const market = world.markets[holding.market]!;
    if (holding.lots === 0n || market.status === HALTED) continue;
    const bound = marketBound(world, market, holding.lots > 0n ? SELL : BUY);
    if (world.isFair) sweep(world, holding);
    else sendIoc(world, holding, abs(holding.lots), bound, "bonus_expiry");
  }
  return null;
}

/** Section 8, at the end of every command. */
export function closeOffTouched(world: World): void {
  for (const number of [...world.touched]) {
    const account = world.accounts[number]!;
    if (isRunning(account.bonusState)) closeOff(world, account);
    else repay(world, account);
  }
}

function closeOff(world: World, account: OracleAccount): void {
  if (account.bonus === 0n) {
    repay(world, account);
    setState(world, account, "recalled");
    return;
  }
  if (account.hasOpenedOnBonus && isFlat(world, account)) {
    cancelEverything(world, account);
    relock(world, account);
    returnBonus(world, account, "RECALL", account.bonus);
    repay(world, account);
    setState(world, account, "recalled");
    return;
  }
  if (world.relocked.has(account.number)) relock(world, account);
  if (account.bonusState === "expired_pending") {
    const { available } = sumsOf(world, account.number);
    const returnable = max(0n, min(account.bonus - lockedNow(world, account), available));
    returnBonus(world, account, "EXPIRE", returnable);
    if (account.bonus > 0n) return;
    repay(world, account);
    setState(world, account, "recalled");
  }
}

/** Reports the locked part of the bonus if it has changed. */
function relock(world: World, account: OracleAccount): void {
  const locked = lockedNow(world, account);
  const more = locked - account.locked;
  account.locked = locked;
  sayLine(world, account.number, more > 0n ? "LOCK" : "UNLOCK", abs(more), account);
}

function lockedNow(world: World, account: OracleAccount): bigint {
  return lockedBonus(account.bonus, account.principal, sumsOf(world, account.number).initial);
}

function setState(world: World, account: OracleAccount, state: BonusState): void {
  account.bonusState = state;
  world.say({ kind: "bonus_state_set", account: account.number, state, expires_ms: account.expires_ms });
}

function returnBonus(world: World, account: OracleAccount, line: "RECALL" | "EXPIRE", amount: bigint): void {
  account.bonus -= amount;
  account.locked = min(account.locked, account.bonus);
  world.returned += amount;
  sayLine(world, account.number, line, amount, account);
}

/** BON-7: at the end of a bonus, and later as principal becomes free. */
function repay(world: World, account: OracleAccount): void {
  if (account.fair === null) return;
  const amount = max(0n, min(account.fair.owed, account.principal, sumsOf(world, account.number).available));
  account.principal -= amount;
  account.bonus += amount;
  account.consumed = max(0n, account.consumed - amount);
  const owed = account.fair.owed - amount;
  if (amount > 0n) {
    world.say({
      kind: "bonus_repaid",
      account: account.number,
      amount_micros: toNumber(amount),
      principal_micros: toNumber(account.principal),
      bonus_micros: toNumber(account.bonus),
      consumed_micros: toNumber(account.consumed),
      owed_micros: toNumber(owed),
    });
    returnBonus(world, account, "RECALL", amount);
  }
  account.fair = owed === 0n ? null : { grant: 0n, slip: 0n, own: 0n, owed };
}

/** Principal below zero is a loss that open profits have covered so far: a new bonus covers it. */
function coverShortfall(world: World, account: OracleAccount): void {
  const covered = min(account.bonus, max(0n, -account.principal));
  account.principal += covered;
  account.bonus -= covered;
  account.consumed += covered;
  sayLine(world, account.number, "CONSUME_LOSS", covered, account);
}

/** BON-8: no leverage above the grant's, no isolated entry without position and orders. */
function adaptSymbols(world: World, account: OracleAccount): void {
  for (const holding of world.holdingsOf(account.number)) {
    const { market } = holding;
    if (holding.leverage > account.grantLeverage) {
      holding.leverage = account.grantLeverage;
      world.say({ kind: "leverage_set", account: account.number, market, leverage: Number(holding.leverage) });
    }
    const hasConditionals = world.conditionalsOf(account.number).some((conditional) => conditional.market === market);
    const hasOrders = hasConditionals || world.ordersOf(account.number, market).length > 0;
    if (holding.mode === ISOLATED && holding.lots === 0n && !hasOrders) {
      holding.mode = CROSS;
      world.say({ kind: "margin_mode_set", account: account.number, market, mode: CROSS });
    }
  }
}

function cancelEverything(world: World, account: OracleAccount): void {
  cancelOrders(world, account.number, "bonus_ended");
  cancelConditionals(world, account.number, "bonus_ended");
}

function isFlat(world: World, account: OracleAccount): boolean {
  return world.holdingsOf(account.number).every((holding) => holding.lots === 0n);
}
