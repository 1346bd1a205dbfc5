import { type LimitOrderOptions, OrderBook, Side } from "nodejs-order-book";
import { CANCEL, LIMIT_IOC, MARKET, type Stream, type Tally } from "./order-book-stream.ts";

/** The package names these values in its documentation but does not export them. */
const TIME_IN_FORCE_IOC = "IOC" as NonNullable<LimitOrderOptions["timeInForce"]>;

/** The `nodejs-order-book` package on the same stream, without its journal. */
export class BaselineDriver {
  readonly book = new OrderBook();
  /**
   * Made before the measurement: callers identify their orders by text, so making it is not part of the book's work.
   */
  readonly #ids: readonly string[];
  #trades = 0;
  #tradedLots = 0;

  constructor(stream: Stream, idPrefix: string) {
    this.#ids = Array.from({ length: stream.length + 1 }, (_, id) => `${idPrefix}${id}`);
  }

  run(stream: Stream, from: number, to: number): void {
    for (let i = from; i < to; i++) {
      const kind = stream.kinds[i]!;
      const id = this.#ids[stream.ids[i]!]!;
      const side = stream.sides[i] === 0 ? Side.BUY : Side.SELL;
      const size = stream.lots[i]!;
      const price = stream.ticks[i]!;
      if (kind === CANCEL) this.book.cancel(id);
      else if (kind === MARKET) this.#marketOrder(side, size);
      else if (kind === LIMIT_IOC) this.#limitOrder({ id, side, size, price, timeInForce: TIME_IN_FORCE_IOC });
      else this.#limitOrder({ id, side, size, price });
    }
  }

  tally(): Tally {
    const restingLots = this.book
      .depth()
      .flat()
      .reduce((sum, [, lots]) => sum + lots, 0);
    return { trades: this.#trades, tradedLots: this.#tradedLots, restingLots };
  }

  #marketOrder(side: Side, size: number): void {
    const { done, partial, quantityLeft } = this.book.market({ side, size });
    this.#trades += done.length + (partial === null ? 0 : 1);
    this.#tradedLots += size - quantityLeft;
  }

  /** `done` ends with the order itself if it was filled; then `partial` is a maker, otherwise the order's own rest. */
  #limitOrder(options: LimitOrderOptions): void {
    const { done, partial, quantityLeft } = this.book.limit(options);
    const isFilled = quantityLeft === 0;
    this.#trades += isFilled ? done.length - 1 + (partial === null ? 0 : 1) : done.length;
    this.#tradedLots += options.size - quantityLeft;
  }
}
