import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HALTED, REDUCE_ONLY, TRADING } from "@bourse/engine";
import { type CommandLog, MemoryLog } from "../../kernel/journal/command-log.ts";
import { PriceRefused } from "./prices.ts";
import { sizeOf, TestExchange, type TestExchangeOptions } from "./testing.ts";

/** An exchange with three price sources that agree on 60,000 for BTC. */
async function withSources(options: TestExchangeOptions = {}) {
  const x = await new TestExchange(options).open();
  const sources = [x.source("one"), x.source("two"), x.source("three")];
  const say = (...prices: string[]) => {
    for (const [place, price] of prices.entries()) sources[place]!.say("BTCUSDT", price);
  };
  const prices = x.prices(sources);
  return { x, sources, say, prices };
}

describe("index and mark", () => {
  it("FUT-13: the index is the mean of the fresh sources, an outlier is dropped", async () => {
    const { x, say, prices } = await withSources();
    say("60000", "70000", "60010");
    await prices.tick();
    assert.deepEqual(x.shown(), [600_050, 600_050]);
    say("60000", "60010.05", "60020");
    await prices.tick();
    // The sources round to 60,000.0, 60,010.1 and 60,020.0; their mean 60,010.0333… rounds to 60,010.0.
    assert.deepEqual(x.shown(), [600_100, 600_100]);
  });

  it("FUT-13: a source is fresh for 10 s and not a moment longer", async () => {
    const { x, sources, say, prices } = await withSources();
    say("60000", "60000", "60300");
    await prices.tick();
    assert.equal(x.shown()[0], 601_000);
    x.clock.advance(10_000);
    sources[0]!.say("BTCUSDT", "60000");
    sources[1]!.say("BTCUSDT", "60000");
    await prices.tick();
    assert.equal(x.shown()[0], 601_000);
    x.clock.advance(1);
    await prices.tick();
    assert.equal(x.shown()[0], 600_000);
  });

  it("FUT-13: fewer than two fresh sources: reduce-only, and trading again when they are back", async () => {
    const { x, sources, say, prices } = await withSources();
    say("60000", "60000", "60000");
    await prices.tick();
    assert.equal(x.market().status, TRADING);
    x.clock.advance(10_001);
    sources[0]!.say("BTCUSDT", "61000");
    await prices.tick();
    assert.equal(x.market().status, REDUCE_ONLY);
    assert.deepEqual(x.shown(), [600_000, 600_000], "the last price stands");
    assert.equal(prices.report("BTCUSDT").guard?.phase, "reduce_only");
    sources[1]!.say("BTCUSDT", "61000");
    await prices.tick();
    assert.equal(x.market().status, TRADING);
    assert.deepEqual(x.shown(), [610_000, 610_000]);
    assert.deepEqual(x.errors, []);
  });

  it("FUT-13: two sources that do not agree are no index", async () => {
    const { x, say, prices } = await withSources();
    say("60000", "70000");
    await prices.tick();
    assert.deepEqual([x.market().status, ...x.shown()], [REDUCE_ONLY, 0, 0]);
  });

  it("FUT-13: what an admin has set is not undone by prices that come back", async () => {
    for (const status of [REDUCE_ONLY, HALTED]) {
      const { x, say, prices } = await withSources();
      say("60000", "60000");
      await prices.tick();
      await x.setStatus(status);
      x.clock.advance(10_001);
      await prices.tick();
      assert.equal(x.market().status, status);
      say("60000", "60000");
      await prices.tick();
      assert.equal(x.market().status, status);
    }
  });

  it("FUT-13: an admin's word while the sources are stale stands as well, unless it is to trade", async () => {
    const { x, say, prices } = await withSources();
    await prices.tick();
    await x.setStatus(REDUCE_ONLY);
    say("60000", "60000");
    await prices.tick();
    assert.equal(x.market().status, REDUCE_ONLY);
    x.clock.advance(10_001);
    await x.setStatus(TRADING);
    await prices.tick();
    assert.equal(x.market().status, REDUCE_ONLY, "without prices nobody opens anything");
    say("60000", "60000");
    await prices.tick();
    assert.equal(x.market().status, TRADING);
  });

  it("FUT-13: an admin who halts at the very moment the guard acts has the last word", async () => {
    for (const isAdminFirst of [true, false]) {
      const { x, say, prices } = await withSources();
      await prices.tick();
      assert.equal(x.market().status, REDUCE_ONLY);
      say("60000", "60000");
      const [first, second] = isAdminFirst
        ? [x.setStatus(HALTED), prices.tick()]
        : [prices.tick(), x.setStatus(HALTED)];
      await Promise.all([first, second]);
      assert.equal(x.market().status, HALTED);
      await prices.tick();
      assert.equal(x.market().status, HALTED);
      assert.equal(prices.report("BTCUSDT").guard, undefined);
    }
  });

  it("FUT-13: an admin who halts while the guard writes down what it is about to do has the last word", async () => {
    const x = await new TestExchange().open();
    const written = Promise.withResolvers<void>();
    x.store.keepGuard = () => written.promise;
    const prices = x.prices([]);
    const round = prices.tick();
    await x.setStatus(HALTED);
    written.resolve();
    await round;
    const guarded = (symbol: string) => prices.report(symbol).guard?.phase;
    assert.deepEqual([x.market().status, guarded("BTCUSDT")], [HALTED, undefined]);
    assert.deepEqual([x.market("ETHUSDT").status, guarded("ETHUSDT")], [REDUCE_ONLY, "reduce_only"]);
  });

  it("FUT-13: a database that does not answer keeps no market from being made safe", async () => {
    const x = await new TestExchange().open();
    x.store.keepGuard = () => Promise.reject(new Error("no database"));
    await x.prices([]).tick();
    assert.equal(x.market().status, REDUCE_ONLY);
    assert.equal(x.errors.length, 4, "one for each market");
  });

  it("FUT-13: nor does one that is silent, and a stop does not wait for it", async () => {
    const x = await new TestExchange().open();
    const silence = new Promise<never>(() => {});
    x.store.keepGuard = () => silence;
    x.store.keepPremiums = () => silence;
    const prices = x.prices([]);
    await prices.pin("ETHUSDT", sizeOf("3000"));
    await prices.tick();
    assert.equal(x.market().status, REDUCE_ONLY);
    await prices.stop();
  });

  it("FUT-13: who has made a market reduce-only is known after a restart", async () => {
    const { x, sources, say, prices } = await withSources();
    await prices.tick();
    assert.equal(x.market().status, REDUCE_ONLY);
    await x.setStatus(REDUCE_ONLY, "ETHUSDT");
    await prices.stop();
    const again = x.prices(sources);
    say("60000", "60000");
    for (const source of sources) source.say("ETHUSDT", "3000");
    await again.start();
    assert.equal(x.market().status, TRADING);
    assert.equal(x.market("ETHUSDT").status, REDUCE_ONLY);
    assert.deepEqual(x.shown("ETHUSDT"), [300_000, 300_000]);
  });

  it("FUT-13: before rules version 5 the mark is the median of funding basis, 30 s of the book, and the last trade", async () => {
    const { x, say, prices } = await withSources({ rulesVersion: 4 });
    say("60000", "60000");
    await prices.tick();
    const [ann, bob] = [await x.trader("1000000"), await x.trader("1000000")];
    await x.sell(ann, "0.1", "60500");
    await x.buy(bob, "0.1", "60500");
    await x.buy(bob, "0.001", "60000");
    assert.deepEqual(x.shown(), [600_000, 600_000]);
    await prices.tick();
    assert.equal(x.shown()[1], 600_000, "one side is no book");
    await x.sell(ann, "0.001", "60020");
    x.clock.advance(1_000);
    await prices.tick();
    // Mark by funding 60,000.7 (almost the whole rate of 0.0000125 is still to pay), by the book 60,010.0, last
    // 60,500.0.
    assert.equal(x.shown()[1], 600_100);
    await x.buy(bob, "0.001", "60010");
    x.clock.advance(1_000);
    await prices.tick();
    // The offset from the index is now 15 and was 10 a second before: the mean is 12.5.
    assert.equal(x.shown()[1], 600_125);
    x.clock.advance(29_000);
    say("60000", "60000");
    await prices.tick();
    assert.equal(x.shown()[1], 600_133, "all three seconds are within the window");
    x.clock.advance(1_001);
    await prices.tick();
    // Both samples have left the window: every offset in it is 15.
    assert.equal(x.shown()[1], 600_150);
  });
});

