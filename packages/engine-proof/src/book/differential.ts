import assert from "node:assert/strict";
import { BUY, checkBook, SELL } from "@bourse/engine";
import type { BookEvent, Command } from "../../../engine/src/book/testing/command.ts";
import { EngineBook } from "../../../engine/src/book/testing/engine-book.ts";
import { Prng } from "../../../engine/src/book/testing/prng.ts";
import { RandomCommands, type Scene } from "../../../engine/src/book/testing/random-commands.ts";
import { NaiveBook } from "./naive-book.ts";

export interface DifferentialRun {
  readonly scene: Scene;
  readonly seed: number;
  readonly commands: number;
  /** Changes the engine's book before the run, to prove that the run finds the fault. */
  readonly plant?: (engine: EngineBook) => void;
  /** Whether the book also checks itself. False if the comparison alone has to find the fault. */
  readonly isChecked?: boolean;
}

export interface RunStatistics {
  fills: number;
  outcomes: Map<string, number>;
  maxResting: number;
}

/**
 * Runs the same commands on the engine's book and on the naive one and throws at the first difference: in the answer,
 * in an event, in a resting order or in a level. Large books are compared in full only at intervals.
 */
export function runDifferential(run: DifferentialRun): RunStatistics {
  const engine = new EngineBook();
  const naive = new NaiveBook();
  run.plant?.(engine);
  const commands = new RandomCommands(new Prng(run.seed), run.scene);
  const statistics: RunStatistics = { fills: 0, outcomes: new Map(), maxResting: 0 };
  const commandsBetweenComparisons = run.scene.restingOrders > 100 ? 100 : 1;
  let resting = 0;
  for (let count = 1; count <= run.commands; count++) {
    const command = commands.next(resting);
    try {
      applyToBoth(engine, naive, command, statistics);
      if (count % commandsBetweenComparisons === 0 || count === run.commands) {
        compareBooks(engine, naive);
        if (run.isChecked ?? true) checkBook(engine.book);
      }
    } catch (cause) {
      const where = `scene "${run.scene.name}", seed ${run.seed}, command ${count}: ${JSON.stringify(command)}`;
      throw new Error(`${where}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
    resting = engine.book.bids.orders + engine.book.asks.orders;
    statistics.maxResting = Math.max(statistics.maxResting, resting);
  }
  return statistics;
}

function applyToBoth(engine: EngineBook, naive: NaiveBook, command: Command, statistics: RunStatistics): void {
  const engineEvents: BookEvent[] = [];
  const naiveEvents: BookEvent[] = [];
  const engineAnswer = engine.apply(command, engineEvents);
  const naiveAnswer = naive.apply(command, naiveEvents);
  assertSame(engineAnswer, naiveAnswer, "answer");
  assertSame(engineEvents.flat(), naiveEvents.flat(), "events");
  const [outcome] = naiveAnswer;
  statistics.outcomes.set(outcome, (statistics.outcomes.get(outcome) ?? 0) + 1);
  statistics.fills += naiveEvents.filter(([kind]) => kind === "filled").length;
}

function compareBooks(engine: EngineBook, naive: NaiveBook): void {
  for (const side of [BUY, SELL] as const) {
    assertSame(engine.orders(side), naive.orders(side), `orders of side ${side}`);
    assertSame(engine.depth(side), naive.depth(side), `depth of side ${side}`);
  }
  const { book, pool } = engine;
  assert.equal(pool.taken, book.bids.orders + book.asks.orders, "slots are taken by resting orders alone");
  assert.equal(book.index.size, pool.taken, "the index holds the resting orders alone");
}

/** `deepEqual` on lists of plain values, fast enough for the long runs. */
function assertSame(engine: readonly unknown[], naive: readonly unknown[], what: string): void {
  const isSame = engine.length === naive.length && engine.every((value, at) => value === naive[at]);
  if (!isSame) assert.deepEqual(engine, naive, what);
}
