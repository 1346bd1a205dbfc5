import { limitOrder, marketOrder, type Parameters } from "../testing.ts";
import {
  amount,
  batch,
  callbackRate,
  countdown,
  depthLimit,
  firstId,
  flag,
  goodTill,
  type Input,
  id,
  interval,
  knownName,
  leverage,
  limit,
  list,
  marginMove,
  needed,
  newName,
  optional,
  page,
  period,
  price,
  quantity,
  symbol,
  time,
  unknownText,
  word,
} from "./bad-values.ts";

/** A valid request, its outcome, and the parameters that the tests replace by invalid values, one at a time. */
export interface RouteInputs {
  readonly route: string;
  readonly good: Parameters;
  /** 200, or the code of a refusal that does not concern the parameters. */
  readonly outcome: number;
  readonly inputs: Readonly<Record<string, Input>>;
}

const row = (route: string, good: Parameters, inputs: RouteInputs["inputs"] = {}, outcome = 200): RouteInputs => ({
  route,
  good,
  inputs,
  outcome,
});

const BTC = { symbol: "BTCUSDT" };
const oneSymbol = { symbol: needed(symbol) };
const maybeSymbol = { symbol: optional(symbol) };
const times = { startTime: optional(time), endTime: optional(time) };
const window = { ...times, limit: optional(limit) };
const klines = { interval: needed(interval), ...window };

const PUBLIC: readonly RouteInputs[] = [
  row("GET /fapi/v1/ping", {}),
  row("GET /fapi/v1/time", {}),
  row("GET /fapi/v1/exchangeInfo", {}),
  row("GET /fapi/v1/depth", BTC, { ...oneSymbol, limit: optional(depthLimit) }),
  row("GET /fapi/v1/rpiDepth", BTC, { ...oneSymbol, limit: optional(depthLimit) }),
  row("GET /fapi/v1/trades", BTC, { ...oneSymbol, limit: optional(limit) }),
  row("GET /fapi/v1/historicalTrades", BTC, { ...oneSymbol, limit: optional(limit), fromId: optional(firstId) }),
  row("GET /fapi/v1/aggTrades", BTC, { ...oneSymbol, ...window, fromId: optional(firstId) }),
  ...["klines", "markPriceKlines", "premiumIndexKlines"].map((name) =>
    row(`GET /fapi/v1/${name}`, { ...BTC, interval: "1m" }, { ...oneSymbol, ...klines }),
  ),
  row("GET /fapi/v1/indexPriceKlines", { pair: "BTCUSDT", interval: "1m" }, { pair: needed(symbol), ...klines }),
  row(
    "GET /fapi/v1/continuousKlines",
    { pair: "BTCUSDT", interval: "1m", contractType: "PERPETUAL" },
    { pair: needed(symbol), contractType: needed(word(-1130, "PERPETUAL")), ...klines },
  ),
  row("GET /fapi/v1/ticker/24hr", BTC, maybeSymbol),
  row("GET /fapi/v1/ticker/price", BTC, maybeSymbol),
  row("GET /fapi/v2/ticker/price", BTC, maybeSymbol),
  row("GET /fapi/v1/ticker/bookTicker", BTC, maybeSymbol),
  row("GET /fapi/v1/premiumIndex", BTC, maybeSymbol),
  row("GET /fapi/v1/fundingRate", BTC, { ...maybeSymbol, ...window }),
  row("GET /fapi/v1/fundingInfo", {}),
  row("GET /fapi/v1/openInterest", BTC, oneSymbol),
  row("GET /fapi/v1/insuranceBalance", BTC, maybeSymbol),
  row("GET /fapi/v1/leverageBracket", BTC, maybeSymbol),
  row("GET /fapi/v1/constituents", BTC, oneSymbol),
  row("GET /fapi/v1/assetIndex", {}, maybeSymbol),
  row("GET /fapi/v1/indexInfo", {}, maybeSymbol),
  row("GET /fapi/v1/symbolAdlRisk", BTC, maybeSymbol),
  row("GET /fapi/v1/tradingSchedule", {}),
  row("GET /fapi/v1/allForceOrders", BTC, { ...maybeSymbol, ...window }),
];

