import assert from "node:assert/strict";
import { test } from "node:test";
import { BUY, EXPIRED, FILLED, FOK, GTC, IOC, MAY_FILL, RESTING, SELL, STP_EXPIRE_MAKER, UNCHANGED } from "./codes.ts";
import { BookFault, MAX_TICKS } from "./limits.ts";
import { type MatchListener, modifyOrder, submitOrder } from "./matching.ts";
import { OrderBook } from "./order-book.ts";
import { OrderIndex } from "./order-index.ts";
import { NO_SLOT, OrderPool } from "./order-pool.ts";
import { ExampleBook } from "./testing/examples.ts";

test("FUT-3: the best price trades first, and at one price the first come", () => {
  const book = new ExampleBook();
  book.place(1, "SELL", 5, 102);
  book.place(2, "SELL", 5, 101);
  book.place(3, "SELL", 5, 101);
  assert.deepEqual(book.place(4, "BUY", 12, 102), [
    ...["FILLED", 0],
    ["filled", 4, 2, 101, 5, 7, 0],
    ["filled", 4, 3, 101, 5, 2, 0],
    ["filled", 4, 1, 102, 2, 0, 3],
  ]);
  assert.deepEqual(book.line("SELL"), ["1: 3/5 @ 102"]);
});

test("FUT-3: a trade is at the maker's price, on both sides", () => {
  const book = new ExampleBook();
  book.place(1, "SELL", 5, 100);
  assert.deepEqual(book.place(2, "BUY", 5, 120), ["FILLED", 0, ["filled", 2, 1, 100, 5, 0, 0]]);
  book.place(3, "BUY", 5, 100);
  assert.deepEqual(book.place(4, "SELL", 5, 80), ["FILLED", 0, ["filled", 4, 3, 100, 5, 0, 0]]);
});

test("FUT-3: prices 1 and the highest trade like any other", () => {
  const book = new ExampleBook();
  book.place(1, "BUY", 5, 1);
  book.place(2, "SELL", 5, MAX_TICKS);
  assert.deepEqual(book.place(3, "SELL", 2, 1), ["FILLED", 0, ["filled", 3, 1, 1, 2, 0, 3]]);
  assert.deepEqual(book.place(4, "BUY", 2, MAX_TICKS), ["FILLED", 0, ["filled", 4, 2, MAX_TICKS, 2, 0, 3]]);
});

test("FUT-3: the rest of a GTC order rests at its price, a partly filled maker keeps its rank", () => {
  const book = new ExampleBook();
  book.place(1, "SELL", 5, 101);
  book.place(2, "SELL", 5, 101);
  book.place(3, "BUY", 2, 101);
  assert.deepEqual(book.line("SELL"), ["1: 3/5 @ 101", "2: 5/5 @ 101"]);
  assert.deepEqual(book.place(4, "BUY", 20, 101).slice(0, 2), ["RESTING", 12]);
  assert.deepEqual(book.line("BUY"), ["4: 12/20 @ 101"]);
  assert.deepEqual(book.line("SELL"), []);
});

test("FUT-3: what IOC does not find expires; a MARKET order is IOC up to its bound", () => {
  const book = new ExampleBook();
  book.place(1, "SELL", 5, 101);
  book.place(2, "SELL", 5, 110);
  const answer = book.place(3, "BUY", 8, 105, { timeInForce: "IOC" });
  assert.deepEqual(answer, ["EXPIRED", 3, ["filled", 3, 1, 101, 5, 3, 0]]);
  assert.deepEqual(book.place(4, "BUY", 8, 105, { timeInForce: "IOC" }), ["EXPIRED", 8]);
  assert.deepEqual(book.line("BUY"), []);
  assert.deepEqual(book.line("SELL"), ["2: 5/5 @ 110"]);
});

test("FUT-3: FOK fills as a whole or is refused without a trace", () => {
  const book = new ExampleBook();
  book.place(1, "SELL", 5, 101);
  book.place(2, "SELL", 5, 102);
  assert.deepEqual(book.place(3, "BUY", 11, 102, { timeInForce: "FOK" }), ["REJECTED_FOK", 11]);
  assert.deepEqual(book.place(4, "BUY", 6, 101, { timeInForce: "FOK" }), ["REJECTED_FOK", 6]);
  assert.deepEqual(book.place(5, "BUY", 1, 100, { timeInForce: "FOK" }), ["REJECTED_FOK", 1]);
  assert.deepEqual(book.line("SELL"), ["1: 5/5 @ 101", "2: 5/5 @ 102"]);
  assert.deepEqual(book.place(6, "BUY", 10, 102, { timeInForce: "FOK" }).slice(0, 2), ["FILLED", 0]);
});

