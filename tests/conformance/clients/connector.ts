import {
  BadRequestError,
  DerivativesTradingUsdsFutures,
  DerivativesTradingUsdsFuturesRestAPI as Rest,
  TooManyRequestsError,
  UnauthorizedError,
} from "@binance/derivatives-trading-usds-futures";
import { present, type Trader } from "../exchange.ts";
import { type Bot, type BotKind, type ConditionalOrder, type LimitOrder, type OrderState, SYMBOL } from "./bot.ts";
import { ConnectorAccount, read } from "./connector-account.ts";

const symbol = SYMBOL;
const { RESULT } = Rest.NewOrderNewOrderRespTypeEnum;

export function connectConnector(
  baseUrl: string,
  trader: Pick<Trader, "apiKey" | "apiSecret">,
): DerivativesTradingUsdsFutures {
  const { apiKey, apiSecret } = trader;
  const credentials = { apiKey, ...(apiSecret.includes("PRIVATE KEY") ? { privateKey: apiSecret } : { apiSecret }) };
  const socketUrl = baseUrl.replace("http", "ws");
  return new DerivativesTradingUsdsFutures({
    configurationRestAPI: {
      ...credentials,
      basePath: baseUrl,
      // Its default of one second is too short for a machine that runs other suites in parallel.
      timeout: 10_000,
    },
    configurationWebsocketAPI: { ...credentials, wsURL: `${socketUrl}/ws-fapi/v1`, timeout: 10_000 },
    configurationWebsocketStreams: { wsURL: socketUrl },
  });
}

interface OrderReply {
  readonly orderId?: number | bigint;
  readonly status?: string;
  readonly executedQty?: string;
  /** New orders have it too, although the client's type of that reply omits it. */
  readonly avgPrice?: string;
  readonly code?: number | bigint;
}

const stateOf = (order: OrderReply): OrderState => ({
  id: String(present(order.orderId)),
  status: present(order.status),
  filled: Number(order.executedQty),
  average: Number(order.avgPrice ?? 0),
});

const outcomeOf = ({ status, code }: OrderReply) => status ?? Number(code);

const reduceOnlyOf = (isReduceOnly: boolean | undefined) =>
  isReduceOnly === undefined
    ? {}
    : { reduceOnly: isReduceOnly ? Rest.NewOrderReduceOnlyEnum.TRUE : Rest.NewOrderReduceOnlyEnum.FALSE };

class ConnectorBot extends ConnectorAccount implements Bot {
  readonly #rest: Rest.RestAPI;

  constructor(rest: Rest.RestAPI) {
    super(rest);
    this.#rest = rest;
  }

