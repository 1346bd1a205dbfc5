import { movedInto } from "../book/columns.ts";
import { BUY, type Side } from "../side.ts";
import type { Accounts } from "./accounts.ts";

/** No entry of an account. Its record is all zeros: flat, without orders. */
export const NO_POSITION = 0;

/** 128 bytes, read as 16 doubles or 32 words. Fields that a margin sum reads are in the first 64. */
const BYTES_PER_POSITION = 128;
const LOTS = 0;
const COST = 1;
/** Buys, then sells. */
const OPEN_VALUE = 2;
const ISOLATED = 4;
const ACCOUNT = 10;
const MARKET = 11;
const LEVERAGE = 12;
const MODE = 13;
const NEXT = 14;
const ORDERS = 15;
/** Buys, then sells. */
const OPEN_LOTS = 8;
const REDUCE_ONLY_LOTS = 10;
const MAX_NOTIONAL = 11;
const FIRST_ORDER = 24;
const LAST_ORDER = 25;
const CONDITIONALS = 26;
const IS_CALLED = 27;

const FIRST_CAPACITY = 256;

/**
 * The entries of all accounts: what an account holds, offers and has set in one market. A record is made by the first
 * order, leverage or margin mode and is never removed, because settings remain. Numbers are assigned in the order in
 * which the records are made.
 */
export class Positions {
  readonly #accounts: Accounts;
  #doubles = new Float64Array(0);
  #words = new Int32Array(0);
  #capacity = 0;
  #last = NO_POSITION;

  constructor(accounts: Accounts) {
    this.#accounts = accounts;
    this.#resize(FIRST_CAPACITY);
  }

  /** The number of entries; also the highest number. */
  get count(): number {
    return this.#last;
  }

  /**
   * NO_POSITION if the account has no entry in the market. Accounts have few entries, so walking the list is fastest.
   */
  find(account: number, market: number): number {
    let position = this.#accounts.firstPosition(account);
    while (position !== NO_POSITION && this.market(position) !== market) position = this.next(position);
    return position;
  }

  /** A cross and flat entry, at a leverage that allows positions up to a notional. */
  create(account: number, market: number, leverage: number, maxNotional_micros: number): number {
    this.#last += 1;
    if (this.#last === this.#capacity) this.#resize(this.#capacity * 2);
    const position = this.#last;
    this.#words[(position << 5) | ACCOUNT] = account;
    this.#words[(position << 5) | MARKET] = market;
    this.setLeverage(position, leverage, maxNotional_micros);
    const last = this.#accounts.lastPosition(account);
    if (last === NO_POSITION) this.#accounts.setFirstPosition(account, position);
    else this.#words[(last << 5) | NEXT] = position;
    this.#accounts.setLastPosition(account, position);
    return position;
  }

  account(position: number): number {
    return this.#words[(position << 5) | ACCOUNT]!;
  }

  market(position: number): number {
    return this.#words[(position << 5) | MARKET]!;
  }

  /** The next entry of the same account. */
  next(position: number): number {
    return this.#words[(position << 5) | NEXT]!;
  }

  lots(position: number): number {
    return this.#doubles[(position << 4) | LOTS]!;
  }

  cost(position: number): number {
    return this.#doubles[(position << 4) | COST]!;
  }

  setHolding(position: number, lots: number, cost_micros: number): void {
    this.#doubles[(position << 4) | LOTS] = lots;
    this.#doubles[(position << 4) | COST] = cost_micros;
  }

  isolated(position: number): number {
    return this.#doubles[(position << 4) | ISOLATED]!;
  }

  setIsolated(position: number, micros: number): void {
    this.#doubles[(position << 4) | ISOLATED] = micros;
  }

  addIsolated(position: number, micros: number): void {
    this.#doubles[(position << 4) | ISOLATED]! += micros;
  }

  leverage(position: number): number {
    return this.#words[(position << 5) | LEVERAGE]!;
  }

  /** The largest notional that the leverage allows. */
  maxNotional(position: number): number {
    return this.#doubles[(position << 4) | MAX_NOTIONAL]!;
  }

  setLeverage(position: number, leverage: number, maxNotional_micros: number): void {
    this.#words[(position << 5) | LEVERAGE] = leverage;
    this.#doubles[(position << 4) | MAX_NOTIONAL] = maxNotional_micros;
  }

  mode(position: number): number {
    return this.#words[(position << 5) | MODE]!;
  }

  setMode(position: number, mode: number): void {
    this.#words[(position << 5) | MODE] = mode;
  }

  /** Notional, at their own prices, of the open orders of a side that are not reduce-only. */
  openValue(position: number, side: number): number {
    return this.#doubles[((position << 4) | OPEN_VALUE) + side]!;
  }

  openLots(position: number, side: number): number {
    return this.#doubles[((position << 4) | OPEN_LOTS) + side]!;
  }

  addOpen(position: number, side: number, value_micros: number, lots: number): void {
    this.#doubles[((position << 4) | OPEN_VALUE) + side]! += value_micros;
    this.#doubles[((position << 4) | OPEN_LOTS) + side]! += lots;
  }

  /** Lots of the open reduce-only orders, all of which are on the side that reduces the position. */
  reduceOnlyLots(position: number): number {
    return this.#doubles[(position << 4) | REDUCE_ONLY_LOTS]!;
  }

  addReduceOnlyLots(position: number, lots: number): void {
    this.#doubles[(position << 4) | REDUCE_ONLY_LOTS]! += lots;
  }

  /** Lots by which an order of this side could reduce the position. */
  lotsAgainst(position: number, side: Side): number {
    const lots = this.lots(position);
    return side === BUY ? Math.max(0, 0 - lots) : Math.max(0, lots);
  }

  /** The number of open orders. */
  orders(position: number): number {
    return this.#words[(position << 5) | ORDERS]!;
  }

  addOrders(position: number, change: number): void {
    this.#words[(position << 5) | ORDERS]! += change;
  }

  conditionals(position: number): number {
    return this.#words[(position << 5) | CONDITIONALS]!;
  }

  addConditionals(position: number, change: number): void {
    this.#words[(position << 5) | CONDITIONALS]! += change;
  }

  /** The slot of the oldest open order; each order names the next. */
  firstOrder(position: number): number {
    return this.#words[(position << 5) | FIRST_ORDER]!;
  }

  setFirstOrder(position: number, slot: number): void {
    this.#words[(position << 5) | FIRST_ORDER] = slot;
  }

  lastOrder(position: number): number {
    return this.#words[(position << 5) | LAST_ORDER]!;
  }

  setLastOrder(position: number, slot: number): void {
    this.#words[(position << 5) | LAST_ORDER] = slot;
  }

  /** Whether an isolated position has received its margin call. */
  isCalled(position: number): boolean {
    return this.#words[(position << 5) | IS_CALLED] !== 0;
  }

  setCalled(position: number, isCalled: boolean): void {
    this.#words[(position << 5) | IS_CALLED] = isCalled ? 1 : 0;
  }

  #resize(capacity: number): void {
    const records = new ArrayBuffer(capacity * BYTES_PER_POSITION);
    this.#words = movedInto(new Int32Array(records), this.#words);
    this.#doubles = new Float64Array(records);
    this.#capacity = capacity;
  }
}
