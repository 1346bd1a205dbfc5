import { type NewFuturesOrderParams, USDMClient, WebsocketAPIClient, WebsocketClient } from "binance";
import { present, type Trader } from "../exchange.ts";
import {
  type Bot,
  type BotKind,
  type ConditionalOrder,
  type IncomeType,
  type LimitOrder,
  type OrderState,
  SYMBOL,
} from "./bot.ts";

const symbol = SYMBOL;

export function connectBinance(baseUrl: string, trader: Pick<Trader, "apiKey" | "apiSecret">): USDMClient {
  return new USDMClient({ api_key: trader.apiKey, api_secret: trader.apiSecret, baseUrl });
}

const silent = () => {};
const LOGGER = { trace: silent, info: silent, error: (...what: unknown[]) => console.error(...what) };

const socketOptions = (baseUrl: string, trader: Trader) => ({
  api_key: trader.apiKey,
  api_secret: trader.apiSecret,
  wsUrl: baseUrl.replace("http", "ws"),
  restOptions: { baseUrl },
});

export const connectBinanceStreams = (baseUrl: string, trader: Trader): WebsocketClient =>
  new WebsocketClient(socketOptions(baseUrl, trader), LOGGER);

/** Order entry over a socket. */
export const connectBinanceRequests = (baseUrl: string, trader: Trader): WebsocketAPIClient =>
  new WebsocketAPIClient({ ...socketOptions(baseUrl, trader), attachEventListeners: false }, LOGGER);

interface OrderReply {
  readonly orderId: number;
  readonly status: string;
  readonly executedQty: string | number;
  readonly avgPrice?: string | number;
}

const stateOf = (order: OrderReply): OrderState => ({
  id: String(order.orderId),
  status: order.status,
  filled: Number(order.executedQty),
  average: Number(order.avgPrice ?? 0),
});

const outcomeOf = (order: { status?: string; code?: number | string }) => order.status ?? Number(order.code);

const booleanText = (value: boolean) => (value ? "true" : "false");
const reduceOnlyOf = (isReduceOnly: boolean | undefined) =>
  isReduceOnly === undefined ? {} : { reduceOnly: booleanText(isReduceOnly) as "true" | "false" };

const limitOf = ({ side, quantity, price, timeInForce = "GTC", reduceOnly, symbol: other }: LimitOrder) => ({
  symbol: other ?? symbol,
  side,
  type: "LIMIT" as const,
  timeInForce,
  quantity,
  price,
  ...reduceOnlyOf(reduceOnly),
});

class BinanceBot implements Bot {
  readonly #client: USDMClient;

  constructor(client: USDMClient) {
    this.#client = client;
  }

  async #submit(order: NewFuturesOrderParams) {
    return stateOf(await this.#client.submitNewOrder({ ...order, newOrderRespType: "RESULT" }));
  }

  limit = (order: LimitOrder) => this.#submit(limitOf(order));

  market = (side: "BUY" | "SELL", quantity: number, reduceOnly?: boolean) =>
    this.#submit({ symbol, side, type: "MARKET", quantity, ...reduceOnlyOf(reduceOnly) });

  order = async (id: string) => stateOf(await this.#client.getOrder({ symbol, orderId: Number(id) }));
  cancel = async (id: string) => stateOf(await this.#client.cancelOrder({ symbol, orderId: Number(id) }));

  async openOrders() {
    const open = await this.#client.getAllOpenOrders({ symbol });
    return open.map(({ orderId, price, origQty }) => ({
      id: String(orderId),
      price: Number(price),
      quantity: Number(origQty),
    }));
  }

  async cancelAll() {
    await this.#client.cancelAllOpenOrders({ symbol });
  }

  async fills(orderId: string) {
    const trades = await this.#client.getAccountTrades({ symbol, orderId: Number(orderId) });
    return trades.map(({ price, qty, commission, maker, realizedPnl }) => ({
      price: Number(price),
      quantity: Number(qty),
      fee: Number(commission),
      isMaker: maker,
      realized: Number(realizedPnl),
    }));
  }

  async conditional({
    type,
    side,
    quantity,
    price,
    trigger,
    activate,
    callback_percent,
    workingType,
  }: ConditionalOrder) {
    const placed = await this.#client.submitNewAlgoOrder({
      algoType: "CONDITIONAL",
      symbol,
      side,
      type,
      workingType,
      ...(quantity === undefined ? { closePosition: "true" } : { quantity: String(quantity) }),
      ...(price === undefined ? {} : { price: String(price), timeInForce: "GTC" }),
      ...(trigger === undefined ? {} : { triggerPrice: String(trigger) }),
      ...(activate === undefined ? {} : { activatePrice: String(activate) }),
      ...(callback_percent === undefined ? {} : { callbackRate: String(callback_percent) }),
    });
    return String(placed.algoId);
  }

  async algo(id: string) {
    const { algoStatus, actualOrderId } = await this.#client.getAlgoOrder({ algoId: Number(id) });
    return { status: algoStatus, orderId: String(actualOrderId) };
  }

