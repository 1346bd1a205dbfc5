import assert from "node:assert/strict";
import { before, describe, it, type TestContext } from "node:test";
import { DerivativesTradingUsdsFuturesWebsocketAPI as Api } from "@binance/derivatives-trading-usds-futures";
import type { WebsocketAPIClient } from "binance";
import { connectBinance, connectBinanceRequests } from "./clients/binance-package.ts";
import { SYMBOL as symbol } from "./clients/bot.ts";
import { BTC, type CcxtClient, connectCcxt } from "./clients/ccxt.ts";
import { connectConnector } from "./clients/connector.ts";
import { type ConformanceExchange, present, STARTING_BALANCE, sharedExchange, type Trader } from "./exchange.ts";

/** Every client does the same with either kind of key. */
const KINDS = ["HMAC", "Ed25519"] as const;
type Kind = (typeof KINDS)[number];

let exchange: ConformanceExchange;
const traders = new Map<Kind, Trader>();
const traderWith = (kind: Kind) => present(traders.get(kind));

before(async () => {
  exchange = await sharedExchange();
  traders.set("HMAC", await exchange.openTrader());
  traders.set("Ed25519", await exchange.openEd25519Trader());
});

/** A resting price below the market. */
const PRICE = 59_000;

describe("ccxt.pro over /ws-fapi", () => {
  async function connected(t: TestContext, trader: Trader): Promise<CcxtClient> {
    const client = connectCcxt(exchange.baseUrl, trader);
    await client.loadMarkets();
    // The client calls this if the address is not encrypted.
    await client.loadHttpProxyAgent();
    t.after(() => client.close());
    return client;
  }

  for (const kind of KINDS) {
    it(`WSA-1: places, edits, reads and cancels an order (${kind})`, async (t) => {
      const client = await connected(t, traderWith(kind));
      const placed = await client.createOrderWs(BTC, "limit", "buy", 0.01, PRICE);
      const id = present(placed.id);
      assert.deepEqual([placed.status, placed.price, placed.amount], ["open", PRICE, 0.01]);
      const edited = await client.editOrderWs(id, BTC, "limit", "buy", 0.02, PRICE - 100);
      assert.deepEqual([edited.id, edited.price, edited.amount], [id, PRICE - 100, 0.02]);
      const read = await client.fetchOrderWs(id, BTC);
      assert.deepEqual([read.id, read.price, read.status], [id, PRICE - 100, "open"]);
      assert.equal((await client.fetchOrder(id, BTC)).price, PRICE - 100);
      assert.equal((await client.cancelOrderWs(id, BTC)).status, "canceled");
      await assert.rejects(client.cancelOrderWs(id, BTC), /-2011/);
    });

    it(`WSA-1: reads balance, positions, book and ticker (${kind})`, async (t) => {
      const client = await connected(t, traderWith(kind));
      assert.equal((await client.fetchBalanceWs())["USDT"]?.total, STARTING_BALANCE);
      assert.deepEqual(await client.fetchPositionsWs([BTC]), await client.fetchPositions([BTC]));
      assert.equal((await client.fetchOrderBookWs(BTC, 5)).symbol, BTC);
      assert.equal((await client.fetchTickerWs(BTC)).symbol, BTC);
    });
  }

  it("WSA-1: is refused with the errors that it knows from REST", async (t) => {
    const client = await connected(t, { ...traderWith("HMAC"), apiSecret: "x".repeat(64) });
    await assert.rejects(client.createOrderWs(BTC, "limit", "buy", 0.01, PRICE), /-1022/);
  });
});

