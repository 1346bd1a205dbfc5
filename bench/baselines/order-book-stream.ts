import {
  BUY,
  GTC,
  IOC,
  MAX_TICKS,
  MAY_FILL,
  type MatchListener,
  NO_SLOT,
  OrderBook,
  OrderIndex,
  OrderPool,
  RESTING,
  SELL,
  STP_EXPIRE_MAKER,
  submitOrder,
} from "../../packages/engine/src/book/index.ts";
import { Prng } from "../../packages/engine/src/book/testing/prng.ts";

export const LIMIT = 0;
export const CANCEL = 1;
export const MARKET = 2;
export const LIMIT_IOC = 3;

/** The input of both books: first the limit orders that fill the book, then the measured operations. */
export interface Stream {
  readonly prefill: number;
  readonly length: number;
  readonly kinds: Uint8Array;
  readonly sides: Uint8Array;
  readonly ticks: Int32Array;
  readonly lots: Int32Array;
  /** The order's own id, or the id to cancel. */
  readonly ids: Int32Array;
}

export interface StreamShape {
  readonly seed: number;
  readonly restingOrders: number;
  /** The number of levels per side. */
  readonly levels: number;
  readonly operations: number;
}

/** The result of a run of the stream: equal for two books that did equal work. */
export interface Tally {
  readonly trades: number;
  readonly tradedLots: number;
  readonly restingLots: number;
}

const MAX_LOTS = 100;

/** The engine's book as the bench uses it: it takes ids and keeps nothing outside the book. */
export class EngineDriver implements MatchListener {
  readonly pool = new OrderPool();
  readonly book = new OrderBook(0, this.pool, new OrderIndex(this.pool));
  trades = 0;
  tradedLots = 0;

  filled(_taker: number, _maker: number, _ticks: number, lots: number): void {
    this.trades += 1;
    this.tradedLots += lots;
  }

  makerExpired(): void {
    throw new Error("no account trades with itself in this stream");
  }

  judge(): typeof MAY_FILL {
    return MAY_FILL;
  }

  makerDropped(): void {
    throw new Error("no order is refused in this stream");
  }

  run(stream: Stream, from: number, to: number): void {
    const { kinds, sides, ticks, lots, ids } = stream;
    for (let i = from; i < to; i++) {
      const kind = kinds[i]!;
      if (kind === CANCEL) this.#cancel(ids[i]!);
      else this.#submit(kind, ids[i]!, sides[i]!, ticks[i]!, lots[i]!);
    }
  }

  tally(): Tally {
    const { trades, tradedLots, book } = this;
    return { trades, tradedLots, restingLots: book.bids.lots + book.asks.lots };
  }

  #submit(kind: number, id: number, side: number, ticks: number, lots: number): void {
    const slot = this.pool.take(id, side, 0, side, ticks, lots, 0);
    const outcome = submitOrder(this.book, slot, kind === LIMIT ? GTC : IOC, STP_EXPIRE_MAKER, this);
    if (outcome !== RESTING) this.pool.release(slot);
  }

  #cancel(id: number): void {
    const slot = this.book.find(id);
    if (slot === NO_SLOT) return;
    this.book.remove(slot);
    this.pool.release(slot);
  }
}

/**
 * Runs a book while it generates the stream, so that cancels name resting orders and takers are as large as needed to
 * keep the number of resting orders constant. 60 % limit orders around a mid price that walks, 30 % cancels, 5 % market
 * and 5 % IOC orders.
 */
export function makeStream(shape: StreamShape): Stream {
  const random = new Prng(shape.seed);
  const length = shape.restingOrders + shape.operations;
  const stream = {
    prefill: shape.restingOrders,
    length,
    kinds: new Uint8Array(length),
    sides: new Uint8Array(length),
    ticks: new Int32Array(length),
    lots: new Int32Array(length),
    ids: new Int32Array(length),
  };
  const driver = new EngineDriver();
  const placed: number[] = [];
  let mid = 1_000_000;
  for (let i = 0; i < length; i++) {
    const side = random.pick([BUY, SELL]);
    const towardWorse = side === BUY ? -1 : 1;
    const kind = i < shape.restingOrders ? LIMIT : pickKind(random);
    if (random.below(1000) === 0) mid += random.pick([-1, 1]);
    stream.kinds[i] = kind;
    stream.sides[i] = side;
    stream.ids[i] = kind === CANCEL ? takeResting(random, driver, placed) : i + 1;
    stream.lots[i] = random.between(1, MAX_LOTS);
    stream.ticks[i] = mid + towardWorse * random.between(1, shape.levels);
    if (kind === MARKET || kind === LIMIT_IOC) {
      const excess = driver.book.bids.orders + driver.book.asks.orders - shape.restingOrders;
      stream.lots[i] = random.between(1, MAX_LOTS * (excess > 0 ? 12 : 2));
      stream.ticks[i] = kind === MARKET ? (side === BUY ? MAX_TICKS : 1) : mid - towardWorse * shape.levels;
    }
    if (kind === LIMIT) placed.push(i + 1);
    driver.run(stream, i, i + 1);
  }
  return stream;
}

function pickKind(random: Prng): number {
  const percent = random.below(100);
  if (percent < 60) return LIMIT;
  if (percent < 90) return CANCEL;
  return percent < 95 ? MARKET : LIMIT_IOC;
}

/** The id of a random resting order; ids of orders that no longer rest are dropped. */
function takeResting(random: Prng, driver: EngineDriver, placed: number[]): number {
  for (;;) {
    const at = random.below(placed.length);
    const id = placed[at]!;
    placed[at] = placed[placed.length - 1]!;
    placed.pop();
    if (driver.book.find(id) !== NO_SLOT) return id;
  }
}
