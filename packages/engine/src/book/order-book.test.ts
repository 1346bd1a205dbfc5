import assert from "node:assert/strict";
import { test } from "node:test";
import { EngineOverflow } from "../integers.ts";
import { checkBook } from "./check-book.ts";
import { BUY, GTC, IOC, SELL, type Side, STP_EXPIRE_MAKER } from "./codes.ts";
import { BookFault, MAX_LOTS } from "./limits.ts";
import { submitOrder } from "./matching.ts";
import { NO_ACCOUNT, OrderBook } from "./order-book.ts";
import { OrderIndex } from "./order-index.ts";
import { NO_SLOT, OrderPool } from "./order-pool.ts";
import { NO_TICKS } from "./price-levels.ts";
import { EngineBook } from "./testing/engine-book.ts";
import { Prng } from "./testing/prng.ts";
import { RandomCommands, SCENES } from "./testing/random-commands.ts";

function rest(engine: EngineBook, id: number, side: Side, ticks: number, lots: number, account = 1): number {
  const slot = engine.pool.take(id, account, engine.book.market, side, ticks, lots, 0);
  engine.book.insert(slot);
  return slot;
}

test("best prices, depth and lots at a price follow what is inserted and removed", () => {
  const engine = new EngineBook();
  const { book } = engine;
  assert.deepEqual([book.bestTicks(BUY), book.bestTicks(SELL)], [NO_TICKS, NO_TICKS]);
  const best = rest(engine, 1, BUY, 100, 5);
  rest(engine, 2, BUY, 99, 7);
  rest(engine, 3, BUY, 99, 1);
  rest(engine, 4, SELL, 101, 2);
  assert.deepEqual([book.bestTicks(BUY), book.bestTicks(SELL)], [100, 101]);
  assert.deepEqual(engine.depth(BUY), [100, 5, 99, 8]);
  assert.deepEqual([book.lotsAt(BUY, 99), book.lotsAt(BUY, 98), book.lotsAt(SELL, 101)], [8, 0, 2]);
  book.remove(best);
  assert.deepEqual([book.bestTicks(BUY), book.find(1), book.find(4) !== NO_SLOT], [99, NO_SLOT, true]);
  const ticks = new Int32Array(1);
  const lots = new Float64Array(1);
  rest(engine, 5, BUY, 98, 3);
  assert.equal(book.readDepth(BUY, ticks, lots), 1);
  assert.deepEqual([ticks[0], lots[0]], [99, 8]);
});

test("a book finds its own orders only, though all books share one index", () => {
  const pool = new OrderPool();
  const index = new OrderIndex(pool);
  const [btc, eth] = [new OrderBook(1, pool, index), new OrderBook(2, pool, index)];
  const slot = pool.take(10, 1, 2, BUY, 100, 1, 0);
  eth.insert(slot);
  assert.equal(btc.find(10), NO_SLOT);
  assert.equal(eth.find(10), slot);
});

test("FUT-6: reducing a resting order keeps its rank and its executed lots", () => {
  const engine = new EngineBook();
  const { book, pool } = engine;
  const first = rest(engine, 1, BUY, 100, 10);
  rest(engine, 2, BUY, 100, 10);
  const taker = pool.take(3, 2, book.market, SELL, 100, 4, 0);
  submitOrder(book, taker, IOC, STP_EXPIRE_MAKER, engine);
  book.reduce(first, 5);
  assert.deepEqual([pool.originalLots(first), pool.remainingLots(first)], [5, 1]);
  assert.equal(book.lotsAt(BUY, 100), 11);
  assert.equal(book.firstInLine(BUY), first);
  for (const lots of [1, 2, 0, -1, 0.5]) assert.throws(() => book.reduce(first, lots), BookFault);
  checkBook(book);
});

test("lots up to a price leave out an account, stop at the limit and at what is enough", () => {
  const engine = new EngineBook();
  const { book } = engine;
  rest(engine, 1, SELL, 101, 5, 7);
  rest(engine, 2, SELL, 101, 3, 8);
  rest(engine, 3, SELL, 105, 4, 7);
  rest(engine, 4, SELL, 200, 100, 8);
  assert.equal(book.lotsUpTo(SELL, 105, NO_ACCOUNT, 1000), 12);
  assert.equal(book.lotsUpTo(SELL, 104, NO_ACCOUNT, 1000), 8);
  assert.equal(book.lotsUpTo(SELL, 105, 7, 1000), 3);
  assert.equal(book.lotsUpTo(SELL, 500, 7, 1000), 103);
  assert.equal(book.lotsUpTo(SELL, 500, 7, 50), 50);
  assert.equal(book.lotsUpTo(SELL, 100, NO_ACCOUNT, 1000), 0);
});

