import { type Static, Type } from "typebox";

/** Public market data on the exchange-style interface. */

const Decimal = Type.String({ description: "Decimal" });
const Ms = Type.Integer({ description: "Milliseconds since 1970" });
const Level = Type.Array(Type.String(), { description: "Price, quantity" });

const Filter = Type.Object({ filterType: Type.String() }, { additionalProperties: true });
export const FapiSymbol = Type.Object({
  symbol: Type.String(),
  pair: Type.String(),
  contractType: Type.Literal("PERPETUAL"),
  deliveryDate: Ms,
  onboardDate: Ms,
  status: Type.String({ description: "TRADING, REDUCE_ONLY or HALT" }),
  maintMarginPercent: Decimal,
  requiredMarginPercent: Decimal,
  baseAsset: Type.String(),
  quoteAsset: Type.String(),
  marginAsset: Type.String(),
  pricePrecision: Type.Integer(),
  quantityPrecision: Type.Integer(),
  baseAssetPrecision: Type.Integer(),
  quotePrecision: Type.Integer(),
  underlyingType: Type.String(),
  underlyingSubType: Type.Array(Type.String()),
  settlePlan: Type.Integer(),
  triggerProtect: Decimal,
  liquidationFee: Decimal,
  marketTakeBound: Decimal,
  filters: Type.Array(Filter),
  orderTypes: Type.Array(Type.String()),
  timeInForce: Type.Array(Type.String()),
});
export type FapiSymbol = Static<typeof FapiSymbol>;

export const FapiRateLimit = Type.Object({
  rateLimitType: Type.String(),
  interval: Type.String(),
  intervalNum: Type.Integer(),
  limit: Type.Integer(),
});
export type FapiRateLimit = Static<typeof FapiRateLimit>;

export const FapiExchangeInfo = Type.Object({
  timezone: Type.Literal("UTC"),
  serverTime: Ms,
  futuresType: Type.Literal("U_MARGINED"),
  rateLimits: Type.Array(FapiRateLimit),
  exchangeFilters: Type.Array(Type.String()),
  assets: Type.Array(
    Type.Object({ asset: Type.String(), marginAvailable: Type.Boolean(), autoAssetExchange: Decimal }),
  ),
  symbols: Type.Array(FapiSymbol),
});
export type FapiExchangeInfo = Static<typeof FapiExchangeInfo>;

export const FapiDepth = Type.Object({
  lastUpdateId: Type.Integer(),
  E: Ms,
  T: Ms,
  bids: Type.Array(Level),
  asks: Type.Array(Level),
});
export type FapiDepth = Static<typeof FapiDepth>;

export const FapiTrade = Type.Object({
  id: Type.Integer(),
  price: Decimal,
  qty: Decimal,
  quoteQty: Decimal,
  time: Ms,
  isBuyerMaker: Type.Boolean(),
});
export type FapiTrade = Static<typeof FapiTrade>;

export const FapiAggTrade = Type.Object({
  a: Type.Integer({ description: "Id" }),
  p: Decimal,
  q: Decimal,
  f: Type.Integer({ description: "First trade" }),
  l: Type.Integer({ description: "Last trade" }),
  T: Ms,
  m: Type.Boolean({ description: "The buyer was the maker" }),
});
export type FapiAggTrade = Static<typeof FapiAggTrade>;

/** Open time, open, high, low, close, volume, close time, quote volume, trades, taker buy base, taker buy quote, "0". */
export const FapiKline = Type.Array(Type.Union([Type.Integer(), Type.String()]));
/** The same row with names for its columns, which a schema of arrays cannot express. */
export type FapiKline = readonly [
  openTime: number,
  open: string,
  high: string,
  low: string,
  close: string,
  volume: string,
  closeTime: number,
  quoteVolume: string,
  trades: number,
  takerBuyVolume: string,
  takerBuyQuoteVolume: string,
  unused: "0",
];
export type FapiInterval = "1m" | "3m" | "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "8h" | "12h" | "1d";

/** One object if the request has a symbol, else a list. */
const oneOrAll = <T extends ReturnType<typeof Type.Object>>(item: T) => Type.Union([item, Type.Array(item)]);

export const FapiPremiumIndex = Type.Object({
  symbol: Type.String(),
  markPrice: Decimal,
  indexPrice: Decimal,
  estimatedSettlePrice: Decimal,
  lastFundingRate: Decimal,
  interestRate: Decimal,
  nextFundingTime: Ms,
  time: Ms,
});
export type FapiPremiumIndex = Static<typeof FapiPremiumIndex>;
export const FapiPremiumIndexes = oneOrAll(FapiPremiumIndex);

