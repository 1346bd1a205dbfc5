import type { FapiErrorName } from "@bourse/api";
import type { RefusalDetails } from "../../kernel/errors.ts";

interface RequestRow {
  readonly fapi: FapiErrorName;
  /** Instead of the text that the code has. */
  readonly msg?: (details: RefusalDetails) => string;
  readonly code: string;
  readonly text: (details: RefusalDetails) => string;
}

const combination = (text: string): RequestRow => ({ fapi: "COMBINATION", code: "BAD_COMBINATION", text: () => text });
const oneOf = (name: string) => (details: RefusalDetails) => `${name} must be one of ${details.limit}`;

/** What is wrong with a request for an order before the engine sees it (FUT-16), in the order of the checks. */
const REQUEST_REFUSALS = {
  mandatory: {
    fapi: "MANDATORY",
    msg: ({ parameter }) => `Mandatory parameter '${parameter}' was not sent, was empty/null, or malformed.`,
    code: "MISSING_PARAMETER",
    text: ({ parameter }) => `${parameter} is missing`,
  },
  malformed: {
    fapi: "BAD_DATA",
    msg: ({ parameter }) => `Data sent for parameter '${parameter}' is not valid.`,
    code: "BAD_REQUEST",
    text: ({ parameter }) => `${parameter} is not valid`,
  },
  side: { fapi: "SIDE", code: "INVALID_SIDE", text: oneOf("side") },
  type: { fapi: "ORDER_TYPE", code: "INVALID_TYPE", text: () => "type is none that can be placed here" },
  time_in_force: {
    fapi: "TIME_IN_FORCE",
    msg: ({ actual }) => (actual === "GTD" ? "Invalid timeInForce: GTD is not supported." : "Invalid timeInForce."),
    code: "INVALID_TIME_IN_FORCE",
    text: oneOf("time_in_force"),
  },
  response_type: { fapi: "RESPONSE_TYPE", code: "BAD_REQUEST", text: oneOf("newOrderRespType") },
  client_id: { fapi: "CLIENT_ID", code: "INVALID_CLIENT_ORDER_ID", text: () => "client_order_id is not valid" },
  own_client_id: {
    fapi: "CLIENT_ID",
    msg: () => "Client order id is not valid: ids of the form bourse-<number> are given by the exchange.",
    code: "INVALID_CLIENT_ORDER_ID",
    text: () => "client_order_id is not valid: ids of the form bourse-<number> are given by the exchange",
  },
  position_side: { fapi: "POSITION_SIDE", code: "BAD_REQUEST", text: oneOf("positionSide") },
  both_quantities: combination("give either quantity or quote_quantity"),
  quote_with_trigger: combination("a conditional order has a quantity, no quote_quantity"),
  attached_without_opening: combination("take_profit and stop_loss go with orders that open a position"),
  slippage_without_market: combination("max_slippage goes with MARKET orders alone"),
  close_position_type: {
    fapi: "CLOSE_POSITION_TYPE",
    code: "BAD_COMBINATION",
    text: () => "close_position goes with STOP_MARKET and TAKE_PROFIT_MARKET",
  },
  close_position_quantity: {
    fapi: "CLOSE_POSITION_QUANTITY",
    code: "BAD_COMBINATION",
    text: () => "close_position goes without quantity",
  },
  not_required: {
    fapi: "NOT_REQUIRED",
    msg: ({ parameter }) => `Parameter '${parameter}' sent when not required.`,
    code: "BAD_COMBINATION",
    text: ({ parameter }) => `an order of this type has no ${parameter}`,
  },
  time_in_force_not_required: {
    fapi: "TIME_IN_FORCE_NOT_REQUIRED",
    code: "BAD_COMBINATION",
    text: () => "a market order has no time_in_force",
  },
  no_price_match: { ...combination("priceMatch is not supported"), msg: () => "priceMatch is not supported." },
  price_match: {
    fapi: "PRICE_MATCH",
    msg: ({ parameter }) =>
      parameter === undefined ? "Invalid price match." : "Invalid price match: it goes without price.",
    code: "INVALID_PRICE_MATCH",
    text: () => "priceMatch is none that is known, or goes with a price",
  },
  price_match_type: {
    fapi: "PRICE_MATCH_TYPE",
    code: "BAD_COMBINATION",
    text: () => "priceMatch goes with LIMIT, STOP and TAKE_PROFIT",
  },
  good_till_without_price: {
    fapi: "TIME_IN_FORCE",
    msg: () => "Invalid timeInForce: GTD goes with a limit price.",
    code: "INVALID_TIME_IN_FORCE",
    text: () => "GTD goes with a limit price",
  },
  good_till_date: {
    fapi: "GOOD_TILL_DATE",
    code: "INVALID_GOOD_TILL_DATE",
    text: () => "goodTillDate is more than 600 seconds away and before the year 10000",
  },
  precision: {
    fapi: "PRECISION",
    code: "PRICE_PRECISION",
    text: ({ parameter, limit }) => `${parameter} has more than ${limit} decimals`,
  },
  tick_size: {
    fapi: "TICK",
    code: "PRICE_TICK",
    text: ({ parameter }) => `${parameter} is not a multiple of the tick size`,
  },
  max_price: {
    fapi: "PRICE_TOO_HIGH",
    msg: ({ limit }) => `Limit price can't be higher than ${limit}.`,
    code: "PRICE_TOO_HIGH",
    text: ({ parameter, limit }) => `${parameter} is higher than ${limit}`,
  },
  min_quantity: {
    fapi: "QUANTITY_NOT_POSITIVE",
    code: "INVALID_QUANTITY",
    text: ({ parameter }) => `${parameter} must be positive`,
  },
  max_quantity: {
    fapi: "QUANTITY_TOO_LARGE",
    code: "INVALID_QUANTITY",
    text: ({ parameter, limit }) => `${parameter} is larger than ${limit}`,
  },
  lot_size: {
    fapi: "LOT_SIZE",
    code: "LOT_SIZE",
    text: () => "Filter failure: LOT_SIZE. The quantity is below one lot",
  },
  callback_rate: { fapi: "CALLBACK_RATE", code: "BAD_REQUEST", text: ({ limit }) => `callbackRate is ${limit}` },
} as const satisfies Readonly<Record<string, RequestRow>>;

type RequestRefusal = keyof typeof REQUEST_REFUSALS;

/** Makes the error of the interface that a request came by. */
export type Refuse = (refusal: RequestRefusal, details?: RefusalDetails) => Error;

export const requestRow = (refusal: RequestRefusal): RequestRow => REQUEST_REFUSALS[refusal];
