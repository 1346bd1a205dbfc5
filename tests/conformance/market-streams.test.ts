import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { waitFor } from "../support/waiting.ts";
import type { Bot } from "./clients/bot.ts";
import { connectorBots } from "./clients/connector.ts";
import { type MarketStream, type StreamClient, type StreamEvent, streamClientKinds } from "./clients/streams.ts";
import { type ConformanceExchange, sharedExchange } from "./exchange.ts";

interface DepthUpdate {
  readonly U: number;
  readonly u: number;
  readonly pu: number;
  readonly b: readonly (readonly [string, string])[];
  readonly a: readonly (readonly [string, string])[];
}

interface Snapshot {
  readonly lastUpdateId: number;
  readonly bids: readonly [string, string][];
  readonly asks: readonly [string, string][];
}

/** A book built from a snapshot and the updates after it, as the documentation tells clients to. */
class LocalBook {
  readonly #sides: readonly [Map<string, string>, Map<string, string>];
  #last: number;
  #isStarted = false;

  constructor({ lastUpdateId, bids, asks }: Snapshot) {
    this.#sides = [new Map(bids), new Map(asks)];
    this.#last = lastUpdateId;
  }

  get lastUpdateId(): number {
    return this.#last;
  }

  apply({ U, u, pu, b, a }: DepthUpdate): void {
    if (u < this.#last) return;
    if (this.#isStarted) assert.equal(pu, this.#last, "each update follows the one before it");
    else assert.ok(U <= this.#last && this.#last <= u, `the first update ${U}–${u} holds ${this.#last}`);
    this.#isStarted = true;
    this.#last = u;
    for (const [levels, changes] of [
      [this.#sides[0], b],
      [this.#sides[1], a],
    ] as const) {
      for (const [price, quantity] of changes) {
        if (Number(quantity) === 0) levels.delete(price);
        else levels.set(price, quantity);
      }
    }
  }

  get levels() {
    const sorted = (side: Map<string, string>, sign: number) =>
      [...side].sort(([one], [other]) => sign * (Number(one) - Number(other)));
    return { bids: sorted(this.#sides[0], -1), asks: sorted(this.#sides[1], 1) };
  }
}

for (const { name, open } of streamClientKinds) {
  describe(`market streams: ${name}`, () => {
    let exchange: ConformanceExchange;
    let streams: StreamClient;
    let maker: Bot;
    let taker: Bot;

    before(async () => {
      exchange = await sharedExchange();
      const [own, others] = await Promise.all([exchange.openTrader(), exchange.openTrader()]);
      [maker, taker] = await Promise.all([
        connectorBots.connect(exchange.baseUrl, own),
        connectorBots.connect(exchange.baseUrl, others),
      ]);
      streams = await open(exchange.baseUrl, own);
    });
    after(() => streams.close());
    afterEach(() => Promise.all([maker.cancelAll(), taker.cancelAll()]));

    const depth = async (): Promise<Snapshot> =>
      (await (await fetch(`${exchange.baseUrl}/fapi/v1/depth?symbol=BTCUSDT&limit=1000`)).json()) as Snapshot;

    /**
     * Follows a stream and waits until it is active, which clients do not report: repeats an action until its event
     * comes.
     */
    async function follow(stream: MarketStream, event: string, stir: () => Promise<unknown>) {
      const events = await streams.follow(stream);
      const seen = () => events.filter(({ e }) => e === event);
      await waitFor(
        async () => {
          if (seen().length > 0) return true;
          await stir();
          return false;
        },
        { interval_ms: 150, what: `the first event of ${stream}` },
      );
      return seen;
    }

    const trade = async (price: number, quantity: number) => {
      await maker.limit({ side: "BUY", price, quantity });
      await taker.market("SELL", quantity);
    };
    const stirBook = async () => {
      const { id } = await maker.limit({ side: "BUY", price: 58_000, quantity: 0.001 });
      await maker.cancel(id);
    };
    const latest = (seen: () => readonly StreamEvent[], has: (event: StreamEvent) => boolean, what: string) =>
      waitFor(() => seen().findLast(has), { what });

    it("FUT-19: keeps a book by U, u and pu that equals the one on REST", async () => {
      const updates = await follow("depth@100ms", "depthUpdate", stirBook);
      const ids: string[] = [];
      for (let place = 0; place < 10; place += 1) {
        const { id } = await maker.limit({ side: "BUY", price: 59_000 - place * 10, quantity: 0.001 * (place + 1) });
        ids.push(id);
      }
      const snapshot = await depth();
      const book = new LocalBook(snapshot);
      await maker.cancel(ids[0]!);
      await maker.modify({ side: "BUY", price: 58_955, quantity: 0.005, id: ids[1]! });
      await taker.limit({ side: "SELL", price: 60_200, quantity: 0.02 });
      await taker.market("SELL", 0.004);
      const end = await depth();
      assert.ok(end.lastUpdateId > snapshot.lastUpdateId);
      await waitFor(() => updates().some(({ u }) => Number(u) >= end.lastUpdateId), { what: "the last update" });
      for (const update of updates()) book.apply(update as unknown as DepthUpdate);
      assert.equal(book.lastUpdateId, end.lastUpdateId);
      assert.deepEqual(book.levels, { bids: end.bids, asks: end.asks });
      assert.deepEqual(end.asks, [["60200.0", "0.020"]]);
      // Two were sold to the remaining best bid, of 0.003, and one to the next.
      assert.deepEqual(end.bids.slice(0, 2), [
        ["58970.0", "0.003"],
        ["58960.0", "0.005"],
      ]);
    });

    it("sends the best five levels", async () => {
      await streams.unfollow("depth@100ms");
      const events = await streams.follow("depth5@100ms");
      const from = events.length;
      for (let place = 0; place < 5; place += 1) {
        await maker.limit({ side: "BUY", price: 59_000 - place * 10, quantity: 0.001 * (place + 1) });
      }
      let price = 59_100;
      const shown = await waitFor(
        async () => {
          price += 10;
          await maker.limit({ side: "BUY", price, quantity: 0.001 });
          return events.slice(from).find(({ e, b }) => e === "depthUpdate" && (b as unknown[]).length === 5);
        },
        { interval_ms: 300, what: "the best five levels" },
      );
      // The book has changed since: they were the best levels from there downwards.
      const best = shown["b"] as [string, string][];
      const { bids } = await depth();
      const top = bids.findIndex(([bid]) => bid === best[0]?.[0]);
      assert.deepEqual(best, bids.slice(top, top + 5));
      assert.deepEqual(shown["a"], []);
    });

    it("sends the best prices", async () => {
      const seen = await follow("bookTicker", "bookTicker", stirBook);
      await maker.limit({ side: "BUY", price: 59_100, quantity: 0.007 });
      await taker.limit({ side: "SELL", price: 60_900, quantity: 0.009 });
      const best = await latest(seen, ({ a, A }) => a === "60900.0" && A === "0.009", "the best prices");
      assert.deepEqual([best["s"], best["b"], best["B"]], ["BTCUSDT", "59100.0", "0.007"]);
    });

    it("sends trades, by taking order", async () => {
      const seen = await follow("aggTrade", "aggTrade", () => trade(59_990, 0.001));
      // Three makers at two prices, one taker: one event for each price.
      for (const [price, quantity] of [
        [59_980, 0.001],
        [59_980, 0.002],
        [59_970, 0.003],
      ] as const) {
        await maker.limit({ side: "BUY", price, quantity });
      }
      await taker.market("SELL", 0.006);
      await latest(seen, ({ p }) => p === "59970.0", "the trades");
      const own = seen().filter(({ p }) => p === "59980.0" || p === "59970.0");
      assert.deepEqual(
        own.map(({ p, q, m, f, l }) => [p, q, m, Number(l) - Number(f)]),
        [
          ["59980.0", "0.003", true, 1],
          ["59970.0", "0.003", true, 0],
        ],
      );
    });

    it("sends candles and the day's figures, equal to those on REST", async () => {
      const candles = await follow("kline_1m", "kline", () => trade(59_990, 0.001));
      const tickers = await follow("ticker", "24hrTicker", () => trade(59_990, 0.001));
      const minis = await follow("miniTicker", "24hrMiniTicker", () => trade(59_990, 0.001));
      await trade(59_900, 0.01);
      await trade(59_950, 0.002);
      const rest = async (path: string) => (await fetch(`${exchange.baseUrl}/fapi/v1/${path}`)).json();
      const day = (await rest("ticker/24hr?symbol=BTCUSDT")) as Record<string, string | number>;
      const ticker = await latest(tickers, ({ L }) => L === day["lastId"], "the ticker");
      assert.deepEqual(
        ["c", "Q", "o", "h", "l", "v", "q", "n"].map((field) => ticker[field]),
        ["lastPrice", "lastQty", "openPrice", "highPrice", "lowPrice", "volume", "quoteVolume", "count"].map(
          (field) => day[field],
        ),
      );
      assert.deepEqual([day["lastPrice"], day["lastQty"], day["lowPrice"]], ["59950.0", "0.002", day["lowPrice"]]);
      const mini = await latest(minis, ({ v }) => v === day["volume"], "the small ticker");
      assert.deepEqual(
        ["c", "o", "h", "l", "q"].map((field) => mini[field]),
        ["lastPrice", "openPrice", "highPrice", "lowPrice", "quoteVolume"].map((field) => day[field]),
      );
      const candleOf = ({ k }: StreamEvent) => k as Record<string, string | number | boolean>;
      const candle = candleOf(await latest(candles, (event) => candleOf(event)["L"] === day["lastId"], "the candle"));
      const rows = (await rest(`klines?symbol=BTCUSDT&interval=1m&startTime=${candle["t"]}&limit=1`)) as unknown[][];
      assert.deepEqual(
        ["t", "o", "h", "l", "c", "v", "T", "q", "n", "V", "Q"].map((field) => candle[field]),
        rows[0]?.slice(0, 11),
      );
      assert.deepEqual([candle["c"], candle["i"], candle["x"]], ["59950.0", "1m", false]);
    });

    it("sends the mark price", async () => {
      const seen = await follow("markPrice@1s", "markPriceUpdate", async () => {});
      await exchange.pinPrice("BTCUSDT", "60123.4");
      const mark = await latest(seen, ({ i }) => i === "60123.4", "the new mark price");
      assert.deepEqual([mark["s"], Number(mark["r"]), Number(mark["T"]) % 3_600_000], ["BTCUSDT", 0.0000125, 0]);
      await exchange.pinPrice("BTCUSDT", "60000");
    });

    it("stops what is no longer asked for", async () => {
      const seen = await follow("aggTrade", "aggTrade", () => trade(59_990, 0.001));
      const books = await follow("bookTicker", "bookTicker", stirBook);
      await streams.unfollow("aggTrade");
      // The stream has stopped once a trade shows only in the book.
      await waitFor(
        async () => {
          const [before, booksBefore] = [seen().length, books().length];
          await trade(59_990, 0.001);
          await waitFor(() => books().length > booksBefore, { what: "the book" });
          return seen().length === before;
        },
        { what: "the trades to stop" },
      );
      const before = seen().length;
      const booksBefore = books().length;
      await trade(59_990, 0.001);
      await waitFor(() => books().length > booksBefore, { what: "the book" });
      assert.equal(seen().length, before);
    });
  });
}
