import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EngineEvent, NEWEST_RULES } from "@bourse/engine";
import { HOUR_ms } from "../../kernel/dates.ts";
import { settleFunding } from "./funding.ts";
import { impactPrices } from "./impact-price.ts";
import { createPriceJobs, fundingJob, vipJob } from "./jobs.ts";
import { nextFundingTime } from "./market-price.ts";
import { Premiums, settlementHour } from "./premiums.ts";
import type { Prices } from "./prices.ts";
import { sizeOf, TEST_NOON_MS, TestExchange } from "./testing.ts";

const NO_TABLES = { hold: () => () => {} };
const NOON = TEST_NOON_MS / HOUR_ms;
/** Of an hour. */
const SLOTS = 720;
const window = (due_ms: number) => ({
  since_ms: due_ms - HOUR_ms,
  due_ms,
  isManual: false,
  moveWatermark: () => Promise.resolve(),
});

/** Two traders hold 0.5 BTC against each other, with an index of 60,000 and a book away from it. */
async function withPositions(bid: string, ask: string, rulesVersion = NEWEST_RULES) {
  const x = await new TestExchange({ rulesVersion }).open();
  const prices = x.prices([]);
  await prices.pin("BTCUSDT", sizeOf("60000"));
  const [long, short] = [await x.trader("100000"), await x.trader("100000")];
  const maker = await x.trader("1000000");
  await x.sell(short, "0.5", "60000");
  await x.buy(long, "0.5", "60000");
  await x.buy(maker, "1", bid);
  await x.sell(maker, "1", ask);
  const paid: (EngineEvent & { kind: "funding_paid" })[] = [];
  x.exchange.listen(({ events }) => {
    for (const event of events) if (event.kind === "funding_paid") paid.push(event);
  });
  return { x, prices, long, short, paid };
}

/** Samples once in 5 s, then moves the mark to the index, so that payments are round figures. */
async function sampleHour(x: TestExchange, prices: Prices, samples: number): Promise<void> {
  for (let sample = 0; sample < samples; sample += 1) {
    await prices.tick();
    x.clock.advance(5_000);
  }
  await x.submit({ kind: "set_price", market: 0, indexTicks: 600_000, markTicks: 600_000 });
  x.clock.advanceTo(TEST_NOON_MS + HOUR_ms);
}

describe("funding", () => {
  const vectors = [
    // P, a book that produces it, the hourly rate, and what the long of 0.5 BTC pays at 60,000.
    { premium: "0", bid: "59999", ask: "60001", rate_e8: 1_250, paid_micros: 375_000 },
    { premium: "0.001", bid: "60060", ask: "60070", rate_e8: 6_250, paid_micros: 1_875_000 },
    { premium: "-0.0008", bid: "59940", ask: "59952", rate_e8: -3_750, paid_micros: -1_125_000 },
  ];
  for (const { premium, bid, ask, rate_e8, paid_micros } of vectors) {
    for (const { rulesVersion, samples } of [
      { rulesVersion: 4, samples: 3 },
      { rulesVersion: 5, samples: SLOTS },
    ]) {
      it(`FUT-14: a premium of ${premium} is paid to the last unit by version ${rulesVersion}`, async () => {
        const { x, prices, long, short, paid } = await withPositions(bid, ask, rulesVersion);
        const before = [x.principal(long), x.principal(short)];
        await sampleHour(x, prices, samples);
        const outcomes = await settleFunding(x.exchange, prices, NOON + 1);
        assert.deepEqual(outcomes, [{ symbol: "BTCUSDT", rate_e8, isSettled: true, positions: 2 }]);
        assert.deepEqual(
          paid.map(({ account, amount_micros }) => [account, amount_micros]),
          [
            [short, -paid_micros],
            [long, paid_micros],
          ],
        );
        assert.deepEqual([x.principal(long), x.principal(short)], [before[0]! - paid_micros, before[1]! + paid_micros]);
      });
    }
  }

  it("FUT-14: before version 5 the premium is the mean of the hour's samples, one every 5 s", async () => {
    const { x, prices } = await withPositions("60060", "60070", 4);
    await prices.tick();
    const sampled = prices.estimatedRate_e8(0);
    assert.equal(sampled, 6_250);
    // Samples are at least 5 s apart, even if the index moves.
    x.clock.advance(4_999);
    await prices.pin("BTCUSDT", sizeOf("60060"));
    await prices.tick();
    assert.equal(prices.estimatedRate_e8(0), sampled);
    x.clock.advance(1);
    await prices.tick();
    // Half of 0.001: 0.0005 + clamp(0.0001 − 0.0005) = 0.0001, an eighth of it.
    assert.equal(prices.estimatedRate_e8(0), 1_250);
  });

  it("FUT-14: an hour is settled once, hours without samples with a premium of 0", async () => {
    const { x, prices, paid } = await withPositions("60060", "60070");
    await sampleHour(x, prices, SLOTS);
    const job = fundingJob(x.exchange, prices, NO_TABLES);
    const market = (rate: string, settled: boolean, positions_paid: number) => [
      { symbol: "BTCUSDT", rate, settled, positions_paid },
    ];
    assert.deepEqual(await job.run(window(TEST_NOON_MS + HOUR_ms)), {
      funding_time: TEST_NOON_MS + HOUR_ms,
      markets: market("0.0000625", true, 2),
    });
    assert.deepEqual(await job.run({ ...window(TEST_NOON_MS + HOUR_ms + 1_800_000), isManual: true }), {
      funding_time: TEST_NOON_MS + HOUR_ms,
      markets: market("0.0000625", false, 0),
    });
    assert.equal(paid.length, 2);
    for (const hours of [2, 3, 4]) {
      x.clock.advanceTo(TEST_NOON_MS + hours * HOUR_ms);
      assert.deepEqual(await job.run(window(x.clock.now())), {
        funding_time: TEST_NOON_MS + hours * HOUR_ms,
        markets: market("0.0000125", true, 2),
      });
    }
    assert.equal(paid.length, 8);
  });

  it("FUT-14: a settlement that the engine refuses fails, so that it is repeated", async () => {
    const { x, prices } = await withPositions("60060", "60070");
    const putsOffFunding = (market: number) => prices.putsOffFunding(market);
    const broken = { rate_e8: () => 93_751, putsOffFunding };
    await assert.rejects(settleFunding(x.exchange, broken, NOON + 1), /out_of_range/);
  });

  it("FUT-14: the next funding time is the next full UTC hour", () => {
    assert.equal(nextFundingTime(TEST_NOON_MS), TEST_NOON_MS + HOUR_ms);
    assert.equal(nextFundingTime(TEST_NOON_MS + 1), TEST_NOON_MS + HOUR_ms);
    assert.equal(nextFundingTime(TEST_NOON_MS - 1), TEST_NOON_MS);
  });

  it("FUT-14: samples are counted for the hour they fall in, and only a few hours are kept", () => {
    const premiums = new Premiums();
    const averages = (...hours: number[]) =>
      hours.map((hour) => premiums.average_e8(NOON + hour, TEST_NOON_MS + 200 * HOUR_ms));
    premiums.add(TEST_NOON_MS - 1, 10, false);
    premiums.add(TEST_NOON_MS, 20, false);
    premiums.add(TEST_NOON_MS + 5_000, 40, false);
    assert.equal(settlementHour(TEST_NOON_MS - 1), NOON);
    assert.deepEqual(averages(0, 1), [10, 30]);
    for (let hour = 1; hour < 100; hour += 1) premiums.add(TEST_NOON_MS + hour * HOUR_ms, hour, false);
    assert.deepEqual(averages(97, 98, 99, 100), [0, 97, 98, 99]);
  });
});