export const FapiFundingRate = Type.Object({
  symbol: Type.String(),
  fundingRate: Decimal,
  fundingTime: Ms,
  markPrice: Decimal,
});
export type FapiFundingRate = Static<typeof FapiFundingRate>;

export const FapiFundingInfo = Type.Object({
  symbol: Type.String(),
  adjustedFundingRateCap: Decimal,
  adjustedFundingRateFloor: Decimal,
  fundingIntervalHours: Type.Integer(),
  disclaimer: Type.Boolean(),
});
export type FapiFundingInfo = Static<typeof FapiFundingInfo>;

export const FapiTicker = Type.Object({
  symbol: Type.String(),
  priceChange: Decimal,
  priceChangePercent: Decimal,
  weightedAvgPrice: Decimal,
  lastPrice: Decimal,
  lastQty: Decimal,
  openPrice: Decimal,
  highPrice: Decimal,
  lowPrice: Decimal,
  volume: Decimal,
  quoteVolume: Decimal,
  openTime: Ms,
  closeTime: Ms,
  firstId: Type.Integer(),
  lastId: Type.Integer(),
  count: Type.Integer(),
});
export type FapiTicker = Static<typeof FapiTicker>;
export const FapiTickers = oneOrAll(FapiTicker);

export const FapiPriceTicker = Type.Object({ symbol: Type.String(), price: Decimal, time: Ms });
export type FapiPriceTicker = Static<typeof FapiPriceTicker>;
export const FapiPriceTickers = oneOrAll(FapiPriceTicker);

export const FapiBookTicker = Type.Object({
  symbol: Type.String(),
  bidPrice: Decimal,
  bidQty: Decimal,
  askPrice: Decimal,
  askQty: Decimal,
  time: Ms,
  lastUpdateId: Type.Integer(),
});
export type FapiBookTicker = Static<typeof FapiBookTicker>;
export const FapiBookTickers = oneOrAll(FapiBookTicker);

export const FapiOpenInterest = Type.Object({ openInterest: Decimal, symbol: Type.String(), time: Ms });
export type FapiOpenInterest = Static<typeof FapiOpenInterest>;

export const FapiInsuranceBalance = Type.Object({
  symbols: Type.Array(Type.String()),
  assets: Type.Array(Type.Object({ asset: Type.String(), balance: Decimal, marginBalance: Decimal, updateTime: Ms })),
});
export type FapiInsuranceBalance = Static<typeof FapiInsuranceBalance>;
export const FapiInsuranceBalances = oneOrAll(FapiInsuranceBalance);

/** These are JSON numbers; everywhere else numbers are decimal text. */
export const FapiLeverageBrackets = Type.Array(
  Type.Object({
    symbol: Type.String(),
    notionalCoef: Type.Number(),
    brackets: Type.Array(
      Type.Object({
        bracket: Type.Integer(),
        initialLeverage: Type.Integer(),
        notionalCap: Type.Number(),
        notionalFloor: Type.Number(),
        maintMarginRatio: Type.Number(),
        cum: Type.Number(),
      }),
    ),
  }),
);
export type FapiLeverageBrackets = Static<typeof FapiLeverageBrackets>;

const symbol = Type.String({ examples: ["BTCUSDT"] });
const limit = Type.Optional(Type.Integer());
const time = { startTime: Type.Optional(Ms), endTime: Type.Optional(Ms) };
const interval = Type.String({ description: "1m, 3m, 5m, 15m, 30m, 1h, 2h, 4h, 6h, 8h, 12h, 1d", examples: ["1m"] });

/** Documentation of the parameters. */
export const marketParameters = {
  depth: { symbol, limit },
  trades: { symbol, limit },
  historicalTrades: { symbol, limit, fromId: Type.Optional(Type.Integer()) },
  aggTrades: { symbol, limit, fromId: Type.Optional(Type.Integer()), ...time },
  klines: { symbol, interval, limit, ...time },
  pairKlines: { pair: symbol, interval, limit, ...time },
  continuousKlines: { pair: symbol, contractType: Type.Literal("PERPETUAL"), interval, limit, ...time },
  maybeSymbol: { symbol: Type.Optional(symbol) },
  symbol: { symbol },
  fundingRate: { symbol: Type.Optional(symbol), limit, ...time },
};
