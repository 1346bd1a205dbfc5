import { type Static, type TObject, Type } from "typebox";

/** Orders on the exchange-style interface. Prices, quantities and money are decimal text, ids and times whole numbers. */

const Decimal = (description?: string) => Type.String(description === undefined ? {} : { description });
const Ms = Type.Integer({ description: "Milliseconds since 1970" });
/** LOG-8. */
export const HistoryStart = Type.Integer({
  description: "Milliseconds since 1970; -4166 where history that old was removed",
});

export const FapiSide = Type.Union([Type.Literal("BUY"), Type.Literal("SELL")]);
export type FapiSide = Static<typeof FapiSide>;

const PriceMatchName = Type.String({ description: "NONE, or the level of the book that its price came from" });

export const FapiOrder = Type.Object(
  {
    orderId: Type.Integer(),
    symbol: Type.String({ examples: ["BTCUSDT"] }),
    status: Type.String({
      description: "NEW, PARTIALLY_FILLED, FILLED, CANCELED, EXPIRED, EXPIRED_IN_MATCH or REJECTED",
    }),
    clientOrderId: Type.String(),
    price: Decimal("0 for market orders"),
    avgPrice: Decimal(),
    origQty: Decimal(),
    executedQty: Decimal(),
    cumQty: Decimal(),
    cumQuote: Decimal("Value executed so far in USDT"),
    timeInForce: Type.String(),
    type: Type.String(),
    origType: Type.String({ description: "What it was placed as" }),
    reduceOnly: Type.Boolean(),
    closePosition: Type.Boolean(),
    side: FapiSide,
    positionSide: Type.Literal("BOTH"),
    stopPrice: Decimal("0 for orders without trigger"),
    workingType: Type.String(),
    priceProtect: Type.Boolean(),
    priceMatch: PriceMatchName,
    selfTradePreventionMode: Type.String(),
    goodTillDate: Type.Integer({ description: "When it ends, in milliseconds; 0 for no end" }),
    updateTime: Ms,
    time: Type.Optional(Ms),
  },
  { description: "An order" },
);
export type FapiOrder = Static<typeof FapiOrder>;

export const FapiAlgoOrder = Type.Object(
  {
    algoId: Type.Integer(),
    clientAlgoId: Type.String(),
    algoType: Type.Literal("CONDITIONAL"),
    orderType: Type.String(),
    symbol: Type.String(),
    side: FapiSide,
    positionSide: Type.Literal("BOTH"),
    timeInForce: Type.String(),
    quantity: Decimal(),
    algoStatus: Type.String({ description: "NEW, TRIGGERING, TRIGGERED, FINISHED, CANCELED, EXPIRED or REJECTED" }),
    triggerPrice: Decimal(),
    price: Decimal(),
    icebergQuantity: Type.Null(),
    selfTradePreventionMode: Type.String(),
    workingType: Type.String(),
    priceMatch: PriceMatchName,
    closePosition: Type.Boolean(),
    priceProtect: Type.Boolean(),
    reduceOnly: Type.Boolean(),
    activatePrice: Type.Optional(Decimal()),
    callbackRate: Type.Optional(Decimal("Percent")),
    createTime: Ms,
    updateTime: Ms,
    triggerTime: Ms,
    goodTillDate: Type.Integer({ description: "When it ends, in milliseconds; 0 for no end" }),
    actualOrderId: Type.Optional(Type.String({ description: "The order it produced; empty before" })),
    actualPrice: Type.Optional(Decimal()),
  },
  { description: "A conditional order" },
);
export type FapiAlgoOrder = Static<typeof FapiAlgoOrder>;

export const FapiAlgoCanceled = Type.Object({
  algoId: Type.Integer(),
  clientAlgoId: Type.String(),
  code: Type.Literal("200"),
  msg: Type.Literal("success"),
});
export type FapiAlgoCanceled = Static<typeof FapiAlgoCanceled>;

export const FapiDone = Type.Object({ code: Type.Literal(200), msg: Type.String() });
export type FapiDone = Static<typeof FapiDone>;

/** A refused element of a batch has its refusal at its index. */
export const FapiBatchReply = Type.Array(
  Type.Union([
    FapiOrder,
    Type.Object({
      code: Type.Integer(),
      msg: Type.String(),
      details: Type.Optional(Type.Object({}, { additionalProperties: true })),
    }),
  ]),
);
export type FapiBatchReply = Static<typeof FapiBatchReply>;

export const FapiCountdown = Type.Object({ symbol: Type.String(), countdownTime: Type.String() });
export type FapiCountdown = Static<typeof FapiCountdown>;

const BeforeAfter = Type.Object({ before: Decimal(), after: Decimal() });
export const FapiAmendment = Type.Object({
  amendmentId: Type.Integer(),
  symbol: Type.String(),
  pair: Type.String(),
  orderId: Type.Integer(),
  clientOrderId: Type.String(),
  time: Ms,
  amendment: Type.Object({ price: BeforeAfter, origQty: BeforeAfter, count: Type.Integer() }),
});
export type FapiAmendment = Static<typeof FapiAmendment>;

export const FapiListenKey = Type.Object({
  listenKey: Type.String({ description: "64 characters, valid for an hour" }),
});

const text = (description: string) => Type.Optional(Type.String({ description }));
const symbol = Type.String({ examples: ["BTCUSDT"] });
const whichOrder = {
  symbol,
  orderId: Type.Optional(Type.Integer()),
  origClientOrderId: text("Instead of orderId"),
};

