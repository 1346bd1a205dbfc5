import assert from "node:assert/strict";
import { FullEngineDriver } from "./baselines/engine-driver.ts";
import { BaselineDriver } from "./baselines/order-book.ts";
import { makeStream, type Stream } from "./baselines/order-book-stream.ts";
import { collectGarbage, kibibytes, seconds } from "./support/measure.ts";
import { atLeast, median, perSecond, type Row } from "./support/table.ts";

const OPERATIONS = 1_000_000;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 7;
const RESTING_ORDERS = 21_000;
const ACCOUNTS = 1_000;
const LEVELS_PER_ORDER_WIDE = 0.5;

interface Shape {
  readonly name: string;
  readonly levels: number;
  readonly baselineOperations: number;
  /** The form of ids that is fastest for the baseline on this book: see `order-book`. */
  readonly idPrefix: string;
}

const SHAPES: readonly Shape[] = [
  { name: "deep", levels: 10, baselineOperations: 8_000, idPrefix: "o" },
  { name: "wide", levels: RESTING_ORDERS * LEVELS_PER_ORDER_WIDE, baselineOperations: 80_000, idPrefix: "" },
];

/** The whole engine: margin, fees, positions and events in exact integers, against a bare book of the baseline. */
export async function benchEngine(): Promise<readonly Row[]> {
  const rows = SHAPES.map(compare);
  await reportGarbage();
  for (const restingOrders of [10_000, 100_000, 1_000_000]) await reportOrders(restingOrders);
  for (const accounts of [1_000, 10_000, 100_000]) await reportAccounts(accounts);
  return rows;
}

function compare(shape: Shape): Row {
  const stream = makeStream({ seed: 1, restingOrders: RESTING_ORDERS, levels: shape.levels, operations: OPERATIONS });
  const baseline = new BaselineDriver(stream, shape.idPrefix);
  baseline.run(stream, 0, stream.prefill);
  const rates: number[] = [];
  const baselineRates: number[] = [];
  const ratios: number[] = [];
  let done = stream.prefill;
  let events = 0;
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const engine = filled(stream, ACCOUNTS);
    events = 0 - engine.events;
    const rate = OPERATIONS / seconds(() => engine.run(stream.prefill, stream.length));
    events += engine.events;
    const from = done;
    done += shape.baselineOperations;
    const baselineRate = shape.baselineOperations / seconds(() => baseline.run(stream, from, done));
    if (round < 0) continue;
    rates.push(rate);
    baselineRates.push(baselineRate);
    ratios.push(rate / baselineRate);
  }
  assertEqualWork(stream, baseline, done);
  return {
    name: `engine, ${shape.name} book, ${ACCOUNTS} accounts, ${(events / OPERATIONS).toFixed(1)} events an operation`,
    figure: perSecond(median(rates)),
    baseline: `${perSecond(median(baselineRates))} nodejs-order-book`,
    ratio: median(ratios),
    aim: atLeast(40),
  };
}

/** Asserts the same trades and the same resting lots, although the engine also checks and settles each trade. */
function assertEqualWork(stream: Stream, baseline: BaselineDriver, length: number): void {
  const engine = new FullEngineDriver(stream, ACCOUNTS);
  engine.run(0, length);
  const { trades, restingLots } = baseline.tally();
  assert.deepEqual({ trades: engine.trades, restingLots: engine.restingLots }, { trades, restingLots });
  assert.equal(engine.refusals, 0, "the engine took every order of the stream");
}

function filled(stream: Stream, accounts: number): FullEngineDriver {
  const engine = new FullEngineDriver(stream, accounts);
  engine.run(0, stream.prefill);
  return engine;
}

/** The heap growth of a million operations without a collection: all garbage and all retained memory. */
async function reportGarbage(): Promise<void> {
  const levels = RESTING_ORDERS * LEVELS_PER_ORDER_WIDE;
  const stream = makeStream({ seed: 2, restingOrders: RESTING_ORDERS, levels, operations: OPERATIONS });
  filled(stream, ACCOUNTS).run(stream.prefill, stream.length);
  const engine = filled(stream, ACCOUNTS);
  await collectGarbage();
  const before = process.memoryUsage();
  engine.run(stream.prefill, stream.length);
  const after = process.memoryUsage();
  const heap = after.heapUsed - before.heapUsed;
  const buffers = after.arrayBuffers - before.arrayBuffers;
  const perTrade = `${(heap / engine.trades).toFixed(2)} bytes a trade`;
  console.log(`  ${OPERATIONS} operations: heap ${kibibytes(heap)} (${perTrade}), typed arrays ${kibibytes(buffers)}`);
}

async function reportOrders(restingOrders: number): Promise<void> {
  // Below the limit of 200 open orders per account.
  const accounts = Math.max(ACCOUNTS, restingOrders / 100);
  const stream = makeStream({
    seed: 3,
    restingOrders,
    levels: restingOrders * LEVELS_PER_ORDER_WIDE,
    operations: 300_000,
  });
  const { time_ns, bytes } = await measure(stream, accounts);
  const orders = restingOrders.toLocaleString("en-US");
  console.log(
    `  ${orders} resting orders, wide: ${time_ns} ns an operation, ${(bytes / restingOrders).toFixed(0)} bytes an order`,
  );
}

async function reportAccounts(accounts: number): Promise<void> {
  const levels = RESTING_ORDERS * LEVELS_PER_ORDER_WIDE;
  const stream = makeStream({ seed: 4, restingOrders: RESTING_ORDERS, levels, operations: 300_000 });
  const { time_ns, price_us } = await measure(stream, accounts);
  const bytes = await bytesOf(() => new FullEngineDriver(stream, accounts));
  const figures = `${time_ns} ns an operation, ${(bytes / accounts).toFixed(0)} bytes an account, ${price_us} µs a mark price`;
  console.log(`  ${accounts.toLocaleString("en-US")} accounts: ${figures}`);
}

async function measure(stream: Stream, accounts: number) {
  const bytes = await bytesOf(() => filled(stream, accounts));
  const times_ns: number[] = [];
  const prices_us: number[] = [];
  for (let round = 0; round < 5; round++) {
    const engine = filled(stream, accounts);
    const run_s = seconds(() => engine.run(stream.prefill, stream.length));
    times_ns.push((run_s * 1e9) / (stream.length - stream.prefill));
    prices_us.push(seconds(() => engine.setMark(1)) * 1e6);
  }
  return { bytes, time_ns: median(times_ns).toFixed(0), price_us: median(prices_us).toFixed(0) };
}

/** Everything that it holds in typed arrays, including room for growth. */
async function bytesOf(make: () => FullEngineDriver): Promise<number> {
  await collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const engine = make();
  await collectGarbage();
  const bytes = process.memoryUsage().arrayBuffers - before;
  assert.ok(engine.accounts > 0, "the engine is still alive when its memory is read");
  return bytes;
}
