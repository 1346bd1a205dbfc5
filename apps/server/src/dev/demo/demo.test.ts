import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAudit, BUY, HALTED, SELL, TRADING } from "@bourse/engine";
import type { Prices } from "../../exchange/prices/prices.ts";
import { sizeOf } from "../../exchange/prices/testing.ts";
import { ManualClock } from "../../kernel/clock.ts";
import { seededRandom } from "../../kernel/random.ts";
import { Pace } from "./bot.ts";
import { clockTimers } from "./clock-timers.ts";
import { type Demo, startDemo } from "./demo.ts";
import { LEVELS } from "./ladder.ts";
import { FakeExchange } from "./testing/fake-exchange.ts";
import { demoAddress } from "./wallet.ts";

const MAKER_MS = 1_000;
const TRADERS_MS = [1_030, 1_170, 1_310, 1_490];

/** A demo on a fake exchange; the test triggers every step. */
async function open() {
  const fake = await new FakeExchange().open();
  const { x } = fake;
  const prices: Prices = x.prices([]);
  const pins: [string, string][] = [
    ["BTCUSDT", "60000"],
    ["ETHUSDT", "3000"],
    ["SOLUSDT", "150"],
    ["AVAXUSDT", "30"],
  ];
  for (const [symbol, price] of pins) await prices.pin(symbol, sizeOf(price));
  const errors: string[] = [];
  const labels: string[] = [];
  const demo: Demo = startDemo({
    baseUrl: fake.baseUrl,
    clock: x.clock,
    random: seededRandom("demo"),
    timers: x.timers,
    walletSeed: "a seed that only these tests know",
    apiKeys: fake.apiKeys,
    fund: fake.fund,
    onKey: (_key, label) => labels.push(label),
    onError: (message, error) => errors.push(`${message}: ${String(error)}`),
  });
  const step = async (...periods_ms: number[]) => {
    for (const period_ms of periods_ms) x.timers.fire(period_ms);
    await demo.settled();
  };
  const depth = (symbol = "BTCUSDT") => {
    const { book } = x.market(symbol);
    return [book.bids.orders, book.asks.orders];
  };
  const best = (symbol = "BTCUSDT") => {
    const { book } = x.market(symbol);
    return [book.bestTicks(BUY), book.bestTicks(SELL)];
  };
  return { fake, x, prices, demo, errors, labels, step, depth, best };
}

describe("the demo", () => {
  let d: Awaited<ReturnType<typeof open>>;
  before(async () => {
    d = await open();
  });
  after(() => d.fake.close());

  it("RUN-2: the market maker fills the books of all markets within a few steps, with money it was given", async () => {
    for (let step = 0; step < 5; step += 1) await d.step(MAKER_MS);
    assert.deepEqual(d.errors, []);
    for (const symbol of ["BTCUSDT", "ETHUSDT", "SOLUSDT", "AVAXUSDT"]) {
      assert.deepEqual(d.depth(symbol), [LEVELS, LEVELS], symbol);
    }
    const [bid, ask] = d.best();
    // Two basis points of 60,000 on each side.
    assert.deepEqual([bid, ask], [599_880, 600_120]);
    assert.equal(d.fake.funded.length, 1);
    assert.deepEqual(d.labels, ["demo market maker"]);
  });

  it("follows the index by moving its orders, and leaves alone what is near enough", async () => {
    const before = d.fake.asked.length;
    await d.step(MAKER_MS);
    assert.deepEqual(
      d.fake.asked.slice(before).filter((route) => !route.startsWith("GET")),
      [],
      "nothing to do while nothing moves",
    );
    await d.prices.pin("BTCUSDT", sizeOf("60030"));
    for (let step = 0; step < 6; step += 1) await d.step(MAKER_MS);
    const moved = d.fake.asked.slice(before).filter((route) => route === "PUT /fapi/v1/order").length;
    assert.ok(moved > 0 && moved < 2 * LEVELS, `${moved} orders were moved`);
    assert.deepEqual(d.best(), [600_180, 600_420]);
    assert.deepEqual(d.depth(), [LEVELS, LEVELS]);
    assert.deepEqual(d.errors, []);
  });

  it("replaces all orders of a market whose index has leapt", async () => {
    await d.prices.pin("BTCUSDT", sizeOf("57000"));
    for (let step = 0; step < 3; step += 1) await d.step(MAKER_MS);
    const [bid, ask] = d.best();
    assert.ok(bid! < 570_000 && ask! > 570_000, `${bid} ${ask}`);
    assert.deepEqual(d.depth(), [LEVELS, LEVELS]);
    assert.deepEqual(d.errors, []);
  });

  it("the traders trade, nobody's money is lost, and what was taken is offered again", async () => {
    for (let step = 0; step < 40; step += 1) await d.step(MAKER_MS, ...TRADERS_MS);
    assert.deepEqual(d.errors, []);
    const { markets } = d.x.exchange.engine.state;
    const trades = markets.reduce((sum, market) => sum + market.trades, 0);
    assert.ok(trades > 10, `${trades} trades`);
    assertAudit(d.x.exchange.engine);
    assert.equal(d.fake.funded.length, 5);
    for (const { book } of markets) assert.ok(book.bids.orders >= LEVELS - 2 && book.asks.orders >= LEVELS - 2);
  });

  it("survives a halted market, refusals, bans and answers that are none", async () => {
    await d.x.setStatus(HALTED);
    for (let step = 0; step < 12; step += 1) await d.step(MAKER_MS, ...TRADERS_MS);
    await d.x.setStatus(TRADING);
    d.fake.mishaps.push(
      { status: 429, body: '{"code":-1003,"msg":"Too many requests."}', headers: { "retry-after": "5" } },
      { status: 500, body: "<html>" },
      { status: 200, body: "not json" },
    );
    const before = d.fake.asked.length;
    await d.step(MAKER_MS);
    assert.equal(d.fake.asked.length, before + 1);
    for (let step = 0; step < 5; step += 1) await d.step(MAKER_MS);
    assert.equal(d.fake.asked.length, before + 1, "stays away for as long as it was told");
    for (let step = 0; step < 40; step += 1) await d.step(MAKER_MS);
    assert.deepEqual(d.depth(), [LEVELS, LEVELS]);
    assert.ok(d.errors.some((error) => error.includes("Too many requests.")));
  });

  it("stops with empty books and no timers", async () => {
    await d.demo.stop();
    for (const { book } of d.x.exchange.engine.state.markets) assert.equal(book.bids.orders + book.asks.orders, 0);
    assert.equal(d.x.timers.count, 0);
  });

  it("has a new key for the same wallets after a restart, and no money is added to what they have", async () => {
    const wallets = new Set([...d.fake.keys.values()].map(({ wallet }) => wallet));
    const demo = startDemo({
      baseUrl: d.fake.baseUrl,
      clock: d.x.clock,
      random: seededRandom("again"),
      timers: d.x.timers,
      walletSeed: "a seed that only these tests know",
      apiKeys: d.fake.apiKeys,
      fund: d.fake.fund,
      onError: (message, error) => d.errors.push(`${message}: ${String(error)}`),
    });
    assert.deepEqual(new Set(demo.addresses), wallets);
    const funded = d.fake.funded.length;
    for (const period_ms of [MAKER_MS, ...TRADERS_MS]) d.x.timers.fire(period_ms);
    await demo.settled();
    assert.equal(d.fake.keys.size, 5);
    assert.equal(d.fake.funded.length, funded);
    await demo.stop();
  });
});

