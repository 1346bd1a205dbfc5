import type { OrderBook } from "../book/order-book.ts";
import { PRICE_MATCHES, type PriceMatch } from "../contract/codes.ts";
import type { Side } from "../side.ts";

/** By code: the level, counted from the best price, and whether it is one of the other side. */
const PLACES: readonly number[] = PRICE_MATCHES.map((name) => (name === "NONE" ? 0 : Number(name.split("_")[1] ?? 1)));
const ARE_OPPOSITE: readonly boolean[] = PRICE_MATCHES.map((name) => name.startsWith("OPPONENT"));

/** FUT-26: the price that an order of this side gets from the book as it stands; NO_TICKS if there is no such level. */
export function matchedTicks(book: OrderBook, side: Side, priceMatch: PriceMatch): number {
  const from = ARE_OPPOSITE[priceMatch]! ? ((side ^ 1) as Side) : side;
  return book.ticksOfLevel(from, PLACES[priceMatch]!);
}
