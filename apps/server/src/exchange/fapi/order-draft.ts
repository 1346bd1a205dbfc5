import {
  GTC,
  LIMIT,
  MARKET,
  type SelfTradePrevention,
  type Side,
  type TimeInForce,
  TRAILING_STOP,
  type WorkingType,
} from "@bourse/engine";
import { fapiRefusal, invalidParameter } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { givenClientId } from "./client-ids.ts";
import {
  type NamedType,
  namedType,
  SELF_TRADE_NAMES,
  SIDE_NAMES,
  TIME_IN_FORCE_NAMES,
  WORKING_TYPE_NAMES,
} from "./names.ts";
import { isZeroText } from "./numbers.ts";

/** How the two places where orders come in name things. */
export interface Dialect {
  readonly isAlgo: boolean;
  readonly trigger: "stopPrice" | "triggerPrice";
  readonly clientId: "newClientOrderId" | "clientAlgoId";
}

export const ORDER: Dialect = { isAlgo: false, trigger: "stopPrice", clientId: "newClientOrderId" };
export const ALGO: Dialect = { isAlgo: true, trigger: "triggerPrice", clientId: "clientAlgoId" };

/** The parameters as they were sent: what is there is well-formed, nothing else is known yet. */
export interface Draft {
  readonly symbol: string;
  readonly side: string;
  readonly typeText: string;
  readonly type: NamedType | undefined;
  readonly timeInForce: string | undefined;
  readonly quantity: string | undefined;
  readonly quote: string | undefined;
  readonly price: string | undefined;
  readonly trigger: string | undefined;
  /** Of a trailing stop. */
  readonly activate: string | undefined;
  readonly callback: string | undefined;
  readonly isReduceOnly: boolean;
  readonly isClosePosition: boolean;
  readonly isPriceProtected: boolean;
}

/** On the order interface a trailing stop is a plain stop (WIRE-11). */
function typeOf(name: string, { isAlgo }: Dialect): NamedType | undefined {
  const type = namedType(name);
  if (isAlgo) return type?.conditional === undefined ? undefined : type;
  return type?.conditional === TRAILING_STOP ? namedType("STOP_MARKET") : type;
}

/** FUT-16, presence: what every order needs, then what its type needs; and what is there is a number where it must be. */
export function readPresence(parameters: FapiParameters, dialect: Dialect): Draft {
  if (dialect.isAlgo) parameters.requiredText("algoType");
  const symbol = parameters.requiredText("symbol");
  const side = parameters.requiredText("side");
  const typeText = parameters.requiredText("type");
  const type = typeOf(typeText, dialect);
  if (type !== undefined) requireOf(type, parameters, dialect);
  const isTrailing = type?.conditional === TRAILING_STOP;
  return {
    symbol,
    side,
    typeText,
    type,
    timeInForce: parameters.text("timeInForce"),
    quantity: parameters.decimal("quantity"),
    quote: dialect.isAlgo ? undefined : parameters.decimal("quoteOrderQty"),
    price: parameters.decimal("price"),
    trigger: parameters.decimal(dialect.trigger),
    activate: isTrailing ? (parameters.decimal("activatePrice") ?? parameters.decimal("activationPrice")) : undefined,
    callback: isTrailing ? parameters.decimal("callbackRate") : undefined,
    isReduceOnly: parameters.flag("reduceOnly") ?? false,
    isClosePosition: parameters.flag("closePosition") ?? false,
    isPriceProtected: parameters.flag("priceProtect") ?? false,
  };
}

/** What a type cannot do without, before anything that it may do without is looked at. */
function requireOf(type: NamedType, parameters: FapiParameters, dialect: Dialect): void {
  const isTrailing = type.conditional === TRAILING_STOP;
  if (type.name === "LIMIT") parameters.requiredText("timeInForce");
  // Who lets the exchange choose the price sends none, and is told that it does not do that.
  if (type.produces === LIMIT && !asksForPriceMatch(parameters)) parameters.requiredDecimal("price");
  if (type.conditional !== undefined && !isTrailing) parameters.requiredDecimal(dialect.trigger);
  if (isTrailing) parameters.requiredDecimal("callbackRate");
  const isClosing = parameters.text("closePosition")?.toLowerCase() === "true";
  const hasQuote = !dialect.isAlgo && parameters.text("quoteOrderQty") !== undefined;
  if (!isClosing && !hasQuote) parameters.requiredDecimal("quantity");
}

/** The place of a name in its list. */
function placeOf(names: readonly string[], name: string): number | undefined {
  const place = names.indexOf(name);
  return place === -1 ? undefined : place;
}

export function sideOf(name: string): Side {
  const side = placeOf(SIDE_NAMES, name);
  if (side === undefined) throw fapiRefusal("SIDE", { details: { rule: "side", limit: "BUY, SELL" } });
  return side as Side;
}

