import {
  FapiAdlRisks,
  FapiConstituents,
  FapiForcedClose,
  FapiNoIndexes,
  FapiTradingSchedule,
  statisticsParameters as parameters,
} from "@bourse/api";
import { ONE_e8, readFund, readFundIn } from "@bourse/engine";
import { Type } from "typebox";
import type { App } from "../../kernel/http/app.ts";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import { rateText } from "../../kernel/units.ts";
import { anyone } from "./access.ts";
import { type AdlRisk, adlRiskOf } from "./adl-risk.ts";
import { type FapiContext, oneOrAll, publicRoute, windowOf } from "./context.ts";
import type { MarketState } from "./markets.ts";
import type { FapiPrices } from "./ports.ts";
import { forcedCloseView } from "./statistics-views.ts";

/** FUT-13: the sources of an index with their parts of it. Those that count have equal parts. */
function constituentsOf(prices: FapiPrices, symbol: string) {
  const { sources, isPinned, noIndex } = prices.report(symbol);
  const isCounted = (use: string) => !isPinned && noIndex === undefined && (use === "counted" || use === "clamped");
  const counted = sources.filter(({ use }) => isCounted(use)).length;
  return sources.map(({ name, price_e8, use }) => ({
    exchange: name,
    symbol,
    price: rateText(price_e8),
    weight: rateText(isCounted(use) ? Math.floor(ONE_e8 / counted) : 0),
  }));
}

function registerIndexes(app: App, { clock, markets, prices }: FapiContext): void {
  // A process without the sources leaves the request to the one that has them.
  if (prices !== undefined) {
    app.get(
      "/fapi/v1/constituents",
      publicRoute({
        access: anyone(2),
        client: "market.constituents(symbol)",
        summary: "Sources of the index price",
        parameters: parameters.symbol,
        reply: FapiConstituents,
      }),
      ({ fapi }) => {
        const { symbol } = markets.required(fapi).definition;
        return { symbol, time: clock.now(), constituents: constituentsOf(prices, symbol) };
      },
    );
  }

  const none = [
    ["assetIndex", "Indexes of assets as margin", "There are none: margin is USDT alone."],
    ["indexInfo", "Composite indexes", "There are none: every index is that of one asset."],
  ] as const;
  for (const [name, summary, description] of none) {
    app.get(
      `/fapi/v1/${name}`,
      publicRoute({
        access: anyone(1),
        summary,
        description,
        parameters: parameters.maybeSymbol,
        reply: FapiNoIndexes,
      }),
      ({ fapi }) => {
        const symbol = fapi.text("symbol");
        if (symbol === undefined) return [];
        throw fapiRefusal("SYMBOL", { details: { rule: "symbol", actual: symbol.slice(0, 40) } });
      },
    );
  }
}

function adlRiskIn({ exchange }: FapiContext, market: MarketState): AdlRisk {
  const { state } = exchange.engine;
  if (readFund(state).principal_micros <= 0) return "high";
  // Before rules version 5 there is no cap: the fund pays until it is empty.
  return state.isFair ? adlRiskOf(readFundIn(state, market)) : "low";
}

function registerRisk(app: App, context: FapiContext): void {
  const { clock, markets, history } = context;
  app.get(
    "/fapi/v1/symbolAdlRisk",
    publicRoute({
      access: anyone(1),
      client: ["market.adlRisk(symbol)", "market.adlRisks()"],
      summary: "How near deleveraging is",
      description:
        "By the part of the hour's cap that the insurance fund has lost in the market: low below a third, high from two thirds on.",
      parameters: parameters.maybeSymbol,
      reply: FapiAdlRisks,
    }),
    (request) =>
      oneOrAll(context, request, (market) => ({
        symbol: market.definition.symbol,
        adlRisk: adlRiskIn(context, market),
        updateTime: clock.now(),
      })),
  );

  app.get(
    "/fapi/v1/allForceOrders",
    publicRoute({
      access: anyone(20),
      client: "market.forcedCloses",
      summary: "Liquidations of all accounts",
      description:
        "What was executed, by orders and by take-overs of the insurance fund, from the public record. Deleveraged lots are not among them.",
      parameters: parameters.forcedCloses,
      reply: Type.Array(FapiForcedClose),
    }),
    async ({ fapi }) => {
      const window = windowOf(fapi, 100, 1000);
      const market = markets.optional(fapi)?.number;
      const closes = await history.risk.forcedCloses({ ...window, market });
      return closes.map((close) => forcedCloseView(close, markets.at(close.market)));
    },
  );
}

/** Facts about markets that clients ask for at their start, and the public record of liquidations. */
export function registerInfoRoutes(app: App, context: FapiContext): void {
  registerIndexes(app, context);
  registerRisk(app, context);
  app.get(
    "/fapi/v1/tradingSchedule",
    publicRoute({
      access: anyone(5),
      summary: "Sessions of markets that close",
      description: "There are none: markets are open at all times.",
      reply: FapiTradingSchedule,
    }),
    () => ({ updateTime: context.clock.now(), marketSchedules: {} }),
  );
}
