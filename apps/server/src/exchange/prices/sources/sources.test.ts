import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ManualClock } from "../../../kernel/clock.ts";
import { seededRandom } from "../../../kernel/random.ts";
import { countSources, priceSources, problemOfSources } from "../../../settings/price-sources.ts";
import { createPrices } from "../create.ts";
import { sizeOf, TEST_NOON_MS, TestExchange } from "../testing.ts";
import { CcxtSource, sizeOfNumber, spotSymbol } from "./ccxt.ts";
import { SimulatedPrices } from "./simulated.ts";

const HOME_e8 = sizeOf("60000");

function simulation(seed: string, last_e8?: number) {
  const clock = new ManualClock(TEST_NOON_MS);
  const home_e8 = (symbol: string) => (symbol === "BTCUSDT" ? HOME_e8 : undefined);
  const simulated = new SimulatedPrices({ clock, random: seededRandom(seed), home_e8, last_e8: () => last_e8 });
  const prices = () => simulated.sources.map((source) => source.latest("BTCUSDT")!.price_e8);
  return { clock, simulated, prices };
}

function walk(seed: string, steps_ms: readonly number[]): number[][] {
  const { clock, prices } = simulation(seed);
  return steps_ms.map((step_ms) => {
    clock.advance(step_ms);
    return prices();
  });
}

describe("simulated prices", () => {
  it("the same seed and times give the same walk, another seed another", () => {
    const steps = Array.from({ length: 200 }, (_, place) => 400 + (place % 7) * 300);
    assert.deepEqual(walk("a", steps), walk("a", steps));
    assert.notDeepEqual(walk("a", steps), walk("b", steps));
  });

  it("how often one looks does not change where the price goes", () => {
    const often = walk("a", [0, ...Array.from({ length: 600 }, () => 1_000)]);
    const seldom = walk("a", [0, ...Array.from({ length: 10 }, () => 60_000)]);
    assert.deepEqual(seldom.at(-1), often.at(-1));
  });

  it("three sources walk together, around the start price", () => {
    const days = walk(
      "a",
      Array.from({ length: 2_000 }, () => 30_000),
    );
    const seen = new Set<number>();
    for (const prices of days) {
      assert.equal(prices.length, 3);
      const [low, high] = [Math.min(...prices), Math.max(...prices)];
      assert.ok((high - low) / low < 0.000_3, "sources differ by less than three basis points");
      assert.ok(Math.abs(low / HOME_e8 - 1) < 0.02, "the price stays around its home");
      seen.add(low);
    }
    assert.ok(seen.size > 1_900, "the price moves");
    const mean = days.reduce((sum, prices) => sum + prices[0]!, 0) / days.length;
    assert.ok(Math.abs(mean / HOME_e8 - 1) < 0.002);
  });

  it("a jump of ten years takes no longer than an hour's walk, and the price is at home", () => {
    const { clock, prices } = simulation("a");
    prices();
    clock.advance(10 * 366 * 86_400_000);
    assert.ok(Math.abs(prices()[0]! / HOME_e8 - 1) < 0.02);
  });

  it("goes on from the last price after a restart, unless somebody had put it far away", () => {
    assert.ok(Math.abs(simulation("a", sizeOf("60600")).prices()[0]! / sizeOf("60600") - 1) < 0.000_2);
    assert.ok(Math.abs(simulation("a", sizeOf("30000")).prices()[0]! / HOME_e8 - 1) < 0.000_2);
  });

  it("knows no price of a symbol without a start", () => {
    assert.equal(simulation("a").simulated.sources[0]!.latest("XYZUSDT"), undefined);
  });
});

describe("a new exchange", () => {
  const choice = priceSources.read("simulated");

  it("FUT-13: has an index for each of its first markets, and a new one where an admin says", async () => {
    const x = await new TestExchange().open();
    const { exchange, clock, store, timers } = x;
    const onError = (message: string) => x.errors.push(message);
    const onAlarm = onError;
    const prices = createPrices({
      exchange,
      clock,
      random: seededRandom("a"),
      store,
      choice,
      timers,
      onAlarm,
      onError,
    });
    await prices.start();
    const near = (symbol: string, ticks: number) => {
      for (const shown of x.shown(symbol)) assert.ok(Math.abs(shown / ticks - 1) < 0.001, `${symbol} at ${shown}`);
    };
    near("BTCUSDT", 600_000);
    near("ETHUSDT", 300_000);
    near("SOLUSDT", 15_000);
    near("AVAXUSDT", 30_000);
    await x.submit({ kind: "add_market", definition: { ...x.market("SOLUSDT").definition, symbol: "DOTUSDT" } });
    await prices.tick();
    assert.deepEqual(x.shown("DOTUSDT"), [0, 0]);
    await prices.setStartPrice("DOTUSDT", sizeOf("7.5"));
    await prices.tick();
    near("DOTUSDT", 750);
    await prices.stop();
    const again = createPrices({ exchange, clock, random: seededRandom("b"), store, choice, timers, onAlarm, onError });
    await again.start();
    assert.equal(again.startPrice_e8("DOTUSDT"), sizeOf("7.5"));
    near("DOTUSDT", 750);
    assert.deepEqual(x.errors, []);
  });
});