describe("premiums by rules version 5", () => {
  it("FUT-14: P is the sum over the slots that have passed, sampled or not", async () => {
    const { x, prices } = await withPositions("60060", "60070");
    await prices.tick();
    // One slot has begun and has a sample of 0.001.
    assert.equal(prices.estimatedRate_e8(0), 6_250);
    await prices.pin("BTCUSDT", sizeOf("60030"));
    x.clock.advance(4_999);
    await prices.tick();
    assert.equal(prices.estimatedRate_e8(0), 6_250, "one sample in a slot");
    x.clock.advanceTo(TEST_NOON_MS + 15_000);
    // Four slots have begun, one of them has a sample: P = 0.00025, and the interest of 0.0001 is all that is left.
    assert.equal(prices.estimatedRate_e8(0), 1_250);
    await prices.tick();
    // (0.001 + 0.00049975) / 4 slots, 0.00037493: still within 0.0005 of the interest.
    assert.equal(prices.estimatedRate_e8(0), 1_250);
    x.clock.advanceTo(TEST_NOON_MS + HOUR_ms);
    assert.equal(prices.rate_e8(0, NOON + 1), 1_250);
  });

  it("FUT-14: half an hour of a premium of 0.4 % is one of 0.2 %", async () => {
    const { x, prices } = await withPositions("61000", "61010");
    for (let slot = 0; slot < SLOTS / 2; slot += 1) {
      await prices.tick();
      x.clock.advance(5_000);
    }
    // The bid counts at the clamp, 60,240: 0.004, less 0.0005, an eighth.
    assert.equal(prices.estimatedRate_e8(0), Math.trunc((Math.trunc((360 * 400_000) / 361) - 50_000) / 8));
    x.clock.advanceTo(TEST_NOON_MS + HOUR_ms);
    assert.equal(prices.rate_e8(0, NOON + 1), (200_000 - 50_000) / 8);
  });

  it("FUT-14: one side of a book is no premium, however large", async () => {
    const x = await new TestExchange().open();
    const prices = x.prices([]);
    await prices.pin("BTCUSDT", sizeOf("60000"));
    const maker = await x.trader("1000000");
    await x.buy(maker, "1", "60200");
    for (let slot = 0; slot < SLOTS; slot += 1) {
      await prices.tick();
      x.clock.advance(5_000);
    }
    assert.equal(prices.rate_e8(0, NOON + 1), 1_250, "interest only");
  });

  it("FUT-14: the premiums of the hour survive a restart, and a slot is sampled once", async () => {
    const { x, prices } = await withPositions("60060", "60070");
    for (let slot = 0; slot < 100; slot += 1) {
      await prices.tick();
      x.clock.advance(5_000);
    }
    await prices.tick();
    await prices.stop();
    const before = prices.estimatedRate_e8(0);
    const again = x.prices([]);
    await again.start();
    assert.equal(again.estimatedRate_e8(0), before);
    // Down from 12:08 to 13:30: the hour that has passed settles with what was sampled.
    x.clock.advanceTo(TEST_NOON_MS + 1.5 * HOUR_ms);
    const later = x.prices([]);
    await later.start();
    // 101 of 720 slots at 0.001 are 0.00014: the interest is all that is left.
    assert.equal(later.rate_e8(0, NOON + 1), 1_250);
    assert.deepEqual((await x.store.load()).find(({ symbol }) => symbol === "BTCUSDT")?.premiums, [
      { hour: NOON + 1, sum_e8: 101 * 100_000, slot: 100 },
      { hour: NOON + 2, sum_e8: 100_000, slot: 360 },
    ]);
    await Promise.all([again.stop(), later.stop()]);
  });

  it("FUT-14: a database that does not answer is told of once and delays no price", async () => {
    const { x, prices } = await withPositions("60060", "60070");
    x.store.keepPremiums = () => Promise.reject(new Error("no database"));
    for (let slot = 0; slot < 3; slot += 1) {
      await prices.tick();
      x.clock.advance(5_000);
    }
    await prices.stop();
    // Three samples of 0.001 over four slots: 0.00075, less 0.0005, an eighth.
    assert.equal(prices.estimatedRate_e8(0), 3_125);
    assert.deepEqual(x.errors, ["the premiums of the hour could not be kept: Error: no database"]);
  });
});

