import { NO_SLOT } from "../book/order-pool.ts";
import { STATUSES } from "../contract/events.ts";
import { REASON } from "../contract/reasons.ts";
import { BUY } from "../side.ts";
import { ORDER_HAS_CHILDREN, ORDER_HAS_END, ORDER_HAS_NAME, ORDER_REDUCE_ONLY } from "../state/order-details.ts";
import type { State } from "../state/state.ts";
import type { ConditionalDesk } from "./conditional-desk.ts";
import type { Ledger } from "./ledger.ts";

export const CANCELED_STATUS = STATUSES.indexOf("CANCELED");
export const EXPIRED_STATUS = STATUSES.indexOf("EXPIRED");
export const EXPIRED_IN_MATCH_STATUS = STATUSES.indexOf("EXPIRED_IN_MATCH");

const USER = REASON.user;
const MODIFIED = REASON.modified;
const GOOD_TILL = REASON.good_till;
const REDUCE_ONLY_EXCESS = REASON.reduce_only_excess;

/** The open orders of each entry: what they hold, and how they end. */
export class OpenOrders {
  readonly #state: State;
  readonly #ledger: Ledger;
  readonly #conditionals: ConditionalDesk;

  constructor(state: State, ledger: Ledger, conditionals: ConditionalDesk) {
    this.#state = state;
    this.#ledger = ledger;
    this.#conditionals = conditionals;
  }

  /** Adds an order that now rests: appended to its entry's list, its lots and value held. */
  add(slot: number): void {
    const { pool, positions } = this.#state;
    const position = pool.position(slot);
    const last = positions.lastOrder(position);
    pool.setOwnerPrevious(slot, last);
    pool.setOwnerNext(slot, NO_SLOT);
    if (last === NO_SLOT) positions.setFirstOrder(position, slot);
    else pool.setOwnerNext(last, slot);
    positions.setLastOrder(position, slot);
    positions.addOrders(position, 1);
    this.hold(slot, pool.remainingLots(slot));
    if ((pool.flags(slot) & ORDER_HAS_END) !== 0) this.#addEnd(slot);
  }

  /** Holds (or, for negative lots, releases) a part of an order. */
  hold(slot: number, lots: number): void {
    const { pool, positions, markets } = this.#state;
    const position = pool.position(slot);
    if ((pool.flags(slot) & ORDER_REDUCE_ONLY) !== 0) {
      positions.addReduceOnlyLots(position, lots);
      return;
    }
    const unit = markets[pool.market(slot)]!.definition.unit_micros;
    positions.addOpen(position, pool.side(slot), pool.ticks(slot) * lots * unit, lots);
  }

  /** Removes an order from its entry's list. Its hold must have been released. */
  unlink(slot: number): void {
    const { pool, positions } = this.#state;
    const position = pool.position(slot);
    const previous = pool.ownerPrevious(slot);
    const next = pool.ownerNext(slot);
    if (previous === NO_SLOT) positions.setFirstOrder(position, next);
    else pool.setOwnerNext(previous, next);
    if (next === NO_SLOT) positions.setLastOrder(position, previous);
    else pool.setOwnerPrevious(next, previous);
    positions.addOrders(position, -1);
    if ((pool.flags(slot) & ORDER_HAS_END) !== 0) this.#state.expiries.remove(pool.id(slot));
  }

  cancel(slot: number, reason: number): void {
    this.#close(slot, CANCELED_STATUS, reason);
  }

  /** FUT-25: its time has come. */
  expire(slot: number): void {
    this.#close(slot, EXPIRED_STATUS, GOOD_TILL);
  }

  /** For an order that matching has removed from the book with lots left. */
  release(slot: number): void {
    this.hold(slot, -this.#state.pool.remainingLots(slot));
    this.unlink(slot);
  }

  /** Reports that an order has ended with lots left, and ends its attached orders. The caller releases the slot. */
  closed(slot: number, status: number, reason: number): void {
    const { pool, events } = this.#state;
    const order = pool.id(slot);
    const account = pool.account(slot);
    const lots = pool.originalLots(slot);
    const executed = lots - pool.remainingLots(slot);
    events.orderClosed(order, account, pool.market(slot), status, reason, lots, executed, pool.quote_micros(slot));
    this.forgetName(slot);
    this.#ledger.touch(account);
    const isDeadParent = executed === 0 || reason === USER || reason === MODIFIED;
    if (isDeadParent && (pool.flags(slot) & ORDER_HAS_CHILDREN) !== 0) this.#conditionals.closeChildren(order);
  }

  #addEnd(slot: number): void {
    const { pool, details, expiries } = this.#state;
    expiries.add(pool.id(slot), details.goodTill_ms(slot));
  }

  /** Closes a resting order: removed from the book, its hold released, the event written, its slot freed. */
  #close(slot: number, status: number, reason: number): void {
    const { pool, markets } = this.#state;
    markets[pool.market(slot)]!.book.remove(slot);
    this.release(slot);
    this.closed(slot, status, reason);
    pool.release(slot);
  }

  forgetName(slot: number): void {
    const { pool, details } = this.#state;
    if ((pool.flags(slot) & ORDER_HAS_NAME) === 0) return;
    details.dropName(pool.account(slot), details.clientId(slot));
  }

  /** FUT-6: reduce-only orders hold at most the lots of the position they reduce; the newest are reduced first. */
  trimReduceOnly(position: number): void {
    const { positions, pool } = this.#state;
    const held = positions.reduceOnlyLots(position);
    if (held === 0) return;
    // All of them are on one side: the one that reduced the position when they were placed.
    let slot = this.#newestReduceOnly(positions.lastOrder(position));
    const lots = positions.lots(position);
    const allowed = pool.side(slot) === BUY ? Math.max(0, 0 - lots) : Math.max(0, lots);
    for (let excess = held - allowed; excess > 0; ) {
      const remaining = pool.remainingLots(slot);
      const previous = pool.ownerPrevious(slot);
      if (remaining > excess) {
        this.#reduce(slot, excess);
        return;
      }
      this.cancel(slot, REDUCE_ONLY_EXCESS);
      excess -= remaining;
      if (excess > 0) slot = this.#newestReduceOnly(previous);
    }
  }

  #newestReduceOnly(from: number): number {
    const { pool } = this.#state;
    let slot = from;
    while ((pool.flags(slot) & ORDER_REDUCE_ONLY) === 0) slot = pool.ownerPrevious(slot);
    return slot;
  }

  #reduce(slot: number, lots: number): void {
    const { pool, markets, details, events } = this.#state;
    markets[pool.market(slot)]!.book.reduce(slot, lots);
    this.hold(slot, -lots);
    details.updated(slot);
    const original = pool.originalLots(slot);
    events.emit("order_amended", {
      order: pool.id(slot),
      account: pool.account(slot),
      market: pool.market(slot),
      ticks: pool.ticks(slot),
      lots: original,
      executedLots: original - pool.remainingLots(slot),
      reason: "reduce_only_excess",
      priceMatch: details.priceMatch(slot),
    });
    this.#ledger.touch(pool.account(slot));
  }
}
