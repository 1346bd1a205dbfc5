import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Bench, type Body, createBench, EPOCH_MS, ok, type Parameters, refused } from "./testing.ts";

describe("public data on the exchange-style interface", () => {
  let bench: Bench;
  let alice: string;
  let bob: string;

  const get = async <T = Body>(name: string, parameters: Parameters = {}) =>
    ok<T>(await bench.call("GET", `/fapi/${name}`, parameters));
  const order = async (who: string, side: string, quantity: string, price: string) => {
    const parameters = { symbol: "BTCUSDT", side, type: "LIMIT", timeInForce: "GTC", quantity, price };
    return ok(await bench.call("POST", "/fapi/v1/order", parameters, who));
  };

  before(async () => {
    bench = await createBench();
    await bench.price("BTCUSDT", 60_000);
    alice = await bench.trader("a11ce", 100_000);
    bob = await bench.trader("b0b", 100_000);
    await order(bob, "SELL", "0.2", "60010");
    await order(bob, "SELL", "0.1", "60020");
    await order(alice, "BUY", "0.3", "59990");
    await order(alice, "BUY", "0.25", "60020");
    bench.clock.advance(60_000);
    await order(bob, "SELL", "0.1", "59990");
    await bench.submit({ kind: "seed_fund", number: 999, amount_micros: 100_000e6 });
    bench.clock.advance(2_000);
  });
  after(() => bench.close());

  it("ping and time", async () => {
    assert.deepEqual(await get("v1/ping"), {});
    assert.deepEqual(await get("v1/time"), { serverTime: EPOCH_MS + 62_000 });
  });

  it("exchangeInfo has markets, filters and limits", async () => {
    const info = await get<Body & { symbols: (Body & { filters: Body[] })[]; rateLimits: Body[] }>("v1/exchangeInfo");
    assert.deepEqual(
      info.symbols.map(({ symbol }) => symbol),
      ["BTCUSDT", "ETHUSDT", "SOLUSDT", "AVAXUSDT"],
    );
    const { filters, ...btc } = info.symbols[0]!;
    assert.deepEqual(btc, {
      symbol: "BTCUSDT",
      pair: "BTCUSDT",
      contractType: "PERPETUAL",
      deliveryDate: 4133404800000,
      onboardDate: Date.UTC(2026, 2, 26),
      status: "TRADING",
      maintMarginPercent: "1.0000",
      requiredMarginPercent: "2.0000",
      baseAsset: "BTC",
      quoteAsset: "USDT",
      marginAsset: "USDT",
      pricePrecision: 1,
      quantityPrecision: 3,
      baseAssetPrecision: 8,
      quotePrecision: 8,
      underlyingType: "COIN",
      underlyingSubType: [],
      settlePlan: 0,
      triggerProtect: "0.05",
      liquidationFee: "0.005",
      marketTakeBound: "0.02",
      orderTypes: [
        "LIMIT",
        "MARKET",
        "STOP",
        "STOP_MARKET",
        "TAKE_PROFIT",
        "TAKE_PROFIT_MARKET",
        "TRAILING_STOP_MARKET",
      ],
      timeInForce: ["GTC", "IOC", "FOK", "GTX", "GTD"],
    });
    const lots = { minQty: "0.001", maxQty: "8796093022.208", stepSize: "0.001" };
    assert.deepEqual(filters, [
      { filterType: "PRICE_FILTER", minPrice: "0.1", maxPrice: "1677721.5", tickSize: "0.1" },
      { filterType: "LOT_SIZE", ...lots },
      { filterType: "MARKET_LOT_SIZE", ...lots },
      { filterType: "MAX_NUM_ORDERS", limit: 200 },
      { filterType: "MAX_NUM_ALGO_ORDERS", limit: 100 },
      { filterType: "MIN_NOTIONAL", notional: "5" },
      { filterType: "PERCENT_PRICE", multiplierUp: "1.0500", multiplierDown: "0.9500", multiplierDecimal: "4" },
    ]);
    assert.deepEqual(
      info.rateLimits.map((row) => [row["rateLimitType"], row["interval"], row["intervalNum"]]),
      [
        ["REQUEST_WEIGHT", "MINUTE", 1],
        ["ORDERS", "SECOND", 10],
        ["ORDERS", "MINUTE", 1],
      ],
    );
  });

  it("depth and bookTicker", async () => {
    const depth = await get("v1/depth", { symbol: "BTCUSDT", limit: 5 });
    assert.deepEqual([depth["bids"], depth["asks"]], [[["59990.0", "0.200"]], [["60020.0", "0.050"]]]);
    assert.ok(Number.isInteger(depth["lastUpdateId"]));
    assert.deepEqual([depth["E"], depth["T"]], [EPOCH_MS + 62_000, EPOCH_MS + 60_000]);
    assert.deepEqual(await get("v1/ticker/bookTicker", { symbol: "BTCUSDT" }), {
      symbol: "BTCUSDT",
      bidPrice: "59990.0",
      bidQty: "0.200",
      askPrice: "60020.0",
      askQty: "0.050",
      time: EPOCH_MS + 60_000,
      lastUpdateId: depth["lastUpdateId"],
    });
    const all = await get<Body[]>("v1/ticker/bookTicker");
    assert.deepEqual([all.length, all[1]!["bidPrice"], all[1]!["askQty"]], [4, "0", "0"]);
  });

  it("trades and aggTrades, oldest first", async () => {
    const first = { id: 1, price: "60010.0", qty: "0.200", quoteQty: "12002.00", time: EPOCH_MS, isBuyerMaker: false };
    const trades = await get<Body[]>("v1/trades", { symbol: "BTCUSDT" });
    assert.deepEqual(trades[0], first);
    assert.deepEqual(
      trades.map(({ id, isBuyerMaker }) => [id, isBuyerMaker]),
      [
        [1, false],
        [2, false],
        [3, true],
      ],
    );
    assert.deepEqual(await get<Body[]>("v1/aggTrades", { symbol: "BTCUSDT", limit: 1 }), [
      { a: 3, p: "59990.0", q: "0.100", f: 3, l: 3, T: EPOCH_MS + 60_000, m: true },
    ]);
    assert.equal((await get<Body[]>("v1/aggTrades", { symbol: "BTCUSDT", fromId: 1, limit: 2 })).length, 2);
  });

  it("klines of trades, mark, index and premium; unknown lengths are -1120", async () => {
    const rows = await get<unknown[][]>("v1/klines", { symbol: "BTCUSDT", interval: "1m" });
    assert.deepEqual(rows[0], [
      EPOCH_MS,
      "60010.0",
      "60020.0",
      "60010.0",
      "60020.0",
      "0.250",
      EPOCH_MS + 59_999,
      "15003.00",
      2,
      "0.250",
      "15003.00",
      "0",
    ]);
    const pair = { pair: "BTCUSDT", contractType: "PERPETUAL", interval: "1m" };
    assert.deepEqual(await get("v1/continuousKlines", pair), rows);
    const mark = await get<unknown[][]>("v1/markPriceKlines", { symbol: "BTCUSDT", interval: "1h" });
    assert.deepEqual(mark[0]?.slice(1, 5), ["60000.0", "60000.0", "60000.0", "60000.0"]);
    const index = await get<unknown[][]>("v1/indexPriceKlines", { pair: "BTCUSDT", interval: "1h" });
    assert.deepEqual(index[0]?.slice(1, 5), ["60000.0", "60000.0", "60000.0", "60000.0"]);
    const premium = await get<unknown[][]>("v1/premiumIndexKlines", { symbol: "BTCUSDT", interval: "1h" });
    assert.equal(premium[0]?.[4], "0.00000000");
    refused(
      await bench.call("GET", "/fapi/v1/klines", { symbol: "BTCUSDT", interval: "7m" }),
      -1120,
      "Invalid interval.",
    );
    refused(await bench.call("GET", "/fapi/v1/klines", { symbol: "BTCUSDT" }), -1102);
    refused(await bench.call("GET", "/fapi/v1/continuousKlines", { ...pair, contractType: "X" }), -1130);
  });

  it("tickers, with a symbol one row, without all of them", async () => {
    const ticker = await get("v1/ticker/24hr", { symbol: "BTCUSDT" });
    assert.deepEqual(
      [
        ticker["lastPrice"],
        ticker["openPrice"],
        ticker["highPrice"],
        ticker["lowPrice"],
        ticker["volume"],
        ticker["count"],
      ],
      ["59990.0", "60010.0", "60020.0", "59990.0", "0.350", 3],
    );
    assert.deepEqual([ticker["priceChange"], ticker["priceChangePercent"]], ["-20.0", "-0.033"]);
    assert.equal(ticker["weightedAvgPrice"], "60005.714");
    assert.equal("bidQty" in ticker, false);
    const all = await get<Body[]>("v1/ticker/24hr");
    assert.deepEqual([all.length, all[3]!["count"]], [4, 0]);
    for (const version of ["v1", "v2"]) {
      assert.deepEqual(await get(`${version}/ticker/price`, { symbol: "BTCUSDT" }), {
        symbol: "BTCUSDT",
        price: "59990.0",
        time: EPOCH_MS + 60_000,
      });
      assert.equal((await get<Body[]>(`${version}/ticker/price`)).length, 4);
    }
  });

  it("premiumIndex, fundingInfo, openInterest, insuranceBalance", async () => {
    assert.deepEqual(await get("v1/premiumIndex", { symbol: "BTCUSDT" }), {
      symbol: "BTCUSDT",
      markPrice: "60000.0",
      indexPrice: "60000.0",
      estimatedSettlePrice: "60000.0",
      lastFundingRate: "0",
      interestRate: "0.00010000",
      nextFundingTime: EPOCH_MS + 3_600_000,
      time: EPOCH_MS,
    });
    assert.equal((await get<Body[]>("v1/premiumIndex")).length, 4);
    assert.deepEqual((await get<Body[]>("v1/fundingInfo"))[0], {
      symbol: "BTCUSDT",
      adjustedFundingRateCap: "0.0009375",
      adjustedFundingRateFloor: "-0.0009375",
      fundingIntervalHours: 1,
      disclaimer: false,
    });
    assert.deepEqual(await get("v1/openInterest", { symbol: "BTCUSDT" }), {
      openInterest: "0.350",
      symbol: "BTCUSDT",
      time: EPOCH_MS + 62_000,
    });
    const fund = await get<{ assets: Body[] }>("v1/insuranceBalance", { symbol: "BTCUSDT" });
    assert.deepEqual([fund.assets[0]!["balance"], fund.assets[0]!["marginBalance"]], ["100000.00", "100000.00"]);
    assert.deepEqual(await get("v1/insuranceBalance"), [fund]);
  });

  it("FUT-10: leverageBracket is numbers", async () => {
    const [btc] = await get<{ brackets: Body[] }[]>("v1/leverageBracket", { symbol: "BTCUSDT" });
    assert.deepEqual(btc!.brackets[1], {
      bracket: 2,
      initialLeverage: 25,
      notionalCap: 500_000,
      notionalFloor: 100_000,
      maintMarginRatio: 0.02,
      cum: 1_000,
    });
    assert.equal((await get<Body[]>("v1/leverageBracket")).length, 4);
  });

  it("needs a symbol where there is no other way, and a known one everywhere", async () => {
    for (const name of ["depth", "trades", "aggTrades", "openInterest"]) {
      refused(await bench.call("GET", `/fapi/v1/${name}`), -1102, /'symbol'/);
    }
    for (const name of [
      "depth",
      "ticker/24hr",
      "ticker/price",
      "ticker/bookTicker",
      "premiumIndex",
      "fundingRate",
      "leverageBracket",
      "insuranceBalance",
    ]) {
      refused(await bench.call("GET", `/fapi/v1/${name}`, { symbol: "constructor" }), -1121, "Invalid symbol.");
    }
    refused(await bench.call("GET", "/fapi/v1/depth", { symbol: "BTCUSDT", limit: 0 }), -1130);
    refused(await bench.call("GET", "/fapi/v1/depth", { symbol: "BTCUSDT", limit: "many" }), -1130);
  });
});
