/**
 * The ranges that the book is built for. The checks of commands refuse values outside them before the book sees them.
 */

/** Prices are 1 … MAX_TICKS; the bitmaps of the price levels span 24 bits. */
export const MAX_TICKS = 2 ** 24 - 1;
export const MAX_LOTS = 2 ** 43;
export const MAX_ORDER_ID = 1e15 - 1;
export const MAX_ACCOUNT = 2 ** 31 - 1;
export const MAX_MARKET = 2 ** 16 - 1;
export const MAX_FLAGS = 2 ** 15 - 1;

/** The book's state or its caller is wrong. Continuing would spread the damage, so the engine stops. */
export class BookFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BookFault";
  }
}

/**
 * Runs for every order, so it compares with literals: the compiler reloads imported and exported constants at every
 * use.
 */
export function isOrder(
  id: number,
  account: number,
  market: number,
  side: number,
  ticks: number,
  lots: number,
  flags: number,
): boolean {
  const isKind = (side & 1) === side && (market & 0xffff) === market && (flags & 0x7fff) === flags;
  return isKind && (account & 0x7fffffff) === account && isTicks(ticks) && isLots(lots) && isId(id);
}

export function isTicks(ticks: number): boolean {
  return (ticks & 0xffffff) === ticks && ticks !== 0;
}

export function isLots(lots: number): boolean {
  return lots > 0 && ((lots | 0) === lots || (Math.floor(lots) === lots && lots <= 0x80000000000));
}

function isId(id: number): boolean {
  return id > 0 && ((id | 0) === id || (Math.floor(id) === id && id < 1e15));
}
