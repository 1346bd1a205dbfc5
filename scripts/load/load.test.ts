import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Prng } from "../../packages/engine/src/book/testing/prng.ts";
import { UsageError } from "../support/command.ts";
import { parseArguments } from "./arguments.ts";
import { compareOrders, compareTrades } from "./audit.ts";
import { CLOSE, clientFrame, eventTime_ms, numberAfter, readFrames, TEXT } from "./frames.ts";
import { Histogram } from "./histogram.ts";
import { crossingPrice, idlePrice, marketsOf, restingPrice, stepOf, stepsText } from "./markets.ts";
import { tableOf } from "./report.ts";
import { OpenLoopSchedule } from "./schedule.ts";
import { planSockets } from "./socket-plans.ts";
import { Tally } from "./tally.ts";
import { calmSince, hasFailed, KneeSearch, tooMuch } from "./verdicts.ts";

describe("the histogram", () => {
  it("has quantiles within two percent of the exact ones", () => {
    const prng = new Prng(7);
    const values_us = Array.from({ length: 20_000 }, () => Math.round(10 ** (prng.below(8_000) / 1_000)));
    const histogram = new Histogram();
    for (const value_us of values_us) histogram.add_us(value_us);
    const sorted = values_us.toSorted((a, b) => a - b);
    for (const share of [0.01, 0.25, 0.5, 0.9, 0.99, 0.999]) {
      const exact_ms = sorted[Math.ceil(share * sorted.length) - 1]! / 1_000;
      const found_ms = histogram.quantile_ms(share);
      assert.ok(found_ms >= exact_ms && found_ms <= exact_ms * 1.02, `${share}: ${found_ms} for ${exact_ms}`);
    }
    assert.equal(histogram.max_ms, sorted.at(-1)! / 1_000);
    assert.equal(histogram.quantile_ms(1), histogram.max_ms);
  });

  it("is exact for few and small values, and says nothing of none", () => {
    const histogram = new Histogram();
    assert.ok(Number.isNaN(histogram.quantile_ms(0.5)));
    for (const value_us of [1, 2, 3, 100]) histogram.add_us(value_us);
    assert.equal(histogram.quantile_ms(0.5), 0.002);
    assert.equal(histogram.quantile_ms(0.99), 0.1);
  });

  it("goes from process to process and is merged without loss", () => {
    const [one, other, both] = [new Histogram(), new Histogram(), new Histogram()];
    for (let value_us = 1; value_us < 1e7; value_us *= 3) {
      (value_us % 2 === 0 ? one : other).add_us(value_us);
      both.add_us(value_us);
      one.add_us(value_us + 5);
      both.add_us(value_us + 5);
    }
    const merged = Histogram.of(one.toRecord());
    merged.merge(Histogram.of(other.toRecord()));
    assert.deepEqual(merged.toRecord(), both.toRecord());
    assert.equal(merged.count, both.count);
  });
});

describe("the open loop's schedule", () => {
  const scheduleOf = (rate: number) => {
    const prng = new Prng(3);
    return new OpenLoopSchedule(rate, 1_000, () => prng.below(2 ** 32) / 2 ** 32);
  };

  it("keeps the rate, whatever the pauses between two looks", () => {
    const [often, seldom] = [scheduleOf(500), scheduleOf(500)];
    const looked: number[] = [];
    for (let now_ms = 1_000; now_ms <= 61_000; now_ms += 1) looked.push(...often.due(now_ms));
    assert.deepEqual(
      looked,
      [...seldom.due(61_000)],
      "a fleet that slept has as much to send, with the moments of old",
    );
    assert.ok(Math.abs(looked.length - 30_000) < 600, `${looked.length} of 30,000`);
    assert.ok(looked.every((due_ms, place) => Number.isInteger(due_ms) && due_ms >= (looked[place - 1] ?? 0)));
  });

  it("gives nothing before its moment", () => {
    const schedule = scheduleOf(10);
    const [first] = [...schedule.due(100_000)];
    assert.deepEqual([...scheduleOf(10).due(first! - 1)], []);
    assert.deepEqual([...scheduleOf(10).due(first!)], [first]);
    assert.throws(() => scheduleOf(0), RangeError);
  });
});

const tallyOf = (latencies_ms: readonly number[], outcome = "ok", offered = latencies_ms.length): Tally => {
  const tally = new Tally();
  for (const latency_ms of latencies_ms) tally.answered("rest", latency_ms, outcome);
  tally.offered = offered;
  return tally;
};

