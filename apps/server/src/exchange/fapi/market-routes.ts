import {
  FapiAggTrade,
  FapiBookTickers,
  FapiDepth,
  FapiExchangeInfo,
  FapiFundingInfo,
  FapiFundingRate,
  FapiInsuranceBalances,
  FapiLeverageBrackets,
  FapiOpenInterest,
  FapiPremiumIndexes,
  FapiPriceTickers,
  FapiTickers,
  FapiTrade,
  marketParameters as parameters,
} from "@bourse/api";
import { readFund } from "@bourse/engine";
import { Type } from "typebox";
import type { App } from "../../kernel/http/app.ts";
import { moneyText, priceText, quantityText, rateText } from "../../kernel/units.ts";
import { anyone, keyOnly } from "./access.ts";
import { type FapiContext, idOf, limitOf, oneOrAll, operation, publicRoute, windowOf } from "./context.ts";
import { aggTradeView, bracketViews, symbolView, tickerView, tradeView } from "./market-views.ts";
import type { MarketState } from "./markets.ts";

/** FUT-14: the interest part of the funding rate, per eight hours. */
const INTEREST_RATE = "0.00010000";
const HOURS_BETWEEN_FUNDINGS = 1;
const NONE = "0";

export function rateLimitsOf({ settings }: Pick<FapiContext, "settings">) {
  const orders = { rateLimitType: "ORDERS" };
  return {
    weight: { rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: settings.rateLimitWeight1m },
    orders: [
      { ...orders, interval: "SECOND", intervalNum: 10, limit: settings.rateLimitOrders10s },
      { ...orders, interval: "MINUTE", intervalNum: 1, limit: settings.rateLimitOrders1m },
    ] as const,
  };
}

function registerInfo(app: App, context: FapiContext): void {
  const { clock, markets } = context;
  app.get(
    "/fapi/v1/exchangeInfo",
    publicRoute({
      access: anyone(1),
      client: "market.exchangeInfo",
      summary: "Markets, filters and limits",
      reply: FapiExchangeInfo,
    }),
    () => {
      const { weight, orders } = rateLimitsOf(context);
      return {
        timezone: "UTC" as const,
        serverTime: clock.now(),
        futuresType: "U_MARGINED" as const,
        rateLimits: [weight, ...orders],
        exchangeFilters: [],
        assets: [{ asset: "USDT", marginAvailable: true, autoAssetExchange: NONE }],
        symbols: markets.all.map((market) => symbolView(market, markets.rules)),
      };
    },
  );

  app.get(
    "/fapi/v1/leverageBracket",
    publicRoute({
      access: anyone(1),
      client: "market.leverageBrackets(symbol?)",
      summary: "Brackets of leverage and maintenance margin",
      parameters: parameters.maybeSymbol,
      reply: FapiLeverageBrackets,
    }),
    (request) => {
      const market = markets.optional(request.fapi);
      return (market === undefined ? markets.all : [market]).map(({ definition }) => ({
        symbol: definition.symbol,
        notionalCoef: 1,
        brackets: bracketViews(definition),
      }));
    },
  );
}

export function depthOperation({ clock, markets, marketData }: FapiContext, weight = 5) {
  return operation(
    publicRoute({
      access: anyone(weight),
      client: weight === 5 ? "market.depth(symbol)" : [],
      summary: "Order book",
      parameters: parameters.depth,
      reply: FapiDepth,
    }),
    ({ fapi }) => {
      const symbol = fapi.requiredText("symbol");
      const limit = limitOf(fapi, 500, 1000, 5);
      const { number, definition } = markets.named(symbol);
      const { updateId, time_ms, bids, asks } = marketData.depth(number, limit);
      const shown = ([ticks, lots]: readonly [number, number]) => [
        priceText(definition, ticks),
        quantityText(definition, lots),
      ];
      return { lastUpdateId: updateId, E: clock.now(), T: time_ms, bids: bids.map(shown), asks: asks.map(shown) };
    },
  );
}

