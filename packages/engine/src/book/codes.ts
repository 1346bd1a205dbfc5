/** Small integers instead of names, because typed arrays hold them and the hot path compares them. */
export { BUY, SELL, type Side } from "../side.ts";

/** Lots that do not match at once rest in the book. */
export const GTC = 0 as const;
/** Lots that do not match at once expire. A MARKET order is an IOC order at the limit price that bounds it. */
export const IOC = 1 as const;
/** All lots match at once, or the order has no effect. */
export const FOK = 2 as const;
/** Post-only: refused if any lot would match at once. */
export const GTX = 3 as const;
export type TimeInForce = typeof GTC | typeof IOC | typeof FOK | typeof GTX;

/** Self-trade prevention of the incoming order: which order is removed when it meets an order of its own account. */
export const STP_EXPIRE_MAKER = 0 as const;
export const STP_EXPIRE_TAKER = 1 as const;
export const STP_EXPIRE_BOTH = 2 as const;
export const STP_NONE = 3 as const;
export type SelfTradePrevention =
  | typeof STP_EXPIRE_MAKER
  | typeof STP_EXPIRE_TAKER
  | typeof STP_EXPIRE_BOTH
  | typeof STP_NONE;

/** The order, or its remaining lots, rests in the book. */
export const RESTING = 0 as const;
export const FILLED = 1 as const;
/** Its time in force ended it with lots left. */
export const EXPIRED = 2 as const;
/** Self-trade prevention ended it with lots left. */
export const EXPIRED_IN_MATCH = 3 as const;
export const REJECTED_FOK = 4 as const;
export const REJECTED_GTX = 5 as const;
/** Modified to a quantity that was executed already. */
export const CANCELED = 6 as const;
/** The listener ended it with lots left. */
export const STOPPED = 8 as const;
/** Modified to the same price and quantity: refused; the order keeps its rank in the queue. */
export const UNCHANGED = 7 as const;

export type SubmitOutcome =
  | typeof RESTING
  | typeof FILLED
  | typeof EXPIRED
  | typeof EXPIRED_IN_MATCH
  | typeof REJECTED_FOK
  | typeof REJECTED_GTX
  | typeof STOPPED;
export type ModifyOutcome = SubmitOutcome | typeof CANCELED | typeof UNCHANGED;

/** What a listener answers before a trade happens. */
export const MAY_FILL = 0 as const;
/** The maker cannot trade: it leaves the book and matching continues. */
export const DROP_MAKER = 1 as const;
/** The taker cannot trade: matching ends. */
export const STOP_TAKER = 2 as const;
export type FillVerdict = typeof MAY_FILL | typeof DROP_MAKER | typeof STOP_TAKER;
