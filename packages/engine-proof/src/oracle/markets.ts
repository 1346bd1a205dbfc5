import type { AddMarket, ApplyFunding, MarketDefinition, SetMarketStatus, SetPrice } from "@bourse/engine";
import { abs, fundingCap_e8, fundingPayment, MAX_INSIDE_micros, toNumber } from "./arithmetic.ts";
import { fireConditionals } from "./conditionals.ts";
import { judge } from "./liquidation.ts";
import { openInterest, positionValue } from "./margin.ts";
import { sayLine, takeCost } from "./settlement.ts";
import {
  HALTED,
  type Holding,
  ISOLATED,
  type OracleMarket,
  type Refusal,
  refuse,
  TRADING,
  type World,
} from "./state.ts";

const E16_PER_MICRO = 10_000_000_000n;
const MAX_MARKETS = 4096;

/** FUT-2, FUT-10. */
export function addMarket(world: World, command: AddMarket): Refusal | null {
  const { definition } = command;
  if (!isValidDefinition(definition) || world.markets.length >= MAX_MARKETS) return refuse("bad_market");
  const { symbol } = definition;
  if (world.markets.some((market) => market.symbol === symbol)) return refuse("duplicate_market");
  const number = world.markets.length;
  world.markets.push({
    number,
    symbol,
    unit: unitOf(definition),
    minNotional: BigInt(definition.minNotional_micros),
    maxNotional: BigInt(definition.maxNotional_micros),
    percentPrice_e8: BigInt(definition.percentPrice_e8),
    marketBound_e8: BigInt(definition.marketBound_e8),
    liquidationFee_e8: BigInt(definition.liquidationFee_e8),
    defaultLeverage: BigInt(definition.defaultLeverage),
    maxOpenOrders: BigInt(definition.maxOpenOrders),
    maxConditionalOrders: BigInt(definition.maxConditionalOrders),
    brackets: definition.brackets.map((bracket) => ({
      cap_micros: BigInt(bracket.cap_micros),
      maxLeverage: BigInt(bracket.maxLeverage),
      rate_e8: BigInt(bracket.maintenanceRate_e8),
      cumulative_micros: BigInt(bracket.cumulative_micros),
    })),
    status: TRADING,
    mark: 0n,
    last: 0n,
    lastHour: -1,
    lastTrade: 0,
  });
  world.say({ kind: "market_added", market: number, symbol });
  return null;
}

export function setMarketStatus(world: World, { market, status }: SetMarketStatus): null {
  world.markets[market]!.status = status;
  world.say({ kind: "market_status_set", market, status_code: status });
  return null;
}

/** FUT-13. */
export function setPrice(world: World, command: SetPrice): Refusal | null {
  const market = world.markets[command.market]!;
  const mark = BigInt(command.markTicks);
  const valueIn = (one: OracleMarket): bigint =>
    openInterest(world, one.number) * (one === market ? mark : one.mark) * one.unit;
  const total = world.markets.reduce((sum, one) => sum + valueIn(one), 0n);
  if (mark > market.mark && total > MAX_INSIDE_micros) return refuse("out_of_range", MAX_INSIDE_micros, total);
  market.mark = mark;
  const { indexTicks, markTicks } = command;
  world.say({ kind: "price_set", market: market.number, indexTicks, markTicks });
  if (market.status === HALTED) return null;
  fireConditionals(world, market.number);
  judge(world, market.number);
  return null;
}

/** FUT-14. */
export function applyFunding(world: World, command: ApplyFunding): Refusal | null {
  const market = world.markets[command.market]!;
  if (command.hour <= market.lastHour) {
    return refuse("window_passed", BigInt(market.lastHour), BigInt(command.hour));
  }
  const rate_e8 = BigInt(command.rate_e8);
  const cap_e8 = fundingCap_e8(market.brackets);
  if (abs(rate_e8) > cap_e8) return refuse("out_of_range", cap_e8, rate_e8);
  market.lastHour = command.hour;
  let residue = 0n;
  for (const holding of world.holdings.filter((each) => each.market === market.number)) {
    const payment = fundingPayment(positionValue(world, holding), rate_e8);
    residue += payment;
    if (payment !== 0n) payFunding(world, holding, payment);
  }
  world.fund.principal += residue;
  world.say({
    kind: "funding_settled",
    market: market.number,
    hour: command.hour,
    rate_e8: command.rate_e8,
    markTicks: toNumber(market.mark),
    residue_micros: toNumber(residue),
    fund_micros: toNumber(world.fund.principal),
  });
  if (market.status !== HALTED) judge(world, market.number);
  return null;
}

