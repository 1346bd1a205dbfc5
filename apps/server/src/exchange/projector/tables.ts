import type { Kysely } from "kysely";
import type { Database } from "../../kernel/database/database.ts";
import type { KernelTables } from "../../kernel/database/tables.ts";
import { ORDER_ORIGIN, ORDER_TERMS, TRIGGER_TERMS } from "../orders/order.ts";
import { type RowOf, StoredFields, type TableOf } from "./columns.ts";
import { readingDb } from "./reading.ts";

/*
 * What the projector writes. Units are the engine's: prices in ticks, quantities in lots, money in micros, times in
 * milliseconds. Codes (side, type, time in force …) are the engine's numbers, names (status, reason, cause …) its names.
 */

export const MARKET_COLUMNS = {
  market: "integer",
  symbol: "text",
  tick_size_e8: "bigint",
  lot_size_e8: "bigint",
  unit_micros: "bigint",
} as const;

export const orderOrigin = new StoredFields(ORDER_ORIGIN);
export const orderTerms = new StoredFields(ORDER_TERMS);
export const triggerTerms = new StoredFields(TRIGGER_TERMS);

/**
 * Every order, also those the engine made itself. A conditional order whose order keeps its id (`conditional_type` ≥ 0,
 * `conditional_id` = 0) stands here from the beginning and goes on as the order it produced (`triggered_ms` > 0).
 */
export const ORDER_COLUMNS = {
  order_id: "bigint",
  ...orderOrigin.columns,
  type: "smallint",
  ...orderTerms.columns,
  executed_lots: "bigint",
  quote_micros: "bigint",
  cause: "text",
  /** The conditional order with an id of its own that produced it; 0 for none. */
  conditional_id: "bigint",
  /** −1 for none. */
  conditional_type: "smallint",
  ...triggerTerms.columns,
  status: "text",
  reason: "text",
  amendments: "integer",
  created_ms: "bigint",
  updated_ms: "bigint",
  /** The last command that changed it. */
  command_number: "bigint",
} as const;

/** Conditional orders whose orders have ids of their own. */
export const ALGO_COLUMNS = {
  algo_id: "bigint",
  ...orderOrigin.columns,
  type: "smallint",
  ...orderTerms.columns,
  ...triggerTerms.columns,
  /** The order it is attached to; 0 for none. */
  parent_id: "bigint",
  /** NEW, TRIGGERED, CANCELED, EXPIRED, REJECTED. Whether the produced order has ended is for that order to say. */
  status: "text",
  reason: "text",
  /** The order it produced; 0 before. */
  actual_order_id: "bigint",
  created_ms: "bigint",
  updated_ms: "bigint",
  command_number: "bigint",
} as const;

/** One for each side of a trade. */
export const FILL_COLUMNS = {
  market: "integer",
  trade: "bigint",
  side: "smallint",
  account: "integer",
  /** 0 for fills that belong to no order. */
  order_id: "bigint",
  is_maker: "boolean",
  cause: "text",
  ticks: "integer",
  lots: "bigint",
  quote_micros: "bigint",
  fee_micros: "bigint",
  fee_from_bonus_micros: "bigint",
  realised_micros: "bigint",
  loss_from_bonus_micros: "bigint",
  /** Of the account in the market, after the fill. */
  position_lots: "bigint",
  cost_micros: "bigint",
  terms_version: "bigint",
  is_self_trade: "boolean",
  time_ms: "bigint",
  command_number: "bigint",
  event_index: "integer",
  /** Null in fills of rules before version 5. */
  mark_ticks: "integer?",
  /** FUT-15: further from the mark than fair. Null as above. */
  is_off_market: "boolean?",
} as const;

/** FUT-24: what the public learns of liquidations and of the fund. Kept for ever. */
export const RISK_EVENT_KINDS = ["liquidation", "takeover", "fund", "adl", "fund_capped"] as const;
export type RiskEventKind = (typeof RISK_EVENT_KINDS)[number];

