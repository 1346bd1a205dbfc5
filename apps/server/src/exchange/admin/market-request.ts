import type { MarketRequest } from "@bourse/api";
import {
  type Bracket,
  definitionOf,
  FIRST_MARKETS,
  FLOOR,
  findMarketProblems,
  MAX_TICKS,
  type MarketDefinition,
  mulDiv,
  ONE_e8,
} from "@bourse/engine";
import { ApiError, badRequest } from "../../kernel/errors.ts";
import { readDecimal, unitsOf } from "../../kernel/json-decimal.ts";

const E8_DIGITS = 8;
const MICRO_DIGITS = 6;
const SYMBOL = /^[A-Z0-9]{2,16}USDT$/;

/** Missing parameters of a risk class are copied from this market. */
const MODELS = { major: "BTCUSDT", other: "SOLUSDT" } as const;

export interface NewMarket {
  readonly definition: MarketDefinition;
  readonly start_e8: number;
  readonly startTicks: number;
}

type Input = string | number;

/** Converts a decimal to whole units. A finer decimal is refused, because rounding would change it silently. */
export function exactUnits(name: string, value: Input, digits: number): number {
  const decimal = readDecimal(name, value);
  if (decimal.scale > digits) throw badRequest(`${name} has more than ${digits} decimals`, { rule: "precision" });
  return unitsOf(name, decimal, digits);
}

/** FUT-10: the cumulative amounts follow from caps and rates, so that the maintenance margin is continuous. */
function bracketsOf(rows: NonNullable<MarketRequest["brackets"]>): Bracket[] {
  const brackets: Bracket[] = [];
  for (const [place, row] of rows.entries()) {
    const cap_micros = exactUnits(`brackets[${place}].notional_cap`, row.notional_cap, MICRO_DIGITS);
    const maintenanceRate_e8 = exactUnits(`brackets[${place}].maintenance_rate`, row.maintenance_rate, E8_DIGITS);
    // Checked before the multiplication, because a higher rate could overflow it.
    if (maintenanceRate_e8 > ONE_e8) throw invalidMarket([`the maintenance rate of bracket ${place + 1} is above 1`]);
    const below = brackets.at(-1);
    const step_e8 = maintenanceRate_e8 - (below?.maintenanceRate_e8 ?? 0);
    const cumulative_micros =
      below === undefined ? 0 : below.cumulative_micros + mulDiv(below.cap_micros, step_e8, ONE_e8, FLOOR);
    brackets.push({ cap_micros, maxLeverage: row.max_leverage, maintenanceRate_e8, cumulative_micros });
  }
  return brackets;
}

function definitionFrom(request: MarketRequest): MarketDefinition {
  const model = definitionOf(FIRST_MARKETS.find(({ symbol }) => symbol === MODELS[request.risk_class ?? "other"])!);
  const money = (name: keyof MarketRequest, usual: number) =>
    request[name] === undefined ? usual : exactUnits(name, request[name] as Input, MICRO_DIGITS);
  const fraction = (name: keyof MarketRequest, usual: number) =>
    request[name] === undefined ? usual : exactUnits(name, request[name] as Input, E8_DIGITS);
  const brackets = request.brackets === undefined ? model.brackets : bracketsOf(request.brackets);
  return {
    symbol: request.symbol,
    tickSize_e8: exactUnits("tick_size", request.tick_size, E8_DIGITS),
    lotSize_e8: exactUnits("lot_size", request.lot_size, E8_DIGITS),
    minNotional_micros: money("min_order_size_usd", model.minNotional_micros),
    maxNotional_micros: money("max_order_size_usd", model.maxNotional_micros),
    percentPrice_e8: fraction("price_band", model.percentPrice_e8),
    marketBound_e8: fraction("market_order_bound", model.marketBound_e8),
    liquidationFee_e8: fraction("liquidation_fee", model.liquidationFee_e8),
    defaultLeverage:
      request.default_leverage ?? Math.min(model.defaultLeverage, brackets[0]?.maxLeverage ?? model.defaultLeverage),
    maxOpenOrders: request.max_open_orders ?? model.maxOpenOrders,
    maxConditionalOrders: request.max_conditional_orders ?? model.maxConditionalOrders,
    brackets,
  };
}

const invalidMarket = (problems: readonly string[]) =>
  new ApiError(400, "INVALID_MARKET", `the market is not valid: ${problems.join("; ")}`, { details: { problems } });

/** FUT-2: a refusal lists every problem of the market. */
export function readMarket(request: MarketRequest): NewMarket {
  const definition = definitionFrom(request);
  const problems = findMarketProblems(definition);
  if (!SYMBOL.test(definition.symbol)) problems.push("the symbol does not end in USDT");
  if (problems.length > 0) throw invalidMarket(problems);
  const start_e8 = exactUnits("start_price", request.start_price, E8_DIGITS);
  const startTicks = start_e8 / definition.tickSize_e8;
  if (!Number.isInteger(startTicks) || startTicks < 1) throw invalidMarket(["the start price is not on the tick"]);
  if (startTicks > MAX_TICKS / 2) throw invalidMarket(["the start price has too many ticks; choose a larger tick"]);
  return { definition, start_e8, startTicks };
}
