import {
  GTC,
  LIMIT,
  MARKET,
  NO_PRICE_MATCH,
  PRICE_MATCHES,
  type PriceMatch,
  type SelfTradePrevention,
  type Side,
  type TimeInForce,
  TRAILING_STOP,
  type WorkingType,
} from "@bourse/engine";
import { givenClientId } from "./client-ids.ts";
import { GTD, isGoodTillDate, wholeSecond } from "./good-till.ts";
import {
  type NamedType,
  placeOf,
  SELF_TRADE_NAMES,
  SIDE_NAMES,
  TIME_IN_FORCE_NAMES,
  WORKING_TYPE_NAMES,
} from "./names.ts";
import { isZeroText } from "./numbers.ts";
import type { OrderField, OrderFields, OrderParameters } from "./order-fields.ts";

/* What can be said of a request for an order before its market is known: FUT-16 in its order, up to the numbers. */

/** The parameters as they were sent: what is there is well-formed, nothing else is known yet. */
export interface Draft {
  readonly symbol: string;
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
  readonly slippage: string | undefined;
  readonly takeProfit: OrderParameters | undefined;
  readonly stopLoss: OrderParameters | undefined;
  readonly isReduceOnly: boolean;
  readonly isClosePosition: boolean;
  readonly isPriceProtected: boolean;
}

/** FUT-16, presence: what every order needs, then what its type needs; and what is there is a number where it must be. */
export function readPresence(fields: OrderFields): Draft {
  const { typeOf } = fields.dialect;
  if (fields.has("algoType")) fields.requiredText("algoType");
  const symbol = fields.requiredText("symbol");
  fields.requiredText("side");
  fields.requiredText("type");
  const typeText = fields.choice("type")!;
  const type = typeOf(typeText);
  if (type !== undefined) requireOf(type, fields);
  const isTrailing = type?.conditional === TRAILING_STOP;
  return {
    symbol,
    typeText,
    type,
    timeInForce: fields.choice("timeInForce"),
    quantity: fields.decimal("quantity"),
    quote: fields.decimal("quote"),
    price: fields.decimal("price"),
    trigger: fields.decimal("trigger"),
    activate: isTrailing ? (fields.decimal("activate") ?? fields.decimal("activation")) : undefined,
    callback: isTrailing ? fields.decimal("callback") : undefined,
    slippage: fields.decimal("slippage"),
    takeProfit: fields.nested("takeProfit"),
    stopLoss: fields.nested("stopLoss"),
    isReduceOnly: fields.flag("reduceOnly"),
    isClosePosition: fields.flag("closePosition"),
    isPriceProtected: fields.flag("priceProtect"),
  };
}

/** What a type cannot do without, before anything that it may do without is looked at. */
function requireOf(type: NamedType, fields: OrderFields): void {
  const isTrailing = type.conditional === TRAILING_STOP;
  if (type.name === "LIMIT" && fields.dialect.isStrictAboutTimeInForce) fields.requiredText("timeInForce");
  if (isTimed(fields)) fields.requiredText("goodTill");
  // Who leaves the price to the book sends none.
  if (type.produces === LIMIT && !asksForPriceMatch(fields)) fields.requiredDecimal("price");
  if (type.conditional !== undefined && !isTrailing) fields.requiredDecimal("trigger");
  if (isTrailing) fields.requiredDecimal("callback");
  const isClosing = fields.text("closePosition")?.toLowerCase() === "true";
  if (!isClosing && fields.text("quote") === undefined) fields.requiredDecimal("quantity");
}

export function readSide(fields: OrderFields): Side {
  const side = placeOf(SIDE_NAMES, fields.choice("side"));
  if (side === -1) throw fields.dialect.refuse("side", { rule: "side", limit: SIDE_NAMES.join(", ") });
  return side as Side;
}

/** Whether it asks for an end, where orders can have one (FUT-25). */
const isTimed = (fields: OrderFields): boolean =>
  fields.rules.hasOrderTerms && fields.has("goodTill") && fields.choice("timeInForce") === GTD;

function readTimeInForce(name: string | undefined, fields: OrderFields): TimeInForce {
  const { dialect } = fields;
  if (name === undefined || isTimed(fields)) return GTC;
  const place = placeOf(TIME_IN_FORCE_NAMES, name);
  if (place !== -1) return place as TimeInForce;
  const limit = TIME_IN_FORCE_NAMES.join(", ");
  throw dialect.refuse("time_in_force", { rule: "time_in_force", limit, actual: name.slice(0, 40) });
}

/** FUT-25: a time in whole seconds; 0 without GTD, whatever else is sent. */
function readGoodTill(fields: OrderFields, type: NamedType): number {
  if (!isTimed(fields)) return 0;
  const { refuse } = fields.dialect;
  // A market order has no time in force at all: `checkCombination` says so.
  if (type.produces === MARKET && type.conditional === undefined) return 0;
  if (type.produces === MARKET) throw refuse("good_till_without_price", { rule: "time_in_force", actual: GTD });
  const text = fields.requiredText("goodTill");
  if (isGoodTillDate(text, fields.rules.time_ms)) return wholeSecond(Number(text));
  throw refuse("good_till_date", { rule: "good_till_date", actual: text.slice(0, 40) });
}

