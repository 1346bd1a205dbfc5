export { checkBook } from "./check-book.ts";
export * from "./codes.ts";
export { BookFault, MAX_ACCOUNT, MAX_FLAGS, MAX_LOTS, MAX_MARKET, MAX_ORDER_ID, MAX_TICKS } from "./limits.ts";
export { type MatchListener, modifyOrder, submitOrder } from "./matching.ts";
export { NO_ACCOUNT, OrderBook } from "./order-book.ts";
export { OrderIndex } from "./order-index.ts";
export { NO_SLOT, OrderPool } from "./order-pool.ts";
export { NO_TICKS, type PriceLevels } from "./price-levels.ts";