describe("telling the engine", () => {
  it("says a price again only when it has changed by a tick, or after 10 s", async () => {
    const { x, say, prices } = await withSources();
    let said = 0;
    x.exchange.listen(({ command }) => {
      if (command.kind === "set_price") said += 1;
    });
    say("60000", "60000");
    await prices.tick();
    x.clock.advance(1_000);
    say("60000.04", "60000.04");
    await prices.tick();
    assert.equal(said, 1);
    x.clock.advance(1_000);
    say("60000.1", "60000.1");
    await prices.tick();
    assert.equal(said, 2);
    x.clock.advance(9_999);
    await prices.tick();
    assert.equal(said, 2);
    x.clock.advance(1);
    await prices.tick();
    assert.equal(said, 3);
  });

  it("does not pile up prices while one is on its way", async () => {
    const log = new MemoryLog();
    let isSlow = false;
    const release = Promise.withResolvers<void>();
    const slow: CommandLog = {
      append: async (records) => {
        if (isSlow) await release.promise;
        await log.append(records);
      },
      close: () => log.close(),
    };
    const { x, say, prices } = await withSources({ log: slow });
    await x.setStatus(HALTED, "ETHUSDT");
    await x.setStatus(HALTED, "SOLUSDT");
    await x.setStatus(HALTED, "AVAXUSDT");
    isSlow = true;
    const before = log.records.length;
    const rounds: Promise<void>[] = [];
    for (const price of ["60000", "60001", "60002"]) {
      say(price, price);
      rounds.push(prices.tick());
    }
    assert.equal(x.exchange.waiting, 1);
    release.resolve();
    await Promise.all(rounds);
    assert.equal(log.records.length, before + 1);
    await prices.tick();
    assert.deepEqual(x.shown(), [600_020, 600_020]);
  });

  it("runs by its timer and leaves nothing behind when it stops", async () => {
    const { x, say, prices } = await withSources();
    say("60000", "60000");
    await prices.start();
    assert.deepEqual(x.shown(), [600_000, 600_000]);
    say("60001", "60001");
    x.timers.fire(1_000);
    await prices.stop();
    assert.deepEqual(x.shown(), [600_010, 600_010]);
    assert.equal(x.timers.count, 0);
  });

  it("a log that has failed is told of once and asked no more", async () => {
    const log: CommandLog = { append: () => Promise.resolve(), close: () => Promise.resolve() };
    const { x, say, prices } = await withSources({ log });
    log.append = () => Promise.reject(new Error("disk"));
    say("60000", "60000");
    await prices.tick();
    const told = x.errors.length;
    assert.ok(told > 0);
    await prices.tick();
    assert.equal(x.errors.length, told);
  });
});

