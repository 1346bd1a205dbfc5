import { PinnedPrice, PinnedPriceRequest } from "@bourse/api";
import { badRequest, notFound } from "../../kernel/errors.ts";
import type { Access } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import type { Exchange } from "../host/exchange.ts";
import { priceText } from "../units.ts";
import { readPrice } from "./price-input.ts";
import { PriceRefused, type Prices } from "./prices.ts";

export const devPricePolicy: Readonly<Record<string, Access>> = {
  "POST /api/v1/dev/price": { area: "dev", allow: "anyone" },
};

/** RUN-6: pins a symbol's index price. Development only. */
export function registerDevPriceRoute(app: App, { prices, exchange }: { prices: Prices; exchange: Exchange }): void {
  app.post(
    "/api/v1/dev/price",
    {
      schema: {
        tags: ["Development"],
        summary: "Pin a symbol's index price",
        description: "The engine has the price before the reply: what it triggers or liquidates is done.",
        body: PinnedPriceRequest,
        response: { 200: PinnedPrice },
      },
    },
    async (request) => {
      const { price } = request.body;
      const symbol = request.body.symbol.toUpperCase();
      try {
        const { indexTicks, markTicks, isPinned } = await prices.pin(symbol, price === null ? null : readPrice(price));
        const { terms } = exchange.engine.state.markets.find((market) => market.terms.symbol === symbol)!;
        return {
          symbol,
          pinned: isPinned,
          index_price: priceText(terms, indexTicks),
          mark_price: priceText(terms, markTicks),
        };
      } catch (error) {
        if (!(error instanceof PriceRefused)) throw error;
        throw error.isUnknownMarket ? notFound(error.message) : badRequest(error.message);
      }
    },
  );
}
