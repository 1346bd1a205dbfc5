import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type MarketStatus, REDUCE_ONLY, TRADING } from "@bourse/engine";
import { BTC, BTC_TICKS } from "../market-data/testing.ts";
import { parseStreamName } from "./stream-names.ts";
import { type Message, StreamsForTests, type TestClient } from "./testing.ts";
import { parseStreamPath } from "./upgrade-requests.ts";

const SYMBOL = "BTCUSDT";

function applyTo(book: Map<string, string>, levels: Message): void {
  for (const [price, quantity] of levels as unknown as [string, string][]) {
    if (quantity === "0") book.delete(price);
    else book.set(price, quantity);
  }
}

describe("the bots' market streams", () => {
  const exchange = new StreamsForTests();
  const { market } = exchange;
  let maker = 0;
  let taker = 0;

  before(async () => {
    await exchange.begin();
    maker = await market.trader();
    taker = await market.trader();
  });

  beforeEach(() => market.clear());
  after(() => exchange.end());

  const follow = async (...streams: string[]): Promise<TestClient> => {
    const client = await exchange.connect("/ws");
    assert.deepEqual(await client.ask({ method: "SUBSCRIBE", params: streams, id: 1 }), { result: null, id: 1 });
    return client;
  };

  it("FUT-19: depth diffs chain by pu, and lead from a snapshot to the book", async () => {
    const client = await follow("btcusdt@depth@100ms");
    await market.sell(maker, 7, { ticks: BTC_TICKS + 50 });
    const snapshot = exchange.marketData.depth(BTC, 1_000);
    const asks = new Map<string, string>();
    let last = snapshot.updateId;
    let isFirst = true;
    for (let round = 0; round < 6; round += 1) {
      for (let i = 0; i < 5; i += 1) {
        await market.sell(maker, 1 + i, { ticks: BTC_TICKS + 51 + round * 3 + i });
        await market.buy(taker, 2, { ticks: BTC_TICKS + 52 });
      }
      const update = await client.next({ e: "depthUpdate", s: SYMBOL });
      const [U, u, pu] = [Number(update["U"]), Number(update["u"]), Number(update["pu"])];
      if (isFirst) assert.ok((U <= last && last <= u) || pu === last, `${U} ${u} ${pu} after ${last}`);
      else assert.equal(pu, last);
      assert.ok(U === pu + 1 && u >= U);
      isFirst = false;
      last = u;
      applyTo(asks, update["a"]!);
    }
    while (last < exchange.marketData.board(BTC).updateId) {
      const update = await client.next({ e: "depthUpdate" });
      assert.equal(Number(update["pu"]), last);
      last = Number(update["u"]);
      applyTo(asks, update["a"]!);
    }
    const expected = exchange.marketData.depth(BTC, 1_000).asks.map(([ticks, lots]) => [ticks / 10, lots / 1000]);
    const got = [...asks].map(([price, quantity]) => [Number(price), Number(quantity)]).sort(([a], [b]) => a! - b!);
    assert.deepEqual(got, expected);
    client.ws.close();
  });

  it("trades, aggregates, the best prices and partial depth, field by field", async () => {
    const client = await follow("btcusdt@trade", "btcusdt@aggTrade", "!bookTicker", "btcusdt@depth5@100ms");
    await market.sell(maker, 3, { ticks: BTC_TICKS - 10 });
    await market.sell(maker, 4, { ticks: BTC_TICKS - 10 });
    const time = market.clock.now();
    await market.buy(taker, 5, { ticks: BTC_TICKS - 10 });
    const trade = await client.next({ e: "trade" });
    const first = Number(trade["t"]);
    const common = { s: SYMBOL, p: "59999.0", m: false, E: time, T: time };
    assert.deepEqual(trade, { e: "trade", ...common, t: first, q: "0.003", X: "MARKET" });
    assert.deepEqual(
      client.received.find(({ e }) => (e as unknown) === "aggTrade") ?? (await client.next({ e: "aggTrade" })),
      { e: "aggTrade", ...common, a: first, q: "0.005", f: first, l: first + 1 },
    );
    await client.next({ e: "depthUpdate" });
    const ticker = client.received.findLast(({ e }) => (e as unknown) === "bookTicker")!;
    const { b, B, a, A, u, s, T, E } = ticker;
    assert.deepEqual({ b, B, a, A, u, s }, { ...bookNow(), s: SYMBOL });
    assert.deepEqual([T, E], [time, time]);
    client.ws.close();
  });

  function bookNow() {
    const { bids, asks, updateId } = exchange.marketData.depth(BTC, 1);
    const text = (value: number, digits: number) => value.toFixed(digits);
    const [bid, ask] = [bids[0], asks[0]];
    return {
      b: bid === undefined ? "0" : text(bid[0] / 10, 1),
      B: bid === undefined ? "0" : text(bid[1] / 1000, 3),
      a: ask === undefined ? "0" : text(ask[0] / 10, 1),
      A: ask === undefined ? "0" : text(ask[1] / 1000, 3),
      u: updateId,
    };
  }

  it("klines, tickers and mark prices come in their time", async () => {
    const client = await follow(
      "btcusdt@kline_1m",
      "btcusdt@ticker",
      "!miniTicker@arr",
      "btcusdt@markPrice@1s",
      "!markPrice@arr@1s",
    );
    const kline = await client.next({ e: "kline", s: SYMBOL });
    assert.deepEqual(Object.keys(kline["k"]!), [..."tTsifLochlvnxqVQB"]);
    const mark = await client.next({ e: "markPriceUpdate" });
    const { p, i, P, T, r } = mark;
    assert.deepEqual({ p, i, P, r }, { p: "60000.0", i: "60000.0", P: "60000.0", r: "0" });
    assert.equal(Number(T) % 3_600_000, 0);
    const ticker = client.received.find(({ e }) => (e as unknown) === "24hrTicker")!;
    assert.deepEqual(Object.keys(ticker), ["e", "E", "s", ..."pPwcQohlvqOCFLn"]);
    await client.next({ e: "markPriceUpdate" });
    const arrays = client.received.filter((message) => Array.isArray(message)) as unknown as Message[][];
    const kinds = new Set(arrays.map(([row]) => String(row!["e"])));
    assert.deepEqual(kinds, new Set(["24hrMiniTicker", "markPriceUpdate"]));
    client.ws.close();
  });

  it("a combined connection wraps events in the name of their stream", async () => {
    const client = await exchange.connect("/stream?streams=btcusdt@trade/btcusdt@aggTrade");
    await market.sell(maker, 3, { ticks: BTC_TICKS - 20 });
    await market.buy(taker, 3, { ticks: BTC_TICKS - 20 });
    const wrapped = await client.next({ stream: "btcusdt@trade" });
    assert.deepEqual(Object.keys(wrapped), ["stream", "data"]);
    assert.equal(wrapped["data"]!["e"], "trade");
    const listed = await client.ask({ method: "LIST_SUBSCRIPTIONS", id: "list" });
    assert.deepEqual(listed, { result: ["btcusdt@trade", "btcusdt@aggTrade"], id: "list" });
    client.ws.close();
  });

  it("paths below /public and /market, and a number for a name, are taken; no others", async () => {
    for (const path of [
      "/public/ws/btcusdt@trade",
      "/market/stream?streams=btcusdt@trade",
      "/public/ws/3",
      "/market/stream",
    ]) {
      const client = await exchange.connect(path);
      assert.deepEqual(await client.ask({ method: "SUBSCRIBE", params: [], id: 5 }), { result: null, id: 5 });
      client.ws.close();
    }
    await assert.rejects(exchange.connect("/elsewhere"), /404/);
    await assert.rejects(exchange.connect("/ws", { origin: "https://evil.example" }), /403/);
    (await exchange.connect("/ws", { origin: "https://bourse.example" })).ws.close();
    (await exchange.connect("/ws", { origin: `http://127.0.0.1:${exchange.port}` })).ws.close();
  });

  it("an unsubscribed stream is quiet; ids are echoed as they came", async () => {
    const client = await follow("btcusdt@trade", "btcusdt@bookTicker");
    const id = "0123456789abcdef0123456789abcdef";
    const reply = await client.ask({ method: "UNSUBSCRIBE", params: ["btcusdt@trade"], id });
    assert.deepEqual(reply, { result: null, id });
    await market.sell(maker, 3, { ticks: BTC_TICKS - 20 });
    await market.buy(taker, 3, { ticks: BTC_TICKS - 20 });
    await client.next({ e: "bookTicker" });
    assert.ok(!client.received.some(({ e }) => (e as unknown) === "trade"));
    client.ws.close();
  });

  it("FUT-19: candles by pair and contract type are those of the symbol", async () => {
    const client = await follow("btcusdt_perpetual@continuousKline_1m", "btcusdt@kline_1m");
    const { k: candle, ...head } = await client.next({ e: "continuous_kline" });
    assert.deepEqual({ ...head, E: 0 }, { e: "continuous_kline", E: 0, ps: SYMBOL, ct: "PERPETUAL" });
    const { s: _symbol, ...same } = (client.received.find(({ e }) => (e as unknown) === "kline") ??
      (await client.next({ e: "kline" })))["k"]!;
    assert.deepEqual(candle, same);
    client.ws.close();
  });

  it("FUT-19: !contractInfo tells of a market's status; !assetIndex@arr and @rpiDepth@500ms are known", async () => {
    const client = await follow("!contractInfo", "!assetIndex@arr", "btcusdt@rpiDepth@500ms");
    const setStatus = (status: MarketStatus) => market.submit({ kind: "set_market_status", market: BTC, status });
    await setStatus(REDUCE_ONLY);
    const { bks, ...told } = await client.next({ e: "contractInfo" });
    assert.deepEqual(
      { ...told, E: 0, ot: 0 },
      {
        ...{ e: "contractInfo", E: 0, s: SYMBOL, ps: SYMBOL, ct: "PERPETUAL" },
        dt: 4133404800000,
        ot: 0,
        cs: "REDUCE_ONLY",
      },
    );
    const brackets = bks as unknown as Record<string, number>[];
    assert.deepEqual(brackets[0], {
      bs: 1,
      bnf: 0,
      bnc: 100_000,
      mmr: 0.01,
      cf: 0,
      mi: brackets[1]!["ma"]! + 1,
      ma: 50,
    });
    assert.equal(brackets.at(-1)!["mi"], 1);
    await setStatus(TRADING);
    assert.equal((await client.next({ e: "contractInfo", cs: "TRADING" }))["s"], SYMBOL);
    await market.sell(maker, 3, { ticks: BTC_TICKS + 40 });
    assert.deepEqual((await client.next({ e: "depthUpdate" }))["a"], [["60004.0", "0.003"]]);
    client.ws.close();
  });

  it("FUT-19: of a request with unknown streams the known ones are served, and the others are named", async () => {
    const client = await exchange.connect("/ws");
    const params = ["btcusdt@trade", "btcusdt@nothing", "!x@arr", "btcusdt@trade"];
    assert.deepEqual(await client.ask({ method: "SUBSCRIBE", params, id: 1 }), {
      error: {
        code: 2,
        msg: "Invalid request: unknown stream btcusdt@nothing, !x@arr.",
        streams: ["btcusdt@nothing", "!x@arr"],
      },
      id: 1,
    });
    const gone = "0".repeat(64);
    const { error } = await client.ask({ method: "SUBSCRIBE", params: ["btcusdt@aggTrade", gone], id: 2 });
    assert.deepEqual([error!["code"], error!["streams"]], [-1125, [gone]]);
    const { result } = await client.ask({ method: "LIST_SUBSCRIPTIONS", id: 3 });
    assert.deepEqual(result, ["btcusdt@trade", "btcusdt@aggTrade"]);
    client.ws.close();
  });

  it("what makes no sense is answered, and changes nothing", async () => {
    const client = await exchange.connect("/ws/btcusdt@trade");
    const bad = [
      { method: "SUBSCRIBE", params: ["btcusdt@nothing"], id: 1 },
      { method: "SUBSCRIBE", params: ["nosuchusdt@trade"], id: 2 },
      { method: "SUBSCRIBE", params: "btcusdt@trade", id: 3 },
      { method: "SUBSCRIBE", params: ["btcusdt@aggTrade", 7], id: 4 },
      { method: "DANCE", params: [], id: 5 },
      { method: "SUBSCRIBE", params: [`${"0".repeat(64)}`], id: 6 },
    ];
    for (const request of bad) {
      const { error } = await client.ask(request);
      assert.ok(Number.isInteger(error!["code"]) && String(error!["msg"]).length > 5, JSON.stringify(request));
    }
    client.send({ method: "LIST_SUBSCRIPTIONS", id: { nested: true } });
    assert.ok((await client.next({ id: null }))["error"]);
    client.send("{ this is no JSON");
    assert.ok((await client.next({ id: null }))["error"]);
    const { result } = await client.ask({ method: "LIST_SUBSCRIPTIONS", id: 9 });
    assert.deepEqual(result, ["btcusdt@trade"]);
    client.ws.close();
  });
});