const statistics = { period: needed(period), ...window };
const STATISTICS: readonly RouteInputs[] = [
  ...[
    ...["openInterestHist", "globalLongShortAccountRatio", "topLongShortAccountRatio", "topLongShortPositionRatio"],
    "takerlongshortRatio",
  ].map((name) => row(`GET /futures/data/${name}`, { ...BTC, period: "5m" }, { ...oneSymbol, ...statistics })),
  row(
    "GET /futures/data/basis",
    { pair: "BTCUSDT", contractType: "PERPETUAL", period: "5m" },
    { pair: needed(symbol), contractType: needed(word(-1130, "PERPETUAL")), ...statistics },
  ),
];

const someTime = { startTime: "1780272000000", endTime: "1780272000000" };
const noFile = { downloadId: "00000000-0000-4000-8000-000000000000" };
const DOWNLOADS: readonly RouteInputs[] = [
  ...["income", "order", "trade"].flatMap((name) => [
    row(`GET /fapi/v1/${name}/asyn`, someTime, { startTime: needed(time), endTime: needed(time) }),
    row(`GET /fapi/v1/${name}/asyn/id`, noFile, { downloadId: needed(unknownText) }, -1130),
  ]),
  row("GET /fapi/v1/download", { token: "x" }, { token: needed(unknownText) }, -1130),
];

const ACCOUNT: readonly RouteInputs[] = [
  row("GET /fapi/v2/account", {}),
  row("GET /fapi/v3/account", {}),
  row("GET /fapi/v2/balance", {}),
  row("GET /fapi/v3/balance", {}),
  row("GET /fapi/v1/positionRisk", BTC, maybeSymbol),
  row("GET /fapi/v2/positionRisk", BTC, maybeSymbol),
  row("GET /fapi/v3/positionRisk", BTC, maybeSymbol),
  row("GET /fapi/v1/accountConfig", {}),
  row("GET /fapi/v1/symbolConfig", BTC, maybeSymbol),
  row("GET /fapi/v1/commissionRate", BTC, oneSymbol),
  row("GET /fapi/v1/income", BTC, {
    ...maybeSymbol,
    ...window,
    incomeType: optional(word(-1130, "FUNDING_FEE")),
    page: optional(page),
  }),
  row("GET /fapi/v1/userTrades", BTC, {
    ...maybeSymbol,
    ...window,
    orderId: optional(firstId),
    fromId: optional(firstId),
  }),
  row("GET /fapi/v1/rateLimit/order", {}),
  row("GET /fapi/v1/apiTradingStatus", {}),
  row("GET /fapi/v1/forceOrders", BTC, {
    ...maybeSymbol,
    ...window,
    autoCloseType: optional(word(-1130, "LIQUIDATION")),
  }),
  row("GET /fapi/v1/adlQuantile", BTC, maybeSymbol),
];

const SETTINGS: readonly RouteInputs[] = [
  row("GET /fapi/v1/positionSide/dual", {}),
  row("POST /fapi/v1/positionSide/dual", { dualSidePosition: "false" }, { dualSidePosition: needed(flag) }),
  row("GET /fapi/v1/multiAssetsMargin", {}),
  row("GET /fapi/v1/feeBurn", {}),
  row("POST /fapi/v1/feeBurn", { feeBurn: "false" }, { feeBurn: needed(flag) }),
  row("POST /fapi/v1/multiAssetsMargin", { multiAssetsMargin: "false" }, { multiAssetsMargin: needed(flag) }),
  row("POST /fapi/v1/leverage", { ...BTC, leverage: "20" }, { ...oneSymbol, leverage: needed(leverage) }),
  row("GET /fapi/v1/marginType", BTC, maybeSymbol),
  row(
    "POST /fapi/v1/marginType",
    { ...BTC, marginType: "CROSSED" },
    { ...oneSymbol, marginType: needed(word(-1130, "CROSSED")) },
  ),
  row(
    "POST /fapi/v1/positionMargin",
    { ...BTC, amount: "1", type: "1" },
    {
      ...oneSymbol,
      amount: needed(amount),
      type: needed(marginMove),
      positionSide: optional(word(-4061, "BOTH")),
    },
    -4046,
  ),
  row("GET /fapi/v1/positionMargin/history", BTC, { ...oneSymbol, ...window, type: optional(marginMove) }),
  row("POST /fapi/v1/listenKey", {}),
  row("PUT /fapi/v1/listenKey", {}),
  row("DELETE /fapi/v1/listenKey", {}),
];

