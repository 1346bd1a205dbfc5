import { marketBound } from "./admission.ts";
import {
  abs,
  bankruptcyTicks,
  deleveragingScore,
  floorDiv,
  highestBuy,
  liquidationFee,
  lowestSell,
  MAX_LOTS,
  MAX_TICKS,
  max,
  min,
  reductionLots,
  toNumber,
} from "./arithmetic.ts";
import { ordersMet } from "./book.ts";
import { judgeFairFund, roomOf } from "./fund.ts";
import { isBelowMaintenance, maintenanceOf, type Standing, standingOf, sumsOf, unrealisedOf } from "./margin.ts";
import { closeOrder, cutReduceOnlyExcess, matchOrder, openOrder } from "./matching.ts";
import { sayLine, settle, takeCost } from "./settlement.ts";
import {
  ALL_CROSS,
  BUY,
  CROSS,
  FUND,
  HALTED,
  type Holding,
  IOC,
  ISOLATED,
  LIMIT,
  type OracleMarket,
  type Order,
  SELL,
  STP_NONE,
  type World,
} from "./state.ts";

/** Section 11: every account with a position in the market, then the fund. */
export function judge(world: World, marketNumber: number, isPrice: boolean): void {
  for (const holding of [...world.holdings]) {
    if (holding.market !== marketNumber || holding.account === FUND || holding.lots === 0n) continue;
    judgeHolding(world, holding);
  }
  const market = world.markets[marketNumber]!;
  // Before its first price there is nothing to judge by.
  if (market.mark === 0n) return;
  if (world.isFair) judgeFairFund(world, market, isPrice);
  else unwindFund(world, market);
}

function judgeHolding(world: World, holding: Holding): void {
  const { account } = holding;
  const scope = holding.mode === ISOLATED ? holding.market : ALL_CROSS;
  const standing = standingOf(world, account, scope);
  if (isBelowMaintenance(standing)) {
    liquidate(world, account, scope);
    return;
  }
  const flagged = scope === ALL_CROSS ? world.accounts[account]! : holding;
  const isAtRisk = standing.maintenance * 10n >= standing.balance * 8n;
  if (isAtRisk && !flagged.isMarginCalled) {
    world.say({ kind: "margin_called", account, market: scope, ...inMicros(standing) });
  }
  flagged.isMarginCalled = isAtRisk;
}

function liquidate(world: World, account: number, scope: number): void {
  world.say({ kind: "liquidation_started", account, market: scope, ...inMicros(standingOf(world, account, scope)) });
  for (const holding of holdingsIn(world, account, scope)) {
    for (const order of world.ordersOf(account, holding.market)) closeOrder(world, order, "CANCELED", "liquidation");
  }
  const givenUp: Holding[] = [];
  while (isToBeReduced(standingOf(world, account, scope))) {
    const holding = largestPosition(world, account, scope, givenUp);
    if (holding === null) break;
    const isDone = world.isFair ? reduceFairly(world, holding, scope) : reduce(world, holding, scope);
    if (!isDone) givenUp.push(holding);
  }
  const standing = standingOf(world, account, scope);
  const isResolved = isToBeReduced(standing) ? 0 : 1;
  world.say({ kind: "liquidation_ended", account, market: scope, isResolved, ...inMicros(standing) });
}

function isToBeReduced({ maintenance, balance }: Standing): boolean {
  return maintenance > 0n && maintenance * 10n >= balance * 9n;
}

function holdingsIn(world: World, account: number, scope: number): Holding[] {
  const isMeant = (holding: Holding): boolean =>
    scope === ALL_CROSS ? holding.mode === CROSS : holding.market === scope;
  return world.holdingsOf(account).filter(isMeant);
}

function largestPosition(world: World, account: number, scope: number, givenUp: Holding[]): Holding | null {
  const candidates = holdingsIn(world, account, scope).filter(
    (holding) => holding.lots !== 0n && world.markets[holding.market]!.status !== HALTED && !givenUp.includes(holding),
  );
  const largest = max(0n, ...candidates.map((holding) => maintenanceOf(world, holding)));
  return candidates.find((holding) => maintenanceOf(world, holding) === largest) ?? null;
}

