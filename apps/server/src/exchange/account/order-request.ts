import type { AccountOrderRequest } from "@bourse/api";
import {
  type AttachedTrigger,
  BUY,
  CONTRACT_PRICE,
  type ConditionalType,
  FOK,
  GTC,
  GTX,
  IOC,
  LIMIT,
  lotsOfQuantity,
  MARK_PRICE,
  MARKET,
  type Market,
  type MarketState,
  type PlaceConditional,
  type PlaceOrder,
  SELL,
  STOP,
  STP_EXPIRE_MAKER,
  TAKE_PROFIT,
  type TimeInForce,
  ticksOfPrice,
  WIRE_CODES,
  type WorkingType,
} from "@bourse/engine";
import { Decimal, MoneyError } from "@bourse/money";
import { badRequest } from "../../kernel/errors.ts";
import type { Unstamped } from "../host/exchange.ts";
import { decimalsOf } from "../units.ts";
import { engineRefusal, refusal } from "./refusals.ts";

const E8_DIGITS = 8;
const MICRO_DIGITS = 6;
const MOST_AMOUNT_micros = 1e15;

const SIDES = { BUY, SELL } as const;
const TIMES_IN_FORCE = { GTC, IOC, FOK, GTX } as const;
const WORKING_TYPES = { CONTRACT_PRICE, MARK_PRICE } as const;

/** What a type of the interface is made of. `isPriced`: it has a limit price. */
interface OrderKind {
  readonly isPriced: boolean;
  readonly conditional?: ConditionalType;
}

const KINDS = {
  LIMIT: { isPriced: true },
  MARKET: { isPriced: false },
  STOP: { isPriced: true, conditional: STOP },
  STOP_LIMIT: { isPriced: true, conditional: STOP },
  STOP_MARKET: { isPriced: false, conditional: STOP },
  TAKE_PROFIT: { isPriced: true, conditional: TAKE_PROFIT },
  TAKE_PROFIT_LIMIT: { isPriced: true, conditional: TAKE_PROFIT },
  TAKE_PROFIT_MARKET: { isPriced: false, conditional: TAKE_PROFIT },
} as const satisfies Record<string, OrderKind>;

/** Client ids that the exchange gives itself to orders without one. */
const OWN_CLIENT_ID = /^bourse-\d+$/;
const CLIENT_ID = /^[.A-Z:/a-z0-9_-]{1,36}$/;

function choose<T>(name: string, value: string, choices: Readonly<Record<string, T>>, exchange_code: number): T {
  const key = value.toUpperCase();
  if (Object.hasOwn(choices, key)) return choices[key]!;
  const code = `INVALID_${name.toUpperCase()}`;
  throw refusal(code, exchange_code, `${name} must be one of ${Object.keys(choices).join(", ")}`, { rule: name });
}

/** WIRE-2: a number or decimal text, exactly. */
export function readDecimal(name: string, value: string | number): Decimal {
  try {
    return Decimal.fromJson(value);
  } catch (error) {
    if (error instanceof MoneyError)
      throw badRequest(`${name}: ${error.message}`, { rule: "decimal", parameter: name });
    throw error;
  }
}

/** A decimal as whole units of 10^-digits, what is finer cut off; refused where it leaves the safe range. */
export function unitsOf(name: string, decimal: Decimal, digits: number): number {
  const units = decimal.toUnits(digits, "floor");
  if (units > BigInt(Number.MAX_SAFE_INTEGER) || units < 0n) {
    throw badRequest(`${name} is out of range`, { rule: "range", parameter: name });
  }
  return Number(units);
}

/** WIRE-11: too many decimals -1111, off the tick -4014. */
function readPrice(terms: Market, name: string, value: string | number): number {
  const price = readDecimal(name, value);
  const decimals = decimalsOf(terms.tickSize_e8);
  if (price.scale > decimals) {
    const details = { rule: "precision", limit: decimals, actual: price.scale, parameter: name };
    throw refusal("PRICE_PRECISION", -1111, `${name} has more than ${decimals} decimals`, details);
  }
  const ticks = ticksOfPrice(terms, unitsOf(name, price, E8_DIGITS));
  if (ticks === 0) {
    const details = { rule: "tick_size", parameter: name };
    throw refusal("PRICE_TICK", -4014, `${name} is not a multiple of the tick size`, details);
  }
  return ticks;
}

/** FUT-7: floored to the lot. */
function readLots(terms: Market, value: string | number): number {
  const quantity = readDecimal("quantity", value);
  if (quantity.isNegative() || quantity.isZero()) throw refusal("INVALID_QUANTITY", -4003, "quantity must be positive");
  const lots = lotsOfQuantity(terms, unitsOf("quantity", quantity, E8_DIGITS));
  if (lots === 0) throw engineRefusal({ reason: "lot_size", limit: 0, actual: 0 }, terms);
  return lots;
}

function readQuote(value: string | number): number {
  const quote = readDecimal("quote_quantity", value);
  if (quote.isNegative() || quote.isZero()) {
    throw refusal("INVALID_QUANTITY", -4003, "quote_quantity must be positive");
  }
  const quote_micros = unitsOf("quote_quantity", quote, MICRO_DIGITS);
  if (quote_micros === 0) throw engineRefusal({ reason: "lot_size", limit: 0, actual: 0 });
  return Math.min(quote_micros, MOST_AMOUNT_micros);
}

