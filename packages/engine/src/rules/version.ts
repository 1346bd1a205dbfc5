/**
 * LOG-5: the rules by which a state changes have a version, which is part of the state. `set_rules_version` changes it at one
 * place of the log, so that everybody who follows the log changes at the same place. A release applies all of these.
 */
export const OLDEST_RULES = 3;

/** From this version on, commands of the outside world carry references, and accounts commit to their wallets (LOG-1). */
export const RULES_WITH_REFERENCES = 4;

export const NEWEST_RULES = 4;

export const isKnownRulesVersion = (version: number): boolean =>
  Number.isInteger(version) && version >= OLDEST_RULES && version <= NEWEST_RULES;
