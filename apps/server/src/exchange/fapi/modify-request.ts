import type { Side } from "@bourse/engine";
import { mandatoryParameter } from "../../kernel/http/error-replies.ts";
import type { FapiParameters } from "../../kernel/http/parameters.ts";
import type { MarketState, Markets } from "./markets.ts";
import { lotsOf, ticksOf } from "./numbers.ts";
import { refusePositionSide, refusePriceMatch, sideOf } from "./order-draft.ts";

export interface ReadModification {
  readonly market: MarketState;
  readonly side: Side | -1;
  readonly ticks: number;
  readonly lots: number;
}

/** A request to modify an order: its new price and quantity, both needed; the side only confirms what it is. */
export function readModification(parameters: FapiParameters, markets: Markets): ReadModification {
  const symbol = parameters.requiredText("symbol");
  if (parameters.text("orderId") === undefined && parameters.text("origClientOrderId") === undefined) {
    throw mandatoryParameter("orderId");
  }
  const quantity = parameters.requiredDecimal("quantity");
  const price = parameters.requiredDecimal("price");
  const sideText = parameters.text("side");
  const side = sideText === undefined ? -1 : sideOf(sideText);
  refusePositionSide(parameters);
  refusePriceMatch(parameters);
  const market = markets.named(symbol);
  return { market, side, ticks: ticksOf(market.terms, price), lots: lotsOf(market.terms, quantity) };
}
