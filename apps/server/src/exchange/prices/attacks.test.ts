/** Attacks on index, mark and funding, with a real engine in memory and the server's prices around it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HALTED, REDUCE_ONLY, TRADING } from "@bourse/engine";
import { HOUR_ms } from "../../kernel/dates.ts";
import { settleFunding } from "./funding.ts";
import { type ManualSource, TEST_NOON_MS, TestExchange } from "./testing.ts";

/** A market with three sources, and an attacker with two wallets. */
async function market(symbol: "BTCUSDT" | "AVAXUSDT", index: string) {
  const x = await new TestExchange().open();
  const sources = [x.source("a"), x.source("b"), x.source("c")] as const;
  const prices = x.prices(sources);
  const all = (price: string) => () => {
    for (const source of sources) source.say(symbol, price);
  };
  /** The lowest and the highest index and mark while the sources say what they say. */
  const run = async (seconds: number, say: (second: number) => void) => {
    const [first] = x.shown(symbol);
    let [lowIndex, highIndex, lowMark, highMark] = [
      first,
      first,
      ...x.shown(symbol).slice(1),
      ...x.shown(symbol).slice(1),
    ];
    for (let second = 0; second < seconds; second += 1) {
      x.clock.advance(1_000);
      say(second);
      await prices.tick();
      const [indexTicks, markTicks] = x.shown(symbol);
      [lowIndex, highIndex] = [Math.min(lowIndex!, indexTicks), Math.max(highIndex!, indexTicks)];
      [lowMark, highMark] = [Math.min(lowMark!, markTicks), Math.max(highMark!, markTicks)];
    }
    return { index: [lowIndex, highIndex], mark: [lowMark, highMark] };
  };
  all(index)();
  await prices.tick();
  const [ann, bob] = [await x.trader("1000000"), await x.trader("1000000")];
  const liquidated: number[] = [];
  x.exchange.listen(({ events }) => {
    for (const event of events) if (event.kind === "liquidation_started") liquidated.push(event.account);
  });
  return { x, sources, prices, all, run, ann, bob, liquidated };
}

describe("quotes that would move the mark", () => {
  it("FUT-13: two one-lot orders do not", async () => {
    const m = await market("AVAXUSDT", "30");
    await m.x.sell(m.ann, "1", "30", "AVAXUSDT");
    await m.x.buy(m.bob, "1", "30", "AVAXUSDT");
    await m.x.buy(m.bob, "1", "32", "AVAXUSDT");
    await m.x.sell(m.ann, "1", "32.4", "AVAXUSDT");
    assert.deepEqual((await m.run(120, m.all("30"))).mark, [30_000, 30_000]);
  });

  it("FUT-13: far quotes of size on both sides cancel out, however lopsided they are", async () => {
    for (const [bid, bought, ask, sold] of [
      ["20", "2000", "31", "2000"],
      ["29", "2000", "60", "500"],
      ["1", "4500", "400", "11"],
    ] as const) {
      const m = await market("AVAXUSDT", "30");
      await m.x.sell(m.ann, "1", "30", "AVAXUSDT");
      await m.x.buy(m.bob, "1", "30", "AVAXUSDT");
      await m.x.buy(m.bob, bought, bid, "AVAXUSDT");
      await m.x.sell(m.ann, sold, ask, "AVAXUSDT");
      assert.deepEqual((await m.run(60, m.all("30"))).mark, [30_000, 30_000], `${bid} and ${ask}`);
    }
  });

  it("FUT-13: size on both sides moves it by the clamp at most, and a fresh position at the highest leverage stands that", async () => {
    const m = await market("AVAXUSDT", "30");
    const victim = await m.x.trader("160");
    await m.x.setLeverage(victim, 20, "AVAXUSDT");
    // A short of 3,000 at 20× ties up 150; the mark will stand at its disadvantage by the whole clamp.
    await m.x.buy(m.bob, "100", "30", "AVAXUSDT");
    await m.x.sell(victim, "100", "30", "AVAXUSDT");
    await m.x.buy(m.bob, "1000", "30.3", "AVAXUSDT");
    await m.x.sell(m.ann, "1000", "30.301", "AVAXUSDT");
    const { mark } = await m.run(90, m.all("30"));
    assert.deepEqual(mark, [30_000, 30_300]);
    assert.deepEqual(m.liquidated, []);
  });

  it("FUT-13: a lone print far away moves nothing without size around it", async () => {
    const m = await market("BTCUSDT", "60000");
    await m.x.sell(m.ann, "0.1", "62000");
    await m.x.buy(m.bob, "0.1", "62000");
    assert.deepEqual((await m.run(30, m.all("60000"))).mark, [600_000, 600_000]);
  });
});

