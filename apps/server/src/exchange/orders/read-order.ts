import {
  type AttachedTrigger,
  type ConditionalType,
  IOC,
  MARKET,
  type Market,
  type MarketState,
  type PlaceConditional,
  type PlaceOrder,
  TRAILING_STOP,
  type WorkingType,
} from "@bourse/engine";
import { decimalText, parseDecimal } from "../../kernel/units.ts";
import type { Unstamped } from "../host/exchange.ts";
import { placeOf, WORKING_TYPE_NAMES } from "./names.ts";
import { fractionOf, lotsOf, microsOf, type Sent, ticksOf } from "./numbers.ts";
import { type Choices, checkCombination, type Draft, readChoices, readPresence } from "./order-checks.ts";
import { type Dialect, type OrderField, OrderFields, type OrderParameters, type OrderRules } from "./order-fields.ts";

export type NewOrder = Omit<Unstamped<PlaceOrder>, "account">;
export type NewConditional = Omit<Unstamped<PlaceConditional>, "account">;

/** A request for a new order, found good as far as that can be said without the engine. */
export interface ReadOrder {
  readonly market: MarketState;
  readonly command: NewOrder | NewConditional;
  /** FUT-17: what gets somebody out is taken even when too much is waiting. */
  readonly isExempt: boolean;
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
  const { type, workingType, asked } = choices;
  const isMarket = type.produces === MARKET;
  return {
    kind: "place_order",
    ...asked,
    market: market.number,
    type: type.produces,
    timeInForce: isMarket ? IOC : asked.timeInForce,
    ticks: isMarket ? 0 : numbers.ticks("price", draft.price),
    lots: numbers.lots(draft.quantity),
    quote_micros: numbers.quote(draft.quote),
    isReduceOnly: draft.isReduceOnly,
    maxSlippage_e8: numbers.slippage(draft.slippage),
    takeProfit: numbers.attached("takeProfit", draft.takeProfit, workingType),
    stopLoss: numbers.attached("stopLoss", draft.stopLoss, workingType),
  };
}

function conditionalCommand(
  draft: Draft,
  { type, workingType, asked }: Choices,
  conditional: ConditionalType,
  market: MarketState,
  numbers: Numbers,
  dialect: Dialect,
): NewConditional {
  const isTrailing = conditional === TRAILING_STOP;
  return {
    kind: "place_conditional",
    ...asked,
    market: market.number,
    type: conditional,
    ticks: type.produces === MARKET ? 0 : numbers.ticks("price", draft.price),
    lots: draft.isClosePosition ? 0 : numbers.lots(draft.quantity),
    triggerTicks: isTrailing ? 0 : numbers.ticks("trigger", draft.trigger),
    activateTicks: numbers.ticks("activate", draft.activate),
    callback_bps: isTrailing ? callbackOf(draft.callback!, dialect) : 0,
    workingType,
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
  rules: OrderRules,
): ReadOrder {
  const fields = new OrderFields(parameters, dialect, rules);
  const draft = readPresence(fields);
  const choices = readChoices(fields, draft);
  const { conditional } = choices.type;
  checkCombination(fields, draft, choices.type);
  const market = findMarket(draft.symbol);
  const numbers = new Numbers(fields, market.definition);
  const command =
    conditional === undefined
      ? plainCommand(draft, choices, market, numbers)
      : conditionalCommand(draft, choices, conditional, market, numbers, dialect);
  return { market, command, isExempt: draft.isReduceOnly || draft.isClosePosition };
}