export function priceOperation(context: FapiContext, version: "v1" | "v2") {
  const { clock, marketData } = context;
  const lastPrice = (market: MarketState) => {
    const [last] = marketData.trades(market.number, 1);
    const ticks = last?.ticks ?? market.markTicks;
    return {
      symbol: market.definition.symbol,
      price: priceText(market.definition, ticks),
      time: last?.time_ms ?? clock.now(),
    };
  };
  return operation(
    publicRoute({
      access: anyone(2),
      client: version === "v2" ? ["market.lastPrice(symbol)", "market.lastPrices()"] : [],
      summary: "Last price",
      parameters: parameters.maybeSymbol,
      reply: FapiPriceTickers,
    }),
    (call) => oneOrAll(context, call, lastPrice),
  );
}

export function bookOperation(context: FapiContext) {
  const { marketData } = context;
  return operation(
    publicRoute({
      access: anyone(2),
      client: ["market.bookTicker(symbol)", "market.bookTickers()"],
      summary: "Best bid and ask",
      parameters: parameters.maybeSymbol,
      reply: FapiBookTickers,
    }),
    (call) =>
      oneOrAll(context, call, ({ number, definition }) => {
        const book = marketData.bookTicker(number);
        return {
          symbol: definition.symbol,
          bidPrice: book.bidTicks === 0 ? NONE : priceText(definition, book.bidTicks),
          bidQty: book.bidLots === 0 ? NONE : quantityText(definition, book.bidLots),
          askPrice: book.askTicks === 0 ? NONE : priceText(definition, book.askTicks),
          askQty: book.askLots === 0 ? NONE : quantityText(definition, book.askLots),
          time: book.time_ms,
          lastUpdateId: book.updateId,
        };
      }),
  );
}

function registerBookAndTrades(app: App, context: FapiContext): void {
  const { markets, marketData, history } = context;
  const depth = depthOperation(context);
  app.get("/fapi/v1/depth", depth.route, depth.handle);
  // There are no orders that only retail clients see, so that a book with them is the book.
  const withRetail = depthOperation(context, 20);
  app.get("/fapi/v1/rpiDepth", withRetail.route, withRetail.handle);

  app.get(
    "/fapi/v1/trades",
    publicRoute({
      access: anyone(5),
      client: "market.trades(symbol)",
      summary: "Recent trades",
      parameters: parameters.trades,
      reply: Type.Array(FapiTrade),
    }),
    ({ fapi }) => {
      const symbol = fapi.requiredText("symbol");
      const limit = limitOf(fapi, 500, 1000);
      const market = markets.named(symbol);
      return marketData.trades(market.number, limit).map((trade) => tradeView(market, trade));
    },
  );

  app.get(
    "/fapi/v1/historicalTrades",
    publicRoute({
      access: keyOnly(20),
      client: "market.historicalTrades(symbol)",
      summary: "Older trades",
      parameters: parameters.historicalTrades,
      reply: Type.Array(FapiTrade),
    }),
    async ({ fapi }) => {
      const symbol = fapi.requiredText("symbol");
      const query = { limit: limitOf(fapi, 500, 1000), fromId: idOf(fapi, "fromId") };
      const market = markets.named(symbol);
      await history.markets.upToDate();
      const trades = await history.markets.trades(market.number, query);
      return trades.map((trade) => tradeView(market, trade));
    },
  );

  app.get(
    "/fapi/v1/aggTrades",
    publicRoute({
      access: anyone(20),
      client: "market.aggTrades(symbol)",
      summary: "Trades by taking order",
      parameters: parameters.aggTrades,
      reply: Type.Array(FapiAggTrade),
    }),
    ({ fapi }) => {
      const symbol = fapi.requiredText("symbol");
      const query = { ...windowOf(fapi, 500, 1000), fromId: idOf(fapi, "fromId") };
      const { number, definition } = markets.named(symbol);
      return marketData.aggTrades(number, query).map((trade) => aggTradeView(definition, trade));
    },
  );
}

function registerTickers(app: App, context: FapiContext): void {
  const { clock, marketData } = context;
  app.get(
    "/fapi/v1/ticker/24hr",
    publicRoute({
      access: anyone(10),
      client: ["market.ticker24h(symbol)", "market.tickers24h()"],
      summary: "The last 24 hours",
      parameters: parameters.maybeSymbol,
      reply: FapiTickers,
    }),
    (request) =>
      oneOrAll(context, request, (market) => tickerView(market, marketData.ticker(market.number), clock.now())),
  );

  for (const version of ["v1", "v2"] as const) {
    const price = priceOperation(context, version);
    app.get(`/fapi/${version}/ticker/price`, price.route, price.handle);
  }
  const book = bookOperation(context);
  app.get("/fapi/v1/ticker/bookTicker", book.route, book.handle);
}

