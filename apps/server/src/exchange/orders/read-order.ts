import {
  type AttachedTrigger,
  GTC,
  IOC,
  LIMIT,
  MARKET,
  type Market,
  type MarketState,
  type PlaceConditional,
  type PlaceOrder,
  type SelfTradePrevention,
  type Side,
  type TimeInForce,
  TRAILING_STOP,
  type WorkingType,
} from "@bourse/engine";
import { decimalText, parseDecimal } from "../../kernel/units.ts";
import type { Unstamped } from "../host/exchange.ts";
import { givenClientId } from "./client-ids.ts";
import {
  type NamedType,
  placeOf,
  SELF_TRADE_NAMES,
  SIDE_NAMES,
  TIME_IN_FORCE_NAMES,
  WORKING_TYPE_NAMES,
} from "./names.ts";
import { fractionOf, isZeroText, lotsOf, microsOf, type Sent, ticksOf } from "./numbers.ts";
import { type Dialect, type OrderField, OrderFields, type OrderParameters } from "./order-fields.ts";

export type NewOrder = Omit<Unstamped<PlaceOrder>, "account">;
export type NewConditional = Omit<Unstamped<PlaceConditional>, "account">;

/** A request for a new order, found good as far as that can be said without the engine. */
export interface ReadOrder {
  readonly market: MarketState;
  readonly command: NewOrder | NewConditional;
  /** FUT-17: what gets somebody out is taken even when too much is waiting. */
  readonly isExempt: boolean;
}

