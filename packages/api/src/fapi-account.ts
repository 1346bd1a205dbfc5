import { type Static, Type } from "typebox";
import { HistoryStart } from "./fapi-orders.ts";

/** Accounts, positions and settings on the exchange-style interface. */

const Decimal = Type.String({ description: "Decimal" });
const Ms = Type.Integer({ description: "Milliseconds since 1970" });

export const FapiBalance = Type.Object({
  accountAlias: Type.String(),
  asset: Type.Literal("USDT"),
  balance: Decimal,
  crossWalletBalance: Decimal,
  crossUnPnl: Decimal,
  availableBalance: Decimal,
  maxWithdrawAmount: Decimal,
  marginAvailable: Type.Boolean(),
  updateTime: Ms,
});
export type FapiBalance = Static<typeof FapiBalance>;

export const FapiAsset = Type.Object({
  asset: Type.Literal("USDT"),
  walletBalance: Decimal,
  unrealizedProfit: Decimal,
  marginBalance: Decimal,
  maintMargin: Decimal,
  initialMargin: Decimal,
  positionInitialMargin: Decimal,
  openOrderInitialMargin: Decimal,
  crossWalletBalance: Decimal,
  crossUnPnl: Decimal,
  availableBalance: Decimal,
  maxWithdrawAmount: Decimal,
  marginAvailable: Type.Optional(Type.Boolean()),
  updateTime: Ms,
});
export type FapiAsset = Static<typeof FapiAsset>;

export const FapiAccountPosition = Type.Object({
  symbol: Type.String(),
  positionSide: Type.Literal("BOTH"),
  positionAmt: Decimal,
  unrealizedProfit: Decimal,
  isolatedMargin: Decimal,
  notional: Decimal,
  isolatedWallet: Decimal,
  initialMargin: Decimal,
  maintMargin: Decimal,
  updateTime: Ms,
  leverage: Type.Optional(Type.String()),
  isolated: Type.Optional(Type.Boolean()),
  entryPrice: Type.Optional(Decimal),
  breakEvenPrice: Type.Optional(Decimal),
  positionInitialMargin: Type.Optional(Decimal),
  openOrderInitialMargin: Type.Optional(Decimal),
  maxNotional: Type.Optional(Decimal),
  bidNotional: Type.Optional(Decimal),
  askNotional: Type.Optional(Decimal),
});
export type FapiAccountPosition = Static<typeof FapiAccountPosition>;

export const FapiAccount = Type.Object({
  feeTier: Type.Optional(Type.Integer()),
  feeBurn: Type.Optional(Type.Boolean()),
  canTrade: Type.Optional(Type.Boolean()),
  canDeposit: Type.Optional(Type.Boolean()),
  canWithdraw: Type.Optional(Type.Boolean()),
  multiAssetsMargin: Type.Optional(Type.Boolean()),
  tradeGroupId: Type.Optional(Type.Integer()),
  updateTime: Type.Optional(Ms),
  totalInitialMargin: Decimal,
  totalMaintMargin: Decimal,
  totalWalletBalance: Decimal,
  totalUnrealizedProfit: Decimal,
  totalMarginBalance: Decimal,
  totalPositionInitialMargin: Decimal,
  totalOpenOrderInitialMargin: Decimal,
  totalCrossWalletBalance: Decimal,
  totalCrossUnPnl: Decimal,
  availableBalance: Decimal,
  maxWithdrawAmount: Decimal,
  assets: Type.Array(FapiAsset),
  positions: Type.Array(FapiAccountPosition),
});
export type FapiAccount = Static<typeof FapiAccount>;

export const FapiPositionRisk = Type.Object({
  symbol: Type.String(),
  positionSide: Type.Literal("BOTH"),
  positionAmt: Decimal,
  entryPrice: Decimal,
  breakEvenPrice: Decimal,
  markPrice: Decimal,
  unRealizedProfit: Decimal,
  liquidationPrice: Type.String({ description: "0: none" }),
  isolatedMargin: Decimal,
  notional: Decimal,
  isolatedWallet: Decimal,
  updateTime: Ms,
  marginType: Type.Optional(Type.String()),
  leverage: Type.Optional(Type.String()),
  isAutoAddMargin: Type.Optional(Type.String()),
  maxNotionalValue: Type.Optional(Decimal),
  marginAsset: Type.Optional(Type.Literal("USDT")),
  initialMargin: Type.Optional(Decimal),
  maintMargin: Type.Optional(Decimal),
  positionInitialMargin: Type.Optional(Decimal),
  openOrderInitialMargin: Type.Optional(Decimal),
  adl: Type.Optional(Type.Integer()),
  bidNotional: Type.Optional(Decimal),
  askNotional: Type.Optional(Decimal),
});
export type FapiPositionRisk = Static<typeof FapiPositionRisk>;