describe("names and paths of streams", () => {
  it("every stream of the reference has a meaning", () => {
    assert.deepEqual(parseStreamName("btcusdt@depth"), { kind: "depth", symbol: SYMBOL, period_ms: 250 });
    assert.deepEqual(parseStreamName("btcusdt@depth@500ms"), { kind: "depth", symbol: SYMBOL, period_ms: 500 });
    const partial = { kind: "partialDepth", symbol: SYMBOL, levels: 20, period_ms: 100 };
    assert.deepEqual(parseStreamName("btcusdt@depth20@100ms"), partial);
    assert.deepEqual(parseStreamName("btcusdt@kline_4h"), { kind: "kline", symbol: SYMBOL, interval: "4h" });
    const continuous = { kind: "continuousKline", symbol: SYMBOL, interval: "1h" };
    assert.deepEqual(parseStreamName("btcusdt_perpetual@continuousKline_1h"), continuous);
    assert.deepEqual(parseStreamName("btcusdt@rpiDepth@500ms"), parseStreamName("btcusdt@depth@500ms"));
    assert.deepEqual(parseStreamName("!forceOrder@arr"), { kind: "forceOrder", symbol: undefined });
    for (const name of [
      "BTCUSDT@trade",
      "btcusdt@depth7",
      "btcusdt@depth@10ms",
      "btcusdt@kline_7m",
      "btcusdt_perpetual@continuousKline_7m",
      "btcusdt_perpetual@kline_1m",
      "btcusdt_current_quarter@continuousKline_1m",
      "btcusdt@continuousKline_1m",
      "btcusdt@rpiDepth",
      "@trade",
      "!x@arr",
      "constructor",
    ]) {
      assert.equal(parseStreamName(name), undefined, name);
    }
  });

  it("paths say what is wanted and how it is to be delivered", () => {
    const key = "a".repeat(64);
    const plain = { isWrapped: false, isOwn: false };
    assert.deepEqual(parseStreamPath("/ws"), { isWrapped: false, isOwn: true, names: [] });
    assert.deepEqual(parseStreamPath(`/ws/${key}`), { ...plain, names: [key] });
    assert.deepEqual(parseStreamPath(`/private/ws?listenKey=${key}`), { ...plain, names: [key] });
    assert.deepEqual(parseStreamPath(`/private/ws/${key}`), { ...plain, names: [key] });
    assert.deepEqual(parseStreamPath(`/private/stream?listenKey=${key}`), {
      isWrapped: true,
      isOwn: false,
      names: [key],
    });
    assert.deepEqual(parseStreamPath("/private/stream?streams="), { isWrapped: true, isOwn: false, names: [] });
    assert.deepEqual(parseStreamPath("/stream?streams=a%40b/!c@arr"), {
      isWrapped: true,
      isOwn: false,
      names: ["a@b", "!c@arr"],
    });
    for (const url of ["/", "/wss", "/api/ws", "/streams", "/ws2/x"])
      assert.equal(parseStreamPath(url), undefined, url);
  });
});
