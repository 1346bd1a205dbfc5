/** Small integers instead of names: they sit in typed arrays and are compared on the hot path. */
export { BUY, SELL, type Side } from "../side.ts";

/** What does not match at once rests in the book. */
export const GTC = 0 as const;
/** What does not match at once expires. A MARKET order is this, at the limit price that bounds it. */
export const IOC = 1 as const;
/** All of it matches at once, or nothing happens. */
export const FOK = 2 as const;
/** Post-only: refused where any of it would match at once. */
export const GTX = 3 as const;
export type TimeInForce = typeof GTC | typeof IOC | typeof FOK | typeof GTX;

/** Self-trade prevention, always the incoming order's: what gives way when it meets an order of its own account. */
export const STP_EXPIRE_MAKER = 0 as const;
export const STP_EXPIRE_TAKER = 1 as const;
export const STP_EXPIRE_BOTH = 2 as const;
export const STP_NONE = 3 as const;
export type SelfTradePrevention =
  | typeof STP_EXPIRE_MAKER
  | typeof STP_EXPIRE_TAKER
  | typeof STP_EXPIRE_BOTH
  | typeof STP_NONE;

/** The order, or what is left of it, stands in the book. */
export const RESTING = 0 as const;
export const FILLED = 1 as const;
/** Its time in force ended it with lots left. */
export const EXPIRED = 2 as const;
/** Self-trade prevention ended it with lots left. */
export const EXPIRED_IN_MATCH = 3 as const;
export const REJECTED_FOK = 4 as const;
export const REJECTED_GTX = 5 as const;
/** Modified to no more than what was executed already. */
export const CANCELED = 6 as const;
/** The listener ended it with lots left. */
export const STOPPED = 8 as const;
/** Modified to what it was: refused, the order stands as before and keeps its place. */
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

/** What a listener says to a trade before it happens. */
export const MAY_FILL = 0 as const;
/** The maker cannot trade: it leaves the book and matching goes on. */
export const DROP_MAKER = 1 as const;
/** The taker cannot trade: matching ends. */
export const STOP_TAKER = 2 as const;
export type FillVerdict = typeof MAY_FILL | typeof DROP_MAKER | typeof STOP_TAKER;
