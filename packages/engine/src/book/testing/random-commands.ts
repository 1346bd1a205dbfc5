import {
  BUY,
  FOK,
  GTC,
  GTX,
  IOC,
  SELL,
  type SelfTradePrevention,
  type Side,
  STP_EXPIRE_BOTH,
  STP_EXPIRE_MAKER,
  STP_EXPIRE_TAKER,
  STP_NONE,
  type TimeInForce,
} from "../codes.ts";
import { MAX_LOTS, MAX_TICKS } from "../limits.ts";
import type { Command } from "./command.ts";
import type { Prng } from "./prng.ts";

/** The kind of market that the random commands make. */
export interface Scene {
  readonly name: string;
  readonly accounts: number;
  readonly maxLots: number;
  /** Above about this number, cancels outnumber new orders. */
  readonly restingOrders: number;
  ticks(random: Prng, side: Side): number;
}

const PAGE_EDGES = [1, 1023, 1024, 1025, 32_767, 32_768, 1_048_575, 1_048_576, MAX_TICKS - 1023, MAX_TICKS];

export const SCENES: readonly Scene[] = [
  { name: "few prices, few accounts", accounts: 3, maxLots: 5, restingOrders: 30, ticks: (r) => r.between(1000, 1006) },
  {
    name: "all prices, many accounts",
    accounts: 500,
    maxLots: 100,
    restingOrders: 60,
    ticks: (r) => r.between(1, MAX_TICKS),
  },
  { name: "lowest prices", accounts: 4, maxLots: 3, restingOrders: 20, ticks: (r) => r.between(1, 3) },
  {
    name: "highest prices",
    accounts: 4,
    maxLots: 3,
    restingOrders: 20,
    ticks: (r) => r.between(MAX_TICKS - 2, MAX_TICKS),
  },
  { name: "edges of pages", accounts: 6, maxLots: 50, restingOrders: 50, ticks: (r) => r.pick(PAGE_EDGES) },
  { name: "huge lots", accounts: 5, maxLots: MAX_LOTS, restingOrders: 40, ticks: (r) => r.between(60_000, 60_100) },
  { name: "one account with itself", accounts: 1, maxLots: 9, restingOrders: 30, ticks: (r) => r.between(500, 520) },
  {
    name: "a crowd",
    accounts: 40,
    maxLots: 20,
    restingOrders: 1500,
    ticks: (r, side) => (side === BUY ? r.between(9_000, 9_210) : r.between(9_190, 9_400)),
  },
];

const TIMES_IN_FORCE: readonly TimeInForce[] = [GTC, GTC, GTC, GTC, IOC, FOK, FOK, GTX];
const PREVENTIONS: readonly SelfTradePrevention[] = [
  STP_EXPIRE_MAKER,
  STP_EXPIRE_MAKER,
  STP_EXPIRE_TAKER,
  STP_EXPIRE_BOTH,
  STP_NONE,
];

/** An endless sequence of commands, some of which name orders that have ended. */
export class RandomCommands {
  readonly #random: Prng;
  readonly #scene: Scene;
  readonly #placed: number[] = [];
  #lastId = 0;

  constructor(random: Prng, scene: Scene) {
    this.#random = random;
    this.#scene = scene;
  }

  next(resting: number): Command {
    const random = this.#random;
    const isCrowded = resting >= this.#scene.restingOrders;
    if (this.#placed.length === 0 || random.isIn(isCrowded ? 40 : 70)) return this.#place();
    return random.isIn(isCrowded ? 75 : 40) ? { kind: "cancel", id: this.#knownId() } : this.#modify();
  }

  #place(): Command {
    const random = this.#random;
    // Occasional wide gaps, so that ids use all their 50 bits.
    this.#lastId += random.isIn(1) ? random.between(1, 2 ** 32) : 1;
    this.#placed.push(this.#lastId);
    const side = random.pick([BUY, SELL]);
    const isMarket = random.isIn(8);
    const farthestTicks = side === BUY ? MAX_TICKS : 1;
    return {
      kind: "place",
      id: this.#lastId,
      account: random.below(this.#scene.accounts),
      side,
      ticks: isMarket ? farthestTicks : this.#scene.ticks(random, side),
      lots: this.#lots(),
      timeInForce: isMarket ? IOC : random.pick(TIMES_IN_FORCE),
      selfTradePrevention: random.pick(PREVENTIONS),
    };
  }

  #modify(): Command {
    const random = this.#random;
    return {
      kind: "modify",
      id: this.#knownId(),
      ticks: this.#scene.ticks(random, random.pick([BUY, SELL])),
      lots: this.#lots(),
      timeInForce: random.pick([GTC, GTX]),
      selfTradePrevention: random.pick(PREVENTIONS),
    };
  }

  #lots(): number {
    return this.#random.between(1, this.#random.isIn(30) ? Math.min(3, this.#scene.maxLots) : this.#scene.maxLots);
  }

  /**
   * Usually one of the latest ids, which likely rest. The id stays known, so a later command may name it after the
   * order has ended.
   */
  #knownId(): number {
    const latest = Math.min(this.#placed.length, this.#scene.restingOrders * 3);
    return this.#placed[this.#placed.length - 1 - this.#random.below(latest)]!;
  }
}
