import { type Static, Type } from "typebox";

/** Statistics of markets, and facts about them that rarely change, on the exchange-style interface. */

const Decimal = Type.String({ description: "Decimal" });
const Ms = Type.Integer({ description: "Milliseconds since 1970" });
/** A divisor of zero has no ratio. */
const Ratio = Type.String({ description: "Decimal; 0 where the divisor is zero" });

export const FapiOpenInterestPoint = Type.Object({
  symbol: Type.String(),
  sumOpenInterest: Decimal,
  sumOpenInterestValue: Type.String({ description: "USDT, at the mark price" }),
  timestamp: Ms,
});
export type FapiOpenInterestPoint = Static<typeof FapiOpenInterestPoint>;

export const FapiLongShortRatio = Type.Object({
  symbol: Type.String(),
  longShortRatio: Ratio,
  longAccount: Type.String({ description: "The part that is long" }),
  shortAccount: Type.String({ description: "The part that is short" }),
  timestamp: Ms,
});
export type FapiLongShortRatio = Static<typeof FapiLongShortRatio>;

export const FapiTakerVolume = Type.Object({ buySellRatio: Ratio, buyVol: Decimal, sellVol: Decimal, timestamp: Ms });
export type FapiTakerVolume = Static<typeof FapiTakerVolume>;

export const FapiBasis = Type.Object({
  pair: Type.String(),
  contractType: Type.Literal("PERPETUAL"),
  futuresPrice: Type.String({ description: "Of the last trade" }),
  indexPrice: Decimal,
  basis: Decimal,
  basisRate: Decimal,
  annualizedBasisRate: Type.Literal("", { description: "A perpetual contract has none" }),
  timestamp: Ms,
});
export type FapiBasis = Static<typeof FapiBasis>;

export const FapiConstituents = Type.Object({
  symbol: Type.String(),
  time: Ms,
  constituents: Type.Array(
    Type.Object({
      exchange: Type.String(),
      symbol: Type.String(),
      price: Decimal,
      weight: Type.String({ description: "Of the index; 0 where the price is too old or too far from the others" }),
    }),
  ),
});
export type FapiConstituents = Static<typeof FapiConstituents>;

/** Indexes of other assets and composite indexes: this exchange has none. */
export const FapiNoIndexes = Type.Array(Type.Object({ symbol: Type.String() }), { maxItems: 0 });

export const FapiAdlRisk = Type.Object({
  symbol: Type.String(),
  adlRisk: Type.Union([Type.Literal("low"), Type.Literal("medium"), Type.Literal("high")]),
  updateTime: Ms,
});
export type FapiAdlRisk = Static<typeof FapiAdlRisk>;
export const FapiAdlRisks = Type.Union([FapiAdlRisk, Type.Array(FapiAdlRisk)]);

export const FapiTradingSchedule = Type.Object({
  updateTime: Ms,
  marketSchedules: Type.Object({}, { description: "Empty: markets are open at all times" }),
});
export type FapiTradingSchedule = Static<typeof FapiTradingSchedule>;

export const FapiForcedClose = Type.Object({
  symbol: Type.String(),
  price: Decimal,
  origQty: Decimal,
  executedQty: Decimal,
  averagePrice: Decimal,
  status: Type.Literal("FILLED"),
  timeInForce: Type.Literal("IOC"),
  type: Type.Literal("LIMIT"),
  side: Type.String(),
  time: Ms,
});
export type FapiForcedClose = Static<typeof FapiForcedClose>;

export type FapiPeriod = "5m" | "15m" | "30m" | "1h" | "2h" | "4h" | "6h" | "12h" | "1d";

const symbol = Type.String({ examples: ["BTCUSDT"] });
const period = Type.String({ description: "5m, 15m, 30m, 1h, 2h, 4h, 6h, 12h, 1d", examples: ["5m"] });
const window = {
  limit: Type.Optional(Type.Integer({ description: "30, at most 500" })),
  startTime: Type.Optional(Type.Integer({ description: "Milliseconds since 1970; within the last 30 days" })),
  endTime: Type.Optional(Ms),
};

/** Documentation of the parameters. */
export const statisticsParameters = {
  ofSymbol: { symbol, period, ...window },
  ofPair: { pair: symbol, contractType: Type.Literal("PERPETUAL"), period, ...window },
  symbol: { symbol },
  maybeSymbol: { symbol: Type.Optional(symbol) },
  forcedCloses: {
    symbol: Type.Optional(symbol),
    limit: Type.Optional(Type.Integer({ description: "100, at most 1000" })),
    startTime: Type.Optional(Ms),
    endTime: Type.Optional(Ms),
  },
};
