import {
  CANCELED,
  DROP_MAKER,
  EXPIRED,
  EXPIRED_IN_MATCH,
  FILLED,
  type FillVerdict,
  FOK,
  GTC,
  GTX,
  type ModifyOutcome,
  REJECTED_FOK,
  REJECTED_GTX,
  RESTING,
  type SelfTradePrevention,
  type Side,
  STOP_TAKER,
  STOPPED,
  STP_EXPIRE_MAKER,
  STP_EXPIRE_TAKER,
  STP_NONE,
  type SubmitOutcome,
  type TimeInForce,
  UNCHANGED,
} from "./codes.ts";
import { BookFault, isLots, isTicks } from "./limits.ts";
import { NO_ACCOUNT, type OrderBook } from "./order-book.ts";
import { NO_SLOT } from "./order-pool.ts";

/**
 * Told of everything that happens while an order matches, as it happens. At each call the book is whole: the lots are
 * off the totals, a maker with none left is out of the book, and `remainingLots` of both orders are those after the
 * event. A maker that left the book keeps its slot until the call returns, then the slot is released.
 *
 * During a call a listener may read everything, and may `remove` (and release) or `reduce` resting orders other than
 * the maker it is told of; matching then goes on with what is left. It must not insert or submit, must not touch the
 * taker, and must not throw unless the whole engine stops: the events before it have happened. Lots it takes away are
 * not known to a FOK order's check beforehand, so such an order can then end EXPIRED in part.
 */
export interface MatchListener {
  /** A trade at the maker's price. */
  filled(takerSlot: number, makerSlot: number, ticks: number, lots: number): void;
  /** Self-trade prevention took the maker out of the book with the lots it has left. */
  makerExpired(takerSlot: number, makerSlot: number): void;
  /** Asked before every trade, with nothing changed yet: MAY_FILL, DROP_MAKER or STOP_TAKER. It must change nothing. */
  judge(takerSlot: number, makerSlot: number, ticks: number, lots: number): FillVerdict;
  /** A maker that `judge` refused is out of the book, with the lots it has left. */
  makerDropped(takerSlot: number, makerSlot: number): void;
}

/**
 * Matches the order in `slot`, up to its own price, and lets the rest of it rest or expire. The slot is taken by the
 * caller and in no book. On RESTING it is in the book afterwards; on every other outcome it is the caller's to release,
 * with `remainingLots` saying what was not executed.
 */
export function submitOrder(
  book: OrderBook,
  slot: number,
  timeInForce: TimeInForce,
  selfTradePrevention: SelfTradePrevention,
  listener: MatchListener,
): SubmitOutcome {
  const pool = book.pool;
  const side = pool.side(slot);
  const makers = book.levels[side ^ 1]!;
  const mayRest = timeInForce === GTC || timeInForce === GTX;
  // Before anything has happened: an order that cannot rest as a whole is refused as a whole.
  if (mayRest) book.assertRoomFor(side, pool.remainingLots(slot));
  if (makers.isMetAt(pool.ticks(slot))) {
    if (timeInForce === GTX) return REJECTED_GTX;
    if (timeInForce === FOK && !canFill(book, slot, selfTradePrevention)) return REJECTED_FOK;
    const ended = match(book, slot, selfTradePrevention, listener);
    if (ended !== RESTING) return ended;
    if (pool.remainingLots(slot) === 0) return FILLED;
  } else if (timeInForce === FOK) {
    return REJECTED_FOK;
  }
  if (!mayRest) return EXPIRED;
  book.rest(slot);
  return RESTING;
}

/**
 * Cancels a resting order and submits it again under its id, at the back of the queue, with what it has executed
 * already counting toward `newLots`. Once it is out of the book it stays out, also where GTX then refuses it. The slot
 * is the caller's to release unless the outcome is RESTING or UNCHANGED.
 */