/** `payment` above 0 is paid, below 0 received. */
function payFunding(world: World, holding: Holding, payment: bigint): void {
  const account = world.accounts[holding.account]!;
  let fromBonus = 0n;
  if (holding.mode === ISOLATED) holding.isolated -= payment;
  else if (payment > 0n) fromBonus = takeCost(account, payment);
  else account.principal -= payment;
  world.touchMoney(account.number);
  world.say({
    kind: "funding_paid",
    account: account.number,
    market: holding.market,
    lots: toNumber(holding.lots),
    amount_micros: toNumber(payment),
    fromBonus_micros: toNumber(fromBonus),
    principal_micros: toNumber(account.principal),
    bonus_micros: toNumber(account.bonus),
    isolated_micros: toNumber(holding.isolated),
  });
  sayLine(world, account.number, "CONSUME_FUNDING", fromBonus, account);
}

function unitOf(definition: MarketDefinition): bigint {
  return (BigInt(definition.tickSize_e8) * BigInt(definition.lotSize_e8)) / E16_PER_MICRO;
}

/** Accepts any value: an admin sends the definition, so nothing has checked it. */
function isValidDefinition(definition: unknown): definition is MarketDefinition {
  if (typeof definition !== "object" || definition === null) return false;
  const fields = definition as Record<string, unknown>;
  const isWithin = (name: string, min: number, max: number): boolean => isWhole(fields[name], min, max);
  const areFieldsFine =
    typeof fields["symbol"] === "string" &&
    fields["symbol"] !== "" &&
    isWithin("tickSize_e8", 1, Number.MAX_SAFE_INTEGER) &&
    isWithin("lotSize_e8", 1, Number.MAX_SAFE_INTEGER) &&
    isWithin("minNotional_micros", 1, 1e15) &&
    isWithin("maxNotional_micros", 1, 1e15) &&
    isWithin("percentPrice_e8", 1, 1e8) &&
    isWithin("marketBound_e8", 1, 1e8) &&
    isWithin("liquidationFee_e8", 0, 1e8) &&
    isWithin("defaultLeverage", 1, Number.MAX_SAFE_INTEGER) &&
    isWithin("maxOpenOrders", 1, Number.MAX_SAFE_INTEGER) &&
    isWithin("maxConditionalOrders", 1, Number.MAX_SAFE_INTEGER);
  if (!areFieldsFine || !areBracketsValid(fields["brackets"])) return false;
  const candidate = definition as MarketDefinition;
  const area = BigInt(candidate.tickSize_e8) * BigInt(candidate.lotSize_e8);
  return (
    area % E16_PER_MICRO === 0n &&
    candidate.minNotional_micros <= candidate.maxNotional_micros &&
    candidate.marketBound_e8 <= candidate.percentPrice_e8 &&
    candidate.defaultLeverage <= candidate.brackets[0]!.maxLeverage
  );
}

function areBracketsValid(brackets: unknown): boolean {
  if (!Array.isArray(brackets) || brackets.length === 0) return false;
  return brackets.every((bracket: unknown, place) => isValidBracket(bracket, place === 0 ? null : brackets[place - 1]));
}

function isValidBracket(bracket: unknown, before: Record<string, number> | null): boolean {
  if (typeof bracket !== "object" || bracket === null) return false;
  const { cap_micros, maxLeverage, maintenanceRate_e8, cumulative_micros } = bracket as Record<string, unknown>;
  const areWhole =
    isWhole(cap_micros, 1, 1e15) &&
    isWhole(maxLeverage, 1, 1e8) &&
    isWhole(maintenanceRate_e8, 1, 1e8) &&
    isWhole(cumulative_micros, 0, Number.MAX_SAFE_INTEGER);
  if (!areWhole || maintenanceRate_e8 * maxLeverage >= 1e8) return false;
  if (before === null) return cumulative_micros === 0;
  const risen_e8 = BigInt(maintenanceRate_e8) - BigInt(before["maintenanceRate_e8"]!);
  const step = BigInt(before["cap_micros"]!) * risen_e8;
  return (
    cap_micros > before["cap_micros"]! &&
    maxLeverage <= before["maxLeverage"]! &&
    risen_e8 > 0n &&
    BigInt(cumulative_micros) * 100_000_000n === BigInt(before["cumulative_micros"]!) * 100_000_000n + step
  );
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max;
}