export const RISK_EVENT_COLUMNS = {
  /** −1 for all markets together. */
  market: "integer",
  command_number: "bigint",
  event_index: "integer",
  time_ms: "bigint",
  kind: "text",
  /** Whose position was reduced, taken over or deleveraged; 0 is the fund. Null where the fund reached its cap. */
  account: "integer?",
  counterparty: "integer?",
  /** Of `account`, as `lots` and `ticks` are. */
  side: "smallint?",
  lots: "bigint?",
  ticks: "integer?",
  /** Null before the market's first price. */
  mark_ticks: "integer?",
  index_ticks: "integer?",
  /** FUT-23: why it was deleveraged; "" otherwise. */
  reason: "text",
  /** FUT-22: of the hour, when the cap was reached. */
  outflow_micros: "bigint?",
  cap_micros: "bigint?",
  equity_micros: "bigint?",
  /** 0: until an admin resumes the market. */
  until_ms: "bigint?",
} as const;

/**
 * INV-11: what two accounts have traded with each other in an hour far from the mark, and the money that moved by it. Of
 * trades between orders, from rules version 5 on. What they traded near it is in their fills: a row for every pair would be one
 * for nearly every trade.
 */
export const PAIR_HOUR_COLUMNS = {
  /** The lower number of the two. */
  account: "integer",
  counterparty: "integer",
  /** Hours since 1970. */
  hour: "integer",
  /** The value of these trades. Rows of earlier versions count those near the mark as well. */
  quote_micros: "bigint",
  /** Money that moved from `account` to `counterparty`, and the reverse. */
  given_micros: "bigint",
  taken_micros: "bigint",
} as const;

/** Everything that changes what an account is worth in cash: its principal, isolated margin and bonus together. */
export const INCOME_COLUMNS = {
  account: "integer",
  time_ms: "bigint",
  /** Counts the lines of all accounts in the order of their events. */
  income_id: "bigint",
  income_type: "text",
  /** −1 for none. */
  market: "integer",
  amount_micros: "bigint",
  /** 0 for lines that come from no trade. */
  trade: "bigint",
  info: "text",
  command_number: "bigint",
  event_index: "integer",
} as const;

export const FUNDING_RATE_COLUMNS = {
  market: "integer",
  hour: "integer",
  rate_e8: "bigint",
  mark_ticks: "integer",
  residue_micros: "bigint",
  settled_ms: "bigint",
} as const;

/** Candles of one minute and one hour; longer and in-between ones are summed up from them. */
export const KLINE_COLUMNS = {
  market: "integer",
  /** TRADES, MARK or INDEX. */
  kind: "smallint",
  interval_ms: "integer",
  open_ms: "bigint",
  open_ticks: "integer",
  high_ticks: "integer",
  low_ticks: "integer",
  close_ticks: "integer",
  lots: "bigint",
  quote_micros: "bigint",
  trades: "bigint",
  taker_buy_lots: "bigint",
  taker_buy_quote_micros: "bigint",
} as const;

export const BONUS_LINE_COLUMNS = {
  account: "integer",
  command_number: "bigint",
  event_index: "integer",
  line: "text",
  amount_micros: "bigint",
  bonus_micros: "bigint",
  locked_micros: "bigint",
  consumed_micros: "bigint",
  time_ms: "bigint",
  /** BON-7: of a RECALL, what principal had given back for it just before: it was never in the bonus. */
  repaid_micros: "bigint",
} as const;

export const TIER_CHANGE_COLUMNS = {
  account: "integer",
  command_number: "bigint",
  event_index: "integer",
  change: "text",
  tier: "smallint",
  previous_tier: "smallint",
  volume_14d_micros: "bigint",
  time_ms: "bigint",
} as const;

export const AMENDMENT_COLUMNS = {
  order_id: "bigint",
  /** From 1 for each order. */
  amendment: "integer",
  account: "integer",
  market: "integer",
  reason: "text",
  ticks_before: "integer",
  ticks_after: "integer",
  lots_before: "bigint",
  lots_after: "bigint",
  time_ms: "bigint",
} as const;

