import { Type } from "typebox";
import { badRequest, notFound } from "../../kernel/errors.ts";
import type { Access } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import type { Exchange } from "../host/exchange.ts";
import { parseSize, priceText } from "../units.ts";
import { PriceRefused, type Prices } from "./prices.ts";

export const devPricePolicy: Readonly<Record<string, Access>> = {
  "POST /api/v1/dev/price": { area: "dev", allow: "anyone" },
};

const PriceText = Type.String({ examples: ["60000.0"] });

const PriceRequest = Type.Object({
  symbol: Type.String({ minLength: 1, maxLength: 20, examples: ["BTCUSDT"] }),
  price: Type.Union([Type.String({ maxLength: 40 }), Type.Number(), Type.Null()], {
    description: "Fixes the index price here; null lets it go. Rounded to the nearest tick.",
    examples: ["58500"],
  }),
});

const PriceReply = Type.Object({
  symbol: Type.String(),
  pinned: Type.Boolean(),
  index_price: PriceText,
  mark_price: PriceText,
});

/** The price in 1e-8; what is beyond eight decimals could not be told from a mistake. */
function priceOf(given: string | number | null): number | null {
  if (given === null) return null;
  const read = parseSize(typeof given === "number" ? plainText(given) : given.trim());
  if (read === undefined || read.isInexact || read.value <= 0)
    throw badRequest("price must be a price above 0, or null");
  return read.value;
}

/** Small numbers have an exponent as text, which a decimal has not. */
const plainText = (value: number) => (Math.abs(value) < 1e-6 ? value.toFixed(8) : String(value));

/** RUN-6: pins a symbol's index price. Development only. */
export function registerDevPriceRoute(app: App, { prices, exchange }: { prices: Prices; exchange: Exchange }): void {
  app.post(
    "/api/v1/dev/price",
    {
      schema: {
        tags: ["Development"],
        summary: "Pin a symbol's index price",
        description: "The engine has the price before the reply: what it triggers or liquidates is done.",
        body: PriceRequest,
        response: { 200: PriceReply },
      },
    },
    async (request) => {
      const symbol = request.body.symbol.toUpperCase();
      try {
        const { indexTicks, markTicks, isPinned } = await prices.pin(symbol, priceOf(request.body.price));
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