  async openAlgos() {
    return (await this.#client.getOpenAlgoOrders({ symbol })).map(({ algoId }) => String(algoId));
  }

  async cancelAlgo(id: string) {
    await this.#client.cancelAlgoOrder({ algoId: Number(id) });
  }

  async cancelAllAlgos() {
    await this.#client.cancelAllAlgoOpenOrders({ symbol });
  }

  conditionalAsOrder = ({ type, side, quantity, price, trigger, workingType }: ConditionalOrder) =>
    this.#submit({
      symbol,
      side,
      type,
      workingType,
      ...(trigger === undefined ? {} : { stopPrice: trigger }),
      ...(quantity === undefined ? { closePosition: "true" } : { quantity }),
      ...(price === undefined ? {} : { price, timeInForce: "GTC" }),
    });

  async placeBatch(orders: readonly LimitOrder[]) {
    const items = orders.map(limitOf).map(({ quantity, price, ...order }) => ({
      ...order,
      quantity: String(quantity),
      price: String(price),
    }));
    const placed = await this.#client.submitMultipleOrders(items);
    return {
      outcomes: placed.map(outcomeOf),
      ids: placed.flatMap((order) => ("orderId" in order ? [String(order.orderId)] : [])),
    };
  }

  async modifyBatch(orders: readonly (LimitOrder & { readonly id: string })[]) {
    const changed: { status?: string; code?: number }[] = await this.#client.modifyMultipleOrders(
      orders.map(({ id, side, quantity, price }) => ({
        orderId: Number(id),
        symbol,
        side,
        quantity: String(quantity),
        price: String(price),
        timestamp: Date.now(),
      })),
    );
    return changed.map(outcomeOf);
  }

  async cancelBatch(ids: readonly string[]) {
    return (await this.#client.cancelMultipleOrders({ symbol, orderIdList: ids.map(Number) })).map(outcomeOf);
  }

  async modify({ id, side, quantity, price }: LimitOrder & { readonly id: string }) {
    return stateOf(await this.#client.modifyOrder({ symbol, side, orderId: Number(id), quantity, price }));
  }

  testOrder = (order: LimitOrder): Promise<object> => this.#client.testOrder(limitOf(order));

  async countdown(after_ms: number) {
    const reply = await this.#client.setCancelOrdersOnTimeout({ symbol, countdownTime: after_ms });
    return { symbol: reply.symbol, countdownTime: String(reply.countdownTime) };
  }

  async balance() {
    const [asset] = await this.#client.getBalanceV3();
    return Number(asset?.balance);
  }

  async position() {
    const [held] = await this.#client.getPositionsV3({ symbol });
    if (held === undefined || Number(held.positionAmt) === 0) return undefined;
    return {
      quantity: Number(held.positionAmt),
      entry: Number(held.entryPrice),
      liquidation: Number(held.liquidationPrice),
    };
  }

  async income(incomeType: IncomeType) {
    const lines = await this.#client.getIncomeHistory({ symbol, incomeType });
    return lines.map(({ income }) => Number(income));
  }

  async fundingRates() {
    const rates = await this.#client.getFundingRateHistory({ symbol });
    return rates.map(({ fundingRate, fundingTime, markPrice }) => ({
      rate: Number(fundingRate),
      time_ms: fundingTime,
      mark: Number(markPrice),
    }));
  }

  async premium() {
    const { markPrice, indexPrice, lastFundingRate, nextFundingTime } = await this.#client.getMarkPrice({ symbol });
    return {
      mark: Number(markPrice),
      index: Number(indexPrice),
      rate: Number(lastFundingRate),
      next_ms: Number(nextFundingTime),
    };
  }

  async feeRates() {
    const rates = await this.#client.getAccountCommissionRate({ symbol });
    return { maker: Number(rates.makerCommissionRate), taker: Number(rates.takerCommissionRate) };
  }

  async setLeverage(leverage: number) {
    return (await this.#client.setLeverage({ symbol, leverage })).leverage;
  }

  async leverageTiers() {
    const [row] = [await this.#client.getNotionalAndLeverageBrackets({ symbol })].flat();
    return present(row).brackets.map(({ notionalCap, initialLeverage, maintMarginRatio }) => ({
      cap: notionalCap,
      leverage: initialLeverage,
      rate: maintMarginRatio,
    }));
  }

  setIsolated = (isIsolated: boolean) =>
    this.#client.setMarginType({ symbol, marginType: isIsolated ? "ISOLATED" : "CROSSED" });

  setHedged = (isHedged: boolean) =>
    this.#client.setPositionMode({ dualSidePosition: booleanText(isHedged) as "true" | "false" });

  isHedged = async () => (await this.#client.getCurrentPositionMode()).dualSidePosition;

  async adlQuantile() {
    // The client leaves this reply untyped.
    const [row]: { adlQuantile: { BOTH: number } }[] = await this.#client.getADLQuantileEstimation({ symbol });
    return row?.adlQuantile.BOTH;
  }

  async forcedOrders() {
    const forced = await this.#client.getForceOrders({ symbol });
    return forced.map(({ side, executedQty, avgPrice }) => ({
      side,
      quantity: Number(executedQty),
      price: Number(avgPrice),
    }));
  }

  async synchronize() {}

  codeOf(error: unknown) {
    return (error as { readonly code?: number }).code;
  }
}

export const binanceBots: BotKind = {
  name: "binance package",
  canTriggerOrders: true,
  listsRefusedCancels: true,
  connect: async (baseUrl, trader) => new BinanceBot(connectBinance(baseUrl, trader)),
};