function timeInForceOf(name: string | undefined): TimeInForce {
  if (name === undefined) return GTC;
  const place = placeOf(TIME_IN_FORCE_NAMES, name);
  if (place === undefined) {
    const msg = name === "GTD" ? "Invalid timeInForce: GTD is not supported." : undefined;
    const details = { rule: "time_in_force", limit: TIME_IN_FORCE_NAMES.join(", ") };
    throw fapiRefusal("TIME_IN_FORCE", msg === undefined ? { details } : { msg, details });
  }
  return place as TimeInForce;
}

function optionalPlace(parameters: FapiParameters, name: string, names: readonly string[]): number {
  const text = parameters.text(name);
  if (text === undefined) return 0;
  const place = placeOf(names, text);
  if (place === undefined) throw invalidParameter(name, { rule: "enum", limit: names.join(", ") });
  return place;
}

export interface Choices {
  readonly side: Side;
  readonly type: NamedType;
  readonly timeInForce: TimeInForce;
  readonly workingType: WorkingType;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly clientId: string;
}

/** FUT-16, enums. */
export function readChoices(parameters: FapiParameters, draft: Draft, dialect: Dialect): Choices {
  const side = sideOf(draft.side);
  if (draft.type === undefined) {
    throw fapiRefusal("ORDER_TYPE", { details: { rule: "type", actual: draft.typeText.slice(0, 40) } });
  }
  if (dialect.isAlgo && parameters.text("algoType") !== "CONDITIONAL") {
    throw invalidParameter("algoType", { rule: "enum", limit: "CONDITIONAL" });
  }
  const timeInForce = timeInForceOf(draft.timeInForce);
  const responseType = parameters.text("newOrderRespType");
  if (responseType !== undefined && responseType !== "ACK" && responseType !== "RESULT") {
    throw fapiRefusal("RESPONSE_TYPE", { details: { rule: "enum", limit: "ACK, RESULT" } });
  }
  return {
    side,
    type: draft.type,
    timeInForce,
    workingType: optionalPlace(parameters, "workingType", WORKING_TYPE_NAMES) as WorkingType,
    selfTradePrevention: optionalPlace(parameters, "selfTradePreventionMode", SELF_TRADE_NAMES) as SelfTradePrevention,
    clientId: givenClientId(parameters.text(dialect.clientId)),
  };
}

/** One-way positions know one side only. */
export function refusePositionSide(parameters: FapiParameters): void {
  const side = parameters.text("positionSide");
  if (side !== undefined && side !== "BOTH") {
    throw fapiRefusal("POSITION_SIDE", {
      details: { rule: "position_side", limit: "BOTH", actual: side.slice(0, 40) },
    });
  }
}

const asksForPriceMatch = (parameters: FapiParameters): boolean => (parameters.text("priceMatch") ?? "NONE") !== "NONE";

export function refusePriceMatch(parameters: FapiParameters): void {
  if (!asksForPriceMatch(parameters)) return;
  throw fapiRefusal("COMBINATION", { msg: "priceMatch is not supported.", details: { rule: "price_match" } });
}

function refuseUnneeded(parameter: string, value: string | undefined): void {
  // Some clients send 0 for a price that there is none of.
  if (value === undefined || isZeroText(value)) return;
  const msg = `Parameter '${parameter}' sent when not required.`;
  throw fapiRefusal("NOT_REQUIRED", { msg, details: { rule: "not_required", parameter } });
}

/** FUT-16, combinations. */
export function checkCombination(parameters: FapiParameters, draft: Draft, type: NamedType, dialect: Dialect): void {
  refusePositionSide(parameters);
  const combination = (rule: string) => fapiRefusal("COMBINATION", { details: { rule } });
  if (draft.quantity !== undefined && draft.quote !== undefined) throw combination("quantity and quoteOrderQty");
  if (draft.quote !== undefined && type.conditional !== undefined) throw combination("quoteOrderQty with a trigger");
  if (draft.isClosePosition) {
    const isFitting = type.conditional !== undefined && type.conditional !== TRAILING_STOP && type.produces === MARKET;
    if (!isFitting)
      throw fapiRefusal("CLOSE_POSITION_TYPE", { details: { rule: "close_position", actual: type.name } });
    const amount = draft.quantity ?? draft.quote;
    if (amount !== undefined && !isZeroText(amount)) throw fapiRefusal("CLOSE_POSITION_QUANTITY");
  }
  if (type.produces === MARKET) refuseUnneeded("price", draft.price);
  if (type.conditional === undefined) {
    refuseUnneeded(dialect.trigger, draft.trigger);
    if (type.produces === MARKET && draft.timeInForce !== undefined) {
      const details = { rule: "not_required", parameter: "timeInForce" };
      throw fapiRefusal("TIME_IN_FORCE_NOT_REQUIRED", { details });
    }
  }
  refusePriceMatch(parameters);
}
