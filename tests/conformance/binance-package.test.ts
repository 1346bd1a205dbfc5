import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { NewFuturesOrderParams, USDMClient, WebsocketClient } from "binance";
import { waitFor } from "../support/waiting.ts";
import { connectBinance as connect, connectBinanceStreams } from "./clients/binance-package.ts";
import { type ConformanceExchange, startExchange } from "./exchange.ts";

const symbol = "BTCUSDT";

/** The package throws a plain object with the reply's code. */
const refusedWith = (code: number) => (error: unknown) => (error as { code?: number }).code === code;

const limit = (
  side: "BUY" | "SELL",
  quantity: number,
  price: number,
  timeInForce: "GTC" | "IOC" | "FOK" | "GTX" = "GTC",
): NewFuturesOrderParams => ({ symbol, side, type: "LIMIT", quantity, price, timeInForce, newOrderRespType: "RESULT" });

const market = (side: "BUY" | "SELL", quantity: number): NewFuturesOrderParams => ({
  symbol,
  side,
  type: "MARKET",
  quantity,
  newOrderRespType: "RESULT",
});

/** Statuses of accepted orders and codes of refused ones. */
const outcomes = (orders: readonly object[]) =>
  orders.map((order) => ("status" in order ? order.status : "code" in order ? order.code : undefined));