describe("the parts of the demo", () => {
  it("RUN-6: bots act by the platform's clock: once in each of its seconds, and once for a leap over many", () => {
    const clock = new ManualClock(500);
    let look = () => {};
    const timers = clockTimers(clock, {
      every: (_period_ms, run) => {
        look = run;
        return () => {};
      },
    });
    const steps_ms: number[] = [];
    timers.every(1_000, () => steps_ms.push(clock.now()));
    for (let looks = 0; looks < 30; looks += 1) {
      clock.advance(100);
      look();
    }
    assert.deepEqual(steps_ms, [1_500, 2_500, 3_500]);
    clock.advance(86_400_000);
    look();
    look();
    assert.equal(steps_ms.length, 4);
  });

  it("wallets are the same for the same seed and name, and only then", () => {
    const address = demoAddress("seed", "demo trader 1");
    assert.match(address, /^0x[0-9a-f]{40}$/);
    assert.equal(demoAddress("seed", "demo trader 1"), address);
    assert.notEqual(demoAddress("seed", "demo trader 2"), address);
    assert.notEqual(demoAddress("other", "demo trader 1"), address);
  });

  it("a bot never overlaps itself, and of failures in a row the first is told", async () => {
    const errors: string[] = [];
    let steps = 0;
    let isFailing = false;
    let release = Promise.withResolvers<void>();
    const bot = {
      name: "bot",
      step: async () => {
        steps += 1;
        await release.promise;
        if (isFailing) throw new Error("no");
      },
      leave: () => Promise.resolve(),
    };
    const timers = { every: () => () => {} };
    const pace = new Pace({ bot, timers, period_ms: 1_000, onError: (message) => errors.push(message) });
    const [first, second] = [pace.step(), pace.step()];
    assert.equal(steps, 1);
    release.resolve();
    await Promise.all([first, second]);
    isFailing = true;
    await pace.step();
    assert.equal(steps, 2);
    for (let pause = 0; pause < 2; pause += 1) await pace.step();
    assert.equal(steps, 2, "two steps of pause after the first failure");
    await pace.step();
    for (let pause = 0; pause < 4; pause += 1) await pace.step();
    assert.equal(steps, 3, "four after the second");
    assert.deepEqual(errors, ["bot has failed"]);
    release = Promise.withResolvers<void>();
    release.resolve();
    await pace.stop();
    await pace.step();
    assert.equal(steps, 3);
  });
});