/** The parameters of every new order, except its client id. */
const anyOrder = {
  ...oneSymbol,
  side: needed(word(-1117, "BUY")),
  type: needed(word(-1116, "LIMIT")),
  reduceOnly: optional(flag),
  selfTradePreventionMode: optional(word(-1130, "EXPIRE_MAKER")),
  positionSide: optional(word(-4061, "BOTH")),
  priceMatch: optional(word(-5037, "OPPONENT")),
};
const conditional = {
  price: needed(price),
  quantity: needed(quantity),
  workingType: optional(word(-1130, "MARK_PRICE")),
  priceProtect: optional(flag),
};
/** Ends in the year 9999. */
const GTD = { timeInForce: "GTD", goodTillDate: "253402300798000" };
const stop = { ...BTC, side: "SELL", type: "STOP", quantity: "0.1", price: "58000" };

/** One order, for the routes that place one order or several. */
export const NEW_ORDERS: readonly Omit<RouteInputs, "route">[] = [
  {
    good: limitOrder({ price: "58000" }),
    outcome: 200,
    inputs: {
      ...anyOrder,
      timeInForce: needed(word(-1115, "GTC")),
      quantity: needed(quantity),
      price: needed(price),
      newClientOrderId: optional(newName),
      newOrderRespType: optional(word(-1136, "ACK")),
      closePosition: optional(flag),
    },
  },
  { good: limitOrder({ price: "58000", ...GTD }), outcome: 200, inputs: { goodTillDate: needed(goodTill) } },
  {
    good: { ...stop, stopPrice: "59000" },
    outcome: 200,
    inputs: { ...conditional, stopPrice: needed(price), timeInForce: optional(word(-1115, "GTC")) },
  },
  {
    good: marketOrder({ quantity: undefined, quoteOrderQty: "1000" }),
    outcome: 200,
    inputs: { quoteOrderQty: optional(amount), timeInForce: optional(word(-1115, "GTC")) },
  },
];

/** A modification of an order; the test has placed an order with this id. */
export const MODIFICATIONS: readonly Omit<RouteInputs, "route">[] = [
  {
    good: { ...BTC, orderId: "3", quantity: "0.2", price: "58000" },
    outcome: 200,
    inputs: {
      ...oneSymbol,
      orderId: needed(id),
      side: optional(word(-1117, "BUY")),
      quantity: needed(quantity),
      price: needed(price),
      positionSide: optional(word(-4061, "BOTH")),
      priceMatch: optional(word(-5037, "OPPONENT")),
    },
  },
  {
    good: { ...BTC, origClientOrderId: "nobody", quantity: "0.2", price: "58000" },
    outcome: -2013,
    inputs: { origClientOrderId: needed(knownName) },
  },
];

/** One order, by its id and by its client id. */
const named = (route: string, outcome: number): RouteInputs[] => [
  row(route, { ...BTC, orderId: "99" }, { ...oneSymbol, orderId: needed(id) }, outcome),
  row(route, { ...BTC, origClientOrderId: "nobody" }, { origClientOrderId: needed(knownName) }, outcome),
];

