import { BONUS_STATES } from "../rules/bonus-states.ts";
import { MARKET_RULE_NAMES } from "../rules/market-rules.ts";
import { REASONS } from "./reasons.ts";

/**
 * All events of the engine: each kind with its fields in the order in which they are written. All fields are numbers
 * except those in `NAMED_FIELDS`, which are written as an index into a list of names, and those in `TEXT_FIELDS`.
 * Amounts are those of this event; `principal_micros`, `bonus_micros`, `isolated_micros`, `cost_micros`, `executedLots`
 * and similar fields are the state after it.
 */
export const EVENT_FIELDS = {
  refused: ["account", "reason", "limit", "actual"],
  ignored: ["number", "lastNumber"],

  order_opened: [
    "order",
    "account",
    "market",
    "side",
    "type",
    "timeInForce",
    "ticks",
    "lots",
    "isReduceOnly",
    "selfTradePrevention",
    "conditional",
    "cause",
    "clientId",
    "goodTill_ms",
    "priceMatch",
  ],
  order_amended: ["order", "account", "market", "ticks", "lots", "executedLots", "reason", "priceMatch"],
  order_closed: ["order", "account", "market", "status", "reason", "lots", "executedLots", "quote_micros"],
  /** One for each side of a trade. An order is FILLED when `executedLots` reaches `orderLots`. */
  fill: [
    "trade",
    "market",
    "account",
    "order",
    "side",
    "isMaker",
    "cause",
    "ticks",
    "lots",
    "orderLots",
    "executedLots",
    "quote_micros",
    "fee_micros",
    "feeFromBonus_micros",
    "realised_micros",
    "lossFromBonus_micros",
    "positionLots",
    "cost_micros",
    "principal_micros",
    "bonus_micros",
    "isolated_micros",
    "termsVersion",
    "isSelfTrade",
    /** From rules version 5 on, else 0: the mark (INV-11), and whether the price was further from it than fair (FUT-15). */
    "markTicks",
    "isOffMarket",
  ],

  conditional_opened: [
    "conditional",
    "account",
    "market",
    "side",
    "type",
    "ticks",
    "timeInForce",
    "lots",
    "triggerTicks",
    "activateTicks",
    "callback_bps",
    "workingType",
    "isReduceOnly",
    "isClosePosition",
    "isPriceProtected",
    "keepsId",
    "selfTradePrevention",
    "parent",
    "clientId",
    "goodTill_ms",
    "priceMatch",
  ],
  /** A trailing stop starts to follow the price, or the parent of an attached order has its first fill. */
  conditional_activated: ["conditional", "account", "market"],
  conditional_triggered: ["conditional", "account", "market", "order"],
  conditional_closed: ["conditional", "account", "market", "status", "reason"],

  leverage_set: ["account", "market", "leverage"],
  margin_mode_set: ["account", "market", "mode"],
  isolated_margin_moved: ["account", "market", "amount_micros", "isolated_micros", "principal_micros"],

  market_added: ["market", "symbol"],
  market_status_set: ["market", "status_code"],
  price_set: ["market", "indexTicks", "markTicks"],
  funding_paid: [
    "account",
    "market",
    "lots",
    "amount_micros",
    "fromBonus_micros",
    "principal_micros",
    "bonus_micros",
    "isolated_micros",
  ],
  funding_settled: ["market", "hour", "rate_e8", "markTicks", "residue_micros", "fund_micros"],

  account_opened: ["account"],
  deposited: ["account", "amount_micros", "principal_micros"],
  withdrawal_held: ["account", "amount_micros", "principal_micros", "inFlight_micros"],
  withdrawal_settled: ["account", "amount_micros", "isDone", "principal_micros", "inFlight_micros"],
  terms_set: ["account", "version"],
  terms_followed: ["account", "leader"],
  discount_set: ["account", "discount_bps"],
  tier_changed: ["account", "change", "tier", "previousTier", "volume14d_micros"],
  fund_seeded: ["amount_micros", "fund_micros"],
  paid_out: ["amount_micros", "feeAccount_micros"],
  payout_returned: ["amount_micros", "feeAccount_micros"],

  /** A line of the bonus ledger (BON-6). */
  bonus_line: ["account", "line", "amount_micros", "bonus_micros", "locked_micros", "consumed_micros"],
  bonus_state_set: ["account", "state", "expires_ms"],

  margin_called: ["account", "market", "maintenance_micros", "balance_micros"],
  liquidation_started: ["account", "market", "maintenance_micros", "balance_micros"],
  liquidation_fee_paid: [
    "account",
    "market",
    "amount_micros",
    "fromBonus_micros",
    "principal_micros",
    "bonus_micros",
    "isolated_micros",
    "fund_micros",
  ],
  liquidation_ended: ["account", "market", "isResolved", "maintenance_micros", "balance_micros"],

  rules_version_set: ["version", "previous"],
  wallet_committed: ["account"],
  noted: ["number"],

  /* From rules version 5 on. */
  market_rules_set: ["market", ...MARKET_RULE_NAMES],
  /** FUT-8: what its order left is tried with each following price. */
  conditional_rearmed: ["conditional", "account", "market", "lots", "tries"],
  /** FUT-23: an account's position was reduced because somebody on the other side could not go on. */
  adl: ["account", "market", "lots", "ticks", "markTicks", "indexTicks", "reason"],
  /** BON-7: principal gave back what the bonus had paid of unfair losses; a line RECALL of the same amount follows. */
  bonus_repaid: ["account", "amount_micros", "principal_micros", "bonus_micros", "consumed_micros", "owed_micros"],
  /** FUT-22: of one market, or of all (−1). `until_ms` 0: until an admin resumes it. */
  fund_capped: ["market", "outflow_micros", "cap_micros", "equity_micros", "until_ms"],
} as const;

