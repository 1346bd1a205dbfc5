/** Small integers instead of names, because typed arrays hold them and the hot path compares them. */
import type { SelfTradePrevention, TimeInForce } from "../book/codes.ts";
import type { Side } from "../side.ts";

export type { SelfTradePrevention, Side, TimeInForce };

export const LIMIT = 0 as const;
export const MARKET = 1 as const;
export type OrderType = typeof LIMIT | typeof MARKET;

/** Fires when the price moves against the trader: a buy at or above its trigger, a sell at or below. */
export const STOP = 0 as const;
/** Fires when the price moves in the trader's favour: a buy at or below its trigger, a sell at or above. */
export const TAKE_PROFIT = 1 as const;
/** A stop whose trigger follows the best price seen. */
export const TRAILING_STOP = 2 as const;
export type ConditionalType = typeof STOP | typeof TAKE_PROFIT | typeof TRAILING_STOP;

/** FUT-26: how an order finds its price: it names one, or takes that of a level of the book at its entry. */
export const PRICE_MATCHES = [
  "NONE",
  "OPPONENT",
  "OPPONENT_5",
  "OPPONENT_10",
  "OPPONENT_20",
  "QUEUE",
  "QUEUE_5",
  "QUEUE_10",
  "QUEUE_20",
] as const;
/** A place in PRICE_MATCHES. */
export type PriceMatch = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;
export const NO_PRICE_MATCH = 0 as const;

/** The price that a trigger watches: the last trade (the mark price before the first trade), or the mark price. */
export const CONTRACT_PRICE = 0 as const;
export const MARK_PRICE = 1 as const;
export type WorkingType = typeof CONTRACT_PRICE | typeof MARK_PRICE;

export const CROSS = 0 as const;
export const ISOLATED = 1 as const;
export type MarginMode = typeof CROSS | typeof ISOLATED;

export const TRADING = 0 as const;
export const REDUCE_ONLY = 1 as const;
export const HALTED = 2 as const;
export type MarketStatus = typeof TRADING | typeof REDUCE_ONLY | typeof HALTED;

/** Which kinds of orders a cancel applies to. */
export const SCOPE_ORDERS = 1 as const;
export const SCOPE_CONDITIONALS = 2 as const;
export const SCOPE_BOTH = 3 as const;
export type CancelScope = typeof SCOPE_ORDERS | typeof SCOPE_CONDITIONALS | typeof SCOPE_BOTH;

/** In commands and events with an optional market: all markets, or none. */
export const NO_MARKET = -1;
/**
 * The insurance fund is account 0: it can hold positions like any other account, and no command places orders for it.
 */
export const FUND_ACCOUNT = 0;
