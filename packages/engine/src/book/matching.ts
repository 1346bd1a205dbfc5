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
 * Called for every event while an order matches. At each call the book is consistent: the lots are subtracted from the
 * totals, a maker without lots is out of the book, and `remainingLots` of both orders are those after the event. A
 * maker that left the book keeps its slot until the call returns; then the slot is released.
 *
 * During a call a listener may read everything, and may `remove` (and release) or `reduce` resting orders other than
 * the maker of the event; matching then continues with the remaining orders. It must not insert or submit, must not
 * change the taker, and must not throw unless the whole engine stops, because the events before it have happened. The
 * check of a FOK order does not foresee lots that a listener removes, so such an order can end EXPIRED in part.
 */
export interface MatchListener {
  /** A trade at the maker's price. */
  filled(takerSlot: number, makerSlot: number, ticks: number, lots: number): void;
  /** Self-trade prevention removed the maker from the book with its remaining lots. */
  makerExpired(takerSlot: number, makerSlot: number): void;
  /** Called before every trade, before any change: MAY_FILL, DROP_MAKER or STOP_TAKER. It must change nothing. */
  judge(takerSlot: number, makerSlot: number, ticks: number, lots: number): FillVerdict;
  /** A maker that `judge` refused is out of the book with its remaining lots. */
  makerDropped(takerSlot: number, makerSlot: number): void;
}

/**
 * Matches the order in `slot` up to its own price; the remaining lots rest or expire. The caller has taken the slot,
 * and no book contains it. On RESTING the book contains it afterwards; on every other outcome the caller releases it,
 * and `remainingLots` is the quantity that was not executed.
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
  // Checked before any change: an order whose lots would not fit is refused as a whole.
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
 * Cancels a resting order and submits it again under its id, at the back of the queue; lots executed before count
 * toward `newLots`. Once removed it stays removed, even if GTX then refuses it. The caller releases the slot unless the
 * outcome is RESTING or UNCHANGED.
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

/**
 * RESTING unless something other than the taker's lots and price ended it. Reads the first order of the queue again
 * after each event, because a listener may have changed the queue.
 */
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

/** Whether the order in a slot would match as a whole at once, at its own price. */
export function canFillAtOnce(book: OrderBook, slot: number, selfTradePrevention: SelfTradePrevention): boolean {
  const { pool } = book;
  return book.levels[pool.side(slot) ^ 1]!.isMetAt(pool.ticks(slot)) && canFill(book, slot, selfTradePrevention);
}

/** Whether the order would fill all its lots before its self-trade prevention stops it. */
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