/** Into (above 0) and out of isolated positions, by their owner. */
export const MARGIN_MOVE_COLUMNS = {
  account: "integer",
  market: "integer",
  command_number: "bigint",
  amount_micros: "bigint",
  isolated_micros: "bigint",
  time_ms: "bigint",
} as const;

/** What an account was worth at the full hour. */
export const EQUITY_COLUMNS = {
  account: "integer",
  time_ms: "bigint",
  /** Isolated margin included. */
  principal_micros: "bigint",
  bonus_micros: "bigint",
  /** Isolated positions included. */
  unrealised_micros: "bigint",
} as const;

/** How far the tables have come. One row: it changes in the transaction that writes the rows. */
export const CURSOR_COLUMNS = {
  name: "text",
  command_number: "bigint",
  last_income_id: "bigint",
  time_ms: "bigint",
} as const;

export type MarketRow = RowOf<typeof MARKET_COLUMNS>;
export type OrderRow = RowOf<typeof ORDER_COLUMNS>;
export type AlgoRow = RowOf<typeof ALGO_COLUMNS>;
export type FillRow = RowOf<typeof FILL_COLUMNS>;
export type RiskEventRow = RowOf<typeof RISK_EVENT_COLUMNS>;
export type PairHourRow = RowOf<typeof PAIR_HOUR_COLUMNS>;
export type IncomeRow = RowOf<typeof INCOME_COLUMNS>;
export type FundingRateRow = RowOf<typeof FUNDING_RATE_COLUMNS>;
type KlineSums = "quote_micros" | "taker_buy_quote_micros";
/** The values of many trades together leave the safe range of a number. */
export type KlineRow = Omit<RowOf<typeof KLINE_COLUMNS>, KlineSums> & { [Name in KlineSums]: bigint };
export type BonusLineRow = RowOf<typeof BONUS_LINE_COLUMNS>;
export type TierChangeRow = RowOf<typeof TIER_CHANGE_COLUMNS>;
export type AmendmentRow = RowOf<typeof AMENDMENT_COLUMNS>;
export type MarginMoveRow = RowOf<typeof MARGIN_MOVE_COLUMNS>;
export type EquityRow = RowOf<typeof EQUITY_COLUMNS>;

/** What candles are made of. */
export const TRADES_KIND = 0;
export const MARK_KIND = 1;
export const INDEX_KIND = 2;
export type KlineKind = typeof TRADES_KIND | typeof MARK_KIND | typeof INDEX_KIND;

export interface ProjectionTables extends KernelTables {
  exchange_market: TableOf<typeof MARKET_COLUMNS>;
  exchange_order: TableOf<typeof ORDER_COLUMNS>;
  exchange_algo_order: TableOf<typeof ALGO_COLUMNS>;
  exchange_fill: TableOf<typeof FILL_COLUMNS>;
  exchange_income: TableOf<typeof INCOME_COLUMNS>;
  exchange_funding_rate: TableOf<typeof FUNDING_RATE_COLUMNS>;
  exchange_kline: TableOf<typeof KLINE_COLUMNS>;
  exchange_bonus_line: TableOf<typeof BONUS_LINE_COLUMNS>;
  exchange_tier_change: TableOf<typeof TIER_CHANGE_COLUMNS>;
  exchange_order_amendment: TableOf<typeof AMENDMENT_COLUMNS>;
  exchange_margin_move: TableOf<typeof MARGIN_MOVE_COLUMNS>;
  exchange_equity: TableOf<typeof EQUITY_COLUMNS>;
  exchange_risk_event: TableOf<typeof RISK_EVENT_COLUMNS>;
  exchange_pair_hour: TableOf<typeof PAIR_HOUR_COLUMNS>;
  exchange_cursor: TableOf<typeof CURSOR_COLUMNS>;
}

export type ProjectionDb = Kysely<ProjectionTables>;

/** For reading; see `readingDb`. */
export const projectionDb = ({ db }: Pick<Database, "db">): ProjectionDb => readingDb<ProjectionTables>(db);
