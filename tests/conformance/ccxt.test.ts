import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import ccxt from "ccxt";
import { waitFor } from "../support/waiting.ts";
import { BTC, type CcxtClient, connectCcxt as connect } from "./clients/ccxt.ts";
import {
  BTC_PRICE,
  type ConformanceExchange,
  MAKER_RATE,
  present,
  STARTING_BALANCE,
  startExchange,
  TAKER_RATE,
} from "./exchange.ts";

describe("ccxt", () => {
  let exchange: ConformanceExchange;
  let maker: CcxtClient;
  let taker: CcxtClient;

  before(async () => {
    exchange = await startExchange();
    maker = connect(exchange.baseUrl, exchange.maker);
    taker = connect(exchange.baseUrl, exchange.taker);
    await Promise.all([maker.loadMarkets(), taker.loadMarkets()]);
  });
  after(() => maker.close());

  /** A maker's order at a price and a taker's against it. */
  async function trade(side: "buy" | "sell", amount: number, price: number): Promise<void> {
    await maker.createOrder(BTC, "limit", side, amount, price);
    const taken = await taker.createOrder(BTC, "market", side === "buy" ? "sell" : "buy", amount);
    assert.deepEqual([taken.status, taken.filled, taken.average], ["closed", amount, price]);
  }

  it("loads the markets with their steps and limits", () => {
    const market = maker.market(BTC);
    assert.deepEqual(
      [market.id, market.base, market.quote, market.settle, market.type, market.linear, market.active],
      ["BTCUSDT", "BTC", "USDT", "USDT", "swap", true, true],
    );
    assert.deepEqual([market.precision.price, market.precision.amount, market.contractSize], [0.1, 0.001, 1]);
    assert.deepEqual([market.limits.amount?.min, market.limits.cost?.min], [0.001, 5]);
  });

  it("reads the starting balance, the fee rates and the leverage brackets", async () => {
    const balance = await maker.fetchBalance();
    assert.deepEqual(balance["USDT"], { free: STARTING_BALANCE, used: 0, total: STARTING_BALANCE });
    const fee = await maker.fetchTradingFee(BTC);
    assert.deepEqual([fee.maker, fee.taker], [MAKER_RATE, TAKER_RATE]);
    const [tier] = await maker.fetchMarketLeverageTiers(BTC);
    assert.deepEqual(
      [tier?.minNotional, tier?.maxNotional, tier?.maintenanceMarginRate, tier?.maxLeverage],
      [0, 100_000, 0.01, 50],
    );
  });

  it("sets leverage, and cross margin alone", async () => {
    const set = await maker.setLeverage(20, BTC);
    assert.deepEqual([set["symbol"], set["leverage"]], ["BTCUSDT", 20]);
    await taker.setLeverage(10, BTC);
    assert.equal((await maker.fetchLeverage(BTC)).longLeverage, 20);
    await taker.setMarginMode("cross", BTC);
    await assert.rejects(
      taker.setMarginMode("isolated", BTC),
      (error) => error instanceof ccxt.OperationRejected && error.message.includes('"code":-4046'),
    );
    assert.equal((await taker.fetchMarginMode(BTC)).marginMode, "cross");
  });

  it("rests, shows, modifies and partly fills a limit order", async () => {
    const placed = await maker.createOrder(BTC, "limit", "buy", 0.1, 59_900, { clientOrderId: "first" });
    assert.deepEqual(
      [placed.status, placed.price, placed.amount, placed.filled, placed.clientOrderId, placed.timeInForce],
      ["open", 59_900, 0.1, 0, "first", "GTC"],
    );
    assert.deepEqual((await taker.fetchOrderBook(BTC, 5)).bids, [[59_900, 0.1]]);

    const edited = await maker.editOrder(present(placed.id), BTC, "limit", "buy", 0.2, 59_950);
    assert.deepEqual([edited.id, edited.status, edited.price, edited.amount], [placed.id, "open", 59_950, 0.2]);
    assert.deepEqual((await taker.fetchOrderBook(BTC, 5)).bids, [[59_950, 0.2]]);

    const taken = await taker.createOrder(BTC, "market", "sell", 0.05);
    assert.deepEqual([taken.status, taken.filled, taken.average, taken.cost], ["closed", 0.05, 59_950, 2_997.5]);
    const left = await maker.fetchOrder(present(placed.id), BTC);
    assert.deepEqual([left.status, left.filled, left.remaining], ["open", 0.05, 0.15]);
    assert.deepEqual(
      (await maker.fetchOpenOrders(BTC)).map((order) => [order.id, order.remaining]),
      [[placed.id, 0.15]],
    );
  });

  it("charges exact fees and shows the position", async () => {
    const [made] = await maker.fetchMyTrades(BTC);
    assert.deepEqual(
      [made?.price, made?.amount, made?.takerOrMaker, made?.fee],
      [59_950, 0.05, "maker", { cost: 0.5995, currency: "USDT" }],
    );
    const [took] = await taker.fetchMyTrades(BTC);
    assert.deepEqual([took?.takerOrMaker, took?.fee], ["taker", { cost: 1.49875, currency: "USDT" }]);
    assert.equal((await maker.fetchBalance())["info"].totalWalletBalance, "9999.4005");

    const [position] = await maker.fetchPositions([BTC]);
    assert.deepEqual(
      [position?.side, position?.contracts, position?.entryPrice, position?.markPrice, position?.unrealizedPnl],
      ["long", 0.05, 59_950, BTC_PRICE, 2.5],
    );
    // Initial margin: 150 for the position and 449.625 for the rest of the order, at leverage 20.
    assert.deepEqual([position?.notional, position?.initialMargin, position?.marginMode], [3_000, 599.625, "cross"]);
  });

  it("fills an IOC as far as it goes and kills a FOK that cannot fill", async () => {
    const ioc = await taker.createOrder(BTC, "limit", "sell", 0.5, 59_950, { timeInForce: "IOC" });
    assert.deepEqual([ioc.status, ioc.filled, ioc.remaining, ioc.average], ["expired", 0.15, 0.35, 59_950]);
    const bid = await maker.createOrder(BTC, "limit", "buy", 0.1, 59_900);
    await assert.rejects(
      taker.createOrder(BTC, "limit", "sell", 0.2, 59_900, { timeInForce: "FOK" }),
      (error) => error instanceof ccxt.InvalidOrder && error.message.includes('"code":-5021'),
    );
    const canceled = await maker.cancelOrder(present(bid.id), BTC);
    assert.deepEqual([canceled.id, canceled.status], [bid.id, "canceled"]);
    assert.deepEqual((await taker.fetchOrderBook(BTC, 5)).bids, []);
  });

  it("rests a post-only order and refuses one that would trade", async () => {
    const bid = await maker.createOrder(BTC, "limit", "buy", 0.1, 59_900, { postOnly: true });
    assert.deepEqual([bid.status, bid.postOnly, bid.timeInForce], ["open", true, "PO"]);
    await assert.rejects(
      taker.createOrder(BTC, "limit", "sell", 0.1, 59_900, { postOnly: true }),
      ccxt.OrderImmediatelyFillable,
    );
    await maker.cancelAllOrders(BTC);
    assert.deepEqual(await maker.fetchOpenOrders(BTC), []);
  });

  it("places and cancels a batch", async () => {
    const placed = await maker.createOrders([
      { symbol: BTC, type: "limit", side: "buy", amount: 0.01, price: 59_000 },
      { symbol: BTC, type: "limit", side: "buy", amount: 0.02, price: 58_900 },
    ]);
    assert.deepEqual(
      placed.map((order) => [order.status, order.price, order.amount]),
      [
        ["open", 59_000, 0.01],
        ["open", 58_900, 0.02],
      ],
    );
    const canceled = await maker.cancelOrders(
      placed.map((order) => present(order.id)),
      BTC,
    );
    assert.deepEqual(
      canceled.map((order) => [order.id, order.status]),
      placed.map((order) => [order.id, "canceled"]),
    );
  });

  it("keeps, shows and cancels a conditional order", async () => {
    const stop = await maker.createOrder(BTC, "STOP_MARKET", "sell", 0.05, undefined, {
      stopPrice: 58_000,
      reduceOnly: true,
    });
    assert.deepEqual([stop.status, stop.triggerPrice, stop.reduceOnly], ["open", 58_000, true]);
    const open = await maker.fetchOpenOrders(BTC, undefined, undefined, { trigger: true });
    assert.deepEqual(
      open.map((order) => [order.id, order.triggerPrice, order.amount]),
      [[stop.id, 58_000, 0.05]],
    );
    await maker.cancelOrder(present(stop.id), BTC, { trigger: true });
    assert.deepEqual(await maker.fetchOpenOrders(BTC, undefined, undefined, { trigger: true }), []);
  });

  it("fires a stop when the mark price passes it", async () => {
    await taker.createOrder(BTC, "limit", "buy", 0.05, 59_400);
    const stop = await maker.createOrder(BTC, "STOP_MARKET", "sell", 0.05, undefined, {
      stopPrice: 59_500,
      reduceOnly: true,
      workingType: "MARK_PRICE",
    });
    await exchange.pinPrice("BTCUSDT", "59450");
    const fired = await waitFor(
      async () => {
        const order = await maker.fetchOrder(present(stop.id), BTC, { trigger: true });
        return order.status === "open" ? undefined : order;
      },
      { what: "the stop to fire" },
    );
    assert.equal(fired.status, "closed");
    const [position] = await maker.fetchPositions([BTC]);
    assert.deepEqual([position?.contracts, position?.entryPrice, position?.unrealizedPnl], [0.15, 59_950, -75]);
    await exchange.pinPrice("BTCUSDT", String(BTC_PRICE));
  });

  it("closes the position with an exact result", async () => {
    await trade("sell", 0.15, 60_050);
    assert.deepEqual(await maker.fetchPositions([BTC]), []);
    // Bought 0.2 at 59,950 as maker; sold 0.05 at 59,400 as taker and 0.15 at 60,050 as maker.
    const fees = 2.398 + 1.485 + 1.8015;
    const balance = await maker.fetchBalance();
    assert.deepEqual(balance["USDT"], { free: 9_981.8155, used: 0, total: 9_981.8155 });
    const income = await waitFor(
      async () => {
        const lines = await maker.fapiPrivateGetIncome({ symbol: "BTCUSDT" });
        return lines.length >= 6 ? lines : undefined;
      },
      { what: "the income lines" },
    );
    const sumOf = (type: string) =>
      income
        .filter((line: { incomeType: string }) => line.incomeType === type)
        .reduce((sum: number, line: { income: string }) => sum + Number(line.income), 0)
        .toFixed(6);
    assert.deepEqual([sumOf("REALIZED_PNL"), sumOf("COMMISSION")], ["-12.500000", (-fees).toFixed(6)]);
  });

  it("reports candles, ticker, trades and funding", async () => {
    const candles = await maker.fetchOHLCV(BTC, "1h", undefined, 24);
    const volume = candles.reduce((sum, candle) => sum + Number(candle[5]), 0);
    assert.deepEqual([volume.toFixed(3), candles.at(-1)?.[4]], ["0.400", 60_050]);
    const ticker = await maker.fetchTicker(BTC);
    assert.deepEqual(
      [ticker.last, ticker.high, ticker.low, ticker.baseVolume, ticker.quoteVolume],
      [60_050, 60_050, 59_400, 0.4, 23_967.5],
    );
    const trades = await maker.fetchTrades(BTC);
    assert.deepEqual(
      trades.map((own) => [own.side, own.price, own.amount]),
      [
        ["sell", 59_950, 0.05],
        ["sell", 59_950, 0.15],
        ["sell", 59_400, 0.05],
        ["buy", 60_050, 0.15],
      ],
    );
    const funding = await maker.fetchFundingRate(BTC);
    assert.deepEqual([funding.markPrice, funding.indexPrice], [BTC_PRICE, BTC_PRICE]);
    assert.equal(Number(funding.fundingTimestamp) % 3_600_000, 0);
  });

  it("lists finished orders", async () => {
    const statuses = await waitFor(
      async () => {
        const closed = await taker.fetchOrders(BTC);
        return closed.length >= 4 ? closed.map((order) => [order.type, order.status, order.filled]) : undefined;
      },
      { what: "the taker's orders" },
    );
    assert.deepEqual(statuses, [
      ["market", "closed", 0.05],
      ["limit", "expired", 0.15],
      ["limit", "closed", 0.05],
      ["market", "closed", 0.15],
    ]);
  });

  it("maps refusals to the client's error classes", async () => {
    // The client uses its special classes for these two codes only with hosts named fapi.*; with any other they are
    // plain.
    const plainly = (code: number) => (error: unknown) =>
      error instanceof ccxt.ExchangeError && error.message.includes(`"code":${code}`);
    await assert.rejects(maker.createOrder(BTC, "limit", "buy", 10, 59_900), plainly(-2019));
    await assert.rejects(maker.createOrder(BTC, "limit", "buy", 100, 59_900), plainly(-2027));
    await assert.rejects(maker.cancelOrder("999999", BTC), ccxt.OrderNotFound);
    await assert.rejects(maker.fetchOrder("999999", BTC), ccxt.OrderNotFound);
    const forger = connect(exchange.baseUrl, { apiKey: exchange.maker.apiKey, apiSecret: "not the secret" });
    await assert.rejects(
      forger.fetchBalance(),
      (error) => error instanceof ccxt.AuthenticationError && error.message.includes("-1022"),
    );
    const stranger = connect(exchange.baseUrl, { apiKey: "x".repeat(64), apiSecret: "x" });
    await assert.rejects(stranger.fetchBalance(), ccxt.AuthenticationError);
  });

  it("streams the book, trades and own orders", async () => {
    // The client calls this if the address is not encrypted.
    await maker.loadHttpProxyAgent();
    await maker.watchOrderBook(BTC);
    await maker.createOrder(BTC, "limit", "buy", 0.01, 58_500);
    const bid = await waitFor(() => maker.orderbooks[BTC]?.bids[0], { what: "the bid in the streamed book" });
    assert.deepEqual([...bid], [58_500, 0.01]);

    const trades: unknown[] = [];
    const orders: unknown[] = [];
    const watching = [
      maker.watchTrades(BTC).then((seen) => trades.push(...seen.map((one) => [one.side, one.price, one.amount]))),
      maker.watchOrders(BTC).then((seen) => orders.push(...seen.map((one) => [one.side, one.price, one.amount]))),
    ];
    // Only the client gets the confirmation of subscriptions: trade until both are active.
    await waitFor(
      async () => {
        await trade("buy", 0.001, 59_990);
        return trades.length > 0 && orders.length > 0;
      },
      { interval_ms: 200, what: "the streams" },
    );
    await Promise.all(watching);
    assert.deepEqual(
      [trades[0], orders[0]],
      [
        ["sell", 59_990, 0.001],
        ["buy", 59_990, 0.001],
      ],
    );
  });
});
