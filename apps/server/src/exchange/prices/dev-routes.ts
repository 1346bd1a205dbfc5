import { PinnedPrice, PinnedPriceRequest } from "@bourse/api";
import { badRequest, notFound } from "../../kernel/errors.ts";
import { development } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { priceText } from "../../kernel/units.ts";
import type { Exchange } from "../host/exchange.ts";
import { readPrice } from "./price-input.ts";
import { PriceRefused, type Prices } from "./prices.ts";

/** RUN-6: pins a market's index price. Development only. */
export function registerDevPriceRoute(app: App, { prices, exchange }: { prices: Prices; exchange: Exchange }): void {
  app.post(
    "/api/v1/dev/price",
    {
      config: { access: development, client: "dev.pinPrice(symbol, price)" },
      schema: {
        tags: ["Development"],
        summary: "Pin a symbol's index price",
        description: "The engine has the price before the reply, including all triggers and liquidations.",
        body: PinnedPriceRequest,
        response: { 200: PinnedPrice },
      },
    },
    async (request) => {
      const { price } = request.body;
      const symbol = request.body.symbol.toUpperCase();
      try {
        const { indexTicks, markTicks, isPinned } = await prices.pin(symbol, price === null ? null : readPrice(price));
        const { definition } = exchange.engine.state.markets.find((market) => market.definition.symbol === symbol)!;
        return {
          symbol,
          pinned: isPinned,
          index_price: priceText(definition, indexTicks),
          mark_price: priceText(definition, markTicks),
        };
      } catch (error) {
        if (!(error instanceof PriceRefused)) throw error;
        throw error.isUnknownMarket ? notFound(error.message) : badRequest(error.message);
      }
    },
  );
}