describe("sources that lie", () => {
  const lieTo = (honest: readonly ManualSource[], liar: ManualSource, symbol: string, price: string, lie: string) => {
    for (const source of honest) source.say(symbol, price);
    liar.say(symbol, lie);
  };

  it("FUT-13: one of three moves the index by at most a third of the clamp, whatever it says", async () => {
    for (const lie of ["1", "57000", "59700", "60299", "60300", "61000", "63000", "63001", "1000000"]) {
      const m = await market("BTCUSDT", "60000");
      const [a, b, liar] = m.sources;
      const { index, mark } = await m.run(20, () => lieTo([a, b], liar, "BTCUSDT", "60000", lie));
      assert.ok(index[0]! >= 599_000 && index[1]! <= 601_000, `${lie}: ${index}`);
      assert.ok(mark[0]! >= 599_000 && mark[1]! <= 601_000, `${lie}: ${mark}`);
      assert.equal(m.x.market().status, TRADING, lie);
    }
  });

  it("FUT-13: one that comes and goes, high and low, moves it between a third below and a third above", async () => {
    const m = await market("AVAXUSDT", "30");
    const [a, b, liar] = m.sources;
    const { index } = await m.run(120, (second) => {
      for (const source of [a, b]) source.say("AVAXUSDT", "30");
      if (second % 20 < 10) liar.say("AVAXUSDT", second % 2 === 0 ? "31.4" : "28.6");
    });
    assert.deepEqual(index, [29_900, 30_100]);
    assert.equal(m.x.market("AVAXUSDT").status, TRADING);
    assert.deepEqual(m.x.errors, []);
  });

  it("FUT-13: one that freezes while the others move holds the index back by a third of the clamp for ten seconds", async () => {
    const m = await market("BTCUSDT", "60000");
    const [a, b] = m.sources;
    const move = () => {
      for (const source of [a, b]) source.say("BTCUSDT", "58000");
    };
    await m.run(9, move);
    // 58,000 twice and 60,000, 3.4 % away, at the clamp of 58,290: 58,096.7.
    assert.equal(m.x.shown()[0], 580_967);
    await m.run(2, move);
    assert.equal(m.x.shown()[0], 580_000);
    assert.equal(m.x.market().status, TRADING, "two that agree suffice");
  });

  it("FUT-13: one that repeats an old price with a new time is clamped, then dropped", async () => {
    const m = await market("BTCUSDT", "60000");
    const [a, b, frozen] = m.sources;
    const uses = () => m.prices.report("BTCUSDT").sources.map(({ use }) => use);
    await m.run(1, () => lieTo([a, b], frozen, "BTCUSDT", "58000", "60000"));
    assert.deepEqual(uses(), ["counted", "counted", "clamped"]);
    await m.run(1, () => lieTo([a, b], frozen, "BTCUSDT", "57000", "60000"));
    assert.deepEqual(uses(), ["counted", "counted", "dropped"]);
    assert.equal(m.x.shown()[0], 570_000);
  });

  it("FUT-13: a liar among two can stop the market but not move its price: reduce-only, HALTED, and back by itself", async () => {
    const m = await market("BTCUSDT", "60000");
    const [a, liar] = m.sources;
    const victim = await m.x.trader("1000");
    await m.x.setLeverage(victim, 50);
    await m.x.sell(m.ann, "0.5", "60000");
    await m.x.buy(victim, "0.5", "60000");
    m.x.clock.advance(10_000);
    const { index } = await m.run(60, () => lieTo([a], liar, "BTCUSDT", "60000", "57500"));
    assert.deepEqual([index, m.x.market().status], [[600_000, 600_000], REDUCE_ONLY]);
    await m.run(300, () => lieTo([a], liar, "BTCUSDT", "60000", "57500"));
    assert.equal(m.x.market().status, HALTED);
    assert.deepEqual(m.liquidated, [], "nobody was judged by it");
    await m.run(122, m.all("60000"));
    assert.equal(m.x.market().status, TRADING);
    assert.deepEqual(m.liquidated, []);
  });
});

describe("funding as the channel", () => {
  const HOUR = TEST_NOON_MS / HOUR_ms + 1;

  it("FUT-14: one-sided bids for an hour leave funding at the interest", async () => {
    const m = await market("AVAXUSDT", "30");
    await m.x.sell(m.ann, "100", "30", "AVAXUSDT");
    await m.x.buy(m.bob, "100", "30", "AVAXUSDT");
    await m.x.buy(m.bob, "3000", "32", "AVAXUSDT");
    await m.run(3_600, m.all("30"));
    const outcomes = await settleFunding(m.x.exchange, m.prices, HOUR);
    assert.deepEqual(
      outcomes.filter(({ symbol }) => symbol === "AVAXUSDT"),
      [{ symbol: "AVAXUSDT", rate_e8: 1_250, isSettled: true, positions: 2 }],
    );
  });

  it("FUT-14: far quotes of both sides leave it there too, and size at the clamp all hour costs others 0.11875 % at most", async () => {
    const far = await market("AVAXUSDT", "30");
    await far.x.buy(far.bob, "3000", "29", "AVAXUSDT");
    await far.x.sell(far.ann, "2000", "40", "AVAXUSDT");
    await far.run(3_600, far.all("30"));
    assert.equal(far.prices.rate_e8(far.x.market("AVAXUSDT").number, HOUR), 1_250);
    const near = await market("AVAXUSDT", "30");
    await near.x.buy(near.bob, "1000", "32", "AVAXUSDT");
    await near.x.sell(near.ann, "1000", "32.4", "AVAXUSDT");
    await near.run(3_600, near.all("30"));
    // 719 of 720 slots at 0.01, less 0.0005, an eighth: the first was sampled before the quotes came.
    assert.equal(near.prices.rate_e8(near.x.market("AVAXUSDT").number, HOUR), 118_576);
  });
});
