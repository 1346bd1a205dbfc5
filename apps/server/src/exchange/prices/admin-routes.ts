import { PriceReport, PriceReports, PushedPriceRequest } from "@bourse/api";
import { ApiError, badRequest, notFound } from "../../kernel/errors.ts";
import { admin } from "../../kernel/http/access.ts";
import type { App } from "../../kernel/http/app.ts";
import { wholeReply } from "../../kernel/pages.ts";
import { priceText, rateText } from "../../kernel/units.ts";
import type { Exchange } from "../host/exchange.ts";
import { readPrice } from "./price-input.ts";
import { PriceRefused, type Prices } from "./prices.ts";
import type { GuardRecord } from "./store.ts";

const tags = ["Exchange administration"];

function guardView(guard: GuardRecord | undefined) {
  if (guard === undefined) return null;
  const { phase, since_ms } = guard;
  return { phase, since: since_ms === undefined ? null : new Date(since_ms).toISOString() };
}

/** FUT-13: prices that an admin's program pushes, and the sources of each market's index price. */
export function registerPriceAdminRoutes(app: App, { prices, exchange }: { prices: Prices; exchange: Exchange }): void {
  const reportOf = (symbol: string) => {
    const report = prices.report(symbol);
    const { definition } = exchange.engine.state.markets.find((market) => market.definition.symbol === symbol)!;
    const orNone = (ticks: number) => (ticks === 0 ? null : priceText(definition, ticks));
    return {
      symbol,
      index_price: orNone(report.indexTicks),
      mark_price: orNone(report.markTicks),
      pinned: report.isPinned,
      reduce_only: report.guard !== undefined && report.guard.phase !== "halted",
      guard: guardView(report.guard),
      no_index: report.noIndex ?? null,
      sources: report.sources.map(({ name, price_e8, age_ms, use }) => ({
        name,
        price: rateText(price_e8),
        age_ms,
        fresh: use !== "stale",
        use,
      })),
    };
  };

  app.get(
    "/api/v1/admin/prices",
    {
      config: { access: admin, client: "exchangeAdmin.prices" },
      schema: {
        tags,
        summary: "Sources of each market's index price",
        response: { 200: PriceReports },
      },
    },
    () => {
      const reports = exchange.engine.state.markets.map(({ definition }) => reportOf(definition.symbol));
      return wholeReply(reports, "prices");
    },
  );

  app.post(
    "/api/v1/admin/prices",
    {
      config: { access: admin, client: "exchangeAdmin.pushPrice" },
      schema: {
        tags,
        summary: "Push a price",
        description:
          "Where PRICE_SOURCES names `push`. The price counts for ten seconds; what becomes of it is in the engine before " +
          "the reply.",
        body: PushedPriceRequest,
        response: { 200: PriceReport },
      },
    },
    async (request) => {
      const { price, feed } = request.body;
      const symbol = request.body.symbol.toUpperCase();
      if (!prices.takesPushes) {
        throw new ApiError(409, "PRICES_NOT_PUSHED", "prices are not pushed here: PRICE_SOURCES says otherwise");
      }
      try {
        prices.push(symbol, readPrice(price), feed);
      } catch (error) {
        if (!(error instanceof PriceRefused)) throw error;
        throw error.isUnknownMarket ? notFound(error.message) : badRequest(error.message);
      }
      await prices.tick();
      return reportOf(symbol);
    },
  );
}
