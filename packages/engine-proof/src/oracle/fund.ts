import {
  abs,
  ceilDiv,
  floorDiv,
  highestBuy,
  lowestSell,
  MAX_TICKS,
  max,
  min,
  partOf,
  toNumber,
  unwindLots,
} from "./arithmetic.ts";
import { bankruptcyOf, deleverage, sendIoc } from "./liquidation.ts";
import { isBelowMaintenance, sumOf, sumsOf } from "./margin.ts";
import { runOf } from "./run.ts";
import { ALL_CROSS, FUND, type Holding, type OracleMarket, REDUCE_ONLY, TRADING, type World } from "./state.ts";

const HOUR_ms = 3_600_000;
const NEVER = Number.MAX_SAFE_INTEGER;
/** FUT-22: 1,000 USDT. What is lost of less is judged as if it were this much. */
const FLOOR = 1_000_000_000n;

/** FUT-21. */
export function equityOf(world: World): bigint {
  return world.fund.principal + sumOf(world.holdingsOf(FUND), (holding) => openWorth(world, holding));
}

function worthOf(world: World, market: OracleMarket): bigint {
  const holding = world.findHolding(FUND, market.number);
  return market.fund.realised + (holding === undefined ? 0n : openWorth(world, holding));
}

function openWorth(world: World, holding: Holding): bigint {
  const { index, unit } = world.markets[holding.market]!;
  return holding.lots * index * unit - holding.cost;
}

/** FUT-22: with the first command of an hour, and where version 5 begins. */
export function beginHour(world: World): void {
  for (const market of world.markets) market.fund.worthAtStart = worthOf(world, market);
  world.fundHour = Math.floor(world.time_ms / HOUR_ms);
  world.fundStart = equityOf(world);
  noteEquity(world);
}

export function passHour(world: World): void {
  if (world.isFair && Math.floor(world.time_ms / HOUR_ms) > world.fundHour) beginHour(world);
}

function noteEquity(world: World): void {
  world.equities.push({ hour: world.fundHour, equity: equityOf(world) });
}

function highestEquity(world: World): bigint {
  const recent = world.equities.filter(({ hour }) => hour > world.fundHour - 24);
  return max(0n, ...recent.map(({ equity }) => equity));
}

const capOf = (world: World, market: OracleMarket): bigint =>
  partOf(max(FLOOR, world.fundStart), market.rules.fundOutflow_e8);
const outflowOf = (world: World, market: OracleMarket): bigint => market.fund.worthAtStart - worthOf(world, market);

function limitLots(world: World, market: OracleMarket): bigint {
  return floorDiv(partOf(max(0n, equityOf(world)), market.rules.fundInventory_e8), market.index * market.unit);
}

/** FUT-21: how many lots the fund takes over. */
export function roomOf(world: World, market: OracleMarket, isLong: boolean, ticks: bigint): bigint {
  if (market.fund.cappedUntil_ms !== 0 || world.fund.principal <= 0n) return 0n;
  const held = world.holdingOrNew(FUND, market.number).lots;
  const byInventory = limitLots(world, market) - max(0n, isLong ? held : -held);
  const loss = max(0n, isLong ? ticks - market.index : market.index - ticks) * market.unit;
  if (loss === 0n) return max(0n, byInventory);
  return max(0n, min(byInventory, floorDiv(capOf(world, market) - outflowOf(world, market), loss)));
}

/** FUT-22: by an admin. */
export function resumeByHand(world: World, market: OracleMarket): void {
  if (market.fund.cappedUntil_ms === 0) return;
  if (market.fund.cappedUntil_ms === NEVER) {
    world.equities = [];
    world.fundStart = equityOf(world);
    noteEquity(world);
  }
  market.fund.cappedUntil_ms = 0;
  market.fund.worthAtStart = worthOf(world, market);
}

export function judgeFairFund(world: World, market: OracleMarket, isPrice: boolean): void {
  resumeInTime(world, market);
  strike(world, market);
  const holding = world.findHolding(FUND, market.number);
  if (holding === undefined || holding.lots === 0n) return;
  if (isPrice && market.fund.cappedUntil_ms === 0) {
    unwind(world, market, holding);
    strike(world, market);
  }
  handOver(world, market, holding);
}