describe("the verdicts", () => {
  it("a rate is too much by its p99, by refusals and by what is not answered", () => {
    const quick = Array.from({ length: 100 }, () => 5);
    assert.equal(tooMuch(tallyOf(quick), 100), undefined);
    assert.equal(tooMuch(tallyOf([...quick.slice(2), 900, 900]), 100), "p99 900 ms");
    assert.equal(tooMuch(tallyOf(quick, "-1008"), 100), "100 × -1008");
    assert.equal(tooMuch(tallyOf(quick, "broken"), 100), "100 × broken");
    assert.equal(tooMuch(tallyOf(quick, "ok", 200), 100), "100 of 200 answered");
  });

  it("a cancel that came after the fill is no refusal that counts", () => {
    assert.equal(tooMuch(tallyOf([5, 5], "-2011"), 100), undefined);
    assert.equal(tooMuch(tallyOf([5, 5], "-2022"), 100), undefined);
  });

  for (const [start, truth] of [
    [400, 3_210],
    [400, 401],
    [400, 90],
    [10, 25_000],
  ] as const) {
    it(`the search from ${start} finds a knee at ${truth}`, () => {
      const search = new KneeSearch(start, 40);
      for (let rate = search.next; rate !== undefined; rate = search.next) search.report(rate, rate > truth);
      assert.ok(search.knee <= truth && search.knee > truth / 1.13, `found ${search.knee}`);
    });
  }

  it("the search ends when its steps are used up", () => {
    const search = new KneeSearch(100, 3);
    const tried: number[] = [];
    for (let rate = search.next; rate !== undefined; rate = search.next) {
      tried.push(rate);
      search.report(rate, true);
    }
    assert.deepEqual(tried, [100, 50, 25]);
    assert.equal(search.knee, 0);
  });

  it("it is calm again with the first of three calm seconds in a row", () => {
    assert.equal(calmSince([900, 30, 900, 20, 10, 15, 12], 50), 3);
    assert.equal(calmSince([10, 10, 10], 50), 0);
    assert.equal(calmSince([900, 10, 10], 50), undefined);
    assert.equal(calmSince([Number.NaN, Number.NaN, Number.NaN], 50), undefined, "no answers are not calm");
  });

  it("only what is wrong fails a run, not what could not be looked at", () => {
    const check = (ok: boolean | null) => ({ name: "a", ok, detail: "b" });
    assert.equal(hasFailed([check(true), check(null)]), false);
    assert.equal(hasFailed([check(true), check(false)]), true);
    const table = tableOf([{ part: "hold", what: "orders", figure: "1/s" }], [check(false), check(null)], 3);
    assert.match(table, /hold {3}orders {2}1\/s\ncheck {2}a {7}FAILED: b\n {7}a {7}not looked at: b/);
  });
});

describe("the audit", () => {
  it("finds orders that are missing, there twice, or never acknowledged", () => {
    const acknowledged = new Set(["a", "b", "c"]);
    const unknown = new Set(["u"]);
    assert.deepEqual(compareOrders(["a", "b", "c", "u"], acknowledged, unknown), { foundOnce: 3, faults: [] });
    const { foundOnce, faults } = compareOrders(["a", "b", "b", "x"], acknowledged, unknown);
    assert.equal(foundOnce, 1);
    assert.deepEqual(faults, [
      "b was acknowledged and is there 2 times",
      "c was acknowledged and is there 0 times",
      "x is there and was never acknowledged",
    ]);
  });

  it("finds fills that the stream did not report, or reported and that do not exist", () => {
    assert.deepEqual(compareTrades([1, 2], new Set([2, 1])), []);
    assert.deepEqual(compareTrades([1, 2, 2], new Set([2, 3])), [
      "1 fills are there twice",
      "the stream did not report trade 1",
      "the stream reported trade 3, which does not exist",
    ]);
  });
});

describe("frames", () => {
  const serverFrame = (text: string) => {
    const payload = Buffer.from(text);
    const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
    head[0] = 0x80 | TEXT;
    if (head.length === 2) head[1] = payload.length;
    else if (head.length === 4) {
      head[1] = 126;
      head.writeUInt16BE(payload.length, 2);
    } else {
      head[1] = 127;
      head.writeBigUInt64BE(BigInt(payload.length), 2);
    }
    return Buffer.concat([head, payload]);
  };

  it("of all lengths are read, wherever the bytes are cut", () => {
    const texts = ["", "short", "m".repeat(125), "n".repeat(126), "o".repeat(70_000), "end"];
    const bytes = Buffer.concat(texts.map(serverFrame));
    for (const piece of [1, 7, 1_000, bytes.length]) {
      const read: string[] = [];
      let rest = Buffer.alloc(0);
      for (let at = 0; at < bytes.length; at += piece) {
        const joined = Buffer.concat([rest, bytes.subarray(at, at + piece)]);
        const end = readFrames(joined, (_, payload) => read.push(payload.toString()));
        rest = joined.subarray(end);
      }
      assert.deepEqual(read, texts, `in pieces of ${piece}`);
      assert.equal(rest.length, 0);
    }
  });

  it("of a client are masked, and numbers are found in what was sent", () => {
    assert.deepEqual([...clientFrame(CLOSE, Buffer.from([3, 232]))], [0x88, 0x82, 0, 0, 0, 0, 3, 232]);
    const update = Buffer.from('{"stream":"x","data":{"e":"depthUpdate","E":1780000000123,"U":7,"u":9,"pu":6}}');
    assert.equal(eventTime_ms(update), 1_780_000_000_123);
    assert.deepEqual([numberAfter(update, '"u":'), numberAfter(update, '"pu":')], [9, 6]);
    assert.equal(eventTime_ms(Buffer.from('{"result":null}')), undefined);
  });
});

