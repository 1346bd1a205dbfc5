import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { NotFoundError, DerivativesTradingUsdsFuturesRestAPI as Rest } from "@binance/derivatives-trading-usds-futures";
import type { USDMClient } from "binance";
import ccxt from "ccxt";
import { connectBinance } from "./clients/binance-package.ts";
import { SYMBOL as symbol } from "./clients/bot.ts";
import { BTC, type CcxtClient, connectCcxt } from "./clients/ccxt.ts";
import { connectConnector } from "./clients/connector.ts";
import { read } from "./clients/connector-account.ts";
import { type ConformanceExchange, present, startExchange } from "./exchange.ts";

type Row = Readonly<Record<string, unknown>>;

const refusedWith = (code: number) => (error: unknown) => (error as { readonly code?: number }).code === code;

/** The figures of rows as numbers, under any name in the client's types. */
const figures = (row: unknown, ...fields: string[]) => fields.map((field) => Number((row as Row)[field]));

/**
 * The calls that the other files do not use, on one quiet market: the maker is long 0.02 from 60,000, bought in two
 * trades of 0.005 and 0.015; an ask of 0.003 rests at 60,300.
 */
describe("reading the market and the account", () => {
  let exchange: ConformanceExchange;
  let maker: CcxtClient;
  let connector: Rest.RestAPI;
  let binance: USDMClient;

  before(async () => {
    exchange = await startExchange();
    maker = connectCcxt(exchange.baseUrl, exchange.maker);
    connector = connectConnector(exchange.baseUrl, exchange.maker).restAPI;
    binance = connectBinance(exchange.baseUrl, exchange.maker);
    const taker = connectBinance(exchange.baseUrl, exchange.taker);
    await maker.loadMarkets();
    await maker.createOrder(BTC, "limit", "buy", 0.02, 60_000);
    for (const quantity of [0.005, 0.015])
      await taker.submitNewOrder({ symbol, side: "SELL", type: "MARKET", quantity });
    await taker.submitNewOrder({
      symbol,
      side: "SELL",
      type: "LIMIT",
      timeInForce: "GTC",
      quantity: 0.003,
      price: 60_300,
    });
  });

  it("gives trades, single and by taking order", async () => {
    const trades = await read(connector.recentTradesList({ symbol }));
    const older = await read(connector.oldTradesLookup({ symbol }));
    const packaged = await binance.getRecentTrades({ symbol });
    const packagedOlder = await binance.getHistoricalTrades({ symbol });
    for (const list of [trades, older, packaged, packagedOlder]) {
      assert.deepEqual(
        list.map((row) => [...figures(row, "price", "qty", "quoteQty"), row.isBuyerMaker]),
        [
          [60_000, 0.005, 300, true],
          [60_000, 0.015, 900, true],
        ],
      );
    }
    for (const list of [
      await read(connector.compressedAggregateTradesList({ symbol })),
      await binance.getAggregateTrades({ symbol }),
    ]) {
      assert.deepEqual(
        list.map((row) => figures(row, "p", "q")),
        [
          [60_000, 0.005],
          [60_000, 0.015],
        ],
      );
    }
  });

  it("gives prices, best prices, open interest and the insurance fund", async () => {
    for (const row of [
      await read(connector.symbolPriceTicker({ symbol })),
      await read(connector.symbolPriceTickerV2({ symbol })),
      await binance.getSymbolPriceTicker({ symbol }),
      await binance.getSymbolPriceTickerV2({ symbol }),
    ]) {
      assert.deepEqual(figures(row, "price"), [60_000]);
    }
    for (const row of [
      await read(connector.symbolOrderBookTicker({ symbol })),
      await binance.getSymbolOrderBookTicker({ symbol }),
    ]) {
      assert.deepEqual(figures(row, "bidPrice", "bidQty", "askPrice", "askQty"), [0, 0, 60_300, 0.003]);
    }
    const best = (await maker.fetchBidsAsks([BTC]))[BTC];
    assert.deepEqual([best?.ask, best?.askVolume], [60_300, 0.003]);
    assert.equal((await maker.fetchLastPrices([BTC]))[BTC]?.price, 60_000);
    assert.equal((await maker.fetchOpenInterest(BTC)).openInterestAmount, 0.02);
    assert.deepEqual(figures(await read(connector.openInterest({ symbol })), "openInterest"), [0.02]);
    assert.deepEqual(figures(await binance.getOpenInterest({ symbol }), "openInterest"), [0.02]);
    for (const fund of [
      await read(connector.queryInsuranceFundBalanceSnapshot({ symbol })),
      await binance.getInsuranceFundBalance({ symbol }),
    ]) {
      assert.deepEqual(figures((fund as unknown as { assets: Row[] }).assets[0], "marginBalance"), [100_000]);
    }
  });

  it("gives candles of every kind", async () => {
    const interval = "1h" as const;
    const lists: readonly (readonly (readonly unknown[])[])[] = [
      await read(
        connector.continuousContractKlineCandlestickData({
          pair: symbol,
          contractType: Rest.ContinuousContractKlineCandlestickDataContractTypeEnum.PERPETUAL,
          interval: Rest.ContinuousContractKlineCandlestickDataIntervalEnum.INTERVAL_1h,
        }),
      ),
      await binance.getContinuousContractKlines({ pair: symbol, contractType: "PERPETUAL", interval }),
    ];
    for (const rows of lists) {
      const traded = rows.filter((row) => Number(row[5]) > 0);
      assert.deepEqual(
        traded.map((row) => [row[4], row[5], row[7]].map(Number)),
        [[60_000, 0.02, 1_200]],
      );
    }
    const priced: readonly (readonly (readonly unknown[])[])[] = [
      await read(
        connector.indexPriceKlineCandlestickData({
          pair: symbol,
          interval: Rest.IndexPriceKlineCandlestickDataIntervalEnum.INTERVAL_1h,
        }),
      ),
      await read(
        connector.markPriceKlineCandlestickData({
          symbol,
          interval: Rest.MarkPriceKlineCandlestickDataIntervalEnum.INTERVAL_1h,
        }),
      ),
      await binance.getIndexPriceKlines({ pair: symbol, interval }),
      await binance.getMarkPriceKlines({ symbol, interval }),
      await maker.fetchMarkOHLCV(BTC, interval),
      await maker.fetchIndexOHLCV(BTC, interval),
    ];
    for (const rows of priced) assert.equal(Number(rows.at(-1)?.[4]), 60_000);
    for (const rows of [
      await read(
        connector.premiumIndexKlineData({ symbol, interval: Rest.PremiumIndexKlineDataIntervalEnum.INTERVAL_1h }),
      ),
      await binance.getPremiumIndexKlines({ symbol, interval }),
    ]) {
      assert.equal(Number(rows.at(-1)?.[4]), 0);
    }
  });

  it("gives the account in its older forms as well", async () => {
    // 10,000 less 1,200 × 0.0002.
    for (const account of [await read(connector.accountInformationV2()), await binance.getAccountInformation()]) {
      assert.deepEqual(figures(account, "totalWalletBalance", "feeTier"), [9_999.76, 0]);
    }
    for (const [asset] of [await read(connector.futuresAccountBalanceV2()), await binance.getBalance()]) {
      assert.deepEqual(figures(asset, "balance"), [9_999.76]);
    }
    for (const [held] of [
      await read(connector.positionInformationV2({ symbol })),
      await binance.getPositions({ symbol }),
    ]) {
      assert.deepEqual(
        [...figures(held, "positionAmt", "entryPrice", "leverage"), held?.marginType],
        [0.02, 60_000, 10, "cross"],
      );
    }
  });

  it("gives settings, limits and modes", async () => {
    for (const config of [
      await read(connector.futuresAccountConfiguration()),
      await binance.getFuturesAccountConfig(),
    ]) {
      assert.deepEqual(
        [config.feeTier, config.canTrade, config.dualSidePosition, config.multiAssetsMargin],
        [0, true, false, false],
      );
    }
    // The package names the call differently.
    for (const limits of [await read(connector.queryUserRateLimit()), await binance.getUserForceOrders()]) {
      assert.deepEqual(
        limits.map(({ interval, intervalNum, limit }) => [interval, intervalNum, limit]),
        [
          ["SECOND", 10, 300],
          ["MINUTE", 1, 1_200],
        ],
      );
    }
    const [settings] = [await binance.getFuturesSymbolConfig({ symbol })].flat();
    assert.deepEqual([settings?.marginType, settings?.leverage], ["CROSSED", 10]);
    assert.equal((await read(connector.getCurrentMultiAssetsMode())).multiAssetsMargin, false);
    assert.equal((await binance.getMultiAssetsMode()).multiAssetsMargin, false);
    await assert.rejects(connector.changeMultiAssetsMode({ multiAssetsMargin: "true" }), refusedWith(-1020));
    await assert.rejects(binance.setMultiAssetsMode({ multiAssetsMargin: "true" }), refusedWith(-1020));
  });

  it("lists orders that are open, and conditional ones that ended", async () => {
    const open = await maker.createOrder(BTC, "limit", "buy", 0.001, 59_000);
    const orderId = Number(present(open.id));
    assert.deepEqual(figures(await read(connector.queryCurrentOpenOrder({ symbol, orderId })), "orderId"), [orderId]);
    assert.deepEqual(figures(await binance.getCurrentOpenOrder({ symbol, orderId }), "price"), [59_000]);
    const stop = await maker.createOrder(BTC, "market", "sell", 0.01, undefined, { stopLossPrice: 58_000 });
    await maker.cancelOrder(present(stop.id), BTC, { trigger: true });
    for (const algos of [
      await read(connector.queryAllAlgoOrders({ symbol })),
      await binance.getAllAlgoOrders({ symbol }),
    ]) {
      assert.deepEqual(
        algos.map(({ algoId, algoStatus, orderType }) => [String(algoId), algoStatus, orderType]),
        [[stop.id, "CANCELED", "STOP_MARKET"]],
      );
    }
    const [fetched] = await maker.fetchOrders(BTC, undefined, undefined, { trigger: true });
    assert.deepEqual([fetched?.id, fetched?.status], [stop.id, "canceled"]);
    await maker.cancelAllOrders(BTC);
  });

  it("refuses to move isolated margin if there is none", async () => {
    assert.deepEqual(await read(connector.getPositionMarginChangeHistory({ symbol })), []);
    assert.deepEqual(await binance.getPositionMarginChangeHistory({ symbol }), []);
    await assert.rejects(connector.modifyIsolatedPositionMargin({ symbol, amount: 10, type: 1 }), refusedWith(-4046));
    await assert.rejects(binance.setIsolatedPositionMargin({ symbol, amount: 10, type: "1" }), refusedWith(-4046));
  });

  it("answers 404 to what it does not offer", async () => {
    for (const call of [
      () => connector.classicPortfolioMarginAccountInformation({ asset: "USDT" }),
      () => connector.listAllConvertPairs(),
      () => connector.quarterlyContractSettlementPrice({ pair: symbol }),
    ]) {
      await assert.rejects(call(), NotFoundError, String(call));
    }
    await assert.rejects(
      maker.fapiPrivateGetPmAccountInfo({ asset: "USDT" }),
      (error) => error instanceof ccxt.BadRequest && error.message.includes('"code":-1020'),
    );
    await assert.rejects(binance.getPortfolioMarginProAccountInfo({ asset: "USDT" }), refusedWith(-1020));
    // The client reads the code as a number: a text would cause an error of its own.
    await assert.rejects(
      maker.fapiDataGetDeliveryPrice({ pair: symbol }),
      (error) => error instanceof ccxt.ExchangeError && error.message.includes('"code":-1020'),
    );
  });
});
