import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUY, GTX, IOC, SELL, type Side } from "@bourse/engine";
import { MINUTE_ms } from "../../kernel/dates.ts";
import type { Applied } from "../host/exchange.ts";
import { INTERVAL_NAMES, INTERVALS, type Kline } from "./kline-series.ts";
import { type Level, type MarketBoard, TRADES_KEPT } from "./market-board.ts";
import { MarketData } from "./market-data.ts";
import { BTC, BTC_TICKS, ExchangeForTests } from "./testing.ts";

/** Random numbers from a seed, so that a failure can be repeated. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Books = [Map<number, number>, Map<number, number>];

function bookOf(board: MarketBoard): Books {
  const { bids, asks } = board.depth(1_000);
  return [new Map(bids), new Map(asks)];
}

function applyLevels([bids, asks]: Books, levels: { bids: readonly Level[]; asks: readonly Level[] }): void {
  for (const [book, changed] of [
    [bids, levels.bids],
    [asks, levels.asks],
  ] as const) {
    for (const [ticks, lots] of changed) {
      if (lots === 0) book.delete(ticks);
      else book.set(ticks, lots);
    }
  }
}

const sorted = (books: Books) => books.map((book) => [...book].sort(([a], [b]) => a - b));

interface SeenTrade {
  readonly ticks: number;
  readonly lots: number;
  readonly time_ms: number;
  readonly isTakerBuy: boolean;
}

/** Places, modifies and cancels random orders of a few traders around the mark while time advances. */
async function trade(market: ExchangeForTests, steps: number, seed: number): Promise<SeenTrade[]> {
  const random = randomNumbers(seed);
  const traders = [await market.trader(), await market.trader(), await market.trader()];
  const open: { account: number; order: number }[] = [];
  const trades: SeenTrade[] = [];
  const note = ({ events, time_ms }: Applied) => {
    for (const event of events) {
      if (event.kind === "order_opened") open.push({ account: event.account, order: event.order });
      if (event.kind === "fill" && event.isMaker === 0) {
        trades.push({ ticks: event.ticks, lots: event.lots, time_ms, isTakerBuy: event.side === BUY });
      }
    }
  };
  for (let step = 0; step < steps; step += 1) {
    const account = traders[random(traders.length)]!;
    const side = random(2) as Side;
    const ticks = BTC_TICKS + random(41) - 20;
    const what = random(10);
    market.clock.advance(random(45_000));
    if (what < 6) {
      const timeInForce = ([0, 0, 0, IOC, GTX] as const)[random(5)]!;
      const place = side === BUY ? market.buy.bind(market) : market.sell.bind(market);
      note(await place(account, 1 + random(50), { ticks, timeInForce }));
    } else if (what < 8 && open.length > 0) {
      const [target] = open.splice(random(open.length), 1);
      note(await market.cancel(target!.account, target!.order));
    } else if (open.length > 0) {
      const { account: owner, order } = open[random(open.length)]!;
      const size = { ticks, lots: 1 + random(50), side: -1 as const, clientId: "" };
      note(await market.submit({ kind: "modify_order", account: owner, order, ...size }));
    }
  }
  return trades;
}

