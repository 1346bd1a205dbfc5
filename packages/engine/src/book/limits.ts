/** The ranges the book is built for. Whoever speaks to clients refuses what lies outside long before it comes here. */

/** Prices are 1 … MAX_TICKS; 24 bits are what the bitmaps of the price levels span. */
export const MAX_TICKS = 2 ** 24 - 1;
export const MAX_LOTS = 2 ** 43;
export const MAX_ORDER_ID = 1e15 - 1;
export const MAX_ACCOUNT = 2 ** 31 - 1;
export const MAX_MARKET = 2 ** 16 - 1;
export const MAX_FLAGS = 2 ** 15 - 1;

/** The book met what must never be: its state or its caller is wrong, and going on would make it worse. */
export class BookFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BookFault";
  }
}

/** Here, with the limits as constants of the same module, because it runs for every order and imported ones cost a look. */
export function isOrder(id: number, account: number, market: number, ticks: number, lots: number): boolean {
  const isOwned = (account | 0) === account && account >= 0 && (market | 0) === market && market >= 0;
  return (
    isOwned && market <= MAX_MARKET && isTicks(ticks) && isLots(lots) && isWhole(id) && id > 0 && id <= MAX_ORDER_ID
  );
}

export function isTicks(ticks: number): boolean {
  return (ticks | 0) === ticks && ticks > 0 && ticks <= MAX_TICKS;
}

export function isLots(lots: number): boolean {
  return isWhole(lots) && lots > 0 && lots <= MAX_LOTS;
}

/** Most numbers fit 32 bits, where the test is one of integers. */
function isWhole(value: number): boolean {
  return (value | 0) === value || Math.floor(value) === value;
}
