import type { PriceMatch, Side } from "@bourse/engine";
import { mandatoryParameter } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import { lotsOf, ticksOf } from "../orders/numbers.ts";
import {
  asksForPriceMatch,
  checkPriceMatch,
  readPriceMatch,
  readSide,
  refusePositionSide,
} from "../orders/order-checks.ts";
import { OrderFields } from "../orders/order-fields.ts";
import type { MarketState, Markets } from "./markets.ts";
import { ORDER } from "./order-request.ts";
import { refuse } from "./refusals.ts";

export interface ReadModification {
  readonly market: MarketState;
  readonly side: Side | -1;
  /** 0 with a price from the book (FUT-26). */
  readonly ticks: number;
  readonly priceMatch: PriceMatch;
  readonly lots: number;
}

/** A request to modify an order. New price, or where it comes from, and quantity are required; the side, if sent, must be that of the order. */
export function readModification(parameters: FapiParameters, markets: Markets): ReadModification {
  const fields = new OrderFields(parameters, ORDER, markets.rules);
  const symbol = fields.requiredText("symbol");
  if (parameters.text("orderId") === undefined && parameters.text("origClientOrderId") === undefined) {
    throw mandatoryParameter("orderId");
  }
  const quantity = { text: fields.requiredDecimal("quantity"), parameter: "quantity" };
  const price = asksForPriceMatch(fields) ? fields.decimal("price") : fields.requiredDecimal("price");
  const side = fields.text("side") === undefined ? -1 : readSide(fields);
  const priceMatch = readPriceMatch(fields);
  refusePositionSide(fields);
  checkPriceMatch(fields, price);
  const market = markets.named(symbol);
  return {
    market,
    side,
    ticks: price === undefined ? 0 : ticksOf(market.definition, { text: price, parameter: "price" }, refuse),
    priceMatch,
    lots: lotsOf(market.definition, quantity, refuse),
  };
}