describe("market data", () => {
  it("FUT-19: the chain of changed levels, applied to a snapshot, is the book after every command", async () => {
    const market = await new ExchangeForTests().begin();
    const data = new MarketData(market);
    const board = data.board(BTC);
    const book = bookOf(board);
    let lastId = board.updateId;
    let before = sorted(book);
    let changes = 0;
    data.listen((change) => {
      if (change.levels.size === 0) return;
      assert.ok(board.updateId > lastId);
      assert.equal(board.updateId, market.engine.state.commandNumber);
      lastId = board.updateId;
      changes += 1;
      applyLevels(book, board.levelsOf(change.levels));
    });
    market.exchange.listen(() => {
      const after = sorted(bookOf(board));
      assert.deepEqual(sorted(book), after);
      // The id changes with every change of the book; it may also change when a level fills and empties within one
      // command.
      if (board.updateId === lastId && changes === 0) assert.deepEqual(after, before);
      before = after;
      changes = 0;
    });
    const trades = await trade(market, 1_500, 7);
    assert.ok(trades.length > 200, `${trades.length} trades`);
    assert.ok(lastId - data.board(BTC).market.trades > 0);
  });

  it("begun in the midst of trading, it knows the orders that rest already", async () => {
    const market = await new ExchangeForTests().begin();
    await trade(market, 300, 11);
    const data = new MarketData(market);
    const board = data.board(BTC);
    assert.ok(board.updateId >= market.engine.state.commandNumber);
    const book = bookOf(board);
    assert.ok(book[0].size + book[1].size > 5);
    data.listen((change) => applyLevels(book, board.levelsOf(change.levels)));
    await trade(market, 300, 12);
    assert.deepEqual(sorted(book), sorted(bookOf(board)));
    assert.equal(data.walk.orders.count, board.market.book.bids.orders + board.market.book.asks.orders);
  });

  it("klines of every length are what the trades give, counted one by one", async () => {
    const market = await new ExchangeForTests().begin();
    const data = new MarketData(market);
    const trades = await trade(market, 2_000, 3);
    market.clock.advance(5 * MINUTE_ms);
    const { unit_micros } = market.engine.state.markets[BTC]!.definition;
    for (const interval of INTERVAL_NAMES) {
      const klines = data.klines(BTC, interval, { limit: 1_500 });
      assert.deepEqual(klines, naiveKlines(trades, INTERVALS[interval], data.settled_ms, unit_micros), interval);
    }
  });

  it("the ticker is that of the last 1,440 minutes", async () => {
    const market = await new ExchangeForTests().begin();
    const data = new MarketData(market);
    const trades = [...(await trade(market, 1_500, 5))];
    market.clock.advance(20 * 60 * MINUTE_ms);
    trades.push(...(await trade(market, 400, 6)));
    const ticker = data.ticker(BTC)!;
    const last = trades.at(-1)!;
    const newest_ms = Math.max(last.time_ms, data.settled_ms);
    const first_ms = newest_ms - (newest_ms % MINUTE_ms) - 1_439 * MINUTE_ms;
    const within = trades.filter(({ time_ms }) => time_ms >= first_ms);
    const earlier = trades.filter(({ time_ms }) => time_ms < first_ms);
    assert.ok(within.length > 50 && earlier.length > 50, `${within.length} of ${trades.length} trades`);
    // The first minute of the window may begin with a trade.
    const opening = within[0]!.time_ms < first_ms + MINUTE_ms ? within[0]! : earlier.at(-1)!;
    const prices = [opening, ...within].map(({ ticks }) => ticks);
    assert.equal(ticker.openTicks, opening.ticks);
    assert.equal(ticker.highTicks, Math.max(...prices));
    assert.equal(ticker.lowTicks, Math.min(...prices));
    assert.equal(ticker.lastTicks, last.ticks);
    assert.equal(ticker.trades, within.length);
    assert.equal(
      ticker.lots,
      within.reduce((sum, { lots }) => sum + lots, 0),
    );
    assert.equal(ticker.lastTrade, trades.length);
    assert.equal(ticker.firstTrade, trades.length - within.length + 1);
  });

  it("fills of one taking order at one price are one aggregate", async () => {
    const market = await new ExchangeForTests().begin();
    const data = new MarketData(market);
    const [maker, taker] = [await market.trader(), await market.trader()];
    for (const ticks of [BTC_TICKS, BTC_TICKS, BTC_TICKS + 1]) await market.sell(maker, 10, { ticks });
    await market.buy(taker, 25, { ticks: BTC_TICKS + 5 });
    await market.sell(maker, 3, { ticks: BTC_TICKS + 1 });
    await market.buy(taker, 5, { ticks: BTC_TICKS + 1 });
    const rows = data.aggTrades(BTC, { limit: 10 }).map(({ id, ticks, lots, firstTrade, lastTrade }) => ({
      id,
      ticks,
      lots,
      firstTrade,
      lastTrade,
    }));
    assert.deepEqual(rows, [
      { id: 1, ticks: BTC_TICKS, lots: 20, firstTrade: 1, lastTrade: 2 },
      { id: 3, ticks: BTC_TICKS + 1, lots: 5, firstTrade: 3, lastTrade: 3 },
      { id: 4, ticks: BTC_TICKS + 1, lots: 5, firstTrade: 4, lastTrade: 4 },
    ]);
    assert.deepEqual(
      data.aggTrades(BTC, { fromId: 3, limit: 1 }).map(({ id }) => id),
      [3],
    );
    assert.deepEqual(
      data.trades(BTC, 2, 2).map(({ id }) => id),
      [2, 3],
    );
  });

  it("keeps no more trades than it says", async () => {
    const market = await new ExchangeForTests().begin();
    const data = new MarketData(market);
    const [maker, taker] = [await market.trader(), await market.trader()];
    for (let i = 0; i < TRADES_KEPT + 5; i += 1) {
      await market.sell(maker, 1, { ticks: BTC_TICKS });
      await market.buy(taker, 1, { ticks: BTC_TICKS });
    }
    const trades = data.trades(BTC, 5_000);
    assert.equal(trades.length, TRADES_KEPT);
    assert.deepEqual([trades[0]!.id, trades.at(-1)!.id], [6, TRADES_KEPT + 5]);
  });

  it("goes on from history: klines, trades and funding from before the start", async () => {
    const market = await new ExchangeForTests().begin();
    const first = new MarketData(market);
    await trade(market, 400, 21);
    await market.submit({ kind: "apply_funding", market: BTC, rate_e8: 1_250, hour: 500_000 });
    const second = new MarketData(market);
    await second.seed({
      trades: async (number, limit) => first.trades(number, limit),
      klines: async (number, interval, limit) => first.klines(number, interval, { limit }),
      lastFunding: async (number) => (number === BTC ? { rate_e8: 1_250, time_ms: 500_000 * 3_600_000 } : undefined),
    });
    await trade(market, 400, 22);
    for (const interval of INTERVAL_NAMES) {
      assert.deepEqual(
        second.klines(BTC, interval, { limit: 1_500 }),
        first.klines(BTC, interval, { limit: 1_500 }),
        interval,
      );
    }
    assert.deepEqual(second.trades(BTC, 1_000), first.trades(BTC, 1_000));
    assert.deepEqual(second.markPrice(BTC)?.fundingRate_e8, 1_250);
    assert.deepEqual(second.ticker(BTC), first.ticker(BTC));
  });

  it("a kline may be asked for by its time", async () => {
    const market = await new ExchangeForTests().begin();
    const data = new MarketData(market);
    await trade(market, 300, 4);
    const all = data.klines(BTC, "1m", { limit: 1_500 });
    assert.deepEqual(data.klines(BTC, "1m", { start_ms: all[3]!.open_ms, limit: 2 }), all.slice(3, 5));
    assert.deepEqual(data.klines(BTC, "1m", { start_ms: all[3]!.open_ms + 1, limit: 2 }), all.slice(4, 6));
    assert.deepEqual(data.klines(BTC, "1m", { end_ms: all[3]!.close_ms, limit: 2 }), all.slice(2, 4));
    assert.deepEqual(data.klines(BTC, "1m", { limit: 2 }), all.slice(-2));
    assert.deepEqual(data.klines(BTC, "1m", { start_ms: all.at(-1)!.close_ms + 1, limit: 2 }), []);
  });

  it("a clock that leaps leaves as many flat klines as are kept", async () => {
    const market = await new ExchangeForTests().begin();
    const data = new MarketData(market);
    await trade(market, 300, 4);
    const { close } = data.klines(BTC, "1m", { limit: 1 })[0]!;
    market.clock.advance(90 * 24 * 60 * MINUTE_ms);
    const klines = data.klines(BTC, "1m", { limit: 1_500 });
    assert.equal(klines.length, 1_500);
    assert.ok(klines.every((kline) => kline.open === close && kline.trades === 0));
    assert.equal(data.ticker(BTC)!.trades, 0);
  });

  it("book ticker and mark price are the engine's", async () => {
    const market = await new ExchangeForTests().begin();
    const data = new MarketData(market);
    const maker = await market.trader();
    await market.sell(maker, 4, { ticks: BTC_TICKS + 3 });
    const { bidTicks, bidLots, askTicks, askLots } = data.bookTicker(BTC);
    assert.deepEqual([bidTicks, bidLots, askTicks, askLots], [0, 0, BTC_TICKS + 3, 4]);
    const info = data.markPrice(BTC)!;
    assert.deepEqual([info.markTicks, info.nextFunding_ms - market.clock.now()], [BTC_TICKS, 3_600_000]);
    assert.equal(data.markPrice(1), undefined);
    assert.equal(market.engine.state.markets[BTC]!.book.lotsAt(SELL, BTC_TICKS + 3), 4);
  });
});

