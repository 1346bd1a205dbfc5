import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import ccxt from "ccxt";
import { waitFor } from "../support/waiting.ts";
import { BTC, type CcxtClient, connectCcxt } from "./clients/ccxt.ts";
import { type ConformanceExchange, present, startExchange } from "./exchange.ts";

type Levels = readonly (readonly (number | undefined)[])[];

/** The client builds its own books, caches and balances from the streams: those are what bots read. */
describe("ccxt.pro", () => {
  let exchange: ConformanceExchange;
  let maker: CcxtClient;
  let taker: CcxtClient;
  const loops: Promise<void>[] = [];

  before(async () => {
    exchange = await startExchange();
    maker = connectCcxt(exchange.baseUrl, exchange.maker);
    taker = connectCcxt(exchange.baseUrl, exchange.taker);
    await Promise.all([maker.loadMarkets(), taker.loadMarkets()]);
    // The client calls this if the address is not encrypted.
    await maker.loadHttpProxyAgent();
  });
  after(async () => {
    await maker.close();
    await Promise.all(loops);
  });

  /** Watches repeatedly, as bots do, until the client is closed. */
  function gather<T>(watch: () => Promise<T>): readonly T[] {
    const seen: T[] = [];
    const loop = async () => {
      try {
        for (;;) seen.push(await watch());
      } catch (error) {
        if (!(error instanceof ccxt.ExchangeClosedByUser)) throw error;
      }
    };
    loops.push(loop());
    return seen;
  }

  /** Only the client gets the confirmation of a subscription, so trades are made until an acceptable result is seen. */
  function watched<T>(
    watch: () => Promise<T>,
    accepts: (seen: T) => boolean,
    stir: () => Promise<unknown> = () => trade(59_990, 0.001),
  ): Promise<T> {
    const seen = gather(async () => ({ value: await watch() }));
    const stirred = waitFor(
      async () => {
        const found = seen.findLast(({ value }) => accepts(value));
        if (found === undefined) await stir();
        return found;
      },
      { interval_ms: 150, what: "what is watched" },
    );
    return stirred.then(({ value }) => value);
  }

  /** The maker buys, the taker sells. */
  async function trade(price: number, amount: number): Promise<void> {
    await maker.createOrder(BTC, "limit", "buy", amount, price);
    await taker.createOrder(BTC, "market", "sell", amount);
  }
  const stirBook = async () => {
    const { id } = await maker.createOrder(BTC, "limit", "buy", 0.001, 58_000);
    await maker.cancelOrder(present(id), BTC);
  };

  it("watchOrderBook keeps a book equal to the one on REST", async () => {
    const plain = (levels: Levels) => Array.from(levels, ([price, size]) => [price, size]);
    const books = gather(async () => {
      const { bids, asks } = await maker.watchOrderBook(BTC);
      return { bids: plain(bids), asks: plain(asks) };
    });
    await waitFor(() => books.length > 0, { what: "the first book" });
    await maker.createOrder(BTC, "limit", "buy", 0.01, 58_500);
    await maker.createOrder(BTC, "limit", "buy", 0.02, 58_400);
    const gone = await maker.createOrder(BTC, "limit", "buy", 0.03, 58_450);
    await taker.createOrder(BTC, "limit", "sell", 0.03, 61_000);
    await taker.createOrder(BTC, "limit", "sell", 0.004, 58_500);
    await maker.cancelOrder(present(gone.id), BTC);
    const { bids, asks } = await maker.fetchOrderBook(BTC);
    const onRest = JSON.stringify({ bids: plain(bids), asks: plain(asks) });
    const last = await waitFor(() => books.findLast((book) => JSON.stringify(book) === onRest), {
      what: "the same book",
    });
    assert.deepEqual(last, {
      bids: [
        [58_500, 0.006],
        [58_400, 0.02],
      ],
      asks: [[61_000, 0.03]],
    });
    await Promise.all([maker.cancelAllOrders(BTC), taker.cancelAllOrders(BTC)]);
  });

  it("watchTrades", async () => {
    const trades = await watched(
      async () => (await maker.watchTrades(BTC)).map(({ side, price, amount, cost }) => [side, price, amount, cost]),
      (seen) => seen.length > 0,
    );
    assert.deepEqual(trades[0], ["sell", 59_990, 0.001, 59.99]);
  });

  it("watchTicker and watchTickers", async () => {
    const ticker = await watched(
      async () => ({ ...(await maker.watchTicker(BTC)) }),
      (seen) => seen.last === 59_985,
      () => trade(59_985, 0.001),
    );
    assert.deepEqual([ticker.symbol, ticker.close, ticker.low], [BTC, 59_985, (await maker.fetchTicker(BTC)).low]);
    const small = await watched(
      async () => ({ ...(await maker.watchTickers([BTC]))[BTC] }),
      (seen) => seen.last === 59_975,
      () => trade(59_975, 0.001),
    );
    // The sale into the best bid above.
    assert.deepEqual([small.symbol, small.close, small.high, small.low], [BTC, 59_975, 59_990, 58_500]);
  });

  it("watchBidsAsks and watchMarkPrice", async () => {
    const best = await watched(
      async () => ({ ...(await maker.watchBidsAsks([BTC]))[BTC] }),
      (seen) => seen.bid === 58_000,
      stirBook,
    );
    assert.equal(best.bidVolume, 0.001);
    await exchange.pinPrice("BTCUSDT", "60010");
    const mark = await watched(
      async () => ({ ...(await maker.watchMarkPrice(BTC, { use1sFreq: true })) }),
      (seen) => seen.indexPrice === 60_010,
      async () => {},
    );
    assert.deepEqual([mark.symbol, mark.markPrice], [BTC, (await maker.fetchFundingRate(BTC)).markPrice]);
    await exchange.pinPrice("BTCUSDT", "60000");
  });

  it("watchOHLCV gives the candle that REST gives", async () => {
    const candle = await watched(
      async () => [...((await maker.watchOHLCV(BTC, "1m")).at(-1) ?? [])],
      (seen) => seen[4] === 59_965,
      () => trade(59_965, 0.002),
    );
    const [time, open, high] = candle;
    const [onRest] = await maker.fetchOHLCV(BTC, "1m", time, 1);
    assert.deepEqual([time, open, high], onRest?.slice(0, 3));
  });

  it("watchOrders reports a new order, its fills and its end", async () => {
    const batches = gather(async () =>
      (await maker.watchOrders(BTC)).map(({ id, status, filled }) => ({ id, status, filled })),
    );
    await waitFor(
      async () => {
        if (batches.length === 0) await stirBook();
        return batches.length > 0;
      },
      { interval_ms: 150, what: "the first order" },
    );
    const { id } = await maker.createOrder(BTC, "limit", "buy", 0.02, 59_900);
    const own = () => batches.flat().filter((order) => order.id === id);
    const next = (status: string, filled: number) =>
      waitFor(() => own().some((order) => order.status === status && order.filled === filled), { what: status });
    await next("open", 0);
    await taker.createOrder(BTC, "market", "sell", 0.005);
    await next("open", 0.005);
    await maker.cancelOrder(present(id), BTC);
    await next("canceled", 0.005);
    assert.deepEqual(
      own().map(({ status, filled }) => [status, filled]),
      [
        ["open", 0],
        ["open", 0.005],
        ["canceled", 0.005],
      ],
    );
  });

  it("watchMyTrades gives the exact fee", async () => {
    const trades = await watched(
      async () => (await maker.watchMyTrades(BTC)).map((own) => ({ ...own })),
      (seen) => seen.at(-1)?.price === 59_950,
      () => trade(59_950, 0.01),
    );
    const last = trades.at(-1);
    // 599.5 × 0.0002
    assert.deepEqual(
      [last?.side, last?.amount, last?.takerOrMaker, last?.fee],
      ["buy", 0.01, "maker", { currency: "USDT", cost: 0.1199 }],
    );
  });

  it("watchBalance and watchPositions agree with REST", async () => {
    const balances = gather(async () => Number((await maker.watchBalance())["USDT"]?.total));
    const positions = gather(async () =>
      (await maker.watchPositions([BTC])).map(({ side, contracts, entryPrice }) => [side, contracts, entryPrice]),
    );
    await waitFor(
      async () => {
        const isFollowed = balances.length > 0 && positions.length > 0;
        if (!isFollowed) await trade(59_990, 0.001);
        return isFollowed;
      },
      { interval_ms: 150, what: "the account" },
    );
    await trade(59_960, 0.003);
    const wallet = Number((await maker.fetchBalance())["info"].totalWalletBalance);
    const [held] = await maker.fetchPositions([BTC]);
    await waitFor(() => balances.at(-1) === wallet, { what: `the balance ${wallet}` });
    await waitFor(() => positions.at(-1)?.at(-1)?.[1] === held?.contracts, { what: "the position" });
    const [side, , entry] = positions.at(-1)?.at(-1) ?? [];
    assert.deepEqual([side, Number(entry).toFixed(4)], ["long", Number(held?.entryPrice).toFixed(4)]);
  });
});