describe("pinned prices", () => {
  it("RUN-6: a pinned price is index and mark before the answer, until it is let go", async () => {
    const { x, say, prices } = await withSources();
    say("60000", "60000");
    await prices.tick();
    const report = await prices.pin("BTCUSDT", sizeOf("58500"));
    assert.deepEqual(x.shown(), [585_000, 585_000]);
    assert.deepEqual([report.indexTicks, report.markTicks, report.isPinned], [585_000, 585_000, true]);
    x.clock.advance(60_000);
    await prices.tick();
    assert.deepEqual([x.market().status, ...x.shown()], [TRADING, 585_000, 585_000], "a pinned price does not age");
    say("60001", "60001");
    assert.equal((await prices.pin("BTCUSDT", null)).isPinned, false);
    assert.deepEqual(x.shown(), [600_010, 600_010]);
  });

  it("RUN-6: with a book a pinned price is the index, and the mark follows its rule", async () => {
    const { x, say, prices } = await withSources({ rulesVersion: 4 });
    say("60000", "60000");
    await prices.tick();
    const [ann, bob] = [await x.trader("1000000"), await x.trader("1000000")];
    await x.sell(ann, "0.1", "60000");
    await x.buy(bob, "0.1", "60000");
    await x.sell(ann, "0.1", "60010");
    await x.buy(bob, "0.1", "59990");
    x.clock.advance(1_000);
    await prices.tick();
    await prices.pin("BTCUSDT", sizeOf("59000"));
    // Mark by funding 59,000.7, by the book of the last 30 s 59,000.0, last 60,000.0.
    assert.deepEqual(x.shown(), [590_000, 590_007]);
  });

  it("RUN-6: by rules version 5 the mark keeps to a pinned index as to any other", async () => {
    const { x, say, prices } = await withSources();
    say("60000", "60000");
    await prices.tick();
    const [ann, bob] = [await x.trader("1000000"), await x.trader("1000000")];
    await x.sell(ann, "1", "60000");
    await x.buy(bob, "1", "60000");
    await x.sell(ann, "1", "60010");
    await x.buy(bob, "1", "59990");
    await prices.pin("BTCUSDT", sizeOf("59000"));
    // By funding 59,000.7, by the book 59,000.0; the last trade and both impact prices end at the clamp, 59,236.0.
    assert.deepEqual(x.shown(), [590_000, 590_007]);
  });

  it("RUN-6: a pin rescues a market without sources and survives a restart", async () => {
    const { x, prices } = await withSources();
    await prices.tick();
    assert.equal(x.market().status, REDUCE_ONLY);
    await prices.pin("BTCUSDT", sizeOf("60000.04"));
    assert.deepEqual([x.market().status, ...x.shown()], [TRADING, 600_000, 600_000]);
    const again = x.prices([]);
    await again.start();
    assert.equal(again.report("BTCUSDT").isPinned, true);
    assert.equal(x.market().status, TRADING);
  });

  it("RUN-6: an unknown market and a price that is none are refused", async () => {
    const { prices } = await withSources();
    await assert.rejects(prices.pin("XYZUSDT", sizeOf("1")), (error: PriceRefused) => error.isUnknownMarket);
    for (const price_e8 of [0, -1, 1.5, Number.NaN, sizeOf("1700000")]) {
      await assert.rejects(prices.pin("BTCUSDT", price_e8), PriceRefused);
    }
  });
});