const RESPONSE_TYPES: readonly (string | undefined)[] = [undefined, "ACK", "RESULT"];

export type Choices = ReturnType<typeof readChoices>;

/** FUT-16, enums. `asked` goes into the command as it is. */
export function readChoices(fields: OrderFields, { type, typeText, timeInForce: timeInForceText }: Draft) {
  const { refuse } = fields.dialect;
  const side = readSide(fields);
  if (type === undefined) throw refuse("type", { rule: "type", actual: typeText.slice(0, 40) });
  fields.place("algoType", ["CONDITIONAL"]);
  const timeInForce = readTimeInForce(timeInForceText, fields);
  if (!RESPONSE_TYPES.includes(fields.text("responseType"))) {
    throw refuse("response_type", { rule: "enum", limit: "ACK, RESULT" });
  }
  const workingType = fields.place("workingType", WORKING_TYPE_NAMES) as WorkingType;
  const asked = {
    side,
    timeInForce,
    selfTradePrevention: fields.place("selfTradePrevention", SELF_TRADE_NAMES) as SelfTradePrevention,
    clientId: givenClientId(fields.text("clientId"), refuse),
    goodTill_ms: readGoodTill(fields, type),
    priceMatch: readPriceMatch(fields),
  };
  return { type, workingType, asked };
}

/** One-way positions know one side only. */
export function refusePositionSide(fields: OrderFields): void {
  const side = fields.text("positionSide") ?? "BOTH";
  if (side === "BOTH") return;
  throw fields.dialect.refuse("position_side", { rule: "position_side", limit: "BOTH", actual: side.slice(0, 40) });
}

export const asksForPriceMatch = (fields: OrderFields): boolean => (fields.text("priceMatch") ?? "NONE") !== "NONE";

/** FUT-26: where the price comes from. What is not known there yet is refused among the combinations. */
export function readPriceMatch(fields: OrderFields): PriceMatch {
  if (!fields.rules.hasOrderTerms || !asksForPriceMatch(fields)) return NO_PRICE_MATCH;
  const place = placeOf(PRICE_MATCHES, fields.text("priceMatch"));
  if (place !== -1) return place as PriceMatch;
  throw fields.dialect.refuse("price_match", { rule: "price_match", limit: PRICE_MATCHES.join(", ") });
}

/** FUT-26: who takes the price from the book names none. */
export function checkPriceMatch(fields: OrderFields, price: string | undefined): void {
  if (!asksForPriceMatch(fields)) return;
  const { refuse } = fields.dialect;
  if (!fields.rules.hasOrderTerms) throw refuse("no_price_match", { rule: "price_match" });
  if (price !== undefined) throw refuse("price_match", { rule: "price_match", parameter: fields.name("price") });
}

function refuseUnneeded(fields: OrderFields, field: OrderField, value: string | undefined): void {
  // Some clients send 0 for a price that there is none of.
  if (value === undefined || isZeroText(value)) return;
  throw fields.dialect.refuse("not_required", { rule: "not_required", parameter: fields.name(field) });
}

/** FUT-16, combinations. */
export function checkCombination(fields: OrderFields, draft: Draft, type: NamedType): void {
  const { refuse, isStrictAboutTimeInForce } = fields.dialect;
  const isConditional = type.conditional !== undefined;
  const refuseCombination = (rule: Parameters<typeof refuse>[0]) => refuse(rule, { rule });
  refusePositionSide(fields);
  if (draft.quantity !== undefined && draft.quote !== undefined) throw refuseCombination("both_quantities");
  if (draft.quote !== undefined && isConditional) throw refuseCombination("quote_with_trigger");
  if (draft.isClosePosition) {
    if (!isConditional || type.conditional === TRAILING_STOP || type.produces !== MARKET) {
      throw refuse("close_position_type", { rule: "close_position", actual: type.name });
    }
    const amount = draft.quantity ?? draft.quote;
    if (amount !== undefined && !isZeroText(amount)) throw refuse("close_position_quantity");
  }
  if (type.produces === MARKET) refuseUnneeded(fields, "price", draft.price);
  if (!isConditional) {
    refuseUnneeded(fields, "trigger", draft.trigger);
    if (type.produces === MARKET && draft.timeInForce !== undefined && isStrictAboutTimeInForce) {
      const parameter = fields.name("timeInForce");
      throw refuse("time_in_force_not_required", { rule: "not_required", parameter });
    }
  }
  checkPriceMatch(fields, draft.price);
  if (asksForPriceMatch(fields) && type.produces !== LIMIT) {
    throw refuse("price_match_type", { rule: "price_match", actual: type.name });
  }
  const hasAttached = draft.takeProfit !== undefined || draft.stopLoss !== undefined;
  if (hasAttached && (isConditional || draft.isReduceOnly)) throw refuseCombination("attached_without_opening");
  if (draft.slippage !== undefined && type.name !== "MARKET") throw refuseCombination("slippage_without_market");
}