function registerFunding(app: App, context: FapiContext): void {
  const { clock, markets, marketData, history } = context;
  app.get(
    "/fapi/v1/premiumIndex",
    publicRoute({
      access: anyone(1),
      client: ["market.premiumIndex(symbol)", "market.premiumIndexes()"],
      summary: "Mark price and funding",
      parameters: parameters.maybeSymbol,
      reply: FapiPremiumIndexes,
    }),
    (request) =>
      oneOrAll(context, request, ({ number, definition, markTicks, indexTicks }) => {
        const info = marketData.markPrice(number);
        return {
          symbol: definition.symbol,
          markPrice: priceText(definition, markTicks),
          indexPrice: priceText(definition, indexTicks),
          estimatedSettlePrice: priceText(definition, indexTicks),
          lastFundingRate: rateText(info?.fundingRate_e8 ?? 0),
          interestRate: INTEREST_RATE,
          nextFundingTime: info?.nextFunding_ms ?? 0,
          time: info?.time_ms ?? clock.now(),
        };
      }),
  );

  app.get(
    "/fapi/v1/fundingRate",
    publicRoute({
      access: anyone(1),
      client: "market.fundingRate",
      summary: "Settled funding rates",
      parameters: parameters.fundingRate,
      reply: Type.Array(FapiFundingRate),
    }),
    async ({ fapi }) => {
      const window = windowOf(fapi, 100, 1000);
      const market = markets.optional(fapi)?.number;
      await history.markets.upToDate();
      const rates = await history.markets.fundingRates({ ...window, market });
      return rates.map((rate) => {
        const { definition } = markets.at(rate.market);
        return {
          symbol: definition.symbol,
          fundingRate: rateText(rate.rate_e8),
          fundingTime: rate.time_ms,
          markPrice: priceText(definition, rate.markTicks),
        };
      });
    },
  );

  app.get(
    "/fapi/v1/fundingInfo",
    publicRoute({
      access: anyone(1),
      client: "market.fundingInfo",
      summary: "Caps and interval of funding",
      reply: Type.Array(FapiFundingInfo),
    }),
    () =>
      markets.all.map(({ definition }) => ({
        symbol: definition.symbol,
        adjustedFundingRateCap: rateText(definition.fundingCap_e8),
        adjustedFundingRateFloor: rateText(-definition.fundingCap_e8),
        fundingIntervalHours: HOURS_BETWEEN_FUNDINGS,
        disclaimer: false,
      })),
  );
}

function registerTotals(app: App, { clock, exchange, markets }: FapiContext): void {
  app.get(
    "/fapi/v1/openInterest",
    publicRoute({
      access: anyone(1),
      client: "market.openInterest(symbol)",
      summary: "Open interest",
      parameters: parameters.symbol,
      reply: FapiOpenInterest,
    }),
    ({ fapi }) => {
      const { definition, openInterestLots } = markets.required(fapi);
      return { openInterest: quantityText(definition, openInterestLots), symbol: definition.symbol, time: clock.now() };
    },
  );

  app.get(
    "/fapi/v1/insuranceBalance",
    publicRoute({
      access: anyone(1),
      client: "market.insuranceBalances()",
      summary: "The insurance fund",
      parameters: parameters.maybeSymbol,
      reply: FapiInsuranceBalances,
    }),
    ({ fapi }) => {
      const market = markets.optional(fapi);
      const { state } = exchange.engine;
      const { principal_micros, equity_micros } = readFund(state);
      const fund = {
        symbols: markets.all.map(({ definition }) => definition.symbol),
        assets: [
          {
            asset: "USDT",
            balance: moneyText(principal_micros),
            marginBalance: moneyText(state.isFair ? equity_micros : principal_micros),
            updateTime: clock.now(),
          },
        ],
      };
      return market === undefined ? [fund] : fund;
    },
  );
}

/** Public market data. */
export function registerMarketRoutes(app: App, context: FapiContext): void {
  registerInfo(app, context);
  registerBookAndTrades(app, context);
  registerTickers(app, context);
  registerFunding(app, context);
  registerTotals(app, context);
}