/** One step. False if no further step is possible for the position. */
function reduce(world: World, holding: Holding, scope: number): boolean {
  const market = world.markets[holding.market]!;
  const lots = reductionLots(market.brackets, holding.lots, market.mark * market.unit);
  const bankruptcy = bankruptcyOf(world, holding);
  if (bankruptcy < 1n || bankruptcy > MAX_TICKS) return false;
  const before = world.accounts[holding.account]!.principal;
  const order = sendIoc(world, holding, lots, bankruptcy, "liquidation");
  const isDone = passOnRest(world, holding, lots - (order?.executed ?? 0n), bankruptcy);
  if (order !== null && order.executed > 0n) takeLiquidationFee(world, holding, scope, order.quote, before);
  return isDone;
}

/** FUT-12 by version 5. False if the rest of the position waits for the next price. */
function reduceFairly(world: World, holding: Holding, scope: number): boolean {
  const market = world.markets[holding.market]!;
  const isLong = holding.lots > 0n;
  const lots = reductionLots(market.brackets, holding.lots, market.mark * market.unit);
  const bankruptcy = bankruptcyOf(world, holding);
  const reach = market.rules.liquidationBound_e8;
  const ticks = isLong
    ? max(bankruptcy, lowestSell(market.index, reach))
    : min(bankruptcy, highestBuy(market.index, reach), MAX_TICKS);
  const before = world.accounts[holding.account]!.principal;
  const isPrice = ticks >= 1n && ticks <= MAX_TICKS;
  const order = isPrice ? sendIoc(world, holding, lots, ticks, "liquidation") : null;
  let charged = order?.quote ?? 0n;
  let left = lots - (order?.executed ?? 0n);
  const { balance, maintenance } = standingOf(world, holding.account, scope);
  if (left > 0n && 2n * balance < maintenance) {
    const rest = passOnFairly(world, holding, scope, left, bankruptcy);
    left = rest.left;
    charged += rest.atMark;
  }
  if (charged > 0n) takeLiquidationFee(world, holding, scope, charged, before);
  return left === 0n;
}

/** BON-7: closes a position of an expired bonus. */
export function sweep(world: World, holding: Holding): void {
  const market = world.markets[holding.market]!;
  const scope = holding.mode === ISOLATED ? holding.market : ALL_CROSS;
  const bankruptcy = bankruptcyOf(world, holding);
  const reach = market.rules.liquidationBound_e8;
  const ticks =
    holding.lots > 0n
      ? max(bankruptcy, lowestSell(market.index, reach))
      : min(bankruptcy, highestBuy(market.index, reach), MAX_TICKS);
  const held = abs(holding.lots);
  const order = ticks >= 1n && ticks <= MAX_TICKS ? sendIoc(world, holding, held, ticks, "bonus_expiry") : null;
  const left = held - (order?.executed ?? 0n);
  if (left === 0n) return;
  const isSolvent = standingOf(world, holding.account, scope).balance >= 0n;
  passOnFairly(world, holding, scope, left, isSolvent ? market.mark : bankruptcy);
}

/** To the fund, then to the other side: the lots that nobody took, and the value that was closed at the mark. */
function passOnFairly(world: World, holding: Holding, scope: number, lots: bigint, bankruptcy: bigint) {
  const market = world.markets[holding.market]!;
  const isLong = holding.lots > 0n;
  const isPrice = bankruptcy >= 1n && bankruptcy <= MAX_TICKS;
  const taken = isPrice ? min(lots, roomOf(world, market, isLong, bankruptcy)) : 0n;
  if (taken > 0n) exchange(world, holding.account, FUND, market, isLong, taken, bankruptcy, "takeover");
  const rest = lots - taken;
  if (rest === 0n) return { left: 0n, atMark: 0n };
  const isSolvent = standingOf(world, holding.account, scope).balance >= 0n;
  if (!isSolvent) {
    return { left: isPrice ? deleverage(world, holding, rest, bankruptcy, "bankrupt") : rest, atMark: 0n };
  }
  const reason = market.fund.cappedUntil_ms === 0 ? "fund_full" : "fund_capped";
  const left = deleverage(world, holding, rest, market.mark, reason);
  return { left, atMark: (rest - left) * market.mark * market.unit };
}

