import assert from "node:assert/strict";
import { NEWEST_RULES } from "../packages/engine/src/index.ts";
import { FullEngineDriver } from "./baselines/engine-driver.ts";
import { makeStream, type Stream } from "./baselines/order-book-stream.ts";
import { cpuSeconds } from "./support/measure.ts";
import { atLeast, median, perSecond, type Row } from "./support/table.ts";

const BEFORE = NEWEST_RULES - 1;
const RESTING_ORDERS = 21_000;
const ACCOUNTS = 1_000;
const WARM_UP_PAIRS = 2;
const PAIRS = 15;
const SHAPES = [
  { name: "deep", levels: 10 },
  { name: "wide", levels: RESTING_ORDERS / 2 },
] as const;
const MANY_ACCOUNTS = 100_000;
/** So that a tenth of the accounts hold positions when the price comes. */
const PRICED_OPERATIONS = 300_000;
const PRICES = 20;

/**
 * What the newest rules cost: the same commands by them and by those before, in turns. Processor time of the thread,
 * because other work on the machine disturbs it less than the clock.
 */
export async function benchRulesVersions(): Promise<readonly Row[]> {
  return [...SHAPES.map(compareOrders), comparePrices()];
}

function compareOrders({ name, levels }: (typeof SHAPES)[number]): Row {
  const stream = makeStream({ seed: 1, restingOrders: RESTING_ORDERS, levels, operations: 300_000 });
  const operations = stream.length - stream.prefill;
  const run = (version: number) => {
    const engine = filled(stream, ACCOUNTS, version);
    const took_s = cpuSeconds(() => engine.run(stream.prefill, stream.length));
    assert.equal(engine.refusals, 0, "the engine took every order of the stream");
    return { took_s, trades: engine.trades };
  };
  const { now_s, before_s, ratio } = inTurns(run);
  return {
    name: `engine, ${name} book, by rules version ${NEWEST_RULES}`,
    figure: perSecond(operations / now_s),
    baseline: `${perSecond(operations / before_s)} by version ${BEFORE}`,
    ratio,
    aim: atLeast(0.95),
  };
}

/** A price of a market in which accounts hold positions: every position is judged. */
function comparePrices(): Row {
  const stream = makeStream({
    seed: 4,
    restingOrders: RESTING_ORDERS,
    levels: RESTING_ORDERS / 2,
    operations: PRICED_OPERATIONS,
  });
  const engines = new Map([NEWEST_RULES, BEFORE].map((version) => [version, filled(stream, MANY_ACCOUNTS, version)]));
  for (const engine of engines.values()) engine.run(stream.prefill, stream.length);
  const run = (version: number) => {
    const engine = engines.get(version)!;
    const took_s = cpuSeconds(() => {
      for (let i = 0; i < PRICES; i += 1) engine.setMark(1 + (i % 2));
    });
    return { took_s, trades: engine.trades };
  };
  const { now_s, before_s, ratio } = inTurns(run);
  const micros = (took_s: number) => `${((took_s * 1e6) / PRICES).toFixed(0)} µs`;
  return {
    name: `a price, ${MANY_ACCOUNTS.toLocaleString("en-US")} accounts, by rules version ${NEWEST_RULES}`,
    figure: micros(now_s),
    baseline: `${micros(before_s)} by version ${BEFORE}`,
    ratio,
    aim: atLeast(0.95),
  };
}

/** The ratio is the speed by the newest rules in that of those before, the median of the pairs. */
function inTurns(run: (version: number) => { readonly took_s: number; readonly trades: number }) {
  const pairs: { now_s: number; before_s: number }[] = [];
  for (let i = -WARM_UP_PAIRS; i < PAIRS; i += 1) {
    // Each goes first as often as the other.
    const first = run(i % 2 === 0 ? NEWEST_RULES : BEFORE);
    const second = run(i % 2 === 0 ? BEFORE : NEWEST_RULES);
    assert.equal(first.trades, second.trades, "both versions made the same trades");
    const [now, before] = i % 2 === 0 ? [first, second] : [second, first];
    if (i >= 0) pairs.push({ now_s: now.took_s, before_s: before.took_s });
  }
  return {
    now_s: median(pairs.map(({ now_s }) => now_s)),
    before_s: median(pairs.map(({ before_s }) => before_s)),
    ratio: median(pairs.map(({ now_s, before_s }) => before_s / now_s)),
  };
}

function filled(stream: Stream, accounts: number, version: number): FullEngineDriver {
  const engine = new FullEngineDriver(stream, accounts, version);
  engine.run(0, stream.prefill);
  return engine;
}
