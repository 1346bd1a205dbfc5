import assert from "node:assert/strict";
import { test } from "node:test";
import { NO_ACCOUNT } from "@bourse/engine";
import type { EngineBook } from "../../../engine/src/book/testing/engine-book.ts";
import { SCENES } from "../../../engine/src/book/testing/random-commands.ts";
import { runDifferential } from "./differential.ts";

/** Possible errors in the book. The comparison with the naive book alone must find each of them. */
const FAULTS: Readonly<Record<string, (engine: EngineBook) => void>> = {
  "the last in the queue is served first": ({ book }) => {
    const { bids } = book;
    bids.headAt = (key) => bids.tailAt(key);
  },
  "orders of equal price do not meet": ({ book }) => {
    const { asks } = book;
    asks.isMetAt = (ticks) => asks.bestKey > asks.keyOf(ticks);
  },
  "a level's total is not reduced by a partial fill": ({ book }) => {
    book.asks.takeLots = () => undefined;
  },
  "the scan for the next level is off by one": ({ book }) => {
    const { bids } = book;
    const keyBelow = bids.keyBelow.bind(bids);
    bids.keyBelow = (key) => keyBelow(Math.max(key - 1, 0));
  },
  "FOK counts the lots of its own account": ({ book }) => {
    const lotsUpTo = book.lotsUpTo.bind(book);
    book.lotsUpTo = (side, ticks, _account, enough) => lotsUpTo(side, ticks, NO_ACCOUNT, enough);
  },
  "a modified order keeps its old price": ({ pool }) => {
    pool.setTicks = () => undefined;
  },
  "a partial fill shrinks the order's original lots too": ({ book, pool }) => {
    const takeLots = book.bids.takeLots.bind(book.bids);
    book.bids.takeLots = (slot, lots) => {
      takeLots(slot, lots);
      pool.setOriginalLots(slot, pool.originalLots(slot) - lots);
    };
  },
};

/** A fault that only makes the book crash would prove nothing about the comparison. */
function isDifference(cause: unknown): boolean {
  return cause instanceof assert.AssertionError;
}

function runAll(plant?: (engine: EngineBook) => void): void {
  for (const scene of SCENES) {
    runDifferential({ scene, seed: 7, commands: 1_000, isChecked: false, ...(plant === undefined ? {} : { plant }) });
  }
}

test("without a fault the comparison finds nothing", () => {
  runAll();
});

for (const [name, plant] of Object.entries(FAULTS)) {
  test(`the comparison with the naive book finds it when ${name}`, () => {
    assert.throws(
      () => runAll(plant),
      ({ message, cause }: Error) => /scene .*, seed 7, command \d+/.test(message) && isDifference(cause),
    );
  });
}