describe("the bots' prices", () => {
  const info = (symbol: string, tickSize: string, stepSize: string) => ({
    symbol,
    filters: [
      { filterType: "PRICE_FILTER", tickSize },
      { filterType: "LOT_SIZE", stepSize },
      { filterType: "MIN_NOTIONAL", notional: "5" },
    ],
  });

  it("are whole steps, written without a rounding", () => {
    assert.deepEqual(stepOf("0.10"), { units: 1, digits: 1 });
    assert.deepEqual(stepOf("5"), { units: 5, digits: 0 });
    assert.equal(stepsText(600_123, stepOf("0.10")), "60012.3");
    assert.equal(stepsText(7, stepOf("0.0005")), "0.0035");
    assert.equal(stepsText(3, stepOf("5")), "15");
  });

  it("rest on their own side of the mid price, take from the other, or match nothing", () => {
    const symbols = [info("BTCUSDT", "0.10", "0.001"), info("OTHERUSDT", "1", "1")];
    const markets = marketsOf({ symbols }, new Map([["BTCUSDT", "60000"]]));
    assert.equal(markets.length, 1, "markets without a price are left out");
    const market = markets[0]!;
    assert.equal(market.midTicks, 600_000);
    assert.equal(market.orderLots, 1, "0.001 BTC is worth enough");
    const prng = new Prng(1);
    for (let draw = 0; draw < 200; draw += 1) {
      const [bid, ask] = [Number(restingPrice(market, "BUY", prng)), Number(restingPrice(market, "SELL", prng))];
      assert.ok(bid < 60_000 && bid >= Number(crossingPrice(market, "SELL")), String(bid));
      assert.ok(ask > 60_000 && ask <= Number(crossingPrice(market, "BUY")), String(ask));
    }
    assert.ok(Number(idlePrice(market, "BUY")) < 60_000 && Number(idlePrice(market, "SELL")) > 60_000);
  });
});

describe("the sockets' plan", () => {
  it("has user streams and slow ones among the others, and never too many of an address", () => {
    const plans = planSockets(10_000, ["btcusdt", "ethusdt"], ["key-a", "key-b"]);
    const of = (kind: string) => plans.filter((plan) => plan.kind === kind).length;
    assert.deepEqual([plans.length, of("user"), of("slow")], [10_000, 100, 20]);
    const perAddress = Map.groupBy(plans, ({ forwardedFor }) => forwardedFor);
    assert.ok([...perAddress.values()].every((own) => own.length <= 200));
    assert.equal(perAddress.size, 50);
    assert.ok(of("depth") > 1_000 && of("market") > 5_000);
  });

  it("holds for few sockets as well", () => {
    const plans = planSockets(10, ["btcusdt"], ["key"]);
    assert.deepEqual(
      Object.fromEntries(
        Object.entries(Object.groupBy(plans, ({ kind }) => kind)).map(([kind, own]) => [kind, own!.length]),
      ),
      {
        slow: 2,
        user: 4,
        market: 3,
        depth: 1,
      },
    );
  });
});

describe("the load's arguments", () => {
  it("have defaults; without a rate the knee is looked for", () => {
    const request = parseArguments([], 8)!;
    assert.deepEqual(
      [request.minutes, request.bots, request.sockets, request.isFinding, request.workers, request.bound_ms],
      [10, 64, 10_000, true, 4, 100],
    );
    assert.equal(parseArguments([], 1)!.workers, 1);
    assert.equal(parseArguments(["--rate", "500"], 2)!.isFinding, false);
    assert.equal(parseArguments(["--rate", "500", "--find"], 2)!.isFinding, true);
    assert.equal(parseArguments(["--url", "http://127.0.0.1:8080/app"], 2)!.url, "http://127.0.0.1:8080");
    assert.equal(parseArguments(["--help"], 2), null);
  });

  for (const args of [
    ["--minutes", "-1"],
    ["--rate", "0"],
    ["--bots", "3"],
    ["--bots", "8.5"],
    ["--workers", "0"],
    ["--url", "ftp://x"],
    ["--url", "http://x", "--database", "postgres://x"],
    ["--minutes", "0", "--sockets", "0"],
    ["--x"],
  ]) {
    it(`${args.join(" ")} is refused`, () => {
      assert.throws(() => parseArguments(args, 2), UsageError);
    });
  }
});