export type EventKind = keyof typeof EVENT_FIELDS;

/** How an order or a conditional order ended. The last fill reports a filled order. */
export const STATUSES = ["CANCELED", "EXPIRED", "EXPIRED_IN_MATCH", "REJECTED"] as const;

/** Why an order or a fill happened. Fills by `takeover` and `adl` belong to no order. */
export const CAUSES = ["trade", "liquidation", "fund", "bonus_expiry", "takeover", "adl"] as const;

export const BONUS_LINES = [
  "GRANT",
  "LOCK",
  "UNLOCK",
  "CONSUME_FEE",
  "CONSUME_FUNDING",
  "CONSUME_LOSS",
  "RECALL",
  "EXPIRE",
] as const;

/** FUT-15. `downgrade_canceled`: the volume was reached again before midnight. */
export const TIER_CHANGES = [
  "upgrade_immediate",
  "downgrade_scheduled",
  "downgrade_applied",
  "downgrade_canceled",
] as const;

export const NAMED_FIELDS = {
  reason: REASONS,
  status: STATUSES,
  cause: CAUSES,
  line: BONUS_LINES,
  change: TIER_CHANGES,
  state: BONUS_STATES,
} as const;

export const TEXT_FIELDS = ["clientId", "symbol"] as const;

type TextField = (typeof TEXT_FIELDS)[number];
type FieldValue<Field extends string> = Field extends keyof typeof NAMED_FIELDS
  ? (typeof NAMED_FIELDS)[Field][number]
  : Field extends TextField
    ? string
    : number;

/** An event as an object, for readers that are not on the hot path. */
export type EngineEvent = {
  [Kind in EventKind]: { readonly kind: Kind } & {
    readonly [Field in (typeof EVENT_FIELDS)[Kind][number]]: FieldValue<Field>;
  };
}[EventKind];

export type EventOf<Kind extends EventKind> = Extract<EngineEvent, { kind: Kind }>;
