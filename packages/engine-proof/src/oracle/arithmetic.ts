/**
 * The formulas of docs/rules/engine-arithmetic.md in `bigint` and with separate rounding, so that an error in the
 * engine's integers shows as a difference. Nothing is shared with `rules/`.
 */

export const MAX_TICKS = 16_777_215n;
export const MAX_LOTS = 8_796_093_022_208n;
/** One billion USDT: the bound of balances, amounts and the value of a market. */
export const BILLION_micros = 1_000_000_000_000_000n;
/** The bound of the amount inside the exchange, and of the open interest at a new mark price. */
export const MAX_INSIDE_micros = 4_000_000_000_000_000n;
const E8 = 100_000_000n;
const MAX_SAFE = 9_007_199_254_740_991n;
const AT_ONCE_micros = 20_000_000_000n;

export interface OracleBracket {
  readonly cap_micros: bigint;
  readonly maxLeverage: bigint;
  readonly rate_e8: bigint;
  readonly cumulative_micros: bigint;
}

export function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const isInexact = dividend % divisor !== 0n;
  return isInexact && dividend < 0n !== divisor < 0n ? quotient - 1n : quotient;
}

export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  return -floorDiv(-dividend, divisor);
}

export function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function min(...values: bigint[]): bigint {
  return values.reduce((smallest, value) => (value < smallest ? value : smallest));
}

export function max(...values: bigint[]): bigint {
  return values.reduce((largest, value) => (value > largest ? value : largest));
}

/** As an event has it. Only `actual` of a refusal can exceed the safe range: it is cut to it. */
export function toNumber(value: bigint): number {
  return Number(max(-MAX_SAFE, min(MAX_SAFE, value)));
}

export function highestBuy(mark: bigint, distance_e8: bigint): bigint {
  return floorDiv(mark * (E8 + distance_e8), E8);
}

export function lowestSell(mark: bigint, distance_e8: bigint): bigint {
  return max(1n, ceilDiv(mark * (E8 - distance_e8), E8));
}

function bracketIndex(brackets: readonly OracleBracket[], notional: bigint): number {
  const index = brackets.findIndex((bracket) => notional <= bracket.cap_micros);
  return index < 0 ? brackets.length - 1 : index;
}

export function maintenanceMargin(brackets: readonly OracleBracket[], notional: bigint): bigint {
  const bracket = brackets[bracketIndex(brackets, notional)]!;
  return ceilDiv(notional * bracket.rate_e8, E8) - bracket.cumulative_micros;
}

/** The largest notional that may be held at a leverage. */
export function largestNotional(brackets: readonly OracleBracket[], leverage: bigint): bigint {
  return max(0n, ...brackets.filter((bracket) => bracket.maxLeverage >= leverage).map((bracket) => bracket.cap_micros));
}

export function fundingCap_e8(brackets: readonly OracleBracket[]): bigint {
  return floorDiv(brackets[0]!.rate_e8 * 75n, 800n);
}

export function fundingPayment(value: bigint, rate_e8: bigint): bigint {
  return ceilDiv(value * rate_e8, E8);
}

export function liquidationFee(value: bigint, rate_e8: bigint, left: bigint): bigint {
  return max(0n, min(ceilDiv(value * rate_e8, E8), left));
}

/** FUT-11. May lie outside the range of prices; 0 if no price is low enough for a short. */
export function bankruptcyTicks(lots: bigint, cost: bigint, beside: bigint, unit: bigint): bigint {
  if (lots > 0n) return max(1n, ceilDiv(cost - beside, lots * unit));
  return max(0n, floorDiv(beside - cost, -lots * unit));
}

/** FUT-12: how many lots one step of a liquidation closes. */
export function reductionLots(brackets: readonly OracleBracket[], lots: bigint, lotValue: bigint): bigint {
  const held = abs(lots);
  const notional = held * lotValue;
  if (notional <= AT_ONCE_micros) return held;
  const below = brackets[bracketIndex(brackets, notional) - 1];
  const toBracketBelow = below === undefined ? 0n : held - floorDiv(below.cap_micros, lotValue);
  return max(toBracketBelow, ceilDiv(held, 4n));
}

