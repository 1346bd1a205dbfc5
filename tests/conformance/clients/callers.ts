import { mock } from "node:test";
import { DerivativesTradingUsdsFuturesRestAPI as Rest } from "@binance/derivatives-trading-usds-futures";
import type { Trader } from "../exchange.ts";
import { connectBinance } from "./binance-package.ts";
import { type LimitOrder, SYMBOL } from "./bot.ts";
import { connectCcxt } from "./ccxt.ts";
import { connectConnector } from "./connector.ts";

/** A client's calls with as little client logic as possible, so that the exchange refuses and not the client. */
export interface Caller {
  place(order: LimitOrder): Promise<unknown>;
  cancel(orderId: number): Promise<unknown>;
  find(orderId: number): Promise<unknown>;
  /** A STOP_MARKET to sell. */
  stop(triggerPrice: number): Promise<unknown>;
  setLeverage(leverage: number): Promise<unknown>;
  setHedged(): Promise<unknown>;
  balance(): Promise<unknown>;
  /** For the key of the user data stream. */
  keepAlive(): Promise<unknown>;
  /** Like `balance`, on a machine whose clock is behind. */
  balanceBehind(behind_ms: number): Promise<unknown>;
  /** Orders of the last ten seconds, as the client read them from the last order's reply. */
  orderCount(): number;
}

export interface ThrownRefusal {
  /** The client's class; the `binance` package's plain objects have none. */
  readonly kind: string;
  readonly code: number;
}

export interface CallerKind {
  readonly name: "ccxt" | "connector" | "binance";
  connect(baseUrl: string, trader: Pick<Trader, "apiKey" | "apiSecret">): Caller;
  read(error: unknown): ThrownRefusal;
}

/** Makes a call while this process's clock is behind. */
async function behind<T>(behind_ms: number, call: () => Promise<T>): Promise<T> {
  const now = Date.now.bind(Date);
  const clock = mock.method(Date, "now", () => now() - behind_ms);
  try {
    return await call();
  } finally {
    clock.mock.restore();
  }
}

const symbol = SYMBOL;
const POST_ONLY_TEXT = "Order would immediately match and take.";

const ccxtCalls: CallerKind = {
  name: "ccxt",
  connect: (baseUrl, trader) => {
    const client = connectCcxt(baseUrl, trader);
    const balance = () => client.fapiPrivateV3GetBalance();
    return {
      place: (order) => client.fapiPrivatePostOrder({ symbol, timeInForce: "GTC", ...order, type: "LIMIT" }),
      cancel: (orderId) => client.fapiPrivateDeleteOrder({ symbol, orderId }),
      find: (orderId) => client.fapiPrivateGetOrder({ symbol, orderId }),
      stop: (triggerPrice) =>
        client.fapiPrivatePostAlgoOrder({
          algoType: "CONDITIONAL",
          symbol,
          side: "SELL",
          type: "STOP_MARKET",
          workingType: "MARK_PRICE",
          quantity: 0.001,
          triggerPrice,
        }),
      setLeverage: (leverage) => client.fapiPrivatePostLeverage({ symbol, leverage }),
      setHedged: () => client.fapiPrivatePostPositionSideDual({ dualSidePosition: "true" }),
      balance,
      keepAlive: () => client.fapiPrivatePutListenKey(),
      // It reads the machine's clock in its own way, and keeps a difference to it.
      balanceBehind: (behind_ms) => {
        client.options["timeDifference"] = behind_ms;
        return balance();
      },
      orderCount: () => Number(client.last_response_headers?.["X-Mbx-Order-Count-10s"]),
    };
  },
  read: (error) => {
    const { name, message } = error as Error;
    // It recognises one refusal by its text and throws it without the code.
    const code = message.endsWith(POST_ONLY_TEXT) ? -2010 : Number(/"code":(-\d+)/.exec(message)?.[1]);
    return { kind: name, code };
  },
};

const connectorCalls: CallerKind = {
  name: "connector",
  connect: (baseUrl, trader) => {
    const { restAPI: client } = connectConnector(baseUrl, trader);
    let count = 0;
    const balance = () => client.futuresAccountBalanceV3();
    return {
      place: async ({ side, timeInForce = "GTC", reduceOnly, ...order }) => {
        const { rateLimits = [] } = await client.newOrder({
          symbol,
          ...order,
          side: Rest.NewOrderSideEnum[side],
          type: Rest.NewOrderTypeEnum.LIMIT,
          timeInForce: Rest.NewOrderTimeInForceEnum[timeInForce],
          ...(reduceOnly === true ? { reduceOnly: Rest.NewOrderReduceOnlyEnum.TRUE } : {}),
        });
        const ofOrders = rateLimits.filter(({ rateLimitType }) => rateLimitType === "ORDERS");
        count = ofOrders.find(({ interval }) => interval === "SECOND")?.count ?? 0;
      },
      cancel: (orderId) => client.cancelOrder({ symbol, orderId }),
      find: (orderId) => client.queryOrder({ symbol, orderId }),
      stop: (triggerPrice) =>
        client.newAlgoOrder({
          algoType: Rest.NewAlgoOrderAlgoTypeEnum.CONDITIONAL,
          symbol,
          side: Rest.NewAlgoOrderSideEnum.SELL,
          type: Rest.NewAlgoOrderTypeEnum.STOP_MARKET,
          workingType: Rest.NewAlgoOrderWorkingTypeEnum.MARK_PRICE,
          quantity: 0.001,
          triggerPrice,
        }),
      setLeverage: (leverage) => client.changeInitialLeverage({ symbol, leverage }),
      setHedged: () => client.changePositionMode({ dualSidePosition: "true" }),
      balance,
      keepAlive: () => client.keepaliveUserDataStream(),
      balanceBehind: (behind_ms) => behind(behind_ms, balance),
      orderCount: () => count,
    };
  },
  read: (error) => ({ kind: (error as Error).name, code: Number((error as { readonly code?: number }).code) }),
};

const binanceCalls: CallerKind = {
  name: "binance",
  connect: (baseUrl, trader) => {
    const client = connectBinance(baseUrl, trader);
    const balance = () => client.getBalanceV3();
    return {
      place: ({ reduceOnly, timeInForce = "GTC", ...order }) =>
        client.submitNewOrder({
          symbol,
          ...order,
          type: "LIMIT",
          timeInForce,
          ...(reduceOnly === true ? { reduceOnly: "true" } : {}),
        }),
      cancel: (orderId) => client.cancelOrder({ symbol, orderId }),
      find: (orderId) => client.getOrder({ symbol, orderId }),
      stop: (triggerPrice) =>
        client.submitNewAlgoOrder({
          algoType: "CONDITIONAL",
          symbol,
          side: "SELL",
          type: "STOP_MARKET",
          workingType: "MARK_PRICE",
          quantity: "0.001",
          triggerPrice: String(triggerPrice),
        }),
      setLeverage: (leverage) => client.setLeverage({ symbol, leverage }),
      setHedged: () => client.setPositionMode({ dualSidePosition: "true" }),
      balance,
      keepAlive: () => client.keepAliveFuturesUserDataListenKey(),
      balanceBehind: (behind_ms) => behind(behind_ms, balance),
      orderCount: () => client.getRateLimitStates()["x-mbx-order-count-10s"],
    };
  },
  read: (error) => ({ kind: "none", code: Number((error as { readonly code?: number }).code) }),
};

export const callerKinds: readonly CallerKind[] = [ccxtCalls, connectorCalls, binanceCalls];