function resumeInTime(world: World, market: OracleMarket): void {
  const { fund } = market;
  if (fund.cappedUntil_ms === 0 || world.time_ms < fund.cappedUntil_ms) return;
  fund.cappedUntil_ms = 0;
  if (fund.isStopped) setStatus(world, market, TRADING);
  fund.isStopped = false;
}

function setStatus(world: World, market: OracleMarket, status: number): void {
  market.status = status;
  world.say({ kind: "market_status_set", market: market.number, status_code: status });
}

function strike(world: World, market: OracleMarket): void {
  noteEquity(world);
  const outflow = outflowOf(world, market);
  if (market.fund.cappedUntil_ms === 0 && outflow >= capOf(world, market)) {
    capMarket(world, market, Math.max((world.fundHour + 1) * HOUR_ms, world.time_ms + HOUR_ms / 2));
  }
  const equity = equityOf(world);
  const total = world.fundStart - equity;
  const highest = highestEquity(world);
  const start = max(FLOOR, world.fundStart);
  const isHourly = total * 5n >= start;
  const isDaily = (highest - equity) * 10n >= max(FLOOR, highest) * 3n;
  const rest = world.markets.filter(({ fund }) => fund.cappedUntil_ms !== NEVER);
  if (!(isHourly || isDaily) || rest.length === 0) return;
  sayCapped(world, ALL_CROSS, total, ceilDiv(start, 5n), NEVER);
  for (const other of rest) capMarket(world, other, NEVER);
}

function capMarket(world: World, market: OracleMarket, until_ms: number): void {
  market.fund.cappedUntil_ms = until_ms;
  sayCapped(world, market.number, outflowOf(world, market), capOf(world, market), until_ms);
  if (market.status !== TRADING) return;
  market.fund.isStopped = true;
  setStatus(world, market, REDUCE_ONLY);
}

function sayCapped(world: World, market: number, outflow: bigint, cap: bigint, until_ms: number): void {
  world.say({
    kind: "fund_capped",
    market,
    outflow_micros: toNumber(outflow),
    cap_micros: toNumber(cap),
    equity_micros: toNumber(equityOf(world)),
    until_ms: until_ms === NEVER ? 0 : until_ms,
  });
}

function unwind(world: World, market: OracleMarket, holding: Holding): void {
  const second = Math.floor(world.time_ms / 1000);
  if (market.fund.unwound_s === second) return;
  market.fund.unwound_s = second;
  const { run, reach } = runOf(world, market);
  const isLong = holding.lots > 0n;
  const bankruptcy = bankruptcyOf(world, holding);
  const ticks = isLong
    ? max(lowestSell(market.index, reach), bankruptcy)
    : min(highestBuy(market.index, reach), bankruptcy, MAX_TICKS);
  if (ticks < 1n || ticks > MAX_TICKS) return;
  const part = run >= 2n * market.rules.unwindBound_e8 ? 2n : 20n;
  sendIoc(world, holding, unwindLots(abs(holding.lots), part, market.index * market.unit), ticks, "fund");
}

function handOver(world: World, market: OracleMarket, holding: Holding): void {
  const held = abs(holding.lots);
  if (held === 0n) return;
  const sums = sumsOf(world, FUND);
  const isCapped = market.fund.cappedUntil_ms !== 0;
  const isBroke = isBelowMaintenance(sums);
  const isOld = world.time_ms - market.fund.since_ms >= HOUR_ms;
  const lots = isCapped || isBroke || isOld ? held : held - floorDiv(limitLots(world, market) * 5n, 4n);
  if (lots <= 0n) return;
  const ticks = sums.balance >= 0n ? market.mark : bankruptcyOf(world, holding);
  if (ticks < 1n || ticks > MAX_TICKS) return;
  const reason = isCapped ? "fund_capped" : isBroke ? "bankrupt" : isOld ? "fund_old" : "fund_full";
  deleverage(world, holding, lots, ticks, reason);
}
