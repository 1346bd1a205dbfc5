import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { DerivativesTradingUsdsFuturesRestAPI as Rest } from "@binance/derivatives-trading-usds-futures";
import type { USDMClient } from "binance";
import { connectBinance } from "./clients/binance-package.ts";
import { SYMBOL as symbol } from "./clients/bot.ts";
import { BTC, type CcxtClient, connectCcxt } from "./clients/ccxt.ts";
import { connectConnector } from "./clients/connector.ts";
import { read } from "./clients/connector-account.ts";
import { type ConformanceExchange, present, startExchange } from "./exchange.ts";

type Row = Readonly<Record<string, unknown>>;

/** The figures of rows as numbers, under any name in the client's types. */
const figures = (row: unknown, ...fields: string[]) => fields.map((field) => Number((row as Row)[field]));

const period = "5m";
const PERIOD_ms = 300_000;

/** The maker is long 0.02 from 60,000, the taker short. */
describe("statistics, sources and files", () => {
  let exchange: ConformanceExchange;
  let maker: CcxtClient;
  let connector: Rest.RestAPI;
  let binance: USDMClient;

  const run = async (job: string) => {
    const reply = await fetch(`${exchange.baseUrl}/api/v1/dev/jobs/${job}/run`, { method: "POST" });
    assert.equal(reply.status, 200, await reply.text());
  };

  before(async () => {
    exchange = await startExchange();
    maker = connectCcxt(exchange.baseUrl, exchange.maker);
    connector = connectConnector(exchange.baseUrl, exchange.maker).restAPI;
    binance = connectBinance(exchange.baseUrl, exchange.maker);
    const taker = connectBinance(exchange.baseUrl, exchange.taker);
    await maker.loadMarkets();
    await maker.createOrder(BTC, "limit", "buy", 0.02, 60_000);
    await taker.submitNewOrder({ symbol, side: "SELL", type: "MARKET", quantity: 0.02 });
    await run("market-samples");
  });

  it("FUT-20: gives the history of open interest", async () => {
    const last = (await maker.fetchOpenInterestHistory(BTC)).at(-1);
    assert.deepEqual([last?.openInterestAmount, last?.openInterestValue], [0.02, 1_200]);
    const since = await maker.fetchOpenInterestHistory(BTC, period, present(last?.timestamp), 1);
    assert.deepEqual(
      since.map(({ timestamp }) => timestamp),
      [last?.timestamp],
    );
    for (const rows of [
      await read(connector.openInterestStatistics({ symbol, period: Rest.OpenInterestStatisticsPeriodEnum.PERIOD_5m })),
      await binance.getOpenInterestStatistics({ symbol, period }),
    ]) {
      assert.deepEqual(figures(rows.at(-1), "sumOpenInterest", "sumOpenInterestValue"), [0.02, 1_200]);
    }
  });

  it("FUT-20: gives who is long and short", async () => {
    const last = (await maker.fetchLongShortRatioHistory(BTC, period)).at(-1);
    assert.deepEqual([last?.symbol, last?.longShortRatio], [BTC, 1]);
    const { PERIOD_5m } = Rest.LongShortRatioPeriodEnum;
    for (const rows of [
      await read(connector.longShortRatio({ symbol, period: PERIOD_5m })),
      await binance.getGlobalLongShortAccountRatio({ symbol, period }),
    ]) {
      assert.deepEqual(figures(rows.at(-1), "longShortRatio", "longAccount", "shortAccount"), [1, 0.5, 0.5]);
    }
    // The top fifth of two traders is one of them.
    for (const rows of [
      await read(
        connector.topTraderLongShortRatioAccounts({
          symbol,
          period: Rest.TopTraderLongShortRatioAccountsPeriodEnum.PERIOD_5m,
        }),
      ),
      await read(
        connector.topTraderLongShortRatioPositions({
          symbol,
          period: Rest.TopTraderLongShortRatioPositionsPeriodEnum.PERIOD_5m,
        }),
      ),
      await binance.getTopTradersLongShortAccountRatio({ symbol, period }),
      await binance.getTopTradersLongShortPositionRatio({ symbol, period }),
    ]) {
      const [long = 0, short = 0] = figures(rows.at(-1), "longAccount", "shortAccount");
      assert.deepEqual([long, short].sort(), [0, 1]);
    }
  });

  it("FUT-20: gives the basis", async () => {
    const contractType = Rest.BasisContractTypeEnum.PERPETUAL;
    const rows = await read(
      connector.basis({ pair: symbol, contractType, period: Rest.BasisPeriodEnum.PERIOD_5m, limit: 30 }),
    );
    assert.deepEqual(figures(rows.at(-1), "futuresPrice", "indexPrice", "basis", "basisRate"), [60_000, 60_000, 0, 0]);
    const [packaged] = await binance.getBasis({ pair: symbol, contractType: "PERPETUAL", period, limit: 30 });
    assert.deepEqual(figures(packaged, "futuresPrice", "basis"), [60_000, 0]);
  });

  it("FUT-13: gives the sources of the index", async () => {
    const { constituents } = await read(connector.queryIndexPriceConstituents({ symbol }));
    assert.equal(constituents?.length, 3);
    assert.ok(constituents.every(({ exchange: name, price }) => name !== undefined && Number(price) > 0));
    assert.equal((await binance.getIndexPriceConstituents({ symbol })).constituents.length, 3);
  });

  it("FUT-20: says what there is not: other indexes, sessions, fees in another coin", async () => {
    assert.deepEqual(await read(connector.assetIndex()), []);
    assert.deepEqual(await read(connector.compositeIndexSymbolInformation()), []);
    assert.deepEqual((await read(connector.tradingSchedule())).marketSchedules, {});
    assert.equal((await read(connector.getBnbBurnStatus())).feeBurn, false);
    assert.equal((await binance.getBNBBurnStatus()).feeBurn, false);
    const { bids } = await read(connector.rpiOrderBook({ symbol }));
    assert.deepEqual(bids, []);
  });

  it("FUT-22: gives the risk of deleveraging by symbol", async () => {
    const { info } = await maker.fetchADLRank(BTC);
    assert.deepEqual([info.symbol, info.adlRisk], [symbol, "low"]);
    assert.equal(((await read(connector.adlRisk({ symbol }))) as { adlRisk?: string }).adlRisk, "low");
  });

  it("FUT-20: lists own orders and trades of all symbols", async () => {
    assert.equal((await binance.getAllOrders({} as Parameters<USDMClient["getAllOrders"]>[0])).length, 1);
    assert.equal((await maker.fapiPrivateGetAllOrders()).length, 1);
    assert.equal((await maker.fapiPrivateGetUserTrades()).length, 1);
  });

  it("FUT-20: makes files of histories", async () => {
    const window = { startTime: maker.milliseconds() - 3_600_000, endTime: maker.milliseconds() };
    for (const [ask, find] of [
      [
        () => read(connector.getDownloadIdForFuturesTradeHistory(window)),
        (downloadId: string) => read(connector.getFuturesTradeDownloadLinkById({ downloadId })),
      ],
      [
        () => binance.getFuturesOrderHistoryDownloadId(window),
        (downloadId: string) => binance.getFuturesOrderHistoryDownloadLink({ downloadId }),
      ],
    ] as const) {
      const downloadId = String((await ask()).downloadId);
      await run("downloads");
      const { status, url } = await find(downloadId);
      assert.equal(status, "completed");
      const { pathname, search } = new URL(present(url));
      const file = await fetch(`${exchange.baseUrl}${pathname}${search}`);
      const lines = (await file.text()).trimEnd().split("\n");
      assert.equal(lines.length, 2);
      assert.match(lines[1] ?? "", /BTCUSDT/);
    }
  });

  // The last one: clients that keep their own clock cannot sign after it.
  it("FUT-20: gives what takers bought and sold in a period that has ended", async () => {
    await exchange.advanceClock(PERIOD_ms);
    for (const volumes of [
      await read(connector.takerBuySellVolume({ symbol, period: Rest.TakerBuySellVolumePeriodEnum.PERIOD_5m })),
      await binance.getTakerBuySellVolume({ symbol, period }),
    ]) {
      assert.deepEqual(figures(volumes[0], "buyVol", "sellVol", "buySellRatio"), [0, 0.02, 0]);
    }
  });
});
