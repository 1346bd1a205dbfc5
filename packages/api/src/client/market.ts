import type { CursorQuery } from "../account-queries.ts";
import type { ExternalTicker, FundingRates, MarketList } from "../account-views.ts";
import type { ServerTime } from "../fapi.ts";
import type {
  FapiAggTrade,
  FapiAggTradesQuery,
  FapiBookTicker,
  FapiDepth,
  FapiExchangeInfo,
  FapiFundingInfo,
  FapiFundingRate,
  FapiFundingRatesQuery,
  FapiHistoricalTradesQuery,
  FapiInsuranceBalance,
  FapiInterval,
  FapiKline,
  FapiLeverageBrackets,
  FapiOpenInterest,
  FapiPremiumIndex,
  FapiPriceTicker,
  FapiTicker,
  FapiTrade,
  FapiWindow,
} from "../fapi-market.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

type Limit = Given<{ limit?: number }>;

/** Public market data. Only `historicalTrades` asks for a sign-in. */
export const marketClient = ({ get }: Call) => ({
  markets: (options?: ReadOptions) => get<MarketList>("/api/v1/markets", {}, options),
  fundingRates: (symbol: string, query: Given<CursorQuery> = {}, options?: ReadOptions) =>
    get<FundingRates>(`/api/v1/funding-rates/${segment(symbol)}`, query, options),
  ticker: (symbol: string, options?: ReadOptions) =>
    get<ExternalTicker>(`/api/v1/external/markets/${segment(symbol)}/ticker`, {}, options),
  serverTime: (options?: ReadOptions) => get<ServerTime>("/fapi/v1/time", {}, options),
  exchangeInfo: (options?: ReadOptions) => get<FapiExchangeInfo>("/fapi/v1/exchangeInfo", {}, options),
  leverageBrackets: (symbol?: string, options?: ReadOptions) =>
    get<FapiLeverageBrackets>("/fapi/v1/leverageBracket", { symbol }, options),
  ...bookAndTrades(get),
  ...klines(get),
  ...tickers(get),
  ...funding(get),
});

const bookAndTrades = (get: Call["get"]) => ({
  depth: (symbol: string, query: Limit = {}, options?: ReadOptions) =>
    get<FapiDepth>("/fapi/v1/depth", { symbol, ...query }, options),
  trades: (symbol: string, query: Limit = {}, options?: ReadOptions) =>
    get<FapiTrade[]>("/fapi/v1/trades", { symbol, ...query }, options),
  historicalTrades: (symbol: string, query: Given<FapiHistoricalTradesQuery> = {}, options?: ReadOptions) =>
    get<FapiTrade[]>("/fapi/v1/historicalTrades", { symbol, ...query }, options),
  aggTrades: (symbol: string, query: Given<FapiAggTradesQuery> = {}, options?: ReadOptions) =>
    get<FapiAggTrade[]>("/fapi/v1/aggTrades", { symbol, ...query }, options),
});

const klines = (get: Call["get"]) => {
  const of =
    (path: string, name: "symbol" | "pair") =>
    (symbol: string, interval: FapiInterval, query: Given<FapiWindow> = {}, options?: ReadOptions) =>
      get<FapiKline[]>(path, { [name]: symbol, interval, ...query }, options);
  return {
    klines: of("/fapi/v1/klines", "symbol"),
    markPriceKlines: of("/fapi/v1/markPriceKlines", "symbol"),
    premiumIndexKlines: of("/fapi/v1/premiumIndexKlines", "symbol"),
    indexPriceKlines: of("/fapi/v1/indexPriceKlines", "pair"),
  };
};

const tickers = (get: Call["get"]) => ({
  ticker24h: (symbol: string, options?: ReadOptions) => get<FapiTicker>("/fapi/v1/ticker/24hr", { symbol }, options),
  tickers24h: (options?: ReadOptions) => get<FapiTicker[]>("/fapi/v1/ticker/24hr", {}, options),
  lastPrice: (symbol: string, options?: ReadOptions) =>
    get<FapiPriceTicker>("/fapi/v2/ticker/price", { symbol }, options),
  lastPrices: (options?: ReadOptions) => get<FapiPriceTicker[]>("/fapi/v2/ticker/price", {}, options),
  bookTicker: (symbol: string, options?: ReadOptions) =>
    get<FapiBookTicker>("/fapi/v1/ticker/bookTicker", { symbol }, options),
  bookTickers: (options?: ReadOptions) => get<FapiBookTicker[]>("/fapi/v1/ticker/bookTicker", {}, options),
});

const funding = (get: Call["get"]) => ({
  premiumIndex: (symbol: string, options?: ReadOptions) =>
    get<FapiPremiumIndex>("/fapi/v1/premiumIndex", { symbol }, options),
  premiumIndexes: (options?: ReadOptions) => get<FapiPremiumIndex[]>("/fapi/v1/premiumIndex", {}, options),
  fundingRate: (query: Given<FapiFundingRatesQuery> = {}, options?: ReadOptions) =>
    get<FapiFundingRate[]>("/fapi/v1/fundingRate", query, options),
  fundingInfo: (options?: ReadOptions) => get<FapiFundingInfo[]>("/fapi/v1/fundingInfo", {}, options),
  openInterest: (symbol: string, options?: ReadOptions) =>
    get<FapiOpenInterest>("/fapi/v1/openInterest", { symbol }, options),
  insuranceBalances: (options?: ReadOptions) => get<FapiInsuranceBalance[]>("/fapi/v1/insuranceBalance", {}, options),
});
