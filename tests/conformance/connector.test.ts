import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  BadRequestError,
  type DerivativesTradingUsdsFutures,
  DerivativesTradingUsdsFuturesRestAPI as Rest,
  UnauthorizedError,
} from "@binance/derivatives-trading-usds-futures";
import { waitFor } from "../support/waiting.ts";
import { connectConnector as connect } from "./clients/connector.ts";
import { type ConformanceExchange, present, startExchange } from "./exchange.ts";

const symbol = "BTCUSDT";
const { BUY, SELL } = Rest.NewOrderSideEnum;
const { LIMIT, MARKET } = Rest.NewOrderTypeEnum;
const { GTC, IOC, FOK, GTX } = Rest.NewOrderTimeInForceEnum;
const { RESULT } = Rest.NewOrderNewOrderRespTypeEnum;

/** Checks the code of the client's errors. */
const refusedWith = (code: number) => (error: unknown) => error instanceof BadRequestError && error.code === code;

describe("official USDⓈ-M connector", () => {
  let exchange: ConformanceExchange;
  let maker: Rest.RestAPI;
  let taker: Rest.RestAPI;
  let streams: DerivativesTradingUsdsFutures["websocketStreams"];
  const undo: (() => Promise<void>)[] = [];

  before(async () => {
    exchange = await startExchange();
    const client = connect(exchange.baseUrl, exchange.maker);
    maker = client.restAPI;
    streams = client.websocketStreams;
    taker = connect(exchange.baseUrl, exchange.taker).restAPI;
  });
  after(async () => {
    for (const step of undo) await step();
  });

  const limit = (side: Rest.NewOrderSideEnum, quantity: number, price: number, timeInForce = GTC) => ({
    symbol,
    side,
    type: LIMIT,
    quantity,
    price,
    timeInForce,
    newOrderRespType: RESULT,
  });
  const depth = async () => (await taker.orderBook({ symbol, limit: 5 })).data();

  it("reads time, markets and brackets", async () => {
    const { serverTime } = await (await maker.checkServerTime()).data();
    assert.ok(Number(serverTime) > 0);
    const info = await (await maker.exchangeInformation()).data();
    assert.deepEqual(
      info.symbols?.map((market) => [market.symbol, market.status]),
      ["BTCUSDT", "ETHUSDT", "SOLUSDT", "AVAXUSDT"].map((name) => [name, "TRADING"]),
    );
    const brackets = await (await maker.notionalAndLeverageBrackets({ symbol })).data();
    assert.ok(Array.isArray(brackets));
    const [first] = present(brackets[0]?.brackets as { initialLeverage: number; maintMarginRatio: number }[]);
    assert.deepEqual([first?.initialLeverage, first?.maintMarginRatio], [50, 0.01]);
  });

  it("reads the starting balance and the fee rates", async () => {
    const [balance] = await (await maker.futuresAccountBalanceV3()).data();
    assert.deepEqual(
      [balance?.asset, Number(balance?.balance), Number(balance?.availableBalance)],
      ["USDT", 10_000, 10_000],
    );
    const rate = await (await maker.userCommissionRate({ symbol })).data();
    assert.deepEqual([Number(rate.makerCommissionRate), Number(rate.takerCommissionRate)], [0.0002, 0.0005]);
  });

  it("sets leverage, margin type and position mode", async () => {
    const set = await (await maker.changeInitialLeverage({ symbol, leverage: 20 })).data();
    assert.deepEqual([set.symbol, set.leverage, Number(set.maxNotionalValue)], [symbol, 20, 2_000_000]);
    const { ISOLATED, CROSSED } = Rest.ChangeMarginTypeMarginTypeEnum;
    assert.equal((await (await maker.changeMarginType({ symbol, marginType: CROSSED })).data()).code, 200);
    await assert.rejects(maker.changeMarginType({ symbol, marginType: ISOLATED }), refusedWith(-4046));
    const [config] = await (await maker.symbolConfiguration({ symbol })).data();
    assert.deepEqual([config?.marginType, config?.leverage], ["CROSSED", 20]);
    const mode = await (await maker.getCurrentPositionMode()).data();
    assert.equal(mode.dualSidePosition, false);
  });

  it("rests, modifies and partly fills a limit order", async () => {
    const placed = await (await maker.newOrder({ ...limit(BUY, 0.1, 59_900), newClientOrderId: "first" })).data();
    assert.deepEqual([placed.status, placed.clientOrderId, Number(placed.price)], ["NEW", "first", 59_900]);
    const orderId = present(placed.orderId);
    assert.deepEqual((await depth()).bids, [["59900.0", "0.100"]]);

    const modified = await (
      await maker.modifyOrder({ symbol, side: Rest.ModifyOrderSideEnum.BUY, orderId, quantity: 0.2, price: 59_950 })
    ).data();
    assert.deepEqual([modified.orderId, Number(modified.origQty), Number(modified.price)], [orderId, 0.2, 59_950]);

    // The server sends two fields that the client's type omits.
    const taken: Rest.NewOrderResponse & { avgPrice?: string; cumQuote?: string } = await (
      await taker.newOrder({ symbol, side: SELL, type: MARKET, quantity: 0.05, newOrderRespType: RESULT })
    ).data();
    assert.deepEqual([taken.status, Number(taken.avgPrice), Number(taken.cumQuote)], ["FILLED", 59_950, 2_997.5]);
    const left = await (await maker.queryOrder({ symbol, orderId })).data();
    assert.deepEqual([left.status, Number(left.executedQty)], ["PARTIALLY_FILLED", 0.05]);
    const changes = await (await maker.getOrderModifyHistory({ symbol, orderId })).data();
    assert.deepEqual([changes.length, changes[0]?.amendment?.price], [1, { before: "59900.0", after: "59950.0" }]);
  });

  it("charges exact fees and shows the position", async () => {
    const [made] = await (await maker.accountTradeList({ symbol })).data();
    assert.deepEqual([made?.maker, Number(made?.commission), Number(made?.price)], [true, 0.5995, 59_950]);
    const [took] = await (await taker.accountTradeList({ symbol })).data();
    assert.deepEqual([took?.maker, Number(took?.commission)], [false, 1.49875]);
    const [position] = await (await maker.positionInformationV3({ symbol })).data();
    assert.deepEqual(
      [position?.positionAmt, position?.entryPrice, position?.unRealizedProfit, position?.notional].map(Number),
      [0.05, 59_950, 2.5, 3_000],
    );
    const account = await (await maker.accountInformationV3()).data();
    assert.deepEqual(
      [account.totalWalletBalance, account.totalMarginBalance, account.totalPositionInitialMargin].map(Number),
      [9_999.4005, 10_001.9005, 150],
    );
  });

  it("expires the rest of an IOC, kills a FOK and refuses a crossing post-only order", async () => {
    const ioc = await (await taker.newOrder(limit(SELL, 0.5, 59_950, IOC))).data();
    assert.deepEqual([ioc.status, Number(ioc.executedQty)], ["EXPIRED", 0.15]);
    const bid = await (await maker.newOrder(limit(BUY, 0.1, 59_900, GTX))).data();
    assert.deepEqual([bid.status, bid.timeInForce], ["NEW", "GTX"]);
    await assert.rejects(taker.newOrder(limit(SELL, 0.2, 59_900, FOK)), refusedWith(-5021));
    await assert.rejects(taker.newOrder(limit(SELL, 0.1, 59_900, GTX)), refusedWith(-2010));
    const canceled = await (await maker.cancelOrder({ symbol, orderId: present(bid.orderId) })).data();
    assert.deepEqual([canceled.orderId, canceled.status], [bid.orderId, "CANCELED"]);
    assert.deepEqual((await depth()).bids, []);
  });

  it("places and cancels a batch, each order on its own", async () => {
    const item = (quantity: number, price: number) => ({
      symbol,
      side: Rest.PlaceMultipleOrdersBatchOrdersParameterInnerSideEnum.BUY,
      type: Rest.PlaceMultipleOrdersBatchOrdersParameterInnerTypeEnum.LIMIT,
      timeInForce: Rest.PlaceMultipleOrdersBatchOrdersParameterInnerTimeInForceEnum.GTC,
      quantity,
      price,
    });
    const placed = await (
      await maker.placeMultipleOrders({ batchOrders: [item(0.01, 59_000), item(10, 59_000), item(0.02, 58_900)] })
    ).data();
    assert.deepEqual(
      placed.map((order) => order.status ?? (order as { code?: number }).code),
      ["NEW", -2019, "NEW"],
    );
    const orderIdList = [placed[0]?.orderId, placed[2]?.orderId].map(Number);
    const canceled = await (
      await maker.cancelMultipleOrders({ symbol, orderIdList: [...orderIdList, 999_999] })
    ).data();
    assert.deepEqual(
      canceled.map((order) => order.status ?? (order as { code?: number }).code),
      ["CANCELED", "CANCELED", -2011],
    );
    assert.deepEqual(await (await maker.currentAllOpenOrders({ symbol })).data(), []);
  });

  it("keeps, fires and cancels conditional orders", async () => {
    const stop = (triggerPrice: number) => ({
      algoType: Rest.NewAlgoOrderAlgoTypeEnum.CONDITIONAL,
      symbol,
      side: Rest.NewAlgoOrderSideEnum.SELL,
      type: Rest.NewAlgoOrderTypeEnum.STOP_MARKET,
      workingType: Rest.NewAlgoOrderWorkingTypeEnum.MARK_PRICE,
      reduceOnly: Rest.NewAlgoOrderReduceOnlyEnum.TRUE,
      quantity: 0.05,
      triggerPrice,
    });
    const fires = await (await maker.newAlgoOrder(stop(59_500))).data();
    const stays = await (await maker.newAlgoOrder(stop(58_000))).data();
    assert.deepEqual([fires.algoStatus, Number(fires.triggerPrice)], ["NEW", 59_500]);
    await taker.newOrder(limit(BUY, 0.05, 59_400));
    await exchange.pinPrice(symbol, "59450");
    const fired = await waitFor(
      async () => {
        const order = await (await maker.queryAlgoOrder({ algoId: present(fires.algoId) })).data();
        return order.algoStatus === "FINISHED" ? order : undefined;
      },
      { what: "the stop to fire" },
    );
    assert.equal(Number(fired.actualPrice), 59_400);
    const open = await (await maker.currentAllAlgoOpenOrders({ symbol })).data();
    assert.deepEqual(
      open.map((order) => order.algoId),
      [stays.algoId],
    );
    await maker.cancelAlgoOrder({ algoId: present(stays.algoId) });
    assert.deepEqual(await (await maker.currentAllAlgoOpenOrders({ symbol })).data(), []);
    await exchange.pinPrice(symbol, "60000");
  });

  it("streams the market and the account", async () => {
    const connection = await streams.connect();
    undo.push(() => connection.disconnect());
    const { listenKey } = await (await maker.startUserDataStream()).data();
    const trades: { p?: string; q?: string }[] = [];
    const events: { e?: string; o?: { X?: string; rp?: string; n?: string } }[] = [];
    connection.aggregateTradeStreams({ symbol: "btcusdt" }).on("message", (trade) => {
      trades.push(trade);
    });
    connection.userData(present(listenKey)).on("message", (event) => {
      events.push(event as (typeof events)[number]);
    });
    // Only the client gets the confirmation of a subscription: it is active once a probing order has come through.
    await waitFor(
      async () => {
        const probe = await (await maker.newOrder(limit(BUY, 0.001, 58_000))).data();
        await maker.cancelOrder({ symbol, orderId: present(probe.orderId) });
        return events.length > 0;
      },
      { interval_ms: 200, what: "the first account event" },
    );
    await maker.newOrder(limit(SELL, 0.15, 60_050));
    await taker.newOrder({ symbol, side: BUY, type: MARKET, quantity: 0.15 });
    const fill = await waitFor(() => events.find((event) => event.o?.X === "FILLED"), { what: "the fill" });
    assert.deepEqual([Number(fill.o?.rp), Number(fill.o?.n)], [15, 1.8015]);
    const trade = await waitFor(() => trades.at(-1), { what: "the trade" });
    assert.deepEqual([Number(trade.p), Number(trade.q)], [60_050, 0.15]);
    await maker.keepaliveUserDataStream();
    await maker.closeUserDataStream();
  });

  it("adds up income, orders, candles, tickers and funding", async () => {
    const income = await waitFor(
      async () => {
        const lines = await (await maker.getIncomeHistory({ symbol })).data();
        return lines.length >= 6 ? lines : undefined;
      },
      { what: "the income" },
    );
    const sumOf = (type: string) =>
      income
        .filter((line) => line.incomeType === type)
        .reduce((sum, line) => sum + Number(line.income), 0)
        .toFixed(6);
    assert.deepEqual([sumOf("REALIZED_PNL"), sumOf("COMMISSION")], ["-12.500000", "-5.684500"]);
    const [balance] = await (await maker.futuresAccountBalanceV3()).data();
    assert.equal(Number(balance?.balance), 9_981.8155);
    const orders = await (await taker.allOrders({ symbol })).data();
    assert.deepEqual(
      orders.map((order) => [order.type, order.status, Number(order.executedQty)]),
      [
        ["MARKET", "FILLED", 0.05],
        ["LIMIT", "EXPIRED", 0.15],
        ["LIMIT", "FILLED", 0.05],
        ["MARKET", "FILLED", 0.15],
      ],
    );
    const candles = await (
      await maker.klineCandlestickData({ symbol, interval: Rest.KlineCandlestickDataIntervalEnum.INTERVAL_1h })
    ).data();
    assert.equal(candles.reduce((sum, candle) => sum + Number(candle[5]), 0).toFixed(3), "0.400");
    const ticker = (await (await maker.ticker24hrPriceChangeStatistics({ symbol })).data()) as Record<string, string>;
    assert.deepEqual(
      [ticker["lastPrice"], ticker["highPrice"], ticker["lowPrice"], ticker["quoteVolume"]].map(Number),
      [60_050, 60_050, 59_400, 23_967.5],
    );
    const mark = (await (await maker.markPrice({ symbol })).data()) as Record<string, string | number>;
    assert.deepEqual([Number(mark["markPrice"]), Number(mark["nextFundingTime"]) % 3_600_000], [60_000, 0]);
    const funding = await (await maker.getFundingRateInfo()).data();
    assert.deepEqual([funding[0]?.symbol, funding[0]?.fundingIntervalHours], [symbol, 1]);
  });

  it("maps refusals to the client's error classes", async () => {
    await assert.rejects(maker.newOrder(limit(BUY, 10, 59_900)), refusedWith(-2019));
    await assert.rejects(maker.cancelOrder({ symbol, orderId: 999_999 }), refusedWith(-2011));
    await assert.rejects(maker.queryOrder({ symbol, orderId: 999_999 }), refusedWith(-2013));
    const forger = connect(exchange.baseUrl, { ...exchange.maker, apiSecret: "not the secret" }).restAPI;
    await assert.rejects(forger.futuresAccountBalanceV3(), refusedWith(-1022));
    const stranger = connect(exchange.baseUrl, { apiKey: "x".repeat(64), apiSecret: "x" }).restAPI;
    await assert.rejects(
      stranger.futuresAccountBalanceV3(),
      (error) => error instanceof UnauthorizedError && error.code === -2015,
    );
  });
});
