import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ccxt from "ccxt";
import { connectorBots } from "./clients/connector.ts";
import { BTC_PRICE, type ConformanceExchange, startExchange, type Trader } from "./exchange.ts";

const run = promisify(execFile);
const MARKETS = ["BTCUSDT", "ETHUSDT", "SOLUSDT", "AVAXUSDT"];
const PATIENCE_ms = 240_000;

const fileIn = (name: string) => fileURLToPath(new URL(`./wire/${name}`, import.meta.url));

function runs(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The first Python with these modules; a distribution's own may not be the first on the path. */
function pythonWith(...modules: string[]): string | undefined {
  return ["python3", "/usr/bin/python3"].find((python) => runs(python, ["-c", `import ${modules.join(", ")}`]));
}

const asyncPython = pythonWith("aiohttp", "websockets");
const plainPython = pythonWith("requests");
const hasGo = runs("go", ["version"]);
const skipped = (isThere: boolean, what: string) => (isThere ? false : `${what} is not installed`);

describe("what clients call before they trade", () => {
  let exchange: ConformanceExchange;

  before(async () => {
    exchange = await startExchange();
  });

  /** Runs a client of `wire/` as a trader of its own; it prints what it has seen. */
  async function speak(program: string, args: readonly string[], trader: Trader): Promise<Record<string, unknown>> {
    const { baseUrl: BASE_URL } = exchange;
    const env = {
      ...process.env,
      BASE_URL,
      API_KEY: trader.apiKey,
      API_SECRET: trader.apiSecret,
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const { stdout } = await run(program, [...args], { env, timeout: PATIENCE_ms });
    return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Record<string, unknown>;
  }

  /** Something to buy for a client that places a market order. */
  async function offer(quantity: number): Promise<void> {
    const maker = await connectorBots.connect(exchange.baseUrl, exchange.maker);
    await maker.limit({ side: "SELL", quantity, price: BTC_PRICE + 10 });
  }

  it("ccxt's class for all kinds of markets loads coins and markets with its usual options, and reads transfers", async () => {
    const trader = await exchange.openTrader(1_000);
    const client = new ccxt.binance({
      apiKey: trader.apiKey,
      secret: trader.apiSecret,
      enableRateLimit: false,
      options: { defaultType: "future", fetchMargins: true },
    });
    const addresses = client.urls.api as Record<string, unknown>;
    for (const [name, address] of Object.entries(addresses)) {
      if (typeof address === "string") addresses[name] = address.replace(/^https:\/\/[^/]+/, exchange.baseUrl);
    }
    const markets = await client.loadMarkets();
    assert.deepEqual(
      Object.values(markets).map((market) => market?.id),
      MARKETS,
    );
    const { USDT } = client.currencies as Record<string, { withdraw: boolean; networks: Record<string, unknown> }>;
    assert.deepEqual([USDT?.withdraw, Object.keys(USDT?.networks ?? {})], [true, ["EVM-43113"]]);
    assert.equal((await client.fetchStatus()).status, "ok");
    const [deposit] = await client.fetchDeposits("USDT");
    assert.deepEqual([deposit?.amount, deposit?.status, deposit?.currency], [1_000, "ok", "USDT"]);
    assert.deepEqual(await client.fetchWithdrawals("USDT"), []);
    const { address, tag } = await client.fetchDepositAddress("USDT");
    assert.equal(address, deposit?.address);
    assert.equal(tag, "deposit(uint256)");
    await assert.rejects(client.fetchTradingFees({ type: "spot" }), (error) => error instanceof ccxt.BadRequest);
  });

  it("the page's configuration for freqtrade leads ccxt here: markets, account, cross margin, an order", async () => {
    const page = readFileSync(new URL("../../docs/rules/exchange-clients.md", import.meta.url), "utf8");
    const [, text = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
    const here = text.replaceAll("https://exchange.example", exchange.baseUrl);
    const { exchange: options, margin_mode } = JSON.parse(here) as {
      exchange: { ccxt_config: ConstructorParameters<typeof ccxt.binance>[0] };
      margin_mode: string;
    };
    const trader = await exchange.openTrader(1_000);
    const client = new ccxt.binance({
      ...options.ccxt_config,
      ...{ apiKey: trader.apiKey, secret: trader.apiSecret, enableRateLimit: false },
    });
    await client.loadMarkets();
    const symbol = "BTC/USDT:USDT";
    assert.deepEqual((await client.fetchBalance())["USDT"]?.total, 1_000);
    assert.equal((await client.fetchLeverageTiers([symbol]))[symbol]?.[0]?.maxLeverage, 50);
    assert.deepEqual(await client.fetchPositions([symbol]), []);
    await client.setMarginMode(margin_mode, symbol);
    await client.setLeverage(5, symbol);
    const order = await client.createOrder(symbol, "limit", "buy", 0.01, 50_000);
    assert.deepEqual(
      (await client.fetchOpenOrders(symbol)).map(({ id }) => id),
      [order.id],
    );
    assert.equal((await client.cancelOrder(order.id ?? "", symbol)).status, "canceled");
  });

  it("python-binance's calls: ping and time of spot, forms, candles by pair, user data", {
    skip: skipped(asyncPython !== undefined, "Python with aiohttp and websockets"),
  }, async () => {
    const trader = await exchange.openTrader();
    await offer(0.01);
    const seen = await speak(asyncPython ?? "", [fileIn("python_binance.py")], trader);
    const [told, shown] = seen["breakEven"] as string[];
    assert.equal(told, shown);
    assert.ok(Number(told) > BTC_PRICE + 10);
    assert.deepEqual(seen, {
      symbols: MARKETS,
      balance: "10000.00",
      leverage: 10,
      margin: 200,
      coins: ["USDT"],
      status: 0,
      absent: [404, -1020, "This path does not exist."],
      orders: ["NEW", 1, "CANCELED"],
      events: [
        ...["ORDER_TRADE_UPDATE", "ORDER_TRADE_UPDATE"],
        ...["ORDER_TRADE_UPDATE", "TRADE_LITE"],
        ...["ORDER_TRADE_UPDATE", "ACCOUNT_UPDATE"],
      ],
      breakEven: [told, told],
      candle: ["btcusdt_perpetual@continuousKline_1m", "continuous_kline", "BTCUSDT", "PERPETUAL", "1m"],
    });
  });

  it("ccxt's calls in Python as freqtrade makes them at its start and for a first trade", {
    skip: skipped(plainPython !== undefined, "Python with requests"),
  }, async () => {
    const trader = await exchange.openTrader(500);
    const { coins, wallet, fee, ...seen } = await speak(plainPython ?? "", [fileIn("ccxt_and_freqtrade.py")], trader);
    const { USDT } = coins as Record<string, Record<string, unknown>>;
    assert.deepEqual([USDT?.["network"], USDT?.["withdrawEnable"]], ["EVM-43113", true]);
    assert.deepEqual([Number(wallet), Number(fee)], [500, 0.0005]);
    const noPath = [404, -1020, "This path does not exist."];
    assert.deepEqual(seen, {
      symbols: MARKETS,
      borrowable: [],
      modes: [false, false],
      tiers: MARKETS.length,
      positions: [],
      tickers: [MARKETS.length, MARKETS.length],
      candle: 12,
      margin: 200,
      isolated: [400, -4046],
      orders: ["NEW", "NEW", 1, "CANCELED"],
      stopped: true,
      deposits: [["500", 1, 66]],
      withdrawals: [],
      tag: "deposit(uint256)",
      absent: [noPath, noPath, noPath],
    });
  });

  it("hummingbot's calls: one-way positions, three subscriptions on a socket, orders by client id", {
    skip: skipped(asyncPython !== undefined, "Python with aiohttp and websockets"),
  }, async () => {
    const trader = await exchange.openTrader(500);
    assert.deepEqual(await speak(asyncPython ?? "", [fileIn("hummingbot.py")], trader), {
      markets: MARKETS,
      steps: ["0.1", "0.001", "5"],
      funding: ["indexPrice", "lastFundingRate", "markPrice", "nextFundingTime"],
      modes: [200, false, 4],
      assets: [["USDT", "500.00"]],
      positions: [],
      book: [["59000.0", "0.010"]],
      mark: "BTCUSDT",
      told: ["x-nbQe1H39BBCUT64a1b2c3d4e5f6071", "NEW"],
      orders: ["CANCELED", "CANCELED"],
      again: [-2011, "Unknown order sent."],
      kept: true,
    });
  });

  it("go-binance's calls: forms with the signature in the query, a socket for each stream", {
    skip: skipped(hasGo, "Go"),
  }, async () => {
    const trader = await exchange.openTrader(500);
    await offer(0.01);
    const { clock, ...seen } = await speak("go", ["run", fileIn("go_binance.go")], trader);
    assert.ok(Math.abs(Number(clock) - Date.now()) < PATIENCE_ms);
    assert.deepEqual(seen, {
      symbols: MARKETS.length,
      filters: 7,
      wallet: "500.00",
      positions: 0,
      leverage: 10,
      margin: 200,
      orders: ["NEW", "NEW", "CANCELED"],
      account: "ORDER",
      mark: "BTCUSDT",
      absent: [-1020, -1020],
    });
  });
});
