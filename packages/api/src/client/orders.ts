import type { AccountOrderRequest, CanceledOrder, OrderPreview, PlacedOrder } from "../account-orders.ts";
import type {
  FapiAlgoCanceled,
  FapiAlgoOrder,
  FapiAlgoOrderListQuery,
  FapiAmendment,
  FapiAmendmentsQuery,
  FapiBatchReply,
  FapiCountdown,
  FapiDone,
  FapiNewAlgoOrder,
  FapiNewOrder,
  FapiOpenAlgoOrdersQuery,
  FapiOrder,
  FapiOrderChange,
  FapiWhichAlgoOrder,
  FapiWhichOrder,
} from "../fapi-orders.ts";
import { type Call, type Given, type ReadOptions, segment } from "./call.ts";

/** Orders. Replies of /fapi are camelCase, those of the account area snake_case. */
export const ordersClient = (call: Call) => ({ ...single(call), ...several(call), ...algo(call) });

const single = ({ get, send, sendForm }: Call) => ({
  /** LIMIT and MARKET with attached take-profit and stop-loss, or one of the types with a trigger. */
  place: (request: Given<AccountOrderRequest>) => send<PlacedOrder>("POST", "/api/v1/orders", request),
  /** What a LIMIT or MARKET order would do. Nothing changes. */
  preview: (request: Given<AccountOrderRequest>, options?: ReadOptions) =>
    send<OrderPreview>("POST", "/api/v1/orders/preview", request, options),
  /** By its id, conditional ones as well; attached ones go with it. */
  cancel: (id: number) => send<CanceledOrder>("DELETE", `/api/v1/orders/${segment(id)}`),
  /** As bots cancel: by `orderId` or `origClientOrderId`. */
  cancelFapi: (which: Given<FapiWhichOrder>) => sendForm<FapiOrder>("DELETE", "/fapi/v1/order", which),
  /** The order keeps its id and goes to the back of its queue. */
  modify: (request: Given<FapiOrderChange>) => sendForm<FapiOrder>("PUT", "/fapi/v1/order", request),
  find: (which: Given<FapiWhichOrder>, options?: ReadOptions) => get<FapiOrder>("/fapi/v1/order", which, options),
  amendments: (query: Given<FapiAmendmentsQuery>, options?: ReadOptions) =>
    get<FapiAmendment[]>("/fapi/v1/orderAmendment", query, options),
  /** As bots place orders, self-trade prevention and price protection included. */
  placeFapi: (request: Given<FapiNewOrder>) => sendForm<FapiOrder>("POST", "/fapi/v1/order", request),
  /** Whether `placeFapi` would be accepted. Nothing changes. */
  testFapi: (request: Given<FapiNewOrder>) => sendForm<Record<string, never>>("POST", "/fapi/v1/order/test", request),
});

/** Of a batch each order is answered in its place: with the order, or with `{code, msg}` of its refusal. */
const several = ({ sendForm }: Call) => {
  const batch = (method: "POST" | "PUT", orders: readonly object[]) =>
    sendForm<FapiBatchReply>(method, "/fapi/v1/batchOrders", { batchOrders: JSON.stringify(orders) });
  return {
    /** At most five. */
    placeBatch: (orders: readonly Given<FapiNewOrder>[]) => batch("POST", orders),
    /** At most five. */
    modifyBatch: (orders: readonly Given<FapiOrderChange>[]) => batch("PUT", orders),
    /** At most ten. */
    cancelBatch: (symbol: string, ids: readonly number[]) =>
      sendForm<FapiBatchReply>("DELETE", "/fapi/v1/batchOrders", { symbol, orderIdList: JSON.stringify(ids) }),
    /** Of one symbol; conditional orders placed by `placeAlgo` stay. */
    cancelAll: (symbol: string) => sendForm<FapiDone>("DELETE", "/fapi/v1/allOpenOrders", { symbol }),
    /** Unless called again in time; 0 stops it. */
    cancelAllAfter: (symbol: string, countdown_ms: number) =>
      sendForm<FapiCountdown>("POST", "/fapi/v1/countdownCancelAll", { symbol, countdownTime: countdown_ms }),
  };
};

/** Conditional orders with ids of their own; trailing stops exist only here. */
const algo = ({ get, sendForm }: Call) => ({
  placeAlgo: (request: Given<FapiNewAlgoOrder>) =>
    sendForm<FapiAlgoOrder>("POST", "/fapi/v1/algoOrder", { algoType: "CONDITIONAL", ...request }),
  findAlgo: (which: Given<FapiWhichAlgoOrder>, options?: ReadOptions) =>
    get<FapiAlgoOrder>("/fapi/v1/algoOrder", which, options),
  openAlgos: (query: Given<FapiOpenAlgoOrdersQuery> = {}, options?: ReadOptions) =>
    get<FapiAlgoOrder[]>("/fapi/v1/openAlgoOrders", query, options),
  /** Waiting and ended, at most seven days at a time. */
  allAlgos: (query: Given<FapiAlgoOrderListQuery>, options?: ReadOptions) =>
    get<FapiAlgoOrder[]>("/fapi/v1/allAlgoOrders", query, options),
  cancelAlgo: (which: Given<FapiWhichAlgoOrder>) => sendForm<FapiAlgoCanceled>("DELETE", "/fapi/v1/algoOrder", which),
  cancelAllAlgos: (symbol: string) => sendForm<FapiDone>("DELETE", "/fapi/v1/algoOpenOrders", { symbol }),
});
