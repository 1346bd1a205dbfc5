import { BUY, SELL, type Side } from "./codes.ts";
import { BookFault } from "./limits.ts";
import type { OrderBook } from "./order-book.ts";
import { NO_SLOT } from "./order-pool.ts";
import { NO_KEY, NO_TICKS, PAGE_BITS, type PriceLevels } from "./price-levels.ts";

/**
 * Throws a `BookFault` if the book breaks a condition that holds after every command. Changes nothing. Reads every
 * resting order, so only tests, the check between snapshots and an operator's inspection call it.
 */
export function checkBook(book: OrderBook): void {
  const bid = book.bestTicks(BUY);
  const ask = book.bestTicks(SELL);
  verify(bid === NO_TICKS || ask === NO_TICKS || bid < ask, book, () => `is crossed: bid ${bid}, ask ${ask}`);
  checkSide(book, BUY);
  checkSide(book, SELL);
}

function checkSide(book: OrderBook, side: Side): void {
  const levels = book.levels[side];
  let orders = 0;
  let lots = 0;
  let pages = 0;
  let page = -1;
  for (let key = levels.bestKey, above = Infinity; key !== NO_KEY; above = key, key = levels.keyBelow(key)) {
    verify(key < above, book, () => `has levels out of order at ${levels.ticksOf(key)}`);
    orders += checkLevel(book, levels, key);
    lots += levels.lotsAt(key);
    if (key >>> PAGE_BITS !== page) pages += 1;
    page = key >>> PAGE_BITS;
  }
  verify(orders === levels.orders, book, () => `counts ${levels.orders} orders on side ${side}, holds ${orders}`);
  verify(lots === levels.lots, book, () => `counts ${levels.lots} lots on side ${side}, holds ${lots}`);
  verify(pages === levels.pages, book, () => `holds ${levels.pages} pages on side ${side}, uses ${pages}`);
}

/** Returns how many orders the level holds. */
function checkLevel(book: OrderBook, levels: PriceLevels, key: number): number {
  const pool = book.pool;
  const ticks = levels.ticksOf(key);
  let orders = 0;
  let lots = 0;
  let previous = NO_SLOT;
  for (let slot = levels.headAt(key); slot !== NO_SLOT; slot = pool.next(slot)) {
    orders += 1;
    verify(orders <= levels.orders, book, () => `has a queue without an end at ${ticks}`);
    verify(pool.isTaken(slot), book, () => `holds the free slot ${slot} at ${ticks}`);
    checkOrder(book, levels, slot, ticks);
    verify(pool.previous(slot) === previous, book, () => `has a broken queue at ${ticks}, slot ${slot}`);
    lots += pool.remainingLots(slot);
    previous = slot;
  }
  verify(orders > 0, book, () => `marks ${ticks} as occupied, which is empty`);
  verify(levels.tailAt(key) === previous, book, () => `has a wrong end of the queue at ${ticks}`);
  verify(levels.lotsAt(key) === lots, book, () => `counts ${levels.lotsAt(key)} lots at ${ticks}, not ${lots}`);
  return orders;
}

function checkOrder(book: OrderBook, levels: PriceLevels, slot: number, ticks: number): void {
  const pool = book.pool;
  const id = pool.id(slot);
  const isInPlace = pool.ticks(slot) === ticks && pool.side(slot) === levels.side && pool.market(slot) === book.market;
  verify(isInPlace, book, () => `holds order ${id} in the wrong place, at ${ticks}`);
  const remaining = pool.remainingLots(slot);
  const isSized = Number.isSafeInteger(remaining) && remaining >= 1 && remaining <= pool.originalLots(slot);
  verify(isSized, book, () => `holds order ${id} with ${remaining} of ${pool.originalLots(slot)} lots`);
  verify(book.index.get(id) === slot, book, () => `holds order ${id} in slot ${slot}, the index does not`);
}

function verify(isRight: boolean, book: OrderBook, whatIsWrong: () => string): void {
  if (!isRight) throw new BookFault(`the book of market ${book.market} ${whatIsWrong()}`);
}