/** Lots that the book did not take go to the fund, else to the other side. */
function passOnRest(world: World, holding: Holding, lots: bigint, ticks: bigint): boolean {
  if (lots === 0n) return true;
  if (!canFundTake(world, holding, lots, ticks)) return deleverage(world, holding, lots, ticks, "bankrupt") === 0n;
  const market = world.markets[holding.market]!;
  exchange(world, holding.account, FUND, market, holding.lots > 0n, lots, ticks, "takeover");
  return true;
}

export function bankruptcyOf(world: World, holding: Holding): bigint {
  const { unit } = world.markets[holding.market]!;
  const isCross = holding.mode === CROSS;
  const besideCross = sumsOf(world, holding.account).balance - unrealisedOf(world, holding);
  return bankruptcyTicks(holding.lots, holding.cost, isCross ? besideCross : holding.isolated, unit);
}

/** Places an IOC order of the engine that reduces a position, if the book has orders at its price. */
export function sendIoc(
  world: World,
  holding: Holding,
  lots: bigint,
  ticks: bigint,
  cause: "liquidation" | "fund" | "bonus_expiry",
): Order | null {
  const side = holding.lots > 0n ? SELL : BUY;
  if (ordersMet(world, holding.market, side, ticks).length === 0) return null;
  const order: Order = {
    id: world.nextOrderId(),
    account: holding.account,
    market: holding.market,
    side,
    type: LIMIT,
    timeInForce: IOC,
    isReduceOnly: true,
    selfTradePrevention: STP_NONE,
    conditional: 0,
    cause,
    clientId: "",
    goodTill_ms: 0,
    priceMatch: 0,
    ticks,
    lots: min(lots, MAX_LOTS),
    executed: 0n,
    quote: 0n,
    queue: world.nextQueue(),
  };
  openOrder(world, order);
  matchOrder(world, order);
  return order;
}

/**
 * `before`: the principal before the fills; the balance of a flat isolated position is what principal has received
 * since.
 */
function takeLiquidationFee(world: World, holding: Holding, scope: number, value: bigint, before: bigint): void {
  const market = world.markets[holding.market]!;
  const account = world.accounts[holding.account]!;
  const isIsolated = scope !== ALL_CROSS;
  const isFlat = holding.lots === 0n;
  const left = isIsolated && isFlat ? account.principal - before : standingOf(world, account.number, scope).balance;
  const fee = liquidationFee(value, market.liquidationFee_e8, left);
  if (fee === 0n) return;
  let fromBonus = 0n;
  if (!isIsolated) fromBonus = takeCost(account, fee);
  else if (isFlat) account.principal -= fee;
  else holding.isolated -= fee;
  world.touch(account.number);
  world.fund.principal += fee;
  if (world.isFair) market.fund.realised += fee;
  world.say({
    kind: "liquidation_fee_paid",
    account: account.number,
    market: holding.market,
    amount_micros: toNumber(fee),
    fromBonus_micros: toNumber(fromBonus),
    principal_micros: toNumber(account.principal),
    bonus_micros: toNumber(account.bonus),
    isolated_micros: toNumber(holding.isolated),
    fund_micros: toNumber(world.fund.principal),
  });
  sayLine(world, account.number, "CONSUME_FEE", fromBonus, account);
}

function canFundTake(world: World, holding: Holding, lots: bigint, ticks: bigint): boolean {
  if (world.fund.principal <= 0n) return false;
  const { mark, unit, number } = world.markets[holding.market]!;
  const taken = holding.lots > 0n ? lots : -lots;
  const own = world.holdingOrNew(FUND, number);
  const sums = sumsOf(world, FUND);
  const balance = sums.balance + taken * (mark - ticks) * unit;
  const after = { ...own, lots: own.lots + taken };
  const maintenance = sums.maintenance - maintenanceOf(world, own) + maintenanceOf(world, after);
  return balance >= maintenance;
}

