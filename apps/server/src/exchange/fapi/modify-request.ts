import type { Side } from "@bourse/engine";
import { mandatoryParameter } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { lotsOf, ticksOf } from "../orders/numbers.ts";
import { readSide, refusePositionSide, refusePriceMatch } from "../orders/order-checks.ts";
import { OrderFields } from "../orders/order-fields.ts";
import type { MarketState, Markets } from "./markets.ts";
import { ORDER } from "./order-request.ts";
import { refuse } from "./refusals.ts";

export interface ReadModification {
  readonly market: MarketState;
  readonly side: Side | -1;
  readonly ticks: number;
  readonly lots: number;
}

/** A request to modify an order. New price and quantity are required; the side, if sent, must be that of the order. */
export function readModification(parameters: FapiParameters, markets: Markets): ReadModification {
  const fields = new OrderFields(parameters, ORDER);
  const symbol = fields.requiredText("symbol");
  if (parameters.text("orderId") === undefined && parameters.text("origClientOrderId") === undefined) {
    throw mandatoryParameter("orderId");
  }
  const quantity = { text: fields.requiredDecimal("quantity"), parameter: "quantity" };
  const price = { text: fields.requiredDecimal("price"), parameter: "price" };
  const side = fields.text("side") === undefined ? -1 : readSide(fields);
  refusePositionSide(fields);
  refusePriceMatch(fields);
  const market = markets.named(symbol);
  return {
    market,
    side,
    ticks: ticksOf(market.definition, price, refuse),
    lots: lotsOf(market.definition, quantity, refuse),
  };
}