function naiveKlines(trades: readonly SeenTrade[], length_ms: number, until_ms: number, unit_micros: number): Kline[] {
  const begin = (time_ms: number) => time_ms - (time_ms % length_ms);
  const klines: Kline[] = [];
  const last_ms = Math.max(begin(trades.at(-1)!.time_ms), begin(until_ms));
  for (let open_ms = begin(trades[0]!.time_ms); open_ms <= last_ms; open_ms += length_ms) {
    const ids = trades.flatMap(({ time_ms }, place) => (begin(time_ms) === open_ms ? [place + 1] : []));
    const own = ids.map((id) => trades[id - 1]!);
    const previous = klines.at(-1)?.close ?? 0;
    const prices = own.length === 0 ? [previous] : own.map(({ ticks }) => ticks);
    const lots = (rows: readonly SeenTrade[]) => rows.reduce((sum, row) => sum + row.lots, 0);
    const quote = (rows: readonly SeenTrade[]) =>
      rows.reduce((sum, row) => sum + row.lots * row.ticks * unit_micros, 0);
    const byTakers = own.filter(({ isTakerBuy }) => isTakerBuy);
    klines.push({
      open_ms,
      close_ms: open_ms + length_ms - 1,
      open: prices[0]!,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1)!,
      lots: lots(own),
      quote_micros: quote(own),
      trades: own.length,
      takerLots: lots(byTakers),
      takerQuote_micros: quote(byTakers),
      firstTrade: ids[0] ?? 0,
      lastTrade: ids.at(-1) ?? 0,
    });
  }
  return klines.slice(-1_500);
}