  async limit({ side, quantity, price, timeInForce = "GTC", reduceOnly, symbol: other }: LimitOrder) {
    return stateOf(
      await read(
        this.#rest.newOrder({
          symbol: other ?? symbol,
          side: Rest.NewOrderSideEnum[side],
          type: Rest.NewOrderTypeEnum.LIMIT,
          timeInForce: Rest.NewOrderTimeInForceEnum[timeInForce],
          quantity,
          price,
          newOrderRespType: RESULT,
          ...reduceOnlyOf(reduceOnly),
        }),
      ),
    );
  }

  async market(side: "BUY" | "SELL", quantity: number, reduceOnly?: boolean) {
    return stateOf(
      await read(
        this.#rest.newOrder({
          symbol,
          side: Rest.NewOrderSideEnum[side],
          type: Rest.NewOrderTypeEnum.MARKET,
          quantity,
          newOrderRespType: RESULT,
          ...reduceOnlyOf(reduceOnly),
        }),
      ),
    );
  }

  order = async (id: string) => stateOf(await read(this.#rest.queryOrder({ symbol, orderId: Number(id) })));
  cancel = async (id: string) => stateOf(await read(this.#rest.cancelOrder({ symbol, orderId: Number(id) })));

  async openOrders() {
    const open = await read(this.#rest.currentAllOpenOrders({ symbol }));
    return open.map(({ orderId, price, origQty }) => ({
      id: String(orderId),
      price: Number(price),
      quantity: Number(origQty),
    }));
  }

  async cancelAll() {
    await this.#rest.cancelAllOpenOrders({ symbol });
  }

  async fills(orderId: string) {
    const trades = await read(this.#rest.accountTradeList({ symbol, orderId: Number(orderId) }));
    return trades.map(({ price, qty, commission, maker, realizedPnl }) => ({
      price: Number(price),
      quantity: Number(qty),
      fee: Number(commission),
      isMaker: present(maker),
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
    const placed = await read(
      this.#rest.newAlgoOrder({
        algoType: Rest.NewAlgoOrderAlgoTypeEnum.CONDITIONAL,
        symbol,
        side: Rest.NewAlgoOrderSideEnum[side],
        type: Rest.NewAlgoOrderTypeEnum[type],
        workingType: Rest.NewAlgoOrderWorkingTypeEnum[workingType],
        ...(quantity === undefined ? { closePosition: Rest.NewAlgoOrderClosePositionEnum.TRUE } : { quantity }),
        ...(price === undefined ? {} : { price, timeInForce: Rest.NewAlgoOrderTimeInForceEnum.GTC }),
        ...(trigger === undefined ? {} : { triggerPrice: trigger }),
        ...(activate === undefined ? {} : { activatePrice: activate }),
        ...(callback_percent === undefined ? {} : { callbackRate: callback_percent }),
      }),
    );
    return String(present(placed.algoId));
  }

  async algo(id: string) {
    const { algoStatus, actualOrderId } = await read(this.#rest.queryAlgoOrder({ algoId: Number(id) }));
    return { status: present(algoStatus), orderId: present(actualOrderId) };
  }

  async openAlgos() {
    return (await read(this.#rest.currentAllAlgoOpenOrders({ symbol }))).map(({ algoId }) => String(algoId));
  }

  async cancelAlgo(id: string) {
    await this.#rest.cancelAlgoOrder({ algoId: Number(id) });
  }

  async cancelAllAlgos() {
    await this.#rest.cancelAllAlgoOpenOrders({ symbol });
  }

  conditionalAsOrder = (): never => {
    throw new Error("the client has no parameter for a trigger there");
  };

  async placeBatch(orders: readonly LimitOrder[]) {
    const placed = await read(
      this.#rest.placeMultipleOrders({
        batchOrders: orders.map(({ symbol: other, side, quantity, price, timeInForce = "GTC" }) => ({
          symbol: other ?? symbol,
          side: Rest.PlaceMultipleOrdersBatchOrdersParameterInnerSideEnum[side],
          type: Rest.PlaceMultipleOrdersBatchOrdersParameterInnerTypeEnum.LIMIT,
          timeInForce: Rest.PlaceMultipleOrdersBatchOrdersParameterInnerTimeInForceEnum[timeInForce],
          quantity,
          price,
        })),
      }),
    );
    return {
      outcomes: placed.map(outcomeOf),
      ids: placed.flatMap(({ orderId }) => (orderId === undefined ? [] : [String(orderId)])),
    };
  }

  async modifyBatch(orders: readonly (LimitOrder & { readonly id: string })[]) {
    const changed = await read(
      this.#rest.modifyMultipleOrders({
        batchOrders: orders.map(({ id, side, quantity, price }) => ({
          orderId: Number(id),
          symbol,
          side: Rest.ModifyMultipleOrdersBatchOrdersParameterInnerSideEnum[side],
          quantity,
          price,
        })),
      }),
    );
    return changed.map(outcomeOf);
  }

  async cancelBatch(ids: readonly string[]) {
    const orderIdList = ids.map(Number);
    return (await read(this.#rest.cancelMultipleOrders({ symbol, orderIdList }))).map(outcomeOf);
  }

  async modify({ id, side, quantity, price }: LimitOrder & { readonly id: string }) {
    const changed = await read(
      this.#rest.modifyOrder({
        symbol,
        side: Rest.ModifyOrderSideEnum[side],
        orderId: Number(id),
        quantity,
        price,
      }),
    );
    return stateOf(changed);
  }

  testOrder = ({ side, quantity, price, timeInForce = "GTC" }: LimitOrder): Promise<object> =>
    read(
      this.#rest.testOrder({
        symbol,
        side: Rest.TestOrderSideEnum[side],
        type: Rest.TestOrderTypeEnum.LIMIT,
        timeInForce: Rest.TestOrderTimeInForceEnum[timeInForce],
        quantity,
        price,
      }),
    );

  async countdown(after_ms: number) {
    const reply = await read(this.#rest.autoCancelAllOpenOrders({ symbol, countdownTime: after_ms }));
    return { symbol: present(reply.symbol), countdownTime: present(reply.countdownTime) };
  }

  async synchronize() {}

  codeOf(error: unknown) {
    const isKnown =
      error instanceof BadRequestError || error instanceof UnauthorizedError || error instanceof TooManyRequestsError;
    return isKnown ? error.code : undefined;
  }
}

export const connectorBots: BotKind = {
  name: "official USDⓈ-M connector",
  canTriggerOrders: false,
  listsRefusedCancels: true,
  connect: async (baseUrl, trader) => new ConnectorBot(connectConnector(baseUrl, trader).restAPI),
};