export function modifyOrder(
  book: OrderBook,
  slot: number,
  newTicks: number,
  newLots: number,
  timeInForce: typeof GTC | typeof GTX,
  selfTradePrevention: SelfTradePrevention,
  listener: MatchListener,
): ModifyOutcome {
  if (!isTicks(newTicks) || !isLots(newLots)) throw new BookFault(`no order of ${newLots} lots at ${newTicks} ticks`);
  const pool = book.pool;
  const lots = pool.originalLots(slot);
  if (newTicks === pool.ticks(slot) && newLots === lots) return UNCHANGED;
  const remaining = pool.remainingLots(slot);
  const newRemaining = newLots - (lots - remaining);
  if (newRemaining > remaining) book.assertRoomFor(pool.side(slot), newRemaining - remaining);
  book.remove(slot);
  if (newRemaining <= 0) return CANCELED;
  pool.setTicks(slot, newTicks);
  pool.setOriginalLots(slot, newLots);
  pool.setRemainingLots(slot, newRemaining);
  return submitOrder(book, slot, timeInForce, selfTradePrevention, listener);
}

/** RESTING where nothing ended the taker but its own lots and price. Looks for the first in line anew after each event. */
function match(
  book: OrderBook,
  taker: number,
  selfTradePrevention: SelfTradePrevention,
  listener: MatchListener,
): typeof RESTING | typeof EXPIRED_IN_MATCH | typeof STOPPED {
  const pool = book.pool;
  const makers = book.levels[pool.side(taker) ^ 1]!;
  const limitTicks = pool.ticks(taker);
  const account = pool.account(taker);
  let remaining = pool.remainingLots(taker);
  while (remaining > 0 && makers.isMetAt(limitTicks)) {
    const maker = makers.headAt(makers.bestKey);
    const ticks = pool.ticks(maker);
    if (selfTradePrevention !== STP_NONE && pool.account(maker) === account) {
      if (selfTradePrevention !== STP_EXPIRE_TAKER) {
        book.remove(maker);
        listener.makerExpired(taker, maker);
        pool.release(maker);
      }
      if (selfTradePrevention !== STP_EXPIRE_MAKER) return EXPIRED_IN_MATCH;
      continue;
    }
    const makerRemaining = pool.remainingLots(maker);
    const verdict = listener.judge(taker, maker, ticks, remaining < makerRemaining ? remaining : makerRemaining);
    if (verdict === STOP_TAKER) return STOPPED;
    if (verdict === DROP_MAKER) {
      book.remove(maker);
      listener.makerDropped(taker, maker);
      pool.release(maker);
      continue;
    }
    if (remaining < makerRemaining) {
      makers.takeLots(maker, remaining);
      pool.setRemainingLots(maker, makerRemaining - remaining);
      pool.setRemainingLots(taker, 0);
      listener.filled(taker, maker, ticks, remaining);
      return RESTING;
    }
    remaining -= makerRemaining;
    book.remove(maker);
    pool.setRemainingLots(maker, 0);
    pool.setRemainingLots(taker, remaining);
    listener.filled(taker, maker, ticks, makerRemaining);
    pool.release(maker);
  }
  return RESTING;
}

/** Whether the order in a slot, at its own price, would match as a whole at once. */
export function canFillAtOnce(book: OrderBook, slot: number, selfTradePrevention: SelfTradePrevention): boolean {
  const { pool } = book;
  return book.levels[pool.side(slot) ^ 1]!.isMetAt(pool.ticks(slot)) && canFill(book, slot, selfTradePrevention);
}

/** Whether the order would find all its lots before its self-trade prevention stopped it. */
function canFill(book: OrderBook, slot: number, selfTradePrevention: SelfTradePrevention): boolean {
  const pool = book.pool;
  const makerSide = (pool.side(slot) ^ 1) as Side;
  const wanted = pool.remainingLots(slot);
  if (selfTradePrevention === STP_NONE || selfTradePrevention === STP_EXPIRE_MAKER) {
    const exceptAccount = selfTradePrevention === STP_NONE ? NO_ACCOUNT : pool.account(slot);
    return book.lotsUpTo(makerSide, pool.ticks(slot), exceptAccount, wanted) === wanted;
  }
  const makers = book.levels[makerSide];
  const limitKey = makers.keyOf(pool.ticks(slot));
  let found = 0;
  for (let maker = book.firstInLine(makerSide); maker !== NO_SLOT; maker = book.nextInLine(maker)) {
    if (makers.keyOf(pool.ticks(maker)) < limitKey || pool.account(maker) === pool.account(slot)) return false;
    found += pool.remainingLots(maker);
    if (found >= wanted) return true;
  }
  return false;
}