describe("clock jumps and pushed prices", () => {
  it("RUN-6: after a jump of the clock prices count as fresh, and during it none grows old", async () => {
    const { x, say, prices } = await withSources();
    say("60000", "60000");
    await prices.tick();
    await prices.duringClockMove(async () => {
      x.clock.advance(86_400_000);
      await prices.tick();
      assert.equal(x.market().status, TRADING);
    });
    assert.equal(x.market().status, TRADING);
    assert.equal(x.exchange.engine.state.time_ms, x.clock.now(), "the price was set again");
    x.clock.advance(10_001);
    await prices.tick();
    assert.equal(x.market().status, REDUCE_ONLY);
  });

  it("FUT-13: pushed prices are sources, one for each feed", async () => {
    const x = await new TestExchange().open();
    const prices = x.prices([], { isPushed: true });
    prices.push("BTCUSDT", sizeOf("60000"));
    await prices.tick();
    assert.equal(x.market().status, REDUCE_ONLY, "one feed is one source");
    prices.push("BTCUSDT", sizeOf("60010"), "backup");
    await prices.tick();
    assert.deepEqual([x.market().status, ...x.shown()], [TRADING, 600_050, 600_050]);
    assert.throws(() => prices.push("BTCUSDT", 0), PriceRefused);
    assert.throws(() => prices.push("NONE", 1), PriceRefused);
    assert.throws(() => prices.push("BTCUSDT", sizeOf("60000"), "no name!"), PriceRefused);
    const closed = x.prices([]);
    assert.throws(() => closed.push("BTCUSDT", sizeOf("60000")), PriceRefused);
  });
});
