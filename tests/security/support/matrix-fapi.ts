/** The exchange-style interface's rows of the ownership matrix. */

import type { Method } from "./people.ts";
import {
  type Attack,
  attacked,
  type By,
  bearer,
  call,
  claimsOf,
  each,
  type Named,
  open,
  own,
  type Rows,
} from "./rows.ts";

const symbol = "BTCUSDT";
const NEW_ORDER = { symbol, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.010", price: "58000" };
const CHANGE = { symbol, side: "BUY", quantity: "0.030", price: "58800" };

type Names = (names: Named) => Readonly<Record<string, string | number>>;

/** By token and by API key, with each of the ids of the other party's thing. */
function attempts(method: Method, path: string, refused: number, ways: Readonly<Record<string, Names>>): Attack[] {
  return (["wallet", "key"] as const satisfies By[]).flatMap((by) =>
    Object.entries(ways).map(
      ([tries, name]): Attack => ({ tries, by, call: (names) => call(method, path, { query: name(names) }), refused }),
    ),
  );
}

const passing = (method: Method, path: string, tries: string, query: Readonly<Record<string, string>>): Attack[] =>
  (["wallet", "key"] as const satisfies By[]).map((by) => ({
    tries,
    by,
    call: (names) => call(method, path, { query: { ...query, ...claimsOf(names) } }),
    passes: true,
  }));

const byOrder: Readonly<Record<string, Names>> = {
  "the other's order by its id": ({ orderId }) => ({ symbol, orderId }),
  "the other's order by its client id": ({ clientOrderId }) => ({ symbol, origClientOrderId: clientOrderId }),
};
const changing: Readonly<Record<string, Names>> = {
  "the other's order by its id": ({ orderId }) => ({ ...CHANGE, orderId }),
  "the other's order by its client id": ({ clientOrderId }) => ({ ...CHANGE, origClientOrderId: clientOrderId }),
};
const byAlgo: Readonly<Record<string, Names>> = {
  "the other's conditional order by its id": ({ algoId }) => ({ algoId }),
  "the other's conditional order by its client id": ({ clientAlgoId }) => ({ clientAlgoId }),
};

/** The reply is 200 with a refusal at each index. */
const inBatch = (method: Method, path: string, ways: Readonly<Record<string, Names>>): Attack[] =>
  attempts(method, path, 200, ways);

const marketRows = open(
  "market data",
  ...["ping", "time", "exchangeInfo", "depth", "trades", "historicalTrades", "aggTrades", "klines"].map(
    (name) => `GET /fapi/v1/${name}`,
  ),
  ...["continuousKlines", "indexPriceKlines", "markPriceKlines", "premiumIndexKlines", "ticker/24hr"].map(
    (name) => `GET /fapi/v1/${name}`,
  ),
  ...["ticker/price", "ticker/bookTicker", "premiumIndex", "fundingRate", "fundingInfo", "openInterest"].map(
    (name) => `GET /fapi/v1/${name}`,
  ),
  "GET /fapi/v2/ticker/price",
  "GET /fapi/v1/insuranceBalance",
  "GET /fapi/v1/leverageBracket",
  ...["rpiDepth", "constituents", "assetIndex", "indexInfo", "symbolAdlRisk", "tradingSchedule", "allForceOrders"].map(
    (name) => `GET /fapi/v1/${name}`,
  ),
  ...["openInterestHist", "globalLongShortAccountRatio", "topLongShortAccountRatio", "topLongShortPositionRatio"].map(
    (name) => `GET /futures/data/${name}`,
  ),
  "GET /futures/data/takerlongshortRatio",
  "GET /futures/data/basis",
);

/** Interfaces beside /fapi that bots call before they trade. */
const relatedRows: Rows = {
  ...open(
    "what is nobody's",
    ...["ping", "time", "exchangeInfo"].flatMap((name) => [`GET /api/v3/${name}`, `GET /dapi/v1/${name}`]),
    ...["system/status", "margin/allPairs", "margin/isolated/allPairs"].map((name) => `GET /sapi/v1/${name}`),
  ),
  ...own("GET /sapi/v1/capital/config/getall"),
  ...own("GET /sapi/v1/capital/deposit/address", { coin: "USDT" }),
  ...own("GET /sapi/v1/capital/deposit/hisrec"),
  ...attacked(
    "GET /sapi/v1/capital/withdraw/history",
    ...(["wallet", "key"] as const satisfies By[]).flatMap((by): Attack[] => [
      {
        tries: "the other's withdrawal by its id",
        by,
        call: ({ withdrawalId }) =>
          call("GET", "/sapi/v1/capital/withdraw/history", { query: { idList: withdrawalId } }),
        passes: true,
      },
      {
        tries: "the other's withdrawal by its request id",
        by,
        call: ({ requestId }) =>
          call("GET", "/sapi/v1/capital/withdraw/history", { query: { withdrawOrderId: requestId } }),
        passes: true,
      },
    ]),
  ),
};

const accountRows: Rows = {
  ...each(
    ["/fapi/v2/account", "/fapi/v3/account", "/fapi/v2/balance", "/fapi/v3/balance", "/fapi/v1/positionRisk"],
    (path) => own(`GET ${path}`),
  ),
  ...each(
    ["positionRisk", "accountConfig", "symbolConfig", "income", "rateLimit/order", "apiTradingStatus", "forceOrders"],
    (name) => own(`GET /fapi/v1/${name}`),
  ),
  ...own("GET /fapi/v2/positionRisk"),
  ...own("GET /fapi/v3/positionRisk"),
  ...own("GET /fapi/v1/commissionRate", { symbol }),
  ...own("GET /fapi/v1/userTrades", { symbol }),
  ...own("GET /fapi/v1/adlQuantile", { symbol }),
  ...own("GET /fapi/v1/positionSide/dual"),
  ...own("GET /fapi/v1/multiAssetsMargin"),
  ...own("GET /fapi/v1/feeBurn"),
  ...own("GET /fapi/v1/marginType", { symbol }),
  ...own("GET /fapi/v1/positionMargin/history", { symbol }),
};

const settingRows: Rows = {
  ...attacked(
    "POST /fapi/v1/positionSide/dual",
    ...passing("POST", "/fapi/v1/positionSide/dual", "to set the other's mode", { dualSidePosition: "false" }),
  ),
  ...attacked(
    "POST /fapi/v1/multiAssetsMargin",
    ...passing("POST", "/fapi/v1/multiAssetsMargin", "to set the other's mode", { multiAssetsMargin: "false" }),
  ),
  ...attacked(
    "POST /fapi/v1/feeBurn",
    ...passing("POST", "/fapi/v1/feeBurn", "to set the other's mode", { feeBurn: "false" }),
  ),
  ...attacked(
    "POST /fapi/v1/leverage",
    ...passing("POST", "/fapi/v1/leverage", "to set the other's leverage", { symbol, leverage: "7" }),
  ),
  ...attacked(
    "POST /fapi/v1/marginType",
    ...passing("POST", "/fapi/v1/marginType", "to set the other's margin", { symbol, marginType: "CROSSED" }),
  ),
  ...attacked(
    "POST /fapi/v1/positionMargin",
    ...attempts("POST", "/fapi/v1/positionMargin", 400, {
      "to move the other's margin": (names) => ({ ...claimsOf(names), symbol, amount: "1", type: 2 }),
    }),
  ),
};

const orderRows: Rows = {
  ...attacked("POST /fapi/v1/order", ...passing("POST", "/fapi/v1/order", "to order for the other", NEW_ORDER)),
  ...attacked(
    "POST /fapi/v1/order/test",
    ...passing("POST", "/fapi/v1/order/test", "to test on the other's account", NEW_ORDER),
  ),
  ...attacked("PUT /fapi/v1/order", ...attempts("PUT", "/fapi/v1/order", 400, changing)),
  ...attacked("DELETE /fapi/v1/order", ...attempts("DELETE", "/fapi/v1/order", 400, byOrder)),
  ...attacked("GET /fapi/v1/order", ...attempts("GET", "/fapi/v1/order", 400, byOrder)),
  ...attacked("GET /fapi/v1/openOrder", ...attempts("GET", "/fapi/v1/openOrder", 400, byOrder)),
  ...own("GET /fapi/v1/openOrders", {}, { shows: true }),
  ...own("GET /fapi/v1/allOrders", { symbol }, { shows: true }),
  ...attacked("GET /fapi/v1/orderAmendment", ...attempts("GET", "/fapi/v1/orderAmendment", 200, byOrder)),
  ...attacked(
    "DELETE /fapi/v1/allOpenOrders",
    ...passing("DELETE", "/fapi/v1/allOpenOrders", "to cancel all of the other's orders", { symbol }),
  ),
  ...attacked(
    "POST /fapi/v1/batchOrders",
    ...passing("POST", "/fapi/v1/batchOrders", "to order for the other", { batchOrders: JSON.stringify([NEW_ORDER]) }),
  ),
  ...attacked(
    "PUT /fapi/v1/batchOrders",
    ...inBatch("PUT", "/fapi/v1/batchOrders", {
      "the other's order by its id": ({ orderId }) => ({ batchOrders: JSON.stringify([{ ...CHANGE, orderId }]) }),
      "the other's order by its client id": ({ clientOrderId }) => ({
        batchOrders: JSON.stringify([{ ...CHANGE, origClientOrderId: clientOrderId }]),
      }),
    }),
  ),
  ...attacked(
    "DELETE /fapi/v1/batchOrders",
    ...inBatch("DELETE", "/fapi/v1/batchOrders", {
      "the other's order by its id": ({ orderId }) => ({ symbol, orderIdList: JSON.stringify([orderId]) }),
      "the other's order by its client id": ({ clientOrderId }) => ({
        symbol,
        origClientOrderIdList: JSON.stringify([clientOrderId]),
      }),
    }),
  ),
  ...attacked(
    "POST /fapi/v1/countdownCancelAll",
    ...passing("POST", "/fapi/v1/countdownCancelAll", "to let the other's orders lapse", {
      symbol,
      countdownTime: "1",
    }),
  ),
};

const algoRows: Rows = {
  ...attacked(
    "POST /fapi/v1/algoOrder",
    ...passing("POST", "/fapi/v1/algoOrder", "to order for the other", {
      ...{ algoType: "CONDITIONAL", symbol, side: "BUY", type: "STOP_MARKET", quantity: "0.010" },
      triggerPrice: "67000",
    }),
  ),
  ...attacked("GET /fapi/v1/algoOrder", ...attempts("GET", "/fapi/v1/algoOrder", 400, byAlgo)),
  ...attacked("DELETE /fapi/v1/algoOrder", ...attempts("DELETE", "/fapi/v1/algoOrder", 400, byAlgo)),
  ...own("GET /fapi/v1/openAlgoOrders", {}, { shows: true }),
  ...own("GET /fapi/v1/allAlgoOrders", { symbol }, { shows: true }),
  ...attacked(
    "DELETE /fapi/v1/algoOpenOrders",
    ...passing("DELETE", "/fapi/v1/algoOpenOrders", "to cancel all of the other's orders", { symbol }),
  ),
};

const listenKeyRows: Rows = {
  ...attacked("POST /fapi/v1/listenKey", ...passing("POST", "/fapi/v1/listenKey", "to be given the other's key", {})),
  ...attacked("PUT /fapi/v1/listenKey", ...passing("PUT", "/fapi/v1/listenKey", "to get the other's key", {})),
  ...attacked("DELETE /fapi/v1/listenKey", ...passing("DELETE", "/fapi/v1/listenKey", "to end the other's key", {})),
};

const byDownload: Readonly<Record<string, Names>> = {
  "the other's file by its id": ({ downloadId }) => ({ downloadId }),
};

const downloadRows: Rows = {
  ...bearer("the token in its URL opens a file (downloads.sql.test.ts)", "GET /fapi/v1/download"),
  ...each(["income", "order", "trade"], (name) => ({
    // Once only, because files are counted.
    ...attacked(
      `GET /fapi/v1/${name}/asyn`,
      ...passing("GET", `/fapi/v1/${name}/asyn`, "to be given a file of the other's", {
        startTime: "0",
        endTime: "1",
      }).slice(1),
    ),
    ...attacked(`GET /fapi/v1/${name}/asyn/id`, ...attempts("GET", `/fapi/v1/${name}/asyn/id`, 400, byDownload)),
  })),
};

export const fapiRows: Rows = {
  ...marketRows,
  ...relatedRows,
  ...accountRows,
  ...settingRows,
  ...orderRows,
  ...algoRows,
  ...listenKeyRows,
  ...downloadRows,
};