const ORDERS: readonly RouteInputs[] = [
  ...["POST /fapi/v1/order/test", "POST /fapi/v1/order"].flatMap((route) =>
    NEW_ORDERS.map((order) => ({ route, ...order })),
  ),
  ...MODIFICATIONS.map((change) => ({ route: "PUT /fapi/v1/order", ...change })),
  ...named("DELETE /fapi/v1/order", -2011),
  ...named("GET /fapi/v1/order", -2013),
  ...named("GET /fapi/v1/openOrder", -2013),
  row("GET /fapi/v1/openOrders", BTC, maybeSymbol),
  row("GET /fapi/v1/allOrders", BTC, { ...maybeSymbol, ...window, orderId: optional(firstId) }),
  row("DELETE /fapi/v1/allOpenOrders", BTC, oneSymbol),
  row("POST /fapi/v1/batchOrders", { batchOrders: "[{}]" }, { batchOrders: needed(batch) }),
  row("PUT /fapi/v1/batchOrders", { batchOrders: "[{}]" }, { batchOrders: needed(batch) }),
  row(
    "DELETE /fapi/v1/batchOrders",
    { ...BTC, orderIdList: "[99]" },
    { ...oneSymbol, orderIdList: needed(list(-1130, ["[0]", "[-1]", "[1.5]", '["a"]', "[1e3]"])) },
  ),
  row(
    "DELETE /fapi/v1/batchOrders",
    { ...BTC, origClientOrderIdList: '["nobody"]' },
    { origClientOrderIdList: needed(list(-1100, ['["a b"]', '[""]'])) },
  ),
  row(
    "POST /fapi/v1/countdownCancelAll",
    { ...BTC, countdownTime: "0" },
    { ...oneSymbol, countdownTime: needed(countdown) },
  ),
  row("GET /fapi/v1/orderAmendment", { ...BTC, orderId: "1" }, { ...oneSymbol, orderId: needed(id), ...window }),
  row("GET /fapi/v1/orderAmendment", { ...BTC, origClientOrderId: "nobody" }, { origClientOrderId: needed(knownName) }),
];

const algo = { algoType: "CONDITIONAL", ...stop, triggerPrice: "59000" };
const trailing = { ...algo, type: "TRAILING_STOP_MARKET", price: undefined, triggerPrice: undefined };

const ALGOS: readonly RouteInputs[] = [
  row("POST /fapi/v1/algoOrder", algo, {
    ...anyOrder,
    ...conditional,
    algoType: needed(word(-1130, "CONDITIONAL")),
    triggerPrice: needed(price),
    timeInForce: optional(word(-1115, "GTC")),
    clientAlgoId: optional(newName),
    newOrderRespType: optional(word(-1136, "ACK")),
    closePosition: optional(flag),
  }),
  row("POST /fapi/v1/algoOrder", { ...algo, ...GTD }, { goodTillDate: needed(goodTill) }),
  row(
    "POST /fapi/v1/algoOrder",
    { ...trailing, callbackRate: "1" },
    { callbackRate: needed(callbackRate), activatePrice: optional(price), activationPrice: optional(price) },
  ),
  ...["GET", "DELETE"].flatMap((method) => [
    row(`${method} /fapi/v1/algoOrder`, { algoId: "99" }, { algoId: needed(id) }, method === "GET" ? -2013 : -2011),
    row(
      `${method} /fapi/v1/algoOrder`,
      { clientAlgoId: "nobody" },
      { clientAlgoId: needed(knownName) },
      method === "GET" ? -2013 : -2011,
    ),
  ]),
  row("GET /fapi/v1/openAlgoOrders", BTC, {
    ...maybeSymbol,
    algoType: optional(word(-1130, "CONDITIONAL")),
    algoId: optional(firstId),
  }),
  row("GET /fapi/v1/allAlgoOrders", BTC, {
    ...oneSymbol,
    ...window,
    algoId: optional(firstId),
    page: optional(page),
  }),
  row("DELETE /fapi/v1/algoOpenOrders", BTC, oneSymbol),
];

/** Every route of the exchange-style interface. */
export const ROUTE_INPUTS: readonly RouteInputs[] = [
  ...PUBLIC,
  ...STATISTICS,
  ...ACCOUNT,
  ...SETTINGS,
  ...ORDERS,
  ...ALGOS,
  ...DOWNLOADS,
];