/** The parameters as they were sent: what is there is well-formed, nothing else is known yet. */
interface Draft {
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
function readPresence(fields: OrderFields): Draft {
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
  // Who lets the exchange choose the price sends none, and is told that it does not do that.
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

function readTimeInForce(name: string | undefined, { dialect }: OrderFields): TimeInForce {
  if (name === undefined) return GTC;
  const place = placeOf(TIME_IN_FORCE_NAMES, name);
  if (place !== -1) return place as TimeInForce;
  const limit = TIME_IN_FORCE_NAMES.join(", ");
  throw dialect.refuse("time_in_force", { rule: "time_in_force", limit, actual: name.slice(0, 40) });
}

interface Choices {
  readonly side: Side;
  readonly type: NamedType;
  readonly timeInForce: TimeInForce;
  readonly workingType: WorkingType;
  readonly selfTradePrevention: SelfTradePrevention;
  readonly clientId: string;
}

const RESPONSE_TYPES: readonly (string | undefined)[] = [undefined, "ACK", "RESULT"];

/** FUT-16, enums. */
function readChoices(fields: OrderFields, { type, typeText, timeInForce }: Draft): Choices {
  const { refuse } = fields.dialect;
  const side = readSide(fields);
  if (type === undefined) throw refuse("type", { rule: "type", actual: typeText.slice(0, 40) });
  fields.place("algoType", ["CONDITIONAL"]);
  const choices = { side, type, timeInForce: readTimeInForce(timeInForce, fields) };
  if (!RESPONSE_TYPES.includes(fields.text("responseType"))) {
    throw refuse("response_type", { rule: "enum", limit: "ACK, RESULT" });
  }
  return {
    ...choices,
    workingType: fields.place("workingType", WORKING_TYPE_NAMES) as WorkingType,
    selfTradePrevention: fields.place("selfTradePrevention", SELF_TRADE_NAMES) as SelfTradePrevention,
    clientId: givenClientId(fields.text("clientId"), refuse),
  };
}

/** One-way positions know one side only. */
export function refusePositionSide(fields: OrderFields): void {
  const side = fields.text("positionSide") ?? "BOTH";
  if (side === "BOTH") return;
  throw fields.dialect.refuse("position_side", { rule: "position_side", limit: "BOTH", actual: side.slice(0, 40) });
}

const asksForPriceMatch = (fields: OrderFields): boolean => (fields.text("priceMatch") ?? "NONE") !== "NONE";

export function refusePriceMatch(fields: OrderFields): void {
  if (asksForPriceMatch(fields)) throw fields.dialect.refuse("price_match", { rule: "price_match" });
}

function refuseUnneeded(fields: OrderFields, field: OrderField, value: string | undefined): void {
  // Some clients send 0 for a price that there is none of.
  if (value === undefined || isZeroText(value)) return;
  throw fields.dialect.refuse("not_required", { rule: "not_required", parameter: fields.name(field) });
}

/** FUT-16, combinations. */
function checkCombination(fields: OrderFields, draft: Draft, type: NamedType): void {
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
  refusePriceMatch(fields);
  const hasAttached = draft.takeProfit !== undefined || draft.stopLoss !== undefined;
  if (hasAttached && (isConditional || draft.isReduceOnly)) throw refuseCombination("attached_without_opening");
  if (draft.slippage !== undefined && type.name !== "MARKET") throw refuseCombination("slippage_without_market");
}

const MIN_CALLBACK_bps = 10;
const MAX_CALLBACK_bps = 1_000;

function callbackOf(text: string, { refuse }: Dialect): number {
  const rate = parseDecimal(text, 2);
  const isFine =
    rate !== undefined && !rate.isInexact && rate.value >= MIN_CALLBACK_bps && rate.value <= MAX_CALLBACK_bps;
  if (isFine) return rate.value;
  const limit = `${decimalText(MIN_CALLBACK_bps, 2)} to ${decimalText(MAX_CALLBACK_bps, 2)}`;
  throw refuse("callback_rate", { rule: "callback_rate", limit, actual: text.slice(0, 40) });
}

/** Reads the numbers of a request, now that its market is known. */
class Numbers {
  readonly #fields: OrderFields;
  readonly #definition: Market;

  constructor(fields: OrderFields, definition: Market) {
    this.#fields = fields;
    this.#definition = definition;
  }

  #sent(field: OrderField, text: string): Sent {
    return { text, parameter: this.#fields.name(field) };
  }

  /** 0 where there is none. */
  ticks(field: OrderField, text: string | undefined): number {
    return text === undefined ? 0 : ticksOf(this.#definition, this.#sent(field, text), this.#fields.dialect.refuse);
  }

  lots(text: string | undefined): number {
    return text === undefined ? 0 : lotsOf(this.#definition, this.#sent("quantity", text), this.#fields.dialect.refuse);
  }

  quote(text: string | undefined): number {
    return text === undefined ? 0 : microsOf(this.#sent("quote", text), this.#fields.dialect.refuse);
  }

  /** −1 where there is none. */
  slippage(text: string | undefined): number {
    return text === undefined ? -1 : fractionOf(this.#sent("slippage", text), this.#fields.dialect.refuse);
  }

  /** WIRE-7: `take_profit` and `stop_loss`, as they are named there. */
  attached(field: OrderField, sent: OrderParameters | undefined, workingType: WorkingType): AttachedTrigger | null {
    if (sent === undefined) return null;
    const { refuse } = this.#fields.dialect;
    const ticks = (name: string, text: string) =>
      ticksOf(this.#definition, { text, parameter: `${this.#fields.name(field)}.${name}` }, refuse);
    const price = sent.decimal("price");
    const ownType = placeOf(WORKING_TYPE_NAMES, sent.text("working_type"));
    return {
      triggerTicks: ticks("trigger_price", sent.requiredDecimal("trigger_price")),
      ticks: price === undefined ? 0 : ticks("price", price),
      workingType: ownType === -1 ? workingType : (ownType as WorkingType),
    };
  }
}

function plainCommand(draft: Draft, choices: Choices, market: MarketState, numbers: Numbers): NewOrder {
  const isMarket = choices.type.produces === MARKET;
  return {
    kind: "place_order",
    market: market.number,
    side: choices.side,
    type: choices.type.produces,
    timeInForce: isMarket ? IOC : choices.timeInForce,
    ticks: isMarket ? 0 : numbers.ticks("price", draft.price),
    lots: numbers.lots(draft.quantity),
    quote_micros: numbers.quote(draft.quote),
    isReduceOnly: draft.isReduceOnly,
    selfTradePrevention: choices.selfTradePrevention,
    clientId: choices.clientId,
    maxSlippage_e8: numbers.slippage(draft.slippage),
    takeProfit: numbers.attached("takeProfit", draft.takeProfit, choices.workingType),
    stopLoss: numbers.attached("stopLoss", draft.stopLoss, choices.workingType),
  };
}

function conditionalCommand(
  draft: Draft,
  { type, ...choices }: Choices & { type: NamedType & { conditional: NonNullable<NamedType["conditional"]> } },
  market: MarketState,
  numbers: Numbers,
  dialect: Dialect,
): NewConditional {
  const isTrailing = type.conditional === TRAILING_STOP;
  return {
    kind: "place_conditional",
    ...choices,
    market: market.number,
    type: type.conditional,
    ticks: type.produces === MARKET ? 0 : numbers.ticks("price", draft.price),
    lots: draft.isClosePosition ? 0 : numbers.lots(draft.quantity),
    triggerTicks: isTrailing ? 0 : numbers.ticks("trigger", draft.trigger),
    activateTicks: numbers.ticks("activate", draft.activate),
    callback_bps: isTrailing ? callbackOf(draft.callback!, dialect) : 0,
    // The engine makes a closing order reduce-only itself.
    isReduceOnly: draft.isReduceOnly && !draft.isClosePosition,
    isClosePosition: draft.isClosePosition,
    isPriceProtected: draft.isPriceProtected,
    keepsId: dialect.keepsId,
  };
}

/** A request for an order, also one with a trigger (FUT-8), judged in the order of FUT-16 whichever way it came. */
export function readOrder(
  parameters: OrderParameters,
  dialect: Dialect,
  findMarket: (symbol: string) => MarketState,
): ReadOrder {
  const fields = new OrderFields(parameters, dialect);
  const draft = readPresence(fields);
  const choices = readChoices(fields, draft);
  const { type } = choices;
  checkCombination(fields, draft, type);
  const market = findMarket(draft.symbol);
  const numbers = new Numbers(fields, market.definition);
  const { conditional } = type;
  const command =
    conditional === undefined
      ? plainCommand(draft, choices, market, numbers)
      : conditionalCommand(draft, { ...choices, type: { ...type, conditional } }, market, numbers, dialect);
  return { market, command, isExempt: draft.isReduceOnly || draft.isClosePosition };
}