describe("binance package", () => {
  let exchange: ConformanceExchange;
  let maker: USDMClient;
  let taker: USDMClient;
  let streams: WebsocketClient;

  before(async () => {
    exchange = await startExchange();
    maker = connect(exchange.baseUrl, exchange.maker);
    taker = connect(exchange.baseUrl, exchange.taker);
    streams = connectBinanceStreams(exchange.baseUrl, exchange.maker);
  });
  after(async () => {
    // Closing the connections alone leaves the package's timer for this key running, which keeps this process alive.
    const { listenKey } = await maker.getFuturesUserDataListenKey();
    streams["getUserDataStreamManager"]().teardownUserDataListenKey(listenKey, undefined);
    streams.closeAll(true);
  });

  it("reads markets, brackets, balance and fee rates", async () => {
    const info = await maker.getExchangeInfo();
    assert.deepEqual(
      info.symbols.map((listed) => listed.symbol),
      ["BTCUSDT", "ETHUSDT", "SOLUSDT", "AVAXUSDT"],
    );
    const [brackets] = [await maker.getNotionalAndLeverageBrackets({ symbol })].flat();
    assert.deepEqual([brackets?.brackets[0]?.initialLeverage, brackets?.brackets[0]?.maintMarginRatio], [50, 0.01]);
    const [balance] = await maker.getBalanceV3();
    assert.deepEqual([balance?.asset, Number(balance?.balance)], ["USDT", 10_000]);
    const rate = await maker.getAccountCommissionRate({ symbol });
    assert.deepEqual([Number(rate.makerCommissionRate), Number(rate.takerCommissionRate)], [0.0002, 0.0005]);
  });

  it("sets leverage and modes, and is refused modes that are not offered", async () => {
    const set = await maker.setLeverage({ symbol, leverage: 20 });
    assert.deepEqual([set.leverage, Number(set.maxNotionalValue)], [20, 2_000_000]);
    assert.equal((await maker.setMarginType({ symbol, marginType: "CROSSED" })).code, 200);
    await assert.rejects(maker.setMarginType({ symbol, marginType: "ISOLATED" }), refusedWith(-4046));
    assert.equal((await maker.setPositionMode({ dualSidePosition: "false" })).code, 200);
    await assert.rejects(maker.setPositionMode({ dualSidePosition: "true" }), refusedWith(-4059));
    assert.equal((await maker.getCurrentPositionMode()).dualSidePosition, false);
  });

  it("rests, modifies and partly fills a limit order", async () => {
    const placed = await maker.submitNewOrder(limit("BUY", 0.1, 59_900));
    assert.equal(placed.status, "NEW");
    const { orderId } = placed;
    const modified = await maker.modifyOrder({ symbol, side: "BUY", orderId, quantity: 0.2, price: 59_950 });
    assert.deepEqual([modified.orderId, Number(modified.price), Number(modified.origQty)], [orderId, 59_950, 0.2]);
    assert.deepEqual((await taker.getOrderBook({ symbol, limit: 5 })).bids, [["59950.0", "0.200"]]);
    const taken = await taker.submitNewOrder(market("SELL", 0.05));
    assert.deepEqual([taken.status, Number(taken.avgPrice), Number(taken.cumQuote)], ["FILLED", 59_950, 2_997.5]);
    const left = await maker.getOrder({ symbol, orderId });
    assert.deepEqual([left.status, Number(left.executedQty)], ["PARTIALLY_FILLED", 0.05]);
  });

  it("charges exact fees and shows position and account", async () => {
    const [made] = await maker.getAccountTrades({ symbol });
    assert.deepEqual([made?.maker, Number(made?.commission)], [true, 0.5995]);
    const [took] = await taker.getAccountTrades({ symbol });
    assert.deepEqual([took?.maker, Number(took?.commission)], [false, 1.49875]);
    const [position] = await maker.getPositionsV3({ symbol });
    assert.deepEqual(
      [position?.positionAmt, position?.entryPrice, position?.unRealizedProfit].map(Number),
      [0.05, 59_950, 2.5],
    );
    const account = await maker.getAccountInformationV3();
    assert.deepEqual(
      [account.totalWalletBalance, account.totalMarginBalance, account.totalInitialMargin].map(Number),
      [9_999.4005, 10_001.9005, 599.625],
    );
  });

  it("expires the rest of an IOC, kills a FOK and refuses a crossing post-only order", async () => {
    const ioc = await taker.submitNewOrder(limit("SELL", 0.5, 59_950, "IOC"));
    assert.deepEqual([ioc.status, Number(ioc.executedQty)], ["EXPIRED", 0.15]);
    const bid = await maker.submitNewOrder(limit("BUY", 0.1, 59_900, "GTX"));
    assert.equal(bid.status, "NEW");
    await assert.rejects(taker.submitNewOrder(limit("SELL", 0.2, 59_900, "FOK")), refusedWith(-5021));
    await assert.rejects(taker.submitNewOrder(limit("SELL", 0.1, 59_900, "GTX")), refusedWith(-2010));
    const canceled = await maker.cancelOrder({ symbol, orderId: bid.orderId });
    assert.deepEqual([canceled.orderId, canceled.status], [bid.orderId, "CANCELED"]);
  });

  it("places and cancels a batch, each order on its own", async () => {
    const item = (quantity: string, price: string) => ({
      symbol,
      side: "BUY" as const,
      type: "LIMIT" as const,
      timeInForce: "GTC" as const,
      quantity,
      price,
    });
    const placed = await maker.submitMultipleOrders([
      item("0.01", "59000"),
      item("10", "59000"),
      item("0.02", "58900"),
    ]);
    assert.deepEqual(outcomes(placed), ["NEW", -2019, "NEW"]);
    const ids = placed.flatMap((order) => ("orderId" in order ? [order.orderId] : []));
    const canceled = await maker.cancelMultipleOrders({ symbol, orderIdList: [...ids, 999_999] });
    assert.deepEqual(outcomes(canceled), ["CANCELED", "CANCELED", -2011]);
    assert.deepEqual(await maker.getAllOpenOrders({ symbol }), []);
  });

  it("keeps, fires and cancels conditional orders", async () => {
    const stop = (triggerPrice: string) =>
      maker.submitNewAlgoOrder({
        algoType: "CONDITIONAL",
        symbol,
        side: "SELL",
        type: "STOP_MARKET",
        workingType: "MARK_PRICE",
        reduceOnly: "true",
        quantity: "0.05",
        triggerPrice,
      });
    const [fires, stays] = [await stop("59500"), await stop("58000")];
    assert.deepEqual([fires.algoStatus, Number(fires.triggerPrice)], ["NEW", 59_500]);
    await taker.submitNewOrder(limit("BUY", 0.05, 59_400));
    await exchange.pinPrice(symbol, "59450");
    const fired = await waitFor(
      async () => {
        const order = await maker.getAlgoOrder({ algoId: fires.algoId });
        return order.algoStatus === "FINISHED" ? order : undefined;
      },
      { what: "the stop to fire" },
    );
    assert.equal(Number(fired.actualPrice), 59_400);
    const open = await maker.getOpenAlgoOrders({ symbol });
    assert.deepEqual(
      open.map((order) => order.algoId),
      [stays.algoId],
    );
    await maker.cancelAlgoOrder({ algoId: stays.algoId });
    assert.deepEqual(await maker.getOpenAlgoOrders({ symbol }), []);
    await exchange.pinPrice(symbol, "60000");
  });

  it("streams the market and the account", async () => {
    const messages: Record<string, unknown>[] = [];
    streams.on("message", (message) => messages.push(message as unknown as Record<string, unknown>));
    await streams.subscribe(["btcusdt@aggTrade"], "usdm");
    await streams.subscribeUsdFuturesUserDataStream();
    const find = (event: string, has: (message: Record<string, unknown>) => boolean) =>
      messages.find((message) => message["e"] === event && has(message));
    // Only the client gets the confirmation of a subscription: it is active once a probing order has come through.
    await waitFor(
      async () => {
        const probe = await maker.submitNewOrder(limit("BUY", 0.001, 58_000));
        await maker.cancelOrder({ symbol, orderId: probe.orderId });
        return find("ORDER_TRADE_UPDATE", () => true);
      },
      { interval_ms: 200, what: "the first account event" },
    );
    await maker.submitNewOrder(limit("SELL", 0.15, 60_050));
    await taker.submitNewOrder(market("BUY", 0.15));
    const orderOf = (message: Record<string, unknown>) => message["o"] as Record<string, string>;
    const fill = await waitFor(() => find("ORDER_TRADE_UPDATE", (message) => orderOf(message)["X"] === "FILLED"), {
      what: "the fill",
    });
    assert.deepEqual([Number(orderOf(fill)["rp"]), Number(orderOf(fill)["n"])], [15, 1.8015]);
    const trade = await waitFor(() => find("aggTrade", () => true), { what: "the trade" });
    assert.deepEqual([Number(trade["p"]), Number(trade["q"]), trade["m"]], [60_050, 0.15, false]);
  });

  it("adds up income, orders, candles, tickers and funding", async () => {
    const income = await waitFor(
      async () => {
        const lines = await maker.getIncomeHistory({ symbol });
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
    const [balance] = await maker.getBalanceV3();
    assert.equal(Number(balance?.balance), 9_981.8155);
    const orders = await taker.getAllOrders({ symbol });
    assert.deepEqual(
      orders.map((order) => [order.type, order.status, Number(order.executedQty)]),
      [
        ["MARKET", "FILLED", 0.05],
        ["LIMIT", "EXPIRED", 0.15],
        ["LIMIT", "FILLED", 0.05],
        ["MARKET", "FILLED", 0.15],
      ],
    );
    const candles = await maker.getKlines({ symbol, interval: "1h" });
    assert.equal(candles.reduce((sum, candle) => sum + Number(candle[5]), 0).toFixed(3), "0.400");
    const ticker = await maker.get24hrChangeStatistics({ symbol });
    assert.deepEqual(
      [ticker.lastPrice, ticker.highPrice, ticker.lowPrice, ticker.quoteVolume].map(Number),
      [60_050, 60_050, 59_400, 23_967.5],
    );
    const mark = await maker.getMarkPrice({ symbol });
    assert.deepEqual([Number(mark.markPrice), Number(mark.nextFundingTime) % 3_600_000], [60_000, 0]);
    assert.deepEqual(await maker.getFundingRateHistory({ symbol }), []);
  });

  it("passes on the codes of refusals", async () => {
    await assert.rejects(maker.submitNewOrder(limit("BUY", 10, 59_900)), refusedWith(-2019));
    await assert.rejects(maker.cancelOrder({ symbol, orderId: 999_999 }), refusedWith(-2011));
    await assert.rejects(maker.getOrder({ symbol, orderId: 999_999 }), refusedWith(-2013));
    const forger = connect(exchange.baseUrl, { ...exchange.maker, apiSecret: "not the secret" });
    await assert.rejects(forger.getBalanceV3(), refusedWith(-1022));
    const stranger = connect(exchange.baseUrl, { apiKey: "x".repeat(64), apiSecret: "x" });
    await assert.rejects(stranger.getBalanceV3(), refusedWith(-2015));
  });
});