describe("impact prices", () => {
  it("FUT-14: the average price of the impact notional, rounded away from the middle; none in a thin book", async () => {
    const x = await new TestExchange().open();
    const prices = x.prices([]);
    await prices.pin("BTCUSDT", sizeOf("60000"));
    const maker = await x.trader("1000000");
    const impact = (symbol = "BTCUSDT") => {
      const { bidTicks, askTicks } = impactPrices(x.market(symbol));
      return [bidTicks, askTicks];
    };
    assert.deepEqual(impact(), [0, 0]);
    await x.buy(maker, "0.1", "60000");
    assert.deepEqual(impact(), [0, 0], "6,000 of 10,000 are too little");
    await x.buy(maker, "0.1", "59000");
    // 0.1 for 6,000 and 4,000 / 59,000 more: 10,000 / 0.1677966… = 59,595.95…
    assert.deepEqual(impact(), [595_959, 0]);
    await x.sell(maker, "0.1", "60001");
    await x.sell(maker, "0.1", "61000");
    // 0.1 for 6,000.1 and 3,999.9 / 61,000 more: 10,000 / 0.1655721… = 60,396.62…
    assert.deepEqual(impact(), [595_959, 603_967]);
    await x.sell(maker, "1", "60000.5");
    assert.deepEqual(impact(), [595_959, 600_005]);
    // The impact notional of other markets is 4,000.
    await prices.pin("AVAXUSDT", sizeOf("30"));
    await x.buy(maker, "133", "30", "AVAXUSDT");
    assert.deepEqual(impact("AVAXUSDT"), [0, 0], "3,990 of 4,000");
    await x.buy(maker, "1", "29.9", "AVAXUSDT");
    assert.deepEqual(impact("AVAXUSDT"), [29_999, 0]);
  });

  it("FUT-14: before version 5 the notional is 10,000 everywhere", async () => {
    const x = await new TestExchange({ rulesVersion: 4 }).open();
    await x.prices([]).pin("AVAXUSDT", sizeOf("30"));
    const maker = await x.trader("1000000");
    await x.buy(maker, "333", "30", "AVAXUSDT");
    assert.equal(impactPrices(x.market("AVAXUSDT")).bidTicks, 0);
    await x.buy(maker, "1", "29.9", "AVAXUSDT");
    assert.equal(impactPrices(x.market("AVAXUSDT")).bidTicks, 29_999);
  });
});

describe("jobs of the engine's time", () => {
  it("FUT-15: the midnight job moves the engine's time and says which tiers changed", async () => {
    const x = await new TestExchange().open();
    x.clock.advance(86_400_000);
    assert.deepEqual(await vipJob(x.exchange).run(window(x.clock.now())), {
      engine_time: TEST_NOON_MS + 86_400_000,
      tier_changes: 0,
    });
    const jobs = createPriceJobs(x.exchange, x.prices([]), NO_TABLES);
    assert.deepEqual(
      jobs.map(({ name, schedule, missed }) => [name, schedule, missed]),
      [
        ["vip", "0 0 * * *", "each"],
        ["funding", "0 * * * *", "each"],
      ],
    );
  });
});