/** Documentation of the parameters; values arrive as text and the parser of parameters checks them. */
export const orderParameters = {
  new: {
    symbol,
    side: FapiSide,
    type: Type.String({
      description:
        "LIMIT, MARKET, STOP, TAKE_PROFIT, STOP_MARKET, TAKE_PROFIT_MARKET; STOP_LIMIT and TAKE_PROFIT_LIMIT are aliases. " +
        "TRAILING_STOP_MARKET is deprecated here and acts as STOP_MARKET",
    }),
    timeInForce: text("GTC, IOC, FOK, GTX (post-only) or GTD (until goodTillDate); LIMIT orders need one"),
    goodTillDate: text("With GTD: when it ends, in milliseconds, more than 600 seconds away; whole seconds count"),
    priceMatch: text("Instead of price: OPPONENT, OPPONENT_5, _10, _20, QUEUE, QUEUE_5, _10, _20, a level of the book"),
    quantity: text("Floored to the lot"),
    quoteOrderQty: text("USDT instead of quantity"),
    price: text("LIMIT, STOP and TAKE_PROFIT"),
    stopPrice: text("The trigger of conditional orders"),
    workingType: text("CONTRACT_PRICE (default) or MARK_PRICE"),
    reduceOnly: Type.Optional(Type.Boolean()),
    closePosition: Type.Optional(Type.Boolean({ description: "STOP_MARKET and TAKE_PROFIT_MARKET, without quantity" })),
    priceProtect: Type.Optional(Type.Boolean()),
    newClientOrderId: text("1 to 36 of . A-Z : / a-z 0-9 _ -"),
    newOrderRespType: text("ACK or RESULT; both answer after matching"),
    selfTradePreventionMode: text("EXPIRE_MAKER (default), EXPIRE_TAKER, EXPIRE_BOTH or NONE"),
    positionSide: text("BOTH"),
  },
  modify: {
    ...whichOrder,
    side: Type.Optional(FapiSide),
    quantity: Type.String(),
    price: Type.String(),
  },
  one: whichOrder,
  open: { symbol: Type.Optional(symbol) },
  ofSymbol: { symbol },
  all: {
    symbol: Type.Optional(symbol),
    orderId: Type.Optional(Type.Integer({ description: "From this one on" })),
    startTime: Type.Optional(HistoryStart),
    endTime: Type.Optional(Ms),
    limit: Type.Optional(Type.Integer({ description: "500, at most 1000" })),
  },
  batch: { batchOrders: Type.String({ description: "JSON list of at most 5 orders" }) },
  cancelBatch: {
    symbol,
    orderIdList: text("JSON list of at most 10 ids"),
    origClientOrderIdList: text("The same with client ids"),
  },
  countdown: { symbol, countdownTime: Type.Integer({ description: "Milliseconds; 0 stops it" }) },
  amendments: {
    ...whichOrder,
    startTime: Type.Optional(HistoryStart),
    endTime: Type.Optional(Ms),
    limit: Type.Optional(Type.Integer()),
  },
  algoNew: {
    algoType: Type.Literal("CONDITIONAL"),
    symbol,
    side: FapiSide,
    type: Type.String({ description: "STOP, STOP_MARKET, TAKE_PROFIT, TAKE_PROFIT_MARKET or TRAILING_STOP_MARKET" }),
    timeInForce: text("Of the order it produces; default GTC"),
    goodTillDate: text("With GTD: when it, or the order it produces, ends; as for an order"),
    priceMatch: text("Instead of price, when it fires: as for an order"),
    quantity: text("Absent with closePosition"),
    price: text("STOP and TAKE_PROFIT"),
    triggerPrice: text("All but TRAILING_STOP_MARKET"),
    activatePrice: text("TRAILING_STOP_MARKET: price from which the best price is followed"),
    callbackRate: text("TRAILING_STOP_MARKET: 0.1 to 10 percent"),
    workingType: text("CONTRACT_PRICE (default) or MARK_PRICE"),
    closePosition: Type.Optional(Type.Boolean()),
    priceProtect: Type.Optional(Type.Boolean()),
    reduceOnly: Type.Optional(Type.Boolean()),
    clientAlgoId: text("1 to 36 of . A-Z : / a-z 0-9 _ -"),
    selfTradePreventionMode: text("As for orders"),
    positionSide: text("BOTH"),
  },
  algoOne: { algoId: Type.Optional(Type.Integer()), clientAlgoId: text("Instead of algoId") },
  algoOpen: { symbol: Type.Optional(symbol), algoType: text("CONDITIONAL"), algoId: Type.Optional(Type.Integer()) },
  algoAll: {
    symbol,
    algoId: Type.Optional(Type.Integer()),
    startTime: Type.Optional(HistoryStart),
    endTime: Type.Optional(Ms),
    page: Type.Optional(Type.Integer()),
    limit: Type.Optional(Type.Integer({ description: "500, at most 1000" })),
  },
};

// What the client sends: the parameters above as types.
export type FapiNewOrder = Static<TObject<typeof orderParameters.new>>;
export type FapiOrderChange = Static<TObject<typeof orderParameters.modify>>;
export type FapiNewAlgoOrder = Omit<Static<TObject<typeof orderParameters.algoNew>>, "algoType">;