export interface PositionChange {
  readonly lots: bigint;
  readonly cost: bigint;
  readonly realised: bigint;
  readonly closed: bigint;
  readonly opened: bigint;
}

/** A fill of signed lots on a position of signed lots and signed cost. */
export function changePosition(
  before: { readonly lots: bigint; readonly cost: bigint },
  filled: bigint,
  lotValue: bigint,
): PositionChange {
  const isAgainst = before.lots * filled < 0n;
  const closed = isAgainst ? min(abs(filled), abs(before.lots)) : 0n;
  const opened = abs(filled) - closed;
  const direction = filled < 0n ? -1n : 1n;
  const closedCost = closed === 0n ? 0n : ceilDiv(before.cost * closed, abs(before.lots));
  const cost = before.cost - closedCost + direction * opened * lotValue;
  const realised = cost - before.cost - filled * lotValue;
  return { lots: before.lots + filled, cost, realised, closed, opened };
}

const MAKER_RATES_e8 = [20_000n, 18_000n, 14_000n, 10_000n, 5_000n, 0n];
const TAKER_RATES_e8 = [50_000n, 45_000n, 40_000n, 35_000n, 30_000n, 25_000n];
const TIER_VOLUMES_micros = [0n, 1n, 5n, 25n, 100n, 500n].map((millions) => millions * 1_000_000_000_000n);

export function tradeFee(value: bigint, tier: number, isMaker: boolean, discount_bps: bigint): bigint {
  const rate_e8 = (isMaker ? MAKER_RATES_e8 : TAKER_RATES_e8)[tier]!;
  return ceilDiv(value * rate_e8 * (10_000n - discount_bps), 1_000_000_000_000n);
}

export function tierOf(volume: bigint): number {
  return TIER_VOLUMES_micros.findLastIndex((min) => volume >= min);
}

export function addVolume(volume: bigint, more: bigint): bigint {
  return min(MAX_SAFE, volume + more);
}

/** BON-7: the part of a cost that the bonus pays. Principal pays the rest, including what neither has. */
export function bonusShare(cost: bigint, principal: bigint, bonus: bigint): bigint {
  const half = min(bonus, cost / 2n);
  const fromPrincipal = min(max(0n, principal), cost - half);
  return half + min(bonus - half, cost - half - fromPrincipal);
}

export function lockedBonus(bonus: bigint, principal: bigint, initialMargin: bigint): bigint {
  return min(bonus, initialMargin - min(principal, ceilDiv(initialMargin, 2n)));
}

export function withdrawable(principal: bigint, bonus: bigint, unrealised: bigint, initialMargin: bigint): bigint {
  const held = max(ceilDiv(initialMargin, 2n), initialMargin - bonus);
  return max(0n, principal + min(0n, unrealised) - held);
}

/** BON-8: more than 60 % of the account is bonus. */
export function isHeavy(bonus: bigint, principal: bigint): boolean {
  return 2n * bonus > 3n * max(0n, principal);
}

/** FUT-12: highest first. */
export function deleveragingScore(unrealised: bigint, cost: bigint, leverage: bigint): bigint {
  const profit_e8 = floorDiv(unrealised * E8, max(1n, abs(cost)));
  return min(profit_e8, 10_000_000_000n) * min(leverage, 1000n);
}

/** A market's rules from version 5 on, by the names of the engine. */
export type OracleRules = Readonly<Record<RuleName, bigint>>;

const RULE_NAMES = [
  "markClamp_e8",
  "impactNotional_micros",
  "priceBand_e8",
  "marketBound_e8",
  "triggeredBound_e8",
  "triggerClamp_e8",
  "liquidationBound_e8",
  "unwindBound_e8",
  "stressBound_e8",
  "fundInventory_e8",
  "fundOutflow_e8",
  "fairBound_e8",
  "openInterestFactor",
] as const;
type RuleName = (typeof RULE_NAMES)[number];

