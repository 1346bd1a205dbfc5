/** Small integers instead of names, because typed arrays hold them and the hot path compares them. */
export const BUY = 0 as const;
export const SELL = 1 as const;
export type Side = typeof BUY | typeof SELL;
