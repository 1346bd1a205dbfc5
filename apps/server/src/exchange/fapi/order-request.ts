import { IOC, MARKET, type PlaceConditional, type PlaceOrder, STOP, TRAILING_STOP } from "@bourse/engine";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import type { Unstamped } from "../host/exchange.ts";
import { decimalText, parseDecimal } from "../units.ts";
import type { MarketState, Markets } from "./markets.ts";
import { lotsOf, microsOf, ticksOf } from "./numbers.ts";
import {
  ALGO,
  type Choices,
  checkCombination,
  type Dialect,
  type Draft,
  ORDER,
  readChoices,
  readPresence,
} from "./order-draft.ts";

export type NewOrder = Omit<Unstamped<PlaceOrder>, "account">;
export type NewConditional = Omit<Unstamped<PlaceConditional>, "account">;

/** A request for a new order, found good as far as that can be said without the engine. */
export interface ReadOrder {
  readonly market: MarketState;
  readonly command: NewOrder | NewConditional;
  /** FUT-17: what gets somebody out is taken even when too much is waiting. */
  readonly isExempt: boolean;
}

const CALLBACK_DIGITS = 2;
const LEAST_CALLBACK_bps = 10;
const MOST_CALLBACK_bps = 1_000;

function callbackOf(text: string): number {
  const rate = parseDecimal(text, CALLBACK_DIGITS);
  const isFine =
    rate !== undefined && !rate.isInexact && rate.value >= LEAST_CALLBACK_bps && rate.value <= MOST_CALLBACK_bps;
  if (isFine) return rate.value;
  const limit = `${decimalText(LEAST_CALLBACK_bps, 2)} to ${decimalText(MOST_CALLBACK_bps, 2)}`;
  throw fapiRefusal("CALLBACK_RATE", { details: { rule: "callback_rate", limit, actual: text.slice(0, 40) } });
}

function readPlain(draft: Draft, choices: Choices, market: MarketState): NewOrder {
  const { terms } = market;
  const isMarket = choices.type.produces === MARKET;
  return {
    kind: "place_order",
    market: market.number,
    side: choices.side,
    type: choices.type.produces,
    timeInForce: isMarket ? IOC : choices.timeInForce,
    ticks: isMarket ? 0 : ticksOf(terms, draft.price!),
    lots: draft.quantity === undefined ? 0 : lotsOf(terms, draft.quantity),
    quote_micros: draft.quote === undefined ? 0 : microsOf(draft.quote, "quoteOrderQty"),
    isReduceOnly: draft.isReduceOnly,
    selfTradePrevention: choices.selfTradePrevention,
    clientId: choices.clientId,
    maxSlippage_e8: -1,
    takeProfit: null,
    stopLoss: null,
  };
}

function readConditional(draft: Draft, choices: Choices, market: MarketState, dialect: Dialect): NewConditional {
  const { terms } = market;
  const { type } = choices;
  const isTrailing = type.conditional === TRAILING_STOP;
  return {
    kind: "place_conditional",
    market: market.number,
    side: choices.side,
    type: type.conditional ?? STOP,
    ticks: type.produces === MARKET ? 0 : ticksOf(terms, draft.price!),
    timeInForce: choices.timeInForce,
    lots: draft.isClosePosition ? 0 : lotsOf(terms, draft.quantity!),
    triggerTicks: isTrailing ? 0 : ticksOf(terms, draft.trigger!, dialect.trigger),
    activateTicks: draft.activate === undefined ? 0 : ticksOf(terms, draft.activate, "activatePrice"),
    callback_bps: isTrailing ? callbackOf(draft.callback!) : 0,
    workingType: choices.workingType,
    // The engine makes a closing order reduce-only itself.
    isReduceOnly: draft.isReduceOnly && !draft.isClosePosition,
    isClosePosition: draft.isClosePosition,
    isPriceProtected: draft.isPriceProtected,
    keepsId: !dialect.isAlgo,
    selfTradePrevention: choices.selfTradePrevention,
    clientId: choices.clientId,
  };
}

function read(parameters: FapiParameters, markets: Markets, dialect: Dialect): ReadOrder {
  const draft = readPresence(parameters, dialect);
  const choices = readChoices(parameters, draft, dialect);
  checkCombination(parameters, draft, choices.type, dialect);
  const market = markets.named(draft.symbol);
  const command =
    choices.type.conditional === undefined
      ? readPlain(draft, choices, market)
      : readConditional(draft, choices, market, dialect);
  return { market, command, isExempt: draft.isReduceOnly || draft.isClosePosition };
}

/** A request to place an order, also one with a trigger (FUT-8), judged in the order of FUT-16. */
export const readOrder = (parameters: FapiParameters, markets: Markets): ReadOrder => read(parameters, markets, ORDER);

/** A request to place a conditional order. */
export function readAlgoOrder(
  parameters: FapiParameters,
  markets: Markets,
): ReadOrder & { readonly command: NewConditional } {
  const order = read(parameters, markets, ALGO);
  if (order.command.kind !== "place_conditional") throw new Error("only conditional orders are read here");
  return { ...order, command: order.command };
}