test("FUT-1: a book restored from its orders in canonical order is the same book", () => {
  for (const scene of SCENES) {
    const random = new Prng(77);
    const original = new EngineBook();
    const commands = new RandomCommands(random, scene);
    for (let i = 0; i < 600; i++) original.apply(commands.next(0), []);

    const restored = new EngineBook();
    original.book.forEachResting((slot) => {
      const { pool } = original;
      const copy = restored.pool.take(
        ...([pool.id(slot), pool.account(slot), pool.market(slot), pool.side(slot)] as const),
        ...([pool.ticks(slot), pool.originalLots(slot), pool.flags(slot)] as const),
      );
      restored.pool.setRemainingLots(copy, pool.remainingLots(slot));
      restored.book.insert(copy);
    });
    checkBook(restored.book);
    for (const side of [BUY, SELL] as const) {
      assert.deepEqual(restored.orders(side), original.orders(side));
      assert.deepEqual(restored.depth(side), original.depth(side));
    }
    for (let i = 0; i < 600; i++) {
      const command = commands.next(0);
      const [events, restoredEvents] = [[], []];
      assert.deepEqual(restored.apply(command, restoredEvents), original.apply(command, events));
      assert.deepEqual(restoredEvents, events);
    }
  }
});

test("an order that would cross cannot be inserted", () => {
  const engine = new EngineBook();
  rest(engine, 1, SELL, 101, 5);
  assert.throws(() => rest(engine, 2, BUY, 101, 1), BookFault);
  rest(engine, 3, BUY, 100, 1);
  assert.throws(() => rest(engine, 4, SELL, 100, 1), BookFault);
  checkBook(engine.book);
});

test("more lots on a side than can be counted exactly are refused before anything happens", () => {
  const engine = new EngineBook();
  const { book, pool } = engine;
  rest(engine, 1, SELL, 101, 5, 2);
  for (let id = 2; id <= 1024; id++) rest(engine, id, BUY, 50, MAX_LOTS);
  const slot = pool.take(2000, 1, book.market, BUY, 101, MAX_LOTS, 0);
  assert.throws(() => submitOrder(book, slot, GTC, STP_EXPIRE_MAKER, engine), EngineOverflow);
  assert.equal(book.lotsAt(SELL, 101), 5);
  assert.equal(book.bids.lots, 1023 * MAX_LOTS);
  // An order that cannot rest needs no room.
  assert.doesNotThrow(() => submitOrder(book, slot, IOC, STP_EXPIRE_MAKER, engine));
  checkBook(book);
});

test("checkBook notices what must never be", () => {
  const damages: Readonly<Record<string, (engine: EngineBook, slot: number) => void>> = {
    crossed: ({ book }) => {
      book.asks.isMetAt = () => false;
      book.bids.isMetAt = () => false;
    },
    "lots at 100": ({ pool }, slot) => pool.setRemainingLots(slot, 2),
    "of 5 lots": ({ pool }, slot) => pool.setRemainingLots(slot, 6),
    "wrong place": ({ pool }, slot) => pool.setTicks(slot, 98),
    "free slot": ({ pool }, slot) => pool.release(slot),
    "the index does not": ({ book }, slot) => book.index.delete(slot),
    "broken queue": ({ pool }, slot) => pool.setPrevious(slot, slot),
    "without an end": ({ pool }, slot) => pool.setNext(slot, slot),
  };
  for (const [message, damage] of Object.entries(damages)) {
    const engine = new EngineBook();
    const slot = rest(engine, 1, BUY, 100, 5);
    rest(engine, 2, SELL, 102, 5);
    checkBook(engine.book);
    damage(engine, slot);
    if (message === "crossed") rest(engine, 3, BUY, 103, 1);
    assert.throws(() => checkBook(engine.book), { name: "BookFault", message: new RegExp(message) });
  }
});
