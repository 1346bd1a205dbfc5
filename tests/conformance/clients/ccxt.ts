import ccxt from "ccxt";
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

export type CcxtClient = InstanceType<typeof ccxt.pro.binanceusdm>;

export const BTC = "BTC/USDT:USDT";

/** The published client: only the hosts of its addresses are replaced, the rest are its own options. */
export function connectCcxt(baseUrl: string, trader: Pick<Trader, "apiKey" | "apiSecret">): CcxtClient {
  const client = new ccxt.pro.binanceusdm({
    apiKey: trader.apiKey,
    secret: trader.apiSecret,
    // Otherwise it would wait before most calls because of limits that these cases never reach.
    enableRateLimit: false,
    options: {
      fetchMarkets: { types: ["linear"] },
      fetchCurrencies: false,
      // Otherwise its timer would keep this process alive for twenty minutes after the streams are closed.
      listenKeyRefreshRate: 2_000,
    },
  });
  const addresses = client.urls.api as Record<string, unknown>;
  for (const [name, address] of Object.entries(addresses)) {
    if (typeof address === "string") addresses[name] = address.replace(/^https:\/\/[^/]+/, baseUrl);
  }
  const streams = addresses["ws"] as Record<string, unknown>;
  streams["future"] = `${baseUrl.replace("http", "ws")}/ws`;
  const requests = streams["ws-api"] as Record<string, string>;
  requests["future"] = `${baseUrl.replace("http", "ws")}/ws-fapi/v1`;
  return client;
}

type CcxtOrder = Awaited<ReturnType<CcxtClient["createOrder"]>>;

const STATUSES: Readonly<Record<string, string>> = {
  open: "NEW",
  closed: "FILLED",
  canceled: "CANCELED",
  expired: "EXPIRED",
};

const stateOf = (order: CcxtOrder): OrderState => ({
  id: present(order.id),
  status: STATUSES[present(order.status)] ?? String(order.status),
  filled: order.filled ?? 0,
  average: order.average ?? 0,
});

/** Refused elements of a batch are orders without an id that contain the reply. */
const outcomeOf = (order: CcxtOrder) => (order.id === undefined ? Number(order.info.code) : stateOf(order).status);

const sideOf = (side: "BUY" | "SELL") => (side === "BUY" ? "buy" : "sell");

const batchOrder = ({ symbol, side, quantity, price, timeInForce }: LimitOrder) => ({
  symbol: symbol ?? BTC,
  type: "limit" as const,
  side: sideOf(side) as "buy" | "sell",
  amount: quantity,
  price,
  params: timeInForce === undefined ? {} : { timeInForce },
});

/** The client's parameters for a trigger: each of them means one type. */
function triggerParams(order: ConditionalOrder): object {
  const common = {
    workingType: order.workingType,
    ...(order.quantity === undefined ? { closePosition: true } : {}),
  };
  if (order.type === "TRAILING_STOP_MARKET") {
    return { ...common, trailingPercent: order.callback_percent, trailingTriggerPrice: order.activate };
  }
  const isStop = order.type === "STOP" || order.type === "STOP_MARKET";
  return { ...common, [isStop ? "stopLossPrice" : "takeProfitPrice"]: order.trigger };
}

class CcxtBot implements Bot {
  readonly #client: CcxtClient;

  constructor(client: CcxtClient) {
    this.#client = client;
  }

