import type { Access } from "../../kernel/http/access.ts";
import { isReducing, isReducingBatch } from "./reducing.ts";

const anyone = (weight: number): Access => ({ area: "fapi", allow: "anyone", weight });
const reading = (weight: number): Access => ({ area: "fapi", allow: ["wallet"], apiKey: "READ", weight });
const trading = (weight: number): Access => ({ area: "fapi", allow: ["wallet"], apiKey: "TRADE", weight });
/** SEC-10: cancels, and orders that reduce, pass when the budget is used up. */
const cancelling = (weight: number): Access => ({ ...trading(weight), reserve: "all" });
const placing = (weight: number): Access => ({ ...trading(weight), reserve: isReducing });
/** The key alone, without a signature. */
const keyOnly = (weight: number): Access => ({ area: "fapi", allow: ["wallet"], apiKey: "KEY_ONLY", weight });

/** Who may call what on the exchange-style interface, and what a call weighs. */
export const fapiPolicy: Readonly<Record<string, Access>> = {
  "GET /fapi/v1/ping": anyone(1),
  "GET /fapi/v1/time": anyone(1),
  "GET /fapi/v1/exchangeInfo": anyone(1),
  "GET /fapi/v1/depth": anyone(5),
  "GET /fapi/v1/trades": anyone(5),
  "GET /fapi/v1/historicalTrades": keyOnly(20),
  "GET /fapi/v1/aggTrades": anyone(20),
  "GET /fapi/v1/klines": anyone(5),
  "GET /fapi/v1/continuousKlines": anyone(5),
  "GET /fapi/v1/indexPriceKlines": anyone(5),
  "GET /fapi/v1/markPriceKlines": anyone(5),
  "GET /fapi/v1/premiumIndexKlines": anyone(5),
  "GET /fapi/v1/ticker/24hr": anyone(10),
  "GET /fapi/v1/ticker/price": anyone(2),
  "GET /fapi/v2/ticker/price": anyone(2),
  "GET /fapi/v1/ticker/bookTicker": anyone(2),
  "GET /fapi/v1/premiumIndex": anyone(1),
  "GET /fapi/v1/fundingRate": anyone(1),
  "GET /fapi/v1/fundingInfo": anyone(1),
  "GET /fapi/v1/openInterest": anyone(1),
  "GET /fapi/v1/insuranceBalance": anyone(1),
  "GET /fapi/v1/leverageBracket": anyone(1),

  "GET /fapi/v2/account": reading(5),
  "GET /fapi/v3/account": reading(5),
  "GET /fapi/v2/balance": reading(5),
  "GET /fapi/v3/balance": reading(5),
  "GET /fapi/v1/positionRisk": reading(5),
  "GET /fapi/v2/positionRisk": reading(5),
  "GET /fapi/v3/positionRisk": reading(5),
  "GET /fapi/v1/accountConfig": reading(5),
  "GET /fapi/v1/symbolConfig": reading(5),
  "GET /fapi/v1/commissionRate": reading(20),
  "GET /fapi/v1/income": reading(30),
  "GET /fapi/v1/userTrades": reading(5),
  "GET /fapi/v1/rateLimit/order": reading(1),
  "GET /fapi/v1/apiTradingStatus": reading(1),
  "GET /fapi/v1/forceOrders": reading(20),
  "GET /fapi/v1/adlQuantile": reading(5),
  "GET /fapi/v1/positionSide/dual": reading(30),
  "POST /fapi/v1/positionSide/dual": trading(1),
  "GET /fapi/v1/multiAssetsMargin": reading(30),
  "POST /fapi/v1/multiAssetsMargin": trading(1),
  "POST /fapi/v1/leverage": trading(1),
  "GET /fapi/v1/marginType": reading(1),
  "POST /fapi/v1/marginType": trading(1),
  "POST /fapi/v1/positionMargin": trading(1),
  "GET /fapi/v1/positionMargin/history": reading(1),

  "POST /fapi/v1/order": placing(1),
  "POST /fapi/v1/order/test": trading(1),
  "PUT /fapi/v1/order": trading(1),
  "DELETE /fapi/v1/order": cancelling(1),
  "GET /fapi/v1/order": reading(1),
  "GET /fapi/v1/openOrder": reading(1),
  "GET /fapi/v1/openOrders": reading(1),
  "GET /fapi/v1/allOrders": reading(5),
  "DELETE /fapi/v1/allOpenOrders": cancelling(1),
  "POST /fapi/v1/batchOrders": { ...trading(5), reserve: isReducingBatch },
  "PUT /fapi/v1/batchOrders": trading(5),
  "DELETE /fapi/v1/batchOrders": cancelling(1),
  "POST /fapi/v1/countdownCancelAll": trading(10),
  "GET /fapi/v1/orderAmendment": reading(1),

  "POST /fapi/v1/algoOrder": placing(1),
  "GET /fapi/v1/algoOrder": reading(1),
  "DELETE /fapi/v1/algoOrder": cancelling(1),
  "GET /fapi/v1/openAlgoOrders": reading(1),
  "GET /fapi/v1/allAlgoOrders": reading(5),
  "DELETE /fapi/v1/algoOpenOrders": cancelling(1),

  "POST /fapi/v1/listenKey": keyOnly(1),
  "PUT /fapi/v1/listenKey": keyOnly(1),
  "DELETE /fapi/v1/listenKey": keyOnly(1),
};