function rulesFrom(values: readonly bigint[]): OracleRules {
  return Object.fromEntries(RULE_NAMES.map((name, place) => [name, values[place]])) as OracleRules;
}

const MAJORS = [
  400_000n,
  10_000_000_000n,
  5_000_000n,
  2_000_000n,
  1_000_000n,
  400_000n,
  2_000_000n,
  300_000n,
  2_000_000n,
];
const OTHERS = [
  1_000_000n,
  4_000_000_000n,
  8_000_000n,
  5_000_000n,
  2_000_000n,
  1_000_000n,
  4_000_000n,
  500_000n,
  4_000_000n,
];
const MAJOR_RULES = rulesFrom([...MAJORS, E8, 10_000_000n, 300_000n, 200n]);
const OTHER_RULES = rulesFrom([...OTHERS, E8 / 2n, 5_000_000n, 500_000n, 50n]);

/** By class; narrower where the brackets leave less room. */
export function defaultRules(brackets: readonly OracleBracket[]): OracleRules {
  const { rate_e8, maxLeverage } = brackets[0]!;
  const rules = rate_e8 <= 1_000_000n ? MAJOR_RULES : OTHER_RULES;
  // The largest number that twice, times the leverage, stays below.
  const widest = ceilDiv(E8 - rate_e8 * maxLeverage, 2n * maxLeverage) - 1n;
  const clamp = max(1n, min(rules.markClamp_e8, widest));
  const unwindBound_e8 = max(1n, min(rules.unwindBound_e8, ceilDiv(rate_e8, 2n) - 1n));
  return { ...rules, markClamp_e8: clamp, triggerClamp_e8: clamp, unwindBound_e8 };
}

/** Null where they are not valid. */
export function readRules(values: unknown, brackets: readonly OracleBracket[]): OracleRules | null {
  const fields = Object(values) as Readonly<Record<string, unknown>>;
  const isFine = (name: RuleName): boolean => {
    const value = fields[name];
    const highest = { impactNotional_micros: 1e15, fundInventory_e8: 1e9, openInterestFactor: 1e6 };
    const most = (highest as Record<string, number>)[name] ?? 99_999_999;
    return Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most;
  };
  if (!RULE_NAMES.every(isFine)) return null;
  const rules = rulesFrom(RULE_NAMES.map((name) => BigInt(Number(fields[name]))));
  const { rate_e8, maxLeverage } = brackets[0]!;
  const isSound =
    2n * rules.markClamp_e8 * maxLeverage + rate_e8 * maxLeverage < E8 &&
    2n * rules.unwindBound_e8 < rate_e8 &&
    rules.unwindBound_e8 <= rules.stressBound_e8 &&
    rules.triggeredBound_e8 <= rules.marketBound_e8 &&
    rules.fairBound_e8 <= rules.marketBound_e8 &&
    rules.marketBound_e8 <= rules.priceBand_e8 &&
    rules.triggerClamp_e8 <= rules.priceBand_e8;
  return isSound ? rules : null;
}

export function ruleNumbers(rules: OracleRules): Record<RuleName, number> {
  return Object.fromEntries(RULE_NAMES.map((name) => [name, Number(rules[name])])) as Record<RuleName, number>;
}

export function clamp(ticks: bigint, centre: bigint, distance_e8: bigint): bigint {
  return max(lowestSell(centre, distance_e8), min(highestBuy(centre, distance_e8), ticks));
}

/** FUT-21: the lots of one order of the fund. */
export function unwindLots(held: bigint, part: bigint, lotValue: bigint): bigint {
  const most = max(1n, floorDiv(25_000_000_000n, lotValue));
  return min(held, most, max(ceilDiv(1_000_000_000n, lotValue), ceilDiv(held, part)));
}

export function partOf(amount: bigint, part_e8: bigint): bigint {
  return floorDiv(amount * part_e8, E8);
}