describe("the official connector over /ws-fapi", () => {
  for (const kind of KINDS) {
    it(`WSA-1: places, modifies, reads and cancels an order (${kind})`, async (t) => {
      const client = await connectConnector(exchange.baseUrl, traderWith(kind)).websocketAPI.connect();
      t.after(() => client.disconnect());
      const { data: placed, rateLimits } = await client.newOrder({
        symbol,
        side: Api.NewOrderSideEnum.BUY,
        type: Api.NewOrderTypeEnum.LIMIT,
        timeInForce: Api.NewOrderTimeInForceEnum.GTC,
        quantity: 0.01,
        price: PRICE,
      });
      const orderId = present(placed.orderId);
      assert.equal(placed.status, "NEW");
      assert.deepEqual(
        rateLimits?.map(({ rateLimitType }) => rateLimitType),
        ["REQUEST_WEIGHT", "ORDERS", "ORDERS"],
      );
      const side = Api.ModifyOrderSideEnum.BUY;
      const modified = await client.modifyOrder({ symbol, orderId, side, quantity: 0.02, price: PRICE - 100 });
      assert.deepEqual([modified.data.orderId, Number(modified.data.price)], [orderId, PRICE - 100]);
      assert.equal((await client.queryOrder({ symbol, orderId })).data.origQty, "0.020");
      assert.equal((await client.cancelOrder({ symbol, orderId })).data.status, "CANCELED");
      await assert.rejects(
        client.cancelOrder({ symbol, orderId }),
        (error: { code?: unknown }) => error.code === -2011,
      );
    });

    it(`WSA-1: reads account, balance, positions and market data (${kind})`, async (t) => {
      const client = await connectConnector(exchange.baseUrl, traderWith(kind)).websocketAPI.connect();
      t.after(() => client.disconnect());
      assert.equal(Number((await client.accountInformation()).data.totalWalletBalance), STARTING_BALANCE);
      assert.equal(Number((await client.accountInformationV2()).data.totalWalletBalance), STARTING_BALANCE);
      assert.equal(Number((await client.futuresAccountBalance()).data[0]?.balance), STARTING_BALANCE);
      assert.equal(Number((await client.futuresAccountBalanceV2()).data[0]?.balance), STARTING_BALANCE);
      assert.equal((await client.positionInformation({ symbol })).data[0]?.symbol, symbol);
      assert.deepEqual((await client.positionInformationV2({ symbol })).data, []);
      assert.ok(present((await client.orderBook({ symbol, limit: 5 })).data.lastUpdateId) > 0);
    });
  }

  it("WSA-1: places and cancels a conditional order, and opens the user data stream", async (t) => {
    const client = await connectConnector(exchange.baseUrl, traderWith("HMAC")).websocketAPI.connect();
    t.after(() => client.disconnect());
    const { data: algo } = await client.newAlgoOrder({
      algoType: Api.NewAlgoOrderAlgoTypeEnum.CONDITIONAL,
      symbol,
      side: Api.NewAlgoOrderSideEnum.SELL,
      type: Api.NewAlgoOrderTypeEnum.STOP_MARKET,
      quantity: 0.01,
      triggerPrice: 50_000,
    });
    assert.equal(algo.algoStatus, "NEW");
    const cancelled = await client.cancelAlgoOrder({ algoId: present(algo.algoId) });
    assert.equal(cancelled.data.algoId, algo.algoId);
    const { listenKey } = (await client.startUserDataStream()).data;
    assert.equal((await client.keepaliveUserDataStream()).data.listenKey, listenKey);
    await client.closeUserDataStream();
  });

  it("WSA-2: its REST calls are signed with the Ed25519 key", async () => {
    const { restAPI } = connectConnector(exchange.baseUrl, traderWith("Ed25519"));
    const balances = await (await restAPI.futuresAccountBalanceV3()).data();
    assert.equal(Number(balances[0]?.balance), STARTING_BALANCE);
  });
});

describe("the binance package over /ws-fapi", () => {
  function connected(t: TestContext, trader: Trader): WebsocketAPIClient {
    const client = connectBinanceRequests(exchange.baseUrl, trader);
    t.after(() => client.disconnectAll());
    return client;
  }

  for (const kind of KINDS) {
    it(`WSA-1: places, modifies, reads and cancels an order (${kind})`, async (t) => {
      const client = connected(t, traderWith(kind));
      const timestamp = () => Date.now();
      const { result: placed } = await client.submitNewFuturesOrder("usdm", {
        symbol,
        side: "BUY",
        type: "LIMIT",
        timeInForce: "GTC",
        quantity: "0.01",
        price: String(PRICE),
        timestamp: timestamp(),
      });
      assert.equal(placed.status, "NEW");
      const named = { symbol, orderId: placed.orderId };
      const change = { side: "BUY", quantity: "0.02", price: String(PRICE - 100) } as const;
      const modified = await client.modifyFuturesOrder("usdm", { ...named, ...change, timestamp: timestamp() });
      assert.equal(modified.result.origQty, "0.020");
      const read = await client.getFuturesOrderStatus("usdm", { ...named, timestamp: timestamp() });
      assert.equal(Number(read.result.price), PRICE - 100);
      const cancelled = await client.cancelFuturesOrder("usdm", { ...named, timestamp: timestamp() });
      assert.equal(cancelled.result.status, "CANCELED");
      await assert.rejects(
        client.cancelFuturesOrder("usdm", { ...named, timestamp: timestamp() }),
        (thrown: { error?: { code?: number } }) => thrown.error?.code === -2011,
      );
    });

    it(`WSA-1: reads account, balance, positions and market data (${kind})`, async (t) => {
      const client = connected(t, traderWith(kind));
      const at = () => ({ timestamp: Date.now() });
      assert.equal(
        Number((await client.getFuturesAccountStatus("usdm", at())).result.totalWalletBalance),
        STARTING_BALANCE,
      );
      assert.equal(Number((await client.getFuturesAccountBalanceV2(at())).result[0]?.balance), STARTING_BALANCE);
      const { result: positions } = await client.getFuturesPosition("usdm", { symbol, ...at() });
      assert.equal(positions[0]?.symbol, symbol);
      assert.ok((await client.getFuturesOrderBook({ symbol, limit: 5 })).result.lastUpdateId > 0);
    });
  }

  it("WSA-2: with an Ed25519 key it logs on and stays so", async (t) => {
    const trader = traderWith("Ed25519");
    const client = connected(t, trader);
    await client.getFuturesAccountBalanceV2({ timestamp: Date.now() });
    const { result } = await client.getWSClient().sendWSAPIRequest("usdmWSAPI", "session.status");
    assert.equal(result.apiKey, trader.apiKey);
  });

  it("WSA-2: its REST calls are signed with the Ed25519 key", async () => {
    const client = connectBinance(exchange.baseUrl, traderWith("Ed25519"));
    assert.equal(Number((await client.getBalanceV3())[0]?.balance), STARTING_BALANCE);
  });
});