test("FUT-3: FOK counts what its self-trade prevention lets it trade with", () => {
  const filledBy = (stp: "EXPIRE_MAKER" | "EXPIRE_TAKER" | "EXPIRE_BOTH" | "NONE", lots: number) => {
    const book = new ExampleBook();
    book.place(1, "SELL", 5, 101);
    book.place(2, "SELL", 5, 102, { account: 7 });
    book.place(3, "SELL", 5, 103);
    const [outcome] = book.place(4, "BUY", lots, 103, { account: 7, timeInForce: "FOK", stp });
    if (outcome === "REJECTED_FOK") assert.equal(book.line("SELL").length, 3, "refused without a trace");
    return outcome === "FILLED";
  };
  assert.deepEqual([filledBy("EXPIRE_MAKER", 10), filledBy("EXPIRE_MAKER", 11)], [true, false]);
  assert.deepEqual([filledBy("EXPIRE_TAKER", 5), filledBy("EXPIRE_TAKER", 6)], [true, false]);
  assert.deepEqual([filledBy("EXPIRE_BOTH", 5), filledBy("EXPIRE_BOTH", 6)], [true, false]);
  assert.deepEqual([filledBy("NONE", 15), filledBy("NONE", 16)], [true, false]);
});

test("FUT-3: GTX rests where it meets nothing and is refused where it would trade, its own orders included", () => {
  const book = new ExampleBook();
  book.place(1, "SELL", 5, 101, { account: 7 });
  assert.deepEqual(book.place(2, "BUY", 5, 100, { timeInForce: "GTX" }), ["RESTING", 5]);
  assert.deepEqual(book.place(3, "BUY", 5, 101, { timeInForce: "GTX" }), ["REJECTED_GTX", 5]);
  assert.deepEqual(book.place(4, "BUY", 5, 101, { timeInForce: "GTX", account: 7 }), ["REJECTED_GTX", 5]);
  assert.deepEqual(book.line("SELL"), ["1: 5/5 @ 101"]);
});

/** Another account's orders before and behind an order of account 7. */
function bookWithOwnOrderBetween(): ExampleBook {
  const book = new ExampleBook();
  book.place(1, "SELL", 5, 101);
  book.place(2, "SELL", 5, 101, { account: 7 });
  book.place(3, "SELL", 5, 101);
  return book;
}

test("FUT-3: EXPIRE_MAKER takes the own resting order out and trades on", () => {
  const book = bookWithOwnOrderBetween();
  assert.deepEqual(book.place(4, "BUY", 8, 101, { account: 7 }), [
    ...["FILLED", 0],
    ["filled", 4, 1, 101, 5, 3, 0],
    ["makerExpired", 4, 2, 5],
    ["filled", 4, 3, 101, 3, 0, 2],
  ]);
  assert.deepEqual(book.line("SELL"), ["3: 2/5 @ 101"]);
});

test("FUT-3: EXPIRE_TAKER ends the incoming order at the first of its own", () => {
  const book = bookWithOwnOrderBetween();
  const answer = book.place(4, "BUY", 8, 101, { account: 7, stp: "EXPIRE_TAKER" });
  assert.deepEqual(answer, ["EXPIRED_IN_MATCH", 3, ["filled", 4, 1, 101, 5, 3, 0]]);
  assert.deepEqual(book.line("SELL"), ["2: 5/5 @ 101", "3: 5/5 @ 101"]);
  assert.deepEqual(book.line("BUY"), []);
});

test("FUT-3: EXPIRE_BOTH ends both", () => {
  const book = bookWithOwnOrderBetween();
  const answer = book.place(4, "BUY", 8, 101, { account: 7, stp: "EXPIRE_BOTH" });
  assert.deepEqual(answer, ["EXPIRED_IN_MATCH", 3, ["filled", 4, 1, 101, 5, 3, 0], ["makerExpired", 4, 2, 5]]);
  assert.deepEqual(book.line("SELL"), ["3: 5/5 @ 101"]);
});

test("FUT-3: with NONE an account trades with itself; own orders behind the last fill are left alone", () => {
  const book = bookWithOwnOrderBetween();
  const [outcome] = book.place(4, "BUY", 10, 101, { account: 7, stp: "NONE" });
  assert.equal(outcome, "FILLED");
  assert.deepEqual(book.line("SELL"), ["3: 5/5 @ 101"]);
  const other = bookWithOwnOrderBetween();
  assert.equal(other.place(4, "BUY", 5, 101, { account: 7 })[0], "FILLED");
  assert.deepEqual(other.line("SELL"), ["2: 5/5 @ 101", "3: 5/5 @ 101"]);
});

test("FUT-7: a modified order goes to the back of its queue, also when it only becomes smaller", () => {
  for (const lots of [9, 4]) {
    const book = new ExampleBook();
    book.place(1, "BUY", 5, 100);
    book.place(2, "BUY", 5, 100);
    assert.deepEqual(book.modify(1, lots, 100), ["RESTING", lots]);
    assert.deepEqual(book.line("BUY"), ["2: 5/5 @ 100", `1: ${lots}/${lots} @ 100`]);
  }
});

