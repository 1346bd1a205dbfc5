import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { sql } from "kysely";
import { DAY_ms, HOUR_ms, MINUTE_ms } from "../../kernel/dates.ts";
import { marketSampleJob } from "../statistics/jobs.ts";
import { type Body, EPOCH_MS, ok, refused } from "./testing.ts";
import { useHistory } from "./testing-history.ts";

const PERIOD_ms = 5 * MINUTE_ms;

describe("statistics of markets", () => {
  const past = useHistory();
  const { alice, bob } = past;
  const carol = "0xca401";
  const statistics = async (name: string, parameters: object = {}) =>
    ok<Body[]>(
      await past.bench.call("GET", `/futures/data/${name}`, { symbol: "BTCUSDT", period: "5m", ...parameters }),
    );
  const timesOf = (rows: readonly Body[]) => rows.map(({ timestamp }) => (Number(timestamp) - EPOCH_MS) / MINUTE_ms);

  const job = () => marketSampleJob({ database: past.database, engine: past.bench.engine, clock: past.bench.clock });
  /** Moves the clock to so many minutes after the beginning and runs the job that was due then. */
  async function sampleAt(minutes: number, late_ms = 0): Promise<unknown> {
    const due_ms = EPOCH_MS + minutes * MINUTE_ms;
    past.bench.clock.advance(due_ms + late_ms - past.bench.clock.now());
    return await past.runJob(job(), due_ms);
  }

  before(async () => {
    // Carol has the highest balance of three traders, so that the top fifth is she alone.
    await past.bench.trader("ca401", 500_000);
    await past.bench.seedFund();
    await sampleAt(5);
    await past.order(bob, "SELL", "0.3", "60000");
    await past.order(alice, "BUY", "0.1", "60000");
    await past.order(carol, "BUY", "0.2", "60000");
    await sampleAt(10);
    await past.bench.price("BTCUSDT", 59_000);
    await past.order(carol, "SELL", "0.1", "60000");
    await past.order(alice, "BUY", "0.1", "60000");
    await sampleAt(15);
  });

  it("FUT-20: open interest at the moments of the samples, valued at the mark", async () => {
    assert.deepEqual(await statistics("openInterestHist"), [
      { symbol: "BTCUSDT", sumOpenInterest: "0.000", sumOpenInterestValue: "0.00", timestamp: EPOCH_MS + PERIOD_ms },
      {
        symbol: "BTCUSDT",
        sumOpenInterest: "0.300",
        sumOpenInterestValue: "18000.00",
        timestamp: EPOCH_MS + 2 * PERIOD_ms,
      },
      {
        symbol: "BTCUSDT",
        sumOpenInterest: "0.300",
        sumOpenInterestValue: "17700.00",
        timestamp: EPOCH_MS + 3 * PERIOD_ms,
      },
    ]);
  });

  it("FUT-20: accounts that are long and short, all of them and the top fifth by margin balance", async () => {
    const figures = (rows: readonly Body[]) =>
      rows.map(({ longShortRatio, longAccount, shortAccount }) => [longShortRatio, longAccount, shortAccount]);
    // Alice and Carol are long, Bob is short; before the first position there is nothing to compare.
    const global = await statistics("globalLongShortAccountRatio");
    assert.deepEqual(figures(global), [
      ["2.0000", "0.6667", "0.3333"],
      ["2.0000", "0.6667", "0.3333"],
    ]);
    assert.deepEqual(timesOf(global), [10, 15]);
    // Nobody of the top fifth is short: there is no ratio.
    for (const name of ["topLongShortAccountRatio", "topLongShortPositionRatio"]) {
      assert.deepEqual(figures(await statistics(name)), [
        ["0.0000", "1.0000", "0.0000"],
        ["0.0000", "1.0000", "0.0000"],
      ]);
    }
  });

  it("FUT-20: the top fifth counts by positions too, and rises with the number of traders", async () => {
    for (const [place, side] of ["BUY", "SELL", "BUY"].entries()) {
      await past.bench.trader(`d${place}`, 600_000 + place);
      await past.order(alice, side === "BUY" ? "SELL" : "BUY", "0.1", "59500");
      await past.order(`0xd${place}`, side, "0.1", "59500");
    }
    await sampleAt(20);
    // Six traders: the two with the most money, d1 (short) and d2 (long), who have 0.1 each.
    const [latest] = await statistics("topLongShortPositionRatio", { limit: 1 });
    assert.deepEqual(latest, {
      symbol: "BTCUSDT",
      longShortRatio: "1.0000",
      longAccount: "0.5000",
      shortAccount: "0.5000",
      timestamp: EPOCH_MS + 20 * MINUTE_ms,
    });
  });

  it("FUT-20: what takers bought and sold, in periods that have ended", async () => {
    const volumes = await statistics("takerlongshortRatio");
    assert.deepEqual(volumes.slice(0, 2), [
      { buySellRatio: "0.0000", buyVol: "0.300", sellVol: "0.000", timestamp: EPOCH_MS + PERIOD_ms },
      { buySellRatio: "0.0000", buyVol: "0.100", sellVol: "0.000", timestamp: EPOCH_MS + 2 * PERIOD_ms },
    ]);
    // In the third one two of three takers bought.
    assert.deepEqual(volumes[2], {
      buySellRatio: "2.0000",
      buyVol: "0.200",
      sellVol: "0.100",
      timestamp: EPOCH_MS + 3 * PERIOD_ms,
    });
    await past.order(bob, "SELL", "0.1", "59500");
    await past.order(alice, "BUY", "0.1", "59500");
    assert.deepEqual(await statistics("takerlongshortRatio"), volumes, "the running period is not among them");
    const [hour] = await statistics("takerlongshortRatio", { period: "1h" });
    assert.equal(hour, undefined);
  });

  it("FUT-20: the basis is the last price over the index", async () => {
    const basis = { pair: "BTCUSDT", contractType: "PERPETUAL", symbol: undefined };
    const rows = await statistics("basis", basis);
    assert.deepEqual(timesOf(rows), [10, 15, 20], "before the first trade there is none");
    assert.deepEqual(rows.slice(0, 2), [
      {
        pair: "BTCUSDT",
        contractType: "PERPETUAL",
        futuresPrice: "60000.0",
        indexPrice: "60000.0",
        basis: "0.0",
        basisRate: "0.0000",
        annualizedBasisRate: "",
        timestamp: EPOCH_MS + 10 * MINUTE_ms,
      },
      {
        pair: "BTCUSDT",
        contractType: "PERPETUAL",
        futuresPrice: "60000.0",
        indexPrice: "59000.0",
        basis: "1000.0",
        basisRate: "0.0169",
        annualizedBasisRate: "",
        timestamp: EPOCH_MS + 15 * MINUTE_ms,
      },
    ]);
  });

  it("FUT-20: a run that comes late writes nothing, a repeated one changes nothing", async () => {
    assert.deepEqual(await sampleAt(25, 2 * MINUTE_ms), { markets: 0, removed: 0 });
    await sampleAt(30);
    const before_ = await statistics("openInterestHist");
    assert.deepEqual(timesOf(before_), [5, 10, 15, 20, 30]);
    await past.order(bob, "SELL", "0.5", "59500");
    await past.order(alice, "BUY", "0.5", "59500");
    await past.runJob(job(), EPOCH_MS + 30 * MINUTE_ms);
    assert.deepEqual(await statistics("openInterestHist"), before_);
  });

  it("FUT-20: windows and limits; a longer period is its first sample", async () => {
    const at = (minutes: number) => EPOCH_MS + minutes * MINUTE_ms;
    const times = async (parameters: object) => timesOf(await statistics("openInterestHist", parameters));
    assert.deepEqual(await times({ limit: 2 }), [30], "two periods, one of them without a sample");
    assert.deepEqual(await times({ startTime: at(10), limit: 2 }), [10, 15]);
    assert.deepEqual(await times({ startTime: at(10) + 1 }), [15, 20, 30]);
    assert.deepEqual(await times({ startTime: at(10), endTime: at(15) }), [10, 15]);
    assert.deepEqual(await times({ endTime: at(15), limit: 2 }), [10, 15]);
    assert.deepEqual(await times({ period: "15m" }), [5, 15, 30]);
    assert.deepEqual(await times({ period: "15m", startTime: at(6) }), [15, 30]);
    assert.deepEqual(await times({ period: "1d" }), [5]);
    assert.deepEqual(await times({ startTime: at(60) }), []);
    const other = ok<Body[]>(
      await past.bench.call("GET", "/futures/data/openInterestHist", { symbol: "ETHUSDT", period: "5m" }),
    );
    assert.deepEqual(other, [], "a market without a price has no samples");
  });

  it("FUT-20: 30 days can be asked for, 31 are kept", async () => {
    const ask = (startTime: number) =>
      past.bench.call("GET", "/futures/data/openInterestHist", { symbol: "BTCUSDT", period: "5m", startTime });
    past.bench.clock.advance(30 * DAY_ms);
    const now_ms = past.bench.clock.now();
    refused(await ask(now_ms - 30 * DAY_ms - 1), -4166, "Search window is restricted to recent 30 days only.");
    ok(await ask(now_ms - 30 * DAY_ms));
    assert.deepEqual(await past.runJob(job()), { markets: 1, removed: 0 });
    past.bench.clock.advance(DAY_ms + HOUR_ms);
    assert.deepEqual(await past.runJob(job()), { markets: 1, removed: 5 });
    const { rows } = await sql<{ count: bigint }>`
      select count(*) as count from exchange_market_sample`.execute(past.database.db);
    assert.equal(rows[0]?.count, 2n);
  });
});