export const FapiAccountConfig = Type.Object({
  feeTier: Type.Integer(),
  canTrade: Type.Boolean(),
  canDeposit: Type.Boolean(),
  canWithdraw: Type.Boolean(),
  dualSidePosition: Type.Boolean(),
  multiAssetsMargin: Type.Boolean(),
  updateTime: Ms,
  tradeGroupId: Type.Integer(),
});

export const FapiSymbolConfig = Type.Object({
  symbol: Type.String(),
  marginType: Type.String(),
  leverage: Type.Integer(),
  isAutoAddMargin: Type.Boolean(),
  maxNotionalValue: Decimal,
});
export type FapiSymbolConfig = Static<typeof FapiSymbolConfig>;

export const FapiCommissionRate = Type.Object({
  symbol: Type.String(),
  makerCommissionRate: Decimal,
  takerCommissionRate: Decimal,
});
export type FapiCommissionRate = Static<typeof FapiCommissionRate>;

export const FapiIncome = Type.Object({
  symbol: Type.String(),
  incomeType: Type.String(),
  income: Decimal,
  asset: Type.Literal("USDT"),
  info: Type.String(),
  time: Ms,
  tranId: Type.Integer(),
  tradeId: Type.String(),
});
export type FapiIncome = Static<typeof FapiIncome>;

export const FapiUserTrade = Type.Object({
  id: Type.Integer(),
  orderId: Type.Integer(),
  symbol: Type.String(),
  side: Type.String(),
  positionSide: Type.Literal("BOTH"),
  price: Decimal,
  qty: Decimal,
  quoteQty: Decimal,
  commission: Decimal,
  commissionAsset: Type.Literal("USDT"),
  realizedPnl: Decimal,
  time: Ms,
  buyer: Type.Boolean(),
  maker: Type.Boolean(),
});
export type FapiUserTrade = Static<typeof FapiUserTrade>;

export const FapiLeverage = Type.Object({ leverage: Type.Integer(), maxNotionalValue: Decimal, symbol: Type.String() });
export type FapiLeverage = Static<typeof FapiLeverage>;
export const FapiMarginType = Type.Object({
  symbol: Type.Optional(Type.String()),
  marginType: Type.Literal("CROSSED"),
});
export const FapiPositionMargin = Type.Object({
  amount: Type.Number(),
  code: Type.Literal(200),
  msg: Type.String(),
  type: Type.Integer(),
});
export type FapiPositionMargin = Static<typeof FapiPositionMargin>;
export const FapiMarginMove = Type.Object({
  symbol: Type.String(),
  type: Type.Integer({ description: "1 added, 2 taken" }),
  deltaType: Type.String(),
  amount: Decimal,
  asset: Type.Literal("USDT"),
  time: Ms,
  positionSide: Type.Literal("BOTH"),
});
export type FapiMarginMove = Static<typeof FapiMarginMove>;
export const FapiAdlQuantile = Type.Object({
  symbol: Type.String(),
  adlQuantile: Type.Object({ BOTH: Type.Integer() }),
});
export type FapiAdlQuantile = Static<typeof FapiAdlQuantile>;
export const FapiTradingStatus = Type.Object({ indicators: Type.Object({}), updateTime: Ms });

const symbol = Type.String({ examples: ["BTCUSDT"] });
const limit = Type.Optional(Type.Integer());
const time = { startTime: Type.Optional(HistoryStart), endTime: Type.Optional(Ms) };

/** Documentation of the parameters. */
export const accountParameters = {
  none: {},
  symbol: { symbol },
  maybeSymbol: { symbol: Type.Optional(symbol) },
  income: {
    symbol: Type.Optional(symbol),
    incomeType: Type.Optional(Type.String()),
    ...time,
    page: Type.Optional(Type.Integer()),
    limit,
  },
  userTrades: {
    symbol: Type.Optional(symbol),
    orderId: Type.Optional(Type.Integer()),
    fromId: Type.Optional(Type.Integer({ description: "From this one on; with a symbol" })),
    ...time,
    limit,
  },
  leverage: { symbol, leverage: Type.Integer() },
  marginType: { symbol, marginType: Type.String({ description: "CROSSED" }) },
  positionMargin: {
    symbol,
    amount: Type.String(),
    type: Type.Integer({ description: "1 add, 2 reduce" }),
    positionSide: Type.Optional(Type.String()),
  },
  positionMarginHistory: { symbol, type: Type.Optional(Type.Integer()), ...time, limit },
  forceOrders: {
    symbol: Type.Optional(symbol),
    autoCloseType: Type.Optional(Type.String({ description: "LIQUIDATION or ADL" })),
    ...time,
    limit,
  },
};