test("FUT-7: what was executed counts toward the new quantity; no more than that cancels the order", () => {
  const book = new ExampleBook();
  book.place(1, "BUY", 10, 100);
  book.place(2, "SELL", 4, 100);
  assert.deepEqual(book.modify(1, 7, 99), ["RESTING", 3]);
  assert.deepEqual(book.line("BUY"), ["1: 3/7 @ 99"]);
  assert.deepEqual(book.modify(1, 4, 99), ["CANCELED", 3]);
  assert.deepEqual(book.line("BUY"), []);
  assert.deepEqual(book.cancel(1), ["UNKNOWN", 0]);
});

test("FUT-7: a modification to the same price and quantity is refused and keeps the rank", () => {
  const book = new ExampleBook();
  book.place(1, "BUY", 10, 100);
  book.place(2, "BUY", 5, 100);
  book.place(3, "SELL", 4, 100);
  assert.deepEqual(book.modify(1, 10, 100), ["UNCHANGED", 6]);
  assert.deepEqual(book.line("BUY"), ["1: 6/10 @ 100", "2: 5/5 @ 100"]);
});

test("FUT-7: a modified order trades under its old id where its new price meets the other side", () => {
  const book = new ExampleBook();
  book.place(1, "SELL", 3, 105);
  book.place(2, "BUY", 5, 100);
  assert.deepEqual(book.modify(2, 5, 106), ["RESTING", 2, ["filled", 2, 1, 105, 3, 2, 0]]);
  assert.deepEqual(book.line("BUY"), ["2: 2/5 @ 106"]);
});

test("FUT-7: a post-only order modified to where it would trade is gone", () => {
  const book = new ExampleBook();
  book.place(1, "SELL", 3, 105);
  book.place(2, "BUY", 5, 100, { timeInForce: "GTX" });
  assert.deepEqual(book.modify(2, 5, 105, "GTX"), ["REJECTED_GTX", 5]);
  assert.deepEqual([book.line("BUY"), book.line("SELL")], [[], ["1: 3/3 @ 105"]]);
});

test("a modification outside the ranges is refused and leaves the order as it was", () => {
  const book = new ExampleBook();
  book.place(1, "BUY", 10, 100);
  assert.throws(() => book.modify(1, 10, MAX_TICKS + 1), BookFault);
  assert.throws(() => book.modify(1, 0.5, 100), BookFault);
  assert.deepEqual(book.line("BUY"), ["1: 10/10 @ 100"]);
});

/** A book whose listener cancels one order at the first fill, as the risk layer does with reduce-only orders. */
function bookThatCancelsAtFill(idToCancel: number) {
  const pool = new OrderPool();
  const book = new OrderBook(1, pool, new OrderIndex(pool));
  const told: string[] = [];
  const listener: MatchListener = {
    filled(_taker, maker, _ticks, lots) {
      told.push(`${pool.id(maker)} filled ${lots}, ${book.find(pool.id(maker)) === NO_SLOT ? "gone" : "resting"}`);
      const slot = book.find(idToCancel);
      if (slot === NO_SLOT) return;
      book.remove(slot);
      pool.release(slot);
    },
    makerExpired: () => assert.fail("nobody trades with itself here"),
    judge: () => MAY_FILL,
    makerDropped: () => assert.fail("nobody is refused here"),
  };
  const take = (id: number, side: number, lots: number) => pool.take(id, id, 1, side, 100, lots, 0);
  for (const id of [1, 2, 3]) submitOrder(book, take(id, SELL, 5), GTC, STP_EXPIRE_MAKER, listener);
  return { pool, book, told, listener, take };
}

test("a listener may cancel resting orders while an order matches; matching goes on with what is left", () => {
  const { book, told, listener, take } = bookThatCancelsAtFill(2);
  assert.equal(submitOrder(book, take(9, BUY, 7), GTC, STP_EXPIRE_MAKER, listener), FILLED);
  assert.deepEqual(told, ["1 filled 5, gone", "3 filled 2, resting"]);
  assert.equal(book.lotsAt(SELL, 100), 3);
});

test("lots that a listener takes away in mid-match end a FOK order in part", () => {
  const { pool, book, listener, take } = bookThatCancelsAtFill(2);
  const slot = take(9, BUY, 15);
  assert.equal(submitOrder(book, slot, FOK, STP_EXPIRE_MAKER, listener), EXPIRED);
  assert.equal(pool.remainingLots(slot), 5);
});

test("the caller keeps the slot of an order that does not rest, until it releases it", () => {
  const { pool, book, listener, take } = bookThatCancelsAtFill(0);
  const before = pool.taken;
  const slot = take(9, BUY, 20);
  assert.equal(submitOrder(book, slot, IOC, STP_EXPIRE_MAKER, listener), EXPIRED);
  assert.deepEqual([pool.isTaken(slot), pool.remainingLots(slot), pool.taken], [true, 5, before - 3 + 1]);
  const resting = take(10, BUY, 4);
  assert.equal(submitOrder(book, resting, GTC, STP_EXPIRE_MAKER, listener), RESTING);
  assert.equal(modifyOrder(book, resting, 100, 4, GTC, STP_EXPIRE_MAKER, listener), UNCHANGED);
  assert.equal(book.find(10), resting);
});