/** A library whose exchanges answer these quotes. */
function fakeLibrary(quotes: Record<string, Record<string, unknown>>) {
  const state = { loads: 0, asked: [] as string[], closed: [] as string[], options: [] as object[] };
  const library = Object.fromEntries(
    Object.keys(quotes).map((id) => [
      id,
      class {
        constructor(options: object) {
          state.options.push(options);
        }
        async fetchTicker(symbol: string) {
          state.asked.push(`${id} ${symbol}`);
          const last = quotes[id]![symbol];
          if (last === undefined) throw new Error("no such market");
          return { last: last as number };
        }
        async close() {
          state.closed.push(id);
        }
      },
    ]),
  );
  const load = () => {
    state.loads += 1;
    return Promise.resolve(library);
  };
  return { load, state };
}

describe("prices of other exchanges", () => {
  it("FUT-13: are asked for by their spot symbols and make an index", async () => {
    const x = await new TestExchange().open();
    const quotes = {
      binance: { "BTC/USDT": 60_000.1, "ETH/USDT": 3_000 } as Record<string, number>,
      okx: { "BTC/USDT": 60_000.3, "ETH/USDT": 3_000 } as Record<string, number>,
      kraken: { "BTC/USDT": 50_000 } as Record<string, number>,
    };
    const { load, state } = fakeLibrary(quotes);
    const choice = priceSources.read("ccxt:binance,okx,kraken");
    const { exchange, clock, store, timers } = x;
    const onError = (message: string) => x.errors.push(message);
    const onAlarm = onError;
    const random = seededRandom("a");
    const prices = createPrices({ exchange, clock, random, store, choice, timers, onAlarm, onError, loadCcxt: load });
    assert.equal(state.loads, 0, "nothing is loaded before it is needed");
    await prices.start();
    assert.deepEqual(x.shown(), [600_002, 600_002]);
    assert.ok(state.asked.includes("okx AVAX/USDT"));
    const told = x.errors.length;
    assert.ok(x.errors.includes("ccxt:kraken has no price of ETHUSDT"));
    clock.advance(2_000);
    quotes.binance["BTC/USDT"] = 60_001;
    quotes.okx["BTC/USDT"] = 60_001;
    timers.fire(2_000);
    await new Promise((resolve) => setImmediate(resolve));
    await prices.tick();
    assert.deepEqual(x.shown(), [600_010, 600_010]);
    assert.equal(x.errors.length, told, "a failure is told once");
    await prices.stop();
    assert.deepEqual(state.closed.sort(), ["binance", "kraken", "okx"]);
    assert.equal(timers.count, 0);
  });

  it("an exchange the library does not know stops the start", async () => {
    const x = await new TestExchange().open();
    const { load } = fakeLibrary({});
    const source = new CcxtSource("nowhere", {
      clock: x.clock,
      timers: x.timers,
      symbols: () => ["BTCUSDT"],
      onError: () => {},
      load,
    });
    await assert.rejects(source.start(), /knows no exchange called nowhere/);
  });

  it("numbers become the decimals they were read from", () => {
    assert.equal(sizeOfNumber(60_000.1), 6_000_010_000_000);
    assert.equal(sizeOfNumber(0.000_012_34), 1_234);
    for (const none of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, undefined, "1", 1e-9, 1e12]) {
      assert.equal(sizeOfNumber(none), undefined);
    }
    assert.deepEqual([spotSymbol("BTCUSDT"), spotSymbol("ODD")], ["BTC/USDT", "ODD"]);
  });
});

describe("the setting", () => {
  it("names sources, and says what is wrong", () => {
    assert.deepEqual(priceSources.read("simulated"), { isSimulated: true, ccxt: [], isPushed: false, feeds: [] });
    assert.deepEqual(priceSources.read("push"), { isSimulated: false, ccxt: [], isPushed: true, feeds: [] });
    assert.deepEqual(priceSources.read("ccxt:binance, okx + push"), {
      isSimulated: false,
      ccxt: ["binance", "okx"],
      isPushed: true,
      feeds: [],
    });
    assert.deepEqual(priceSources.read("push:a, B-2,c_3"), {
      isSimulated: false,
      ccxt: [],
      isPushed: true,
      feeds: ["a", "B-2", "c_3"],
    });
    const bad: [string, RegExp][] = [
      ["", /names no source/],
      ["oracle", /names no source of prices: oracle/],
      ["ccxt:", /no name: empty/],
      ["ccxt:binance", /two exchanges/],
      ["ccxt:binance,binance", /twice/],
      ["ccxt:../x,okx", /no name/],
      ["simulated+push", /mix/],
      ["simulated+push:a", /mix/],
      ["push:", /a feed that is no name: empty/],
      ["push:a,a", /a feed twice/],
      ["push:a b", /a feed that is no name/],
      [`push:${Array.from({ length: 17 }, (_, place) => `f${place}`).join(",")}`, /more than 16 feeds/],
    ];
    for (const [text, problem] of bad) assert.throws(() => priceSources.read(text), problem);
  });

  it("FUT-13: production needs three sources; feeds without names are one", () => {
    const counts: [string, number][] = [
      ["simulated", 3],
      ["ccxt:binance,okx", 2],
      ["ccxt:binance,okx,bybit", 3],
      ["push", 1],
      ["ccxt:binance,okx+push", 3],
      ["push:a,b", 2],
      ["ccxt:binance+push:a,b", 3],
    ];
    for (const [text, count] of counts) {
      const choice = priceSources.read(text);
      assert.equal(countSources(choice), count, text);
      const problem = problemOfSources(choice);
      if (count >= 3) assert.equal(problem, undefined, text);
      else assert.match(problem!, new RegExp(`names ${count} of the 3 price sources .*push:<feed>`), text);
    }
  });
});
