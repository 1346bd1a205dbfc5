import { formatDecimal } from "../../lib/format.ts";

/** Names of the exchange in the words of the page. */

/** With the decimals that the exchange writes, which are those of the tick or the lot: figures below each other align. */
export const asWritten = (text: string): string => formatDecimal(text, { decimals: text.split(".")[1]?.length ?? 0 });

const TYPES: Readonly<Record<string, string>> = {
  LIMIT: "Limit",
  MARKET: "Market",
  STOP: "Stop limit",
  STOP_MARKET: "Stop market",
  TAKE_PROFIT: "Take profit limit",
  TAKE_PROFIT_MARKET: "Take profit market",
  TRAILING_STOP_MARKET: "Trailing stop",
};
export const typeWords = (type: string): string => TYPES[type] ?? type;

const STATUSES: Readonly<Record<string, string>> = {
  NEW: "Open",
  PARTIALLY_FILLED: "Partly filled",
  FILLED: "Filled",
  CANCELED: "Cancelled",
  EXPIRED: "Expired",
  EXPIRED_IN_MATCH: "Expired: own order",
  REJECTED: "Rejected",
};
export const statusWords = (status: string): string => STATUSES[status] ?? status;

const REASONS: Readonly<Record<string, string>> = {
  user: "Cancelled by you.",
  modified: "Modified below what was filled already.",
  time_in_force: "What could not be filled at once was cancelled.",
  self_trade: "It met an order of your own.",
  insolvent: "A fill would have left the account without margin.",
  reduce_only_excess: "The position it should reduce is smaller now.",
  liquidation: "The account was being liquidated.",
  bonus_ended: "The bonus has ended.",
  bonus_frozen: "The bonus is frozen.",
  parent_closed: "Its parent order has ended.",
  sibling_triggered: "Its counterpart was triggered.",
  no_position: "There was no position to close.",
  price_protect: "The last price was too far from the mark.",
  margin_insufficient: "The margin did not suffice when it fired.",
  reduce_only_rejected: "There was nothing to reduce.",
  min_notional: "The order was too small.",
  position_limit: "The position would have been too large for its leverage.",
  slippage_exceeded: "The book was too thin.",
  market_reduce_only: "The market takes only orders that reduce.",
  post_only_would_take: "The post-only order would have matched.",
};

/** Why an order ended, as a sentence; empty where there is nothing to say. */
export function endReason(reason: string | null): string {
  if (reason === null || reason === "" || reason === "none") return "";
  return REASONS[reason] ?? `${reason.replaceAll("_", " ")}.`;
}

export const workingTypeWords = (type: string): string => (type === "MARK_PRICE" ? "Mark" : "Last");

const CAUSES: Readonly<Record<string, string>> = {
  trade: "",
  liquidation: "Liquidation",
  takeover: "Insurance fund",
  adl: "Deleveraging",
  bonus_expiry: "Bonus end",
  fund: "Insurance fund",
};
export const causeWords = (cause: string): string => CAUSES[cause] ?? cause;
