import { movedInto } from "../book/columns.ts";
import type { OrderPool } from "../book/order-pool.ts";

/** Bits of an order's flags in the pool. */
export const ORDER_REDUCE_ONLY = 1;
const TIF_SHIFT = 1;
const STP_SHIFT = 3;
export const ORDER_IS_MARKET = 32;
export const ORDER_HAS_NAME = 64;
export const ORDER_HAS_CHILDREN = 128;
const CAUSE_SHIFT = 8;
const CAUSE_BITS = 7;
/** FUT-25: only these are looked up among the ends, so that the others cost nothing. */
export const ORDER_HAS_END = 2048;

export function orderFlags(
  isReduceOnly: boolean,
  timeInForce: number,
  selfTradePrevention: number,
  isMarket: boolean,
  hasName: boolean,
  hasChildren: boolean,
  cause: number,
  hasEnd: boolean,
): number {
  return (
    (isReduceOnly ? ORDER_REDUCE_ONLY : 0) |
    (timeInForce << TIF_SHIFT) |
    (selfTradePrevention << STP_SHIFT) |
    (isMarket ? ORDER_IS_MARKET : 0) |
    (hasName ? ORDER_HAS_NAME : 0) |
    (hasChildren ? ORDER_HAS_CHILDREN : 0) |
    (cause << CAUSE_SHIFT) |
    (hasEnd ? ORDER_HAS_END : 0)
  );
}

export const timeInForceOf = (flags: number) => (flags >> TIF_SHIFT) & 3;
export const selfTradePreventionOf = (flags: number) => (flags >> STP_SHIFT) & 3;
export const causeOf = (flags: number) => (flags >> CAUSE_SHIFT) & CAUSE_BITS;

/**
 * What matching does not need to know about an order: its times, its client id, the conditional order that produced it.
 */
export class OrderDetails {
  /** Created and updated, per slot. */
  #times = new Float64Array(0);
  #conditionals = new Float64Array(0);
  #goodTills = new Float64Array(0);
  #priceMatches = new Uint8Array(0);
  readonly #clientIds: string[] = [];
  /** By account: client id to the id of an open order or conditional order. */
  readonly #names = new Map<number, Map<string, number>>();

  /** Holds the engine's time; shared with `State`. */
  readonly #clock: Float64Array;

  constructor(pool: OrderPool, clock: Float64Array) {
    this.#clock = clock;
    pool.onGrow((capacity) => {
      this.#times = movedInto(new Float64Array(capacity * 2), this.#times);
      this.#conditionals = movedInto(new Float64Array(capacity), this.#conditionals);
      this.#goodTills = movedInto(new Float64Array(capacity), this.#goodTills);
      this.#priceMatches = movedInto(new Uint8Array(capacity), this.#priceMatches);
    });
  }

  created(slot: number, conditional: number, goodTill_ms: number, priceMatch: number): void {
    this.#times[slot * 2] = this.#clock[0]!;
    this.#times[slot * 2 + 1] = this.#clock[0]!;
    this.#conditionals[slot] = conditional;
    this.#goodTills[slot] = goodTill_ms;
    this.#priceMatches[slot] = priceMatch;
  }

  updated(slot: number): void {
    this.#times[slot * 2 + 1] = this.#clock[0]!;
  }

  created_ms(slot: number): number {
    return this.#times[slot * 2]!;
  }

  updated_ms(slot: number): number {
    return this.#times[slot * 2 + 1]!;
  }

  /** From its creation to its last change. */
  age_ms(slot: number): number {
    return this.#times[slot * 2 + 1]! - this.#times[slot * 2]!;
  }

  setCreated_ms(slot: number, created_ms: number): void {
    this.#times[slot * 2] = created_ms;
  }

  /** Its creation must be known. */
  setAge_ms(slot: number, age_ms: number): void {
    this.#times[slot * 2 + 1] = this.#times[slot * 2]! + age_ms;
  }

  setConditional(slot: number, conditional: number): void {
    this.#conditionals[slot] = conditional;
  }

  /** The conditional order that produced it; 0 for none. */
  conditional(slot: number): number {
    return this.#conditionals[slot]!;
  }

  /** FUT-25: when it ends; 0 for never. */
  goodTill_ms(slot: number): number {
    return this.#goodTills[slot]!;
  }

  setGoodTill_ms(slot: number, goodTill_ms: number): void {
    this.#goodTills[slot] = goodTill_ms;
  }

  /** FUT-26: where its price came from. */
  priceMatch(slot: number): number {
    return this.#priceMatches[slot]!;
  }

  setPriceMatch(slot: number, priceMatch: number): void {
    this.#priceMatches[slot] = priceMatch;
  }

  setClientId(slot: number, clientId: string): void {
    this.#clientIds[slot] = clientId;
  }

  /** Only for orders with the flag ORDER_HAS_NAME. */
  clientId(slot: number): string {
    return this.#clientIds[slot] ?? "";
  }

  /** Id of the account's open order or conditional order with that client id; 0 for none. */
  idOfName(account: number, clientId: string): number {
    return this.#names.get(account)?.get(clientId) ?? 0;
  }

  addName(account: number, clientId: string, id: number): void {
    if (clientId === "") return;
    const names = this.#names.get(account);
    if (names === undefined) this.#names.set(account, new Map([[clientId, id]]));
    else names.set(clientId, id);
  }

  dropName(account: number, clientId: string): void {
    if (clientId === "") return;
    const names = this.#names.get(account);
    if (names?.delete(clientId) === true && names.size === 0) this.#names.delete(account);
  }
}
