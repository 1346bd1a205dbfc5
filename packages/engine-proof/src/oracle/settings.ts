import type { MoveIsolatedMargin, SetLeverage, SetMarginMode } from "@bourse/engine";
import { abs, ceilDiv, largestNotional, min, toNumber } from "./arithmetic.ts";
import { exposure, positionValue, sumsOf, unrealisedOf } from "./margin.ts";
import { ISOLATED, type Refusal, refuse, type World } from "./state.ts";

/** Section 7. */
export function setLeverage(world: World, command: SetLeverage): Refusal | null {
  const account = world.accounts[command.account]!;
  const market = world.markets[command.market]!;
  const leverage = BigInt(command.leverage);
  const byBracket = market.brackets[0]!.maxLeverage;
  const highest = account.bonus > 0n ? min(byBracket, account.grantLeverage) : byBracket;
  if (leverage < 1n || leverage > highest) return refuse("leverage_invalid", highest, leverage);

  const holding = world.holdingOrNew(command.account, command.market);
  const largest = largestNotional(market.brackets, leverage);
  const worst = exposure(world, holding, null);
  if (worst > largest) return refuse("position_limit", largest, worst);
  if (leverage < holding.leverage) {
    if (holding.mode === ISOLATED && holding.lots !== 0n) return refuse("leverage_margin");
    const { initial, balance } = sumsOf(world, command.account, { market: command.market, leverage });
    const isRising = initial > sumsOf(world, command.account).initial;
    if (isRising && initial > balance) return refuse("leverage_margin", balance, initial);
  }
  world.createHolding(command.account, command.market).leverage = leverage;
  world.touch(command.account);
  const { account: number, market: marketNumber } = command;
  world.say({ kind: "leverage_set", account: number, market: marketNumber, leverage: command.leverage });
  return null;
}

export function setMarginMode(world: World, command: SetMarginMode): Refusal | null {
  const { account, market, mode } = command;
  const holding = world.holdingOrNew(account, market);
  if (mode !== holding.mode) {
    if (mode === ISOLATED && world.accounts[account]!.bonus > 0n) return refuse("mode_bonus");
    const hasConditionals = world.conditionalsOf(account).some((conditional) => conditional.market === market);
    if (hasConditionals || world.ordersOf(account, market).length > 0) return refuse("mode_open_orders");
    if (holding.lots !== 0n) return refuse("mode_open_position");
    world.createHolding(account, market).mode = mode;
  }
  world.say({ kind: "margin_mode_set", account, market, mode });
  return null;
}

export function moveIsolatedMargin(world: World, command: MoveIsolatedMargin): Refusal | null {
  const account = world.accounts[command.account]!;
  const holding = world.holdingOrNew(command.account, command.market);
  if (holding.mode !== ISOLATED || holding.lots === 0n) return refuse("not_isolated");
  const amount = BigInt(command.amount_micros);
  if (amount > 0n) {
    const max = min(account.principal, sumsOf(world, command.account).available);
    if (amount > max) return refuse("margin_insufficient", max, amount);
  } else {
    const initial = ceilDiv(abs(positionValue(world, holding)), holding.leverage);
    const max = min(holding.isolated, holding.isolated + min(0n, unrealisedOf(world, holding)) - initial);
    if (-amount > max) return refuse("margin_insufficient", max, -amount);
  }
  holding.isolated += amount;
  account.principal -= amount;
  world.touch(command.account);
  world.say({
    kind: "isolated_margin_moved",
    account: command.account,
    market: command.market,
    amount_micros: toNumber(amount),
    isolated_micros: toNumber(holding.isolated),
    principal_micros: toNumber(account.principal),
  });
  return null;
}
