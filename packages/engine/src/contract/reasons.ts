/**
 * Why something was refused or ended, with the code that clients receive (0 if clients receive none). The index in the
 * list is the number in events and snapshots: new reasons are added at the end.
 */
const TABLE = [
  ["none", 0],
  // Malformed commands.
  ["bad_field", -1130],
  ["unknown_account", -2015],
  ["account_out_of_sequence", -1130],
  ["unknown_market", -1121],
  ["bad_market", -1130],
  ["duplicate_market", -1130],
  ["window_passed", -1130],
  ["out_of_range", -1130],
  // Orders, in the order of the checks (FUT-16).
  ["market_halted", -1020],
  ["no_price", -1020],
  ["lot_size", -1013],
  ["price_above_band", -4016],
  ["price_below_band", -4024],
  ["min_notional", -1013],
  ["max_notional", -1013],
  ["reduce_only_rejected", -2022],
  ["market_reduce_only", -4087],
  ["bonus_only_reducing", -4087],
  ["bonus_ratio", -4400],
  ["position_limit", -2027],
  ["market_full", -2027],
  ["in_liquidation", -2023],
  ["margin_insufficient", -2019],
  ["too_many_orders", -2025],
  ["too_many_conditionals", -4045],
  ["duplicate_client_id", -4116],
  ["would_trigger", -2021],
  ["slippage_exceeded", -2020],
  ["post_only_would_take", -2010],
  ["fok_not_filled", -5021],
  // Cancel and modify.
  ["unknown_order", -2011],
  ["wrong_side", -1117],
  ["nothing_to_modify", -5027],
  // Settings of an account.
  ["leverage_invalid", -4028],
  ["leverage_margin", -2028],
  ["mode_open_orders", -4047],
  ["mode_open_position", -4048],
  ["mode_bonus", -4046],
  ["not_isolated", -4046],
  // Deposits, withdrawals and payouts.
  ["balance_limit", -1130],
  ["not_withdrawable", -2018],
  ["not_in_flight", -1130],
  ["fee_account_short", -2018],
  // Bonus (the refusals of its state table).
  ["already_has_bonus", -1130],
  ["no_bonus", -1130],
  ["already_frozen", -1130],
  ["not_frozen", -1130],
  ["bonus_locked", -1130],
  ["already_expired", -1130],
  ["not_expired", -1130],
  ["not_due", -1130],
  // Why an order or a conditional order ended or changed.
  ["user", 0],
  ["modified", 0],
  ["time_in_force", 0],
  ["self_trade", 0],
  ["insolvent", 0],
  ["reduce_only_excess", 0],
  ["liquidation", 0],
  ["bonus_ended", 0],
  ["bonus_frozen", 0],
  ["parent_closed", 0],
  ["sibling_triggered", 0],
  ["no_position", 0],
  ["price_protect", 0],
  // Rules and references.
  ["rules_version", -1130],
  ["wallet_known", -1130],
  // Rules version 5. Opening with a bonus at an unfair price (BON-8); a grant on a debt (BON-15).
  ["bonus_price_above", -4016],
  ["bonus_price_below", -4024],
  ["account_in_debt", -1130],
  // Why an order ended: an unfair price for bonus money (BON-7), the last try of a trigger (FUT-8).
  ["off_market", 0],
  ["tries_used", 0],
  // Why a position was reduced (FUT-23).
  ["fund_full", 0],
  ["fund_capped", 0],
  ["fund_old", 0],
  ["bankrupt", 0],
  // Rules version 6. An end that has passed (FUT-25); a level that the book does not have (FUT-26).
  ["good_till_passed", -5040],
  ["no_price_level", -5041],
  // Why an order or a conditional order ended: its time has come (FUT-25).
  ["good_till", 0],
] as const;

export type Reason = (typeof TABLE)[number][0];

export const REASONS: readonly Reason[] = Object.freeze(TABLE.map(([name]) => name));

/** The number of a reason, by name. */
export const REASON = Object.freeze(Object.fromEntries(TABLE.map(([name], number) => [name, number]))) as Readonly<
  Record<Reason, number>
>;

/** The code of a reason on the trading interface. */
export const WIRE_CODES = Object.freeze(Object.fromEntries(TABLE)) as Readonly<Record<Reason, number>>;