function readClientId(clientId: string | undefined): string {
  if (clientId === undefined || clientId === "") return "";
  if (CLIENT_ID.test(clientId) && !OWN_CLIENT_ID.test(clientId)) return clientId;
  throw refusal("INVALID_CLIENT_ORDER_ID", -4015, "client_order_id is not valid", { rule: "client_order_id" });
}

function readSlippage(value: string | number | undefined, kind: OrderKind): number {
  if (value === undefined) return -1;
  if (kind.isPriced || kind.conditional !== undefined) throw combination("max_slippage goes with MARKET orders alone");
  const fraction = readDecimal("max_slippage", value);
  if (fraction.isNegative() || fraction.gt(Decimal.ONE)) throw badRequest("max_slippage is a fraction from 0 to 1");
  return unitsOf("max_slippage", fraction, E8_DIGITS);
}

function readAttached(
  terms: Market,
  name: string,
  trigger: AccountOrderRequest["take_profit"],
  workingType: WorkingType,
): AttachedTrigger | null {
  if (trigger === undefined || trigger === null) return null;
  return {
    triggerTicks: readPrice(terms, `${name}.trigger_price`, trigger.trigger_price),
    ticks: trigger.price === undefined ? 0 : readPrice(terms, `${name}.price`, trigger.price),
    workingType: trigger.working_type === undefined ? workingType : WORKING_TYPES[trigger.working_type],
  };
}

const combination = (text: string) => refusal("BAD_COMBINATION", -1128, text, { rule: "combination" });
const mandatory = (parameter: string) =>
  refusal("MISSING_PARAMETER", -1102, `${parameter} is missing`, { rule: "mandatory", parameter });

/** Which fields may stand together, before any of them is read. */
function checkCombination(request: AccountOrderRequest, kind: OrderKind): void {
  const { quantity, quote_quantity, price, stop_price, close_position, reduce_only } = request;
  const isConditional = kind.conditional !== undefined;
  const hasAttached = (request.take_profit ?? null) !== null || (request.stop_loss ?? null) !== null;
  if (kind.isPriced && price === undefined) throw mandatory("price");
  if (isConditional && stop_price === undefined) throw mandatory("stop_price");
  if (!kind.isPriced && price !== undefined) throw combination("a market order has no price");
  if (!isConditional && stop_price !== undefined) throw combination("stop_price goes with conditional orders alone");
  if (hasAttached && (isConditional || reduce_only === true)) {
    throw combination("take_profit and stop_loss go with orders that open a position");
  }
  if (close_position === true) {
    if (!isConditional || kind.isPriced)
      throw combination("close_position goes with STOP_MARKET and TAKE_PROFIT_MARKET");
    if (quantity !== undefined || quote_quantity !== undefined || reduce_only === true) {
      throw combination("close_position goes without quantity and reduce_only");
    }
    return;
  }
  if (quantity !== undefined && quote_quantity !== undefined) {
    throw combination("give either quantity or quote_quantity");
  }
  if (quantity === undefined && (isConditional || quote_quantity === undefined)) throw mandatory("quantity");
}

function readTimeInForce(request: AccountOrderRequest, kind: OrderKind): TimeInForce {
  if (request.time_in_force === undefined) return kind.isPriced ? GTC : IOC;
  const timeInForce = choose("time_in_force", request.time_in_force, TIMES_IN_FORCE, -1115);
  // A market order never rests, whatever it says.
  return kind.isPriced ? timeInForce : IOC;
}

/** An order that nobody has placed yet. */
export type NewOrder = Omit<Unstamped<PlaceOrder>, "account"> | Omit<Unstamped<PlaceConditional>, "account">;

/**
 * WIRE-7: the command that a request asks for. FUT-16: presence, enums and combinations come before the symbol, and that
 * before prices and sizes.
 */
export function readOrder(request: AccountOrderRequest, findMarket: (symbol: string) => MarketState): NewOrder {
  const side = choose("side", request.side, SIDES, WIRE_CODES.wrong_side);
  const kind: OrderKind = choose("type", request.type, KINDS, -1116);
  const timeInForce = readTimeInForce(request, kind);
  checkCombination(request, kind);
  const market = findMarket(request.symbol);
  const { terms } = market;
  const workingType = WORKING_TYPES[request.working_type ?? "CONTRACT_PRICE"];
  const common = {
    market: market.number,
    side,
    timeInForce,
    ticks: request.price === undefined ? 0 : readPrice(terms, "price", request.price),
    lots: request.quantity === undefined ? 0 : readLots(terms, request.quantity),
    isReduceOnly: request.reduce_only === true,
    selfTradePrevention: STP_EXPIRE_MAKER,
    clientId: readClientId(request.client_order_id),
  };
  const maxSlippage_e8 = readSlippage(request.max_slippage, kind);
  if (kind.conditional === undefined) {
    return {
      kind: "place_order",
      ...common,
      type: kind.isPriced ? LIMIT : MARKET,
      quote_micros: request.quote_quantity === undefined ? 0 : readQuote(request.quote_quantity),
      maxSlippage_e8,
      takeProfit: readAttached(terms, "take_profit", request.take_profit, workingType),
      stopLoss: readAttached(terms, "stop_loss", request.stop_loss, workingType),
    };
  }
  return {
    kind: "place_conditional",
    ...common,
    type: kind.conditional,
    triggerTicks: readPrice(terms, "stop_price", request.stop_price ?? 0),
    activateTicks: 0,
    callback_bps: 0,
    workingType,
    isClosePosition: request.close_position === true,
    isPriceProtected: false,
    keepsId: true,
  };
}
