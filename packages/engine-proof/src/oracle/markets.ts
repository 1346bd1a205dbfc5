import type {
  AddMarket,
  ApplyFunding,
  MarketDefinition,
  SetMarketRules,
  SetMarketStatus,
  SetPrice,
} from "@bourse/engine";
import {
  abs,
  clamp,
  defaultRules,
  fundingCap_e8,
  fundingPayment,
  MAX_INSIDE_micros,
  readRules,
  ruleNumbers,
  toNumber,
} from "./arithmetic.ts";
import { fireConditionals, retryRearmed } from "./conditionals.ts";
import { resumeByHand } from "./fund.ts";
import { judge } from "./liquidation.ts";
import { openInterest, positionValue } from "./margin.ts";
import { sayLine, takeCost } from "./settlement.ts";
import {
  FUND,
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
  // Before version 5 there are no rules in a definition; an object in their place is not a number.
  if (!world.isFair && typeof Object(definition).rules === "object") return refuse("bad_market");
  if (!isValidDefinition(definition) || world.markets.length >= MAX_MARKETS) return refuse("bad_market");
  const { symbol } = definition;
  if (world.markets.some((market) => market.symbol === symbol)) return refuse("duplicate_market");
  const number = world.markets.length;
  const brackets = definition.brackets.map((bracket) => ({
    cap_micros: BigInt(bracket.cap_micros),
    maxLeverage: BigInt(bracket.maxLeverage),
    rate_e8: BigInt(bracket.maintenanceRate_e8),
    cumulative_micros: BigInt(bracket.cumulative_micros),
  }));
  const isAsked = world.isFair && definition.rules !== undefined;
  const rules = isAsked ? readRules(definition.rules, brackets) : defaultRules(brackets);
  if (rules === null) return refuse("bad_market");
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
    brackets,
    rules,
    index: 0n,
    indexes: [],
    fund: { realised: 0n, worthAtStart: 0n, since_ms: 0, unwound_s: -1, cappedUntil_ms: 0, isStopped: false },
    status: TRADING,
    mark: 0n,
    last: 0n,
    lastHour: -1,
    lastTrade: 0,
  });
  world.say({ kind: "market_added", market: number, symbol });
  return null;
}

/** From version 5 on. */
export function setMarketRules(world: World, command: SetMarketRules): Refusal | null {
  const market = world.markets[command.market]!;
  const rules = readRules(command.rules, market.brackets);
  if (rules === null) return refuse("bad_market");
  market.rules = rules;
  world.say({ kind: "market_rules_set", market: market.number, ...ruleNumbers(rules) });
  return null;
}

export function setMarketStatus(world: World, { market, status }: SetMarketStatus): null {
  const found = world.markets[market]!;
  found.status = status;
  found.fund.isStopped = false;
  if (status === TRADING) resumeByHand(world, found);
  world.say({ kind: "market_status_set", market, status_code: status });
  return null;
}

/** FUT-13. */
export function setPrice(world: World, command: SetPrice): Refusal | null {
  const market = world.markets[command.market]!;
  const index = BigInt(command.indexTicks);
  const asked = BigInt(command.markTicks);
  const mark = world.isFair ? clamp(asked, index, market.rules.markClamp_e8) : asked;
  const valueIn = (one: OracleMarket): bigint =>
    openInterest(world, one.number) * (one === market ? mark : one.mark) * one.unit;
  const total = world.markets.reduce((sum, one) => sum + valueIn(one), 0n);
  if (mark > market.mark && total > MAX_INSIDE_micros) return refuse("out_of_range", MAX_INSIDE_micros, total);
  market.mark = mark;
  market.index = index;
  if (world.isFair) market.indexes.push({ second: Math.floor(world.time_ms / 1000), ticks: index });
  const { indexTicks } = command;
  world.say({ kind: "price_set", market: market.number, indexTicks, markTicks: toNumber(mark) });
  if (market.status === HALTED) return null;
  retryRearmed(world, market.number);
  fireConditionals(world, market.number);
  judge(world, market.number, true);
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
  if (world.isFair) market.fund.realised += residue;
  if (market.status !== HALTED) judge(world, market.number, false);
  return null;
}

/** `payment` above 0 is paid, below 0 received. */
function payFunding(world: World, holding: Holding, payment: bigint): void {
  const account = world.accounts[holding.account]!;
  let fromBonus = 0n;
  if (holding.mode === ISOLATED) holding.isolated -= payment;
  else if (payment > 0n) fromBonus = takeCost(account, payment);
  else account.principal -= payment;
  if (world.isFair && account.number === FUND) world.markets[holding.market]!.fund.realised -= payment;
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
  if ("rules" in definition && definition.rules !== undefined && typeof definition.rules !== "object") return false;
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