  async limit({ side, quantity, price, symbol, ...params }: LimitOrder) {
    return stateOf(await this.#client.createOrder(symbol ?? BTC, "limit", sideOf(side), quantity, price, params));
  }

  async market(side: "BUY" | "SELL", quantity: number, reduceOnly?: boolean) {
    const params = reduceOnly === undefined ? {} : { reduceOnly };
    return stateOf(await this.#client.createOrder(BTC, "market", sideOf(side), quantity, undefined, params));
  }

  order = async (id: string) => stateOf(await this.#client.fetchOrder(id, BTC));
  cancel = async (id: string) => stateOf(await this.#client.cancelOrder(id, BTC));

  async openOrders() {
    const open = await this.#client.fetchOpenOrders(BTC);
    return open.map(({ id, price, amount }) => ({
      id: present(id),
      // A conditional order that waits has none.
      price: price ?? 0,
      quantity: present(amount),
    }));
  }

  async cancelAll() {
    await this.#client.cancelAllOrders(BTC);
  }

  async fills(orderId: string) {
    const trades = await this.#client.fetchMyTrades(BTC, undefined, undefined, { orderId });
    return trades.map(({ price, amount, fee, takerOrMaker, info }) => ({
      price: present(price),
      quantity: present(amount),
      fee: Number(fee?.cost),
      isMaker: takerOrMaker === "maker",
      realized: Number(info.realizedPnl),
    }));
  }

  async conditional(order: ConditionalOrder) {
    const type = order.type === "STOP" || order.type === "TAKE_PROFIT" ? "limit" : "market";
    const { side, quantity = 0, price } = order;
    const placed = await this.#client.createOrder(BTC, type, sideOf(side), quantity, price, triggerParams(order));
    return present(placed.id);
  }

  async algo(id: string) {
    const { info } = await this.#client.fetchOrder(id, BTC, { trigger: true });
    return { status: String(info.algoStatus), orderId: String(info.actualOrderId) };
  }

  async openAlgos() {
    const open = await this.#client.fetchOpenOrders(BTC, undefined, undefined, { trigger: true });
    return open.map(({ id }) => present(id));
  }

  async cancelAlgo(id: string) {
    await this.#client.cancelOrder(id, BTC, { trigger: true });
  }

  async cancelAllAlgos() {
    await this.#client.cancelAllOrders(BTC, { trigger: true });
  }

  /** Its unified call sends conditional orders to the other path; the call named after the path does not. */
  conditionalAsOrder = async (order: ConditionalOrder) => {
    const { type, side, quantity, price, trigger, workingType } = order;
    const reply = await this.#client.fapiPrivatePostOrder({
      symbol: SYMBOL,
      side,
      type,
      workingType,
      stopPrice: trigger,
      ...(quantity === undefined ? { closePosition: true } : { quantity }),
      ...(price === undefined ? {} : { price, timeInForce: "GTC" }),
    });
    return stateOf(this.#client.parseOrder(reply));
  };

  async placeBatch(orders: readonly LimitOrder[]) {
    const placed = await this.#client.createOrders(orders.map(batchOrder));
    return { outcomes: placed.map(outcomeOf), ids: placed.flatMap(({ id }) => (id === undefined ? [] : [id])) };
  }

  async modifyBatch(orders: readonly (LimitOrder & { readonly id: string })[]) {
    const changed = await this.#client.editOrders(orders.map((order) => ({ ...batchOrder(order), id: order.id })));
    return changed.map(outcomeOf);
  }

  async cancelBatch(ids: readonly string[]) {
    return (await this.#client.cancelOrders([...ids], BTC)).map(outcomeOf);
  }

  async modify({ id, side, quantity, price }: LimitOrder & { readonly id: string }) {
    return stateOf(await this.#client.editOrder(id, BTC, "limit", sideOf(side), quantity, price));
  }

  testOrder = ({ side, quantity, price, timeInForce = "GTC" }: LimitOrder): Promise<object> =>
    this.#client.fapiPrivatePostOrderTest({ symbol: SYMBOL, type: "LIMIT", side, quantity, price, timeInForce });

  async countdown(after_ms: number) {
    const request = { symbol: SYMBOL, countdownTime: after_ms };
    const { symbol, countdownTime } = await this.#client.fapiPrivatePostCountdownCancelAll(request);
    return { symbol: String(symbol), countdownTime: String(countdownTime) };
  }

  async balance() {
    return Number((await this.#client.fetchBalance())["info"].totalWalletBalance);
  }

  async position() {
    const [held] = await this.#client.fetchPositions([BTC]);
    if (held === undefined) return undefined;
    const contracts = present(held.contracts);
    return {
      quantity: held.side === "short" ? -contracts : contracts,
      entry: present(held.entryPrice),
      liquidation: held.liquidationPrice ?? 0,
    };
  }

  async income(type: IncomeType) {
    if (type === "FUNDING_FEE") {
      return (await this.#client.fetchFundingHistory(BTC)).map(({ amount }) => Number(amount));
    }
    const lines: { income: string }[] = await this.#client.fapiPrivateGetIncome({ symbol: SYMBOL, incomeType: type });
    return lines.map(({ income }) => Number(income));
  }

  async fundingRates() {
    const rates = await this.#client.fetchFundingRateHistory(BTC);
    return rates.map(({ fundingRate, timestamp, info }) => ({
      rate: present(fundingRate),
      time_ms: present(timestamp),
      mark: Number(info.markPrice),
    }));
  }

  async premium() {
    const { markPrice, indexPrice, fundingRate, fundingTimestamp } = await this.#client.fetchFundingRate(BTC);
    return {
      mark: present(markPrice),
      index: present(indexPrice),
      rate: present(fundingRate),
      next_ms: present(fundingTimestamp),
    };
  }

  async feeRates() {
    const { maker, taker } = await this.#client.fetchTradingFee(BTC);
    return { maker: present(maker), taker: present(taker) };
  }

  async setLeverage(leverage: number) {
    await this.#client.setLeverage(leverage, BTC);
    return present((await this.#client.fetchLeverage(BTC)).longLeverage);
  }

  async leverageTiers() {
    const tiers = await this.#client.fetchMarketLeverageTiers(BTC);
    return tiers.map(({ maxNotional, maxLeverage, maintenanceMarginRate }) => ({
      cap: present(maxNotional),
      leverage: present(maxLeverage),
      rate: present(maintenanceMarginRate),
    }));
  }

  setIsolated = (isIsolated: boolean) => this.#client.setMarginMode(isIsolated ? "isolated" : "cross", BTC);
  setHedged = (isHedged: boolean) => this.#client.setPositionMode(isHedged, BTC);
  isHedged = async () => present((await this.#client.fetchPositionMode(BTC)).hedged);
  adlQuantile = async () => (await this.#client.fetchPositionsADLRank([BTC]))[0]?.rank;

  async forcedOrders() {
    const forced = await this.#client.fetchMyLiquidations(BTC);
    return forced.map(({ side, contracts, price }) => ({
      side: side === "sell" ? ("SELL" as const) : ("BUY" as const),
      quantity: present(contracts),
      price: present(price),
    }));
  }

  async synchronize() {
    await this.#client.loadTimeDifference();
  }

  codeOf(error: unknown) {
    const code = error instanceof ccxt.BaseError ? /"code":(-\d+)/.exec(error.message)?.[1] : undefined;
    return code === undefined ? undefined : Number(code);
  }
}

export const ccxtBots: BotKind = {
  name: "ccxt",
  canTriggerOrders: true,
  listsRefusedCancels: false,
  connect: async (baseUrl, trader) => {
    const client = connectCcxt(baseUrl, trader);
    await client.loadMarkets();
    return new CcxtBot(client);
  },
};