/** Moves lots from `from` to `to` at a price, without orders, fees and volume; the last price does not change. */
function exchange(
  world: World,
  from: number,
  to: number,
  market: OracleMarket,
  isLong: boolean,
  lots: bigint,
  ticks: bigint,
  cause: "takeover" | "adl",
): void {
  market.lastTrade += 1;
  const common = {
    market: market.number,
    ticks,
    lots,
    fee: 0n,
    cause,
    trade: market.lastTrade,
    isMaker: false,
    isSelfTrade: false,
    order: null,
  };
  settle(world, { ...common, account: from, side: isLong ? SELL : BUY });
  settle(world, { ...common, account: to, side: isLong ? BUY : SELL });
  cutReduceOnlyExcess(world, from, market.number);
  cutReduceOnlyExcess(world, to, market.number);
}

/** Auto-deleverages lots at a price. Returns the lots that no position could take. */
export function deleverage(
  world: World,
  holding: Holding,
  lots: bigint,
  ticks: bigint,
  reason: "fund_full" | "fund_capped" | "fund_old" | "bankrupt",
): bigint {
  const market = world.markets[holding.market]!;
  const isLong = holding.lots > 0n;
  const profit = (other: Holding): bigint => {
    const own = unrealisedOf(world, other);
    return world.isFair && other.mode === CROSS
      ? max(-100n * max(1n, abs(other.cost)), min(own, sumsOf(world, other.account).unrealised))
      : own;
  };
  const score = (other: Holding): bigint => deleveragingScore(profit(other), other.cost, other.leverage);
  const others = world.holdings
    .filter((other) => other.market === market.number && other.account !== FUND && other.lots * holding.lots < 0n)
    .map((other) => ({ other, score: score(other) }))
    .sort((one, next) => (one.score === next.score ? 0 : one.score > next.score ? -1 : 1));
  let left = lots;
  for (const { other } of others) {
    const given = min(left, lotsItCanGive(world, other, ticks));
    if (given === 0n) continue;
    exchange(world, holding.account, other.account, market, isLong, given, ticks, "adl");
    if (world.isFair) sayDeleveraged(world, market, other.account, given, ticks, reason);
    left -= given;
  }
  return left;
}

function sayDeleveraged(
  world: World,
  market: OracleMarket,
  account: number,
  lots: bigint,
  ticks: bigint,
  reason: "fund_full" | "fund_capped" | "fund_old" | "bankrupt",
): void {
  world.say({
    kind: "adl",
    account,
    market: market.number,
    lots: toNumber(lots),
    ticks: toNumber(ticks),
    markTicks: toNumber(market.mark),
    indexTicks: toNumber(market.index),
    reason,
  });
}

function lotsItCanGive(world: World, holding: Holding, ticks: bigint): bigint {
  const { mark, unit } = world.markets[holding.market]!;
  const held = abs(holding.lots);
  if (holding.mode === ISOLATED) {
    const left = holding.isolated + holding.lots * ticks * unit - holding.cost;
    return left >= 0n ? held : 0n;
  }
  const { balance } = sumsOf(world, holding.account);
  if (balance < 0n) return 0n;
  const loss = max(0n, holding.lots > 0n ? mark - ticks : ticks - mark) * unit;
  return loss === 0n ? held : min(held, floorDiv(balance, loss));
}

/** The fund closes what it holds: in the book and, if it cannot carry the rest, by auto-deleveraging. */
function unwindFund(world: World, market: OracleMarket): void {
  const holding = world.findHolding(FUND, market.number);
  if (holding === undefined || holding.lots === 0n) return;
  const isLong = holding.lots > 0n;
  const bound = marketBound(world, market, isLong ? SELL : BUY);
  const bankruptcy = bankruptcyOf(world, holding);
  const ticks = isLong ? max(bound, bankruptcy) : min(bound, bankruptcy);
  if (ticks >= 1n && ticks <= MAX_TICKS) sendIoc(world, holding, abs(holding.lots), ticks, "fund");
  while (holding.lots !== 0n && isBelowMaintenance(sumsOf(world, FUND))) {
    const isSolvent = sumsOf(world, FUND).balance >= 0n;
    const price = isSolvent ? market.mark : bankruptcyOf(world, holding);
    if (price < 1n || price > MAX_TICKS) return;
    const lots = abs(holding.lots);
    if (deleverage(world, holding, lots, price, "bankrupt") === lots) return;
  }
}

function inMicros({ maintenance, balance }: Standing): { maintenance_micros: number; balance_micros: number } {
  return { maintenance_micros: toNumber(maintenance), balance_micros: toNumber(balance) };
}
