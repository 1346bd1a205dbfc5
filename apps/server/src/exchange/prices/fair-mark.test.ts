import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SCOPE_ORDERS } from "@bourse/engine";
import { BookWindow } from "./book-window.ts";
import { bookOffset, fairMark } from "./fair-mark.ts";
import type { Prices } from "./prices.ts";
import { sizeOf, TestExchange } from "./testing.ts";

const PARTS = {
  indexTicks: 30_000,
  basis_e8: 0,
  offsetSumTicks: 0,
  impact: undefined,
  lastTicks: 0,
  markClamp_e8: 1_000_000,
};

describe("the mark by rules version 5", () => {
  it("FUT-13: a sample is the floored middle of the clamped impact prices, 0 where one is missing", () => {
    assert.equal(bookOffset(undefined, 30_000), 0);
    assert.equal(bookOffset({ bidTicks: 30_001, askTicks: 30_004 }, 30_000), 2);
    assert.equal(bookOffset({ bidTicks: 29_996, askTicks: 29_999 }, 30_000), -3);
  });

  it("FUT-13: the window holds 30 seconds; those without a sample count 0", () => {
    const window = new BookWindow();
    window.set(1_000, 7);
    window.set(1_999, 10);
    assert.equal(window.sumAt(1_999), 10, "one sample for a second");
    window.set(2_000, 5);
    assert.equal(window.sumAt(30_999), 15);
    assert.equal(window.sumAt(31_000), 5, "the first second has left");
    assert.equal(window.sumAt(32_000), 0);
    window.set(31_500, 3);
    assert.equal(window.sumAt(31_500), 8);
  });

  it("FUT-13: the median of funding, book and trade, within the clamp", () => {
    assert.equal(fairMark(PARTS), 30_000);
    const impact = { bidTicks: 30_050, askTicks: 30_070 };
    // By funding 30,030, by the book trunc(3,599 / 30) = 119, by the trade the impact ask.
    const all = { ...PARTS, basis_e8: 100_000, offsetSumTicks: 3_599, impact, lastTicks: 31_000 };
    assert.equal(fairMark(all), 30_070);
    assert.equal(fairMark({ ...all, lastTicks: 30_060 }), 30_060);
    assert.equal(fairMark({ ...all, lastTicks: 29_000 }), 30_050);
    assert.equal(fairMark({ ...all, lastTicks: 0 }), 30_030, "without a trade the index stands for it");
    assert.equal(fairMark({ ...all, impact: undefined }), 30_030, "and without an impact price");
    assert.equal(fairMark({ ...PARTS, basis_e8: -3_333, offsetSumTicks: -29 }), 30_000, "toward the index");
    const far = { ...PARTS, basis_e8: 5_000_000, offsetSumTicks: 30 * 900 };
    assert.equal(fairMark(far), 30_300);
    assert.equal(fairMark({ ...far, basis_e8: -5_000_000, offsetSumTicks: -30 * 900 }), 29_700);
  });
});

/** AVAX at an index of 30, where somebody has once traded. */
async function avax() {
  const x = await new TestExchange().open();
  const sources = [x.source("a"), x.source("b"), x.source("c")];
  const prices = x.prices(sources);
  const say = (price = "30") => {
    for (const source of sources) source.say("AVAXUSDT", price);
  };
  say();
  await prices.tick();
  const [ann, bob] = [await x.trader("1000000"), await x.trader("1000000")];
  await x.sell(ann, "1", "30", "AVAXUSDT");
  await x.buy(bob, "1", "30", "AVAXUSDT");
  return { x, prices, say, ann, bob, mark: () => x.shown("AVAXUSDT")[1] };
}

async function seconds(x: TestExchange, prices: Prices, say: () => void, count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    x.clock.advance(1_000);
    say();
    await prices.tick();
  }
}

describe("worked examples of the mark", () => {
  it("FUT-13: AVAX at 30, an empty book, then one lot quoted at 34.47: the mark is 30", async () => {
    const { x, prices, say, ann, mark } = await avax();
    await seconds(x, prices, say, 3);
    assert.equal(mark(), 30_000);
    await x.sell(ann, "1", "34.47", "AVAXUSDT");
    await seconds(x, prices, say, 60);
    assert.equal(mark(), 30_000);
  });

  it("FUT-13: 4,000 on both sides at 30.30: 30.10 after 10 s, 30.30 after 30 s, never more", async () => {
    const { x, prices, say, ann, bob, mark } = await avax();
    await x.buy(bob, "140", "30.3", "AVAXUSDT");
    await x.sell(ann, "140", "30.301", "AVAXUSDT");
    await seconds(x, prices, say, 10);
    assert.equal(mark(), 30_100);
    await seconds(x, prices, say, 20);
    assert.equal(mark(), 30_300);
    await seconds(x, prices, say, 60);
    assert.equal(mark(), 30_300);
  });

  it("FUT-13: 4,000 bid at 28 and 4,000 asked at 36: the mark is 30", async () => {
    const { x, prices, say, ann, bob, mark } = await avax();
    await x.buy(bob, "150", "28", "AVAXUSDT");
    await x.sell(ann, "120", "36", "AVAXUSDT");
    await seconds(x, prices, say, 40);
    assert.equal(mark(), 30_000);
  });

  it("FUT-13: quotes that go leave the window with their seconds", async () => {
    const { x, prices, say, ann, bob, mark } = await avax();
    await x.buy(bob, "140", "30.3", "AVAXUSDT");
    await x.sell(ann, "140", "30.301", "AVAXUSDT");
    await seconds(x, prices, say, 30);
    assert.equal(mark(), 30_300);
    await x.submit({ kind: "cancel_all", account: bob, market: x.market("AVAXUSDT").number, scope: SCOPE_ORDERS });
    await seconds(x, prices, say, 1);
    // By funding and by the missing trade the mark is near the index at once.
    assert.ok(mark() < 30_080, `${mark()}`);
  });

  it("FUT-13: the mark follows the index the second it moves, and the engine clamps what a server says", async () => {
    const { x, prices, say, mark } = await avax();
    await seconds(x, prices, () => say("21"), 1);
    assert.deepEqual(x.shown("AVAXUSDT"), [21_000, 21_000]);
    const market = x.market("AVAXUSDT").number;
    await x.submit({ kind: "set_price", market, indexTicks: 30_000, markTicks: 40_000 });
    assert.equal(mark(), 30_300);
  });

  it("FUT-13: a market's own rules say the impact notional and the clamp", async () => {
    const { x, prices, say, ann, bob, mark } = await avax();
    const { number, rules } = x.market("AVAXUSDT");
    const own = { ...rules, markClamp_e8: 100_000, impactNotional_micros: 100_000_000 };
    await x.submit({ kind: "set_market_rules", market: number, rules: own });
    await x.buy(bob, "4", "30.3", "AVAXUSDT");
    await x.sell(ann, "4", "30.301", "AVAXUSDT");
    await seconds(x, prices, say, 30);
    assert.equal(mark(), 30_030);
    await prices.pin("AVAXUSDT", sizeOf("30"));
    assert.equal(mark(), 30_030);
  });
});
