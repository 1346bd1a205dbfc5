/**
 * LOG-5: the rules by which a state changes have a version, which is part of the state. `set_rules_version` changes it at one
 * place of the log, so that everybody who follows the log changes at the same place. A release applies all of these.
 */
export const OLDEST_RULES = 3;

/** From this version on, commands of the outside world carry references, and accounts commit to their wallets (LOG-1). */
export const RULES_WITH_REFERENCES = 4;

/** From this version on: bounds around index and mark, the fund's limits, fair prices for bonus money (FUT-21 to FUT-23). */
export const RULES_WITH_FAIR_MARKETS = 5;

/** From this version on: orders with an end (`goodTill_ms`), and prices taken from the book (`priceMatch`; FUT-25, FUT-26). */
export const RULES_WITH_ORDER_TERMS = 6;

/** What a release offers to operators, and what a new exchange begins with. */
export const NEWEST_RULES = 6;

/**
 * What the engine, its codec and its snapshots can do. A version above `NEWEST_RULES` is still being built: it may change,
 * so no exchange is offered it.
 */
export const NEXT_RULES = Math.max(NEWEST_RULES, RULES_WITH_ORDER_TERMS);

export const isKnownRulesVersion = (version: number): boolean =>
  Number.isInteger(version) && version >= OLDEST_RULES && version <= NEWEST_RULES;

export const isApplicableRulesVersion = (version: number): boolean =>
  Number.isInteger(version) && version >= OLDEST_RULES && version <= NEXT_RULES;
