/** Small integers instead of names: they sit in typed arrays and are compared on the hot path. */
export const BUY = 0 as const;
export const SELL = 1 as const;
export type Side = typeof BUY | typeof SELL;
