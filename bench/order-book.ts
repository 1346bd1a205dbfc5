import assert from "node:assert/strict";
import { BaselineDriver } from "./baselines/order-book.ts";
import { EngineDriver, makeStream, type Stream } from "./baselines/order-book-stream.ts";
import { collectGarbage, kibibytes, seconds } from "./support/measure.ts";
import { atLeast, median, perSecond, type Row } from "./support/table.ts";

const OPERATIONS = 1_000_000;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 9;
/** A wide book has this many levels per resting order on a side, which leaves about two orders on each. */
const LEVELS_PER_ORDER_WIDE = 0.5;

interface Shape {
  readonly name: string;
  readonly levels: number;
  /** The baseline runs the stream in parts, each long enough to measure and short enough to wait for. */
  readonly baselineOperations: number;
}

const RESTING_ORDERS = 21_000;
const SHAPES: readonly Shape[] = [
  { name: "deep", levels: 10, baselineOperations: 8_000 },
  { name: "wide", levels: RESTING_ORDERS * LEVELS_PER_ORDER_WIDE, baselineOperations: 80_000 },
];

/**
 * The baseline keeps orders in objects by id, and the speed of those depends on the form of an id: text, as in its
 * documentation, is faster with long queues, text that looks like a number with short ones. Both are measured.
 */
const ID_FORMS = [
  { name: "ids like o123", prefix: "o" },
  { name: "ids like 123", prefix: "" },
] as const;

/** The engine's book alone against `nodejs-order-book`, and its speed as the book grows. */
export async function benchOrderBook(): Promise<readonly Row[]> {
  const rows = SHAPES.flatMap(compare);
  await reportMemory();
  for (const restingOrders of [10_000, 100_000, 1_000_000]) await reportSize(restingOrders);
  return rows;
}

/**
 * One row for each form of the baseline's ids. In each round all run one after the other; each ratio is of one round.
 */
function compare(shape: Shape): Row[] {
  const stream = makeStream({ seed: 1, restingOrders: RESTING_ORDERS, levels: shape.levels, operations: OPERATIONS });
  const rivals = ID_FORMS.map(({ name, prefix }) => ({
    name,
    driver: new BaselineDriver(stream, prefix),
    rates: [] as number[],
    ratios: [] as number[],
  }));
  for (const { driver } of rivals) driver.run(stream, 0, stream.prefill);
  const engineRates: number[] = [];
  let done = stream.prefill;
  let engine = new EngineDriver();
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    engine = filled(stream);
    const engineRate = OPERATIONS / seconds(() => engine.run(stream, stream.prefill, stream.length));
    const from = done;
    done += shape.baselineOperations;
    if (round >= 0) engineRates.push(engineRate);
    for (const { driver, rates, ratios } of rivals) {
      const rate = shape.baselineOperations / seconds(() => driver.run(stream, from, done));
      if (round < 0) continue;
      rates.push(rate);
      ratios.push(engineRate / rate);
    }
  }
  for (const { driver } of rivals) assertEqualWork(stream, driver, done);
  const book = `${shape.name}: ${engine.book.bids.orders + engine.book.asks.orders} orders on ${countLevels(engine)} levels`;
  return rivals.map(({ name, rates, ratios }) => ({
    name: `order book, ${book}, against ${name}`,
    figure: `${perSecond(median(engineRates))}`,
    baseline: `${perSecond(median(rates))} nodejs-order-book, ${name}`,
    ratio: median(ratios),
    aim: atLeast(75),
  }));
}

/**
 * Asserts that both books, on the part of the stream that the baseline has run, have the same trades and the same
 * resting lots.
 */
function assertEqualWork(stream: Stream, baseline: BaselineDriver, length: number): void {
  const engine = new EngineDriver();
  engine.run(stream, 0, length);
  assert.deepEqual(engine.tally(), baseline.tally(), "the books did not do the same work");
}

function filled(stream: Stream): EngineDriver {
  const engine = new EngineDriver();
  engine.run(stream, 0, stream.prefill);
  return engine;
}

function countLevels({ book }: EngineDriver): number {
  const ticks = new Int32Array(RESTING_ORDERS * 2);
  const lots = new Float64Array(RESTING_ORDERS * 2);
  return book.readDepth(0, ticks, lots) + book.readDepth(1, ticks, lots);
}

/** The heap growth of a million operations without a collection: all garbage and all retained memory. */
async function reportMemory(): Promise<void> {
  const levels = RESTING_ORDERS * LEVELS_PER_ORDER_WIDE;
  const stream = makeStream({ seed: 2, restingOrders: RESTING_ORDERS, levels, operations: OPERATIONS });
  const engine = filled(stream);
  await collectGarbage();
  // The first run after a collection also includes what the runtime allocates for itself.
  filled(stream).run(stream, stream.prefill, stream.length);
  const before = process.memoryUsage();
  engine.run(stream, stream.prefill, stream.length);
  const after = process.memoryUsage();
  const [heap, buffers] = [after.heapUsed - before.heapUsed, after.arrayBuffers - before.arrayBuffers];
  console.log(`  ${OPERATIONS} operations: heap ${kibibytes(heap)}, typed arrays ${kibibytes(buffers)}`);
}

async function reportSize(restingOrders: number): Promise<void> {
  const levels = restingOrders * LEVELS_PER_ORDER_WIDE;
  const stream = makeStream({ seed: 3, restingOrders, levels, operations: 300_000 });
  const bytesPerOrder = (await bytesOfFilled(stream)) / restingOrders;
  const times_ns: number[] = [];
  for (let round = 0; round < 5; round++) {
    const engine = filled(stream);
    const run_s = seconds(() => engine.run(stream, stream.prefill, stream.length));
    times_ns.push((run_s * 1e9) / (stream.length - stream.prefill));
  }
  const figures = `${median(times_ns).toFixed(0)} ns per operation, ${bytesPerOrder.toFixed(0)} bytes per order`;
  console.log(`  ${restingOrders.toLocaleString("en-US")} resting orders, wide: ${figures}`);
}

/** Everything that the book holds, including room for growth. The replaced smaller arrays are collected first. */
async function bytesOfFilled(stream: Stream): Promise<number> {
  await collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  const engine = filled(stream);
  await collectGarbage();
  const bytes = process.memoryUsage().arrayBuffers - before;
  assert.ok(engine.book.bids.orders > 0, "the book is still alive when its memory is read");
  return bytes;
}
