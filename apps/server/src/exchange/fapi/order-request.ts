import { TRAILING_STOP } from "@bourse/engine";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { namedType } from "../orders/names.ts";
import type { Dialect } from "../orders/order-fields.ts";
import { type NewConditional, type ReadOrder, readOrder as read } from "../orders/read-order.ts";
import type { Markets } from "./markets.ts";
import { refuse } from "./refusals.ts";

const common = { refuse, takesAnyCase: false, isStrictAboutTimeInForce: true } as const;

/** `/fapi/v1/order`: reads a trailing stop as a plain stop (WIRE-11). */
export const ORDER: Dialect = {
  ...common,
  names: "order",
  typeOf: (name) => namedType(namedType(name)?.conditional === TRAILING_STOP ? "STOP_MARKET" : name),
  keepsId: true,
};

/** `/fapi/v1/algoOrder`: only conditional orders. */
const ALGO: Dialect = {
  ...common,
  names: "algo",
  typeOf: (name) => {
    const type = namedType(name);
    return type?.conditional === undefined ? undefined : type;
  },
  keepsId: false,
};

/** Reads a request to place an order, with or without a trigger (FUT-8). */
export const readOrder = (parameters: FapiParameters, markets: Markets): ReadOrder =>
  read(parameters, ORDER, (symbol) => markets.named(symbol), markets.rules);

/** Reads a request to place a conditional order. */
export function readAlgoOrder(
  parameters: FapiParameters,
  markets: Markets,
): ReadOrder & { readonly command: NewConditional } {
  const order = read(parameters, ALGO, (symbol) => markets.named(symbol), markets.rules);
  if (order.command.kind !== "place_conditional") throw new Error("only conditional orders are read here");
  return { ...order, command: order.command };
}
