import type { FapiErrorName } from "@bourse/api";
import { MAX_LOTS, type Market, type Reason, type Refusal } from "@bourse/engine";
import { AnswerLate } from "../../kernel/engine-requests/engine-requests.ts";
import type { RefusalDetails } from "../../kernel/errors.ts";
import { moneyText, priceText, quantityText, rateText } from "../../kernel/units.ts";
import type { Applied } from "../host/exchange.ts";
import { ExchangeOverloaded, ExchangeUnavailable, OnlyReducing, OutcomeUnknown } from "../host/exchange.ts";
import { ProjectionTimeout } from "../projector/waiting.ts";

/*
 * Everything for which the engine refuses an order or another command, once: what bots are told on `/fapi` (`msg`) and
 * what the account area says (`code`, `text`, `status`). `fapi/refusals.ts` and `account/refusals.ts` make replies of it.
 */

/** What `limit` and `actual` of a refusal count. */
type Unit = "money" | "price" | "lots" | "rate" | "count";

interface Row {
  /** Absent where no command of `/fapi` meets it. */
  readonly msg?: string | ((limit: string) => string);
  readonly code: string;
  readonly text: string;
  readonly status?: number;
  readonly unit?: Unit;
  /** The rule's name for clients, where it is not the reason's. */
  readonly rule?: string;
}

const UNFORESEEN: Row = { code: "REFUSED", text: "the exchange refused the request" };

/** WIRE-7: the reasons of the engine. Their numbers on the wire are the engine's own (`WIRE_CODES`). */
export const REFUSALS: Readonly<Partial<Record<Reason, Row>>> = {
  bad_field: {
    msg: "Data sent for a parameter is not valid.",
    code: "BAD_REQUEST",
    text: "a field of the request is out of its range",
  },
  unknown_account: {
    msg: "Invalid API-key, IP, or permissions for action.",
    code: "ACCOUNT_NOT_FOUND",
    status: 404,
    text: "the wallet has no futures account",
  },
  account_out_of_sequence: { code: "BAD_REQUEST", text: "the account is out of sequence" },
  unknown_market: { msg: "Invalid symbol.", code: "INVALID_SYMBOL", text: "there is no such market" },
  bad_market: { code: "INVALID_MARKET", text: "the market's definition is not valid" },
  duplicate_market: { code: "DUPLICATE_MARKET", status: 409, text: "there is a market of this symbol already" },
  window_passed: { code: "WINDOW_PASSED", text: "the hour has been settled already" },
  out_of_range: { code: "OUT_OF_RANGE", text: "the value is out of its range", unit: "count" },
  market_halted: {
    msg: "This market is halted: no orders are taken.",
    code: "MARKET_HALTED",
    text: "the market is halted",
  },
  no_price: { msg: "This market has no price yet.", code: "NO_PRICE", text: "the market has no price yet" },
  lot_size: {
    msg: "Filter failure: LOT_SIZE.",
    code: "LOT_SIZE",
    text: "Filter failure: LOT_SIZE. The quantity is below one lot",
  },
  price_above_band: {
    msg: (limit) => `Limit price can't be higher than ${limit}.`,
    code: "PRICE_TOO_HIGH",
    text: "the price is too far above the mark",
    unit: "price",
  },
  price_below_band: {
    msg: (limit) => `Limit price can't be lower than ${limit}.`,
    code: "PRICE_TOO_LOW",
    text: "the price is too far below the mark",
    unit: "price",
  },
  bonus_price_above: {
    msg: (limit) => `With a bonus, a price to open can't be higher than ${limit}.`,
    code: "BONUS_FAIR_PRICE",
    text: "with a bonus nothing is opened so far above the mark",
    unit: "price",
    rule: "bonus_fair_price",
  },
  bonus_price_below: {
    msg: (limit) => `With a bonus, a price to open can't be lower than ${limit}.`,
    code: "BONUS_FAIR_PRICE",
    text: "with a bonus nothing is opened so far below the mark",
    unit: "price",
    rule: "bonus_fair_price",
  },
  min_notional: {
    msg: "Filter failure: MIN_NOTIONAL.",
    code: "MIN_NOTIONAL",
    text: "Filter failure: MIN_NOTIONAL. The order is too small",
    unit: "money",
  },
  max_notional: {
    msg: "Filter failure: MAX_NOTIONAL.",
    code: "MAX_NOTIONAL",
    text: "Filter failure: MAX_NOTIONAL. The order is too large",
    unit: "money",
  },
  reduce_only_rejected: {
    msg: "ReduceOnly Order is rejected.",
    code: "REDUCE_ONLY_REJECTED",
    text: "there is nothing left that the order could reduce",
    unit: "lots",
  },
  market_reduce_only: {
    msg: "User can only place reduce only order: this market is reduce-only.",
    code: "MARKET_REDUCE_ONLY",
    text: "the market takes only orders that reduce a position",
  },
  bonus_only_reducing: {
    msg: "User can only place reduce only order: the bonus is frozen or expired.",
    code: "BONUS_ONLY_REDUCING",
    text: "the bonus is frozen or expired: only reducing is allowed",
  },
  bonus_ratio: {
    msg: "The bonus ratio rule allows only orders in the direction of the position.",
    code: "BONUS_RATIO",
    text: "with this share of bonus, orders must match the direction of the position",
    unit: "lots",
  },
  position_limit: {
    msg: "Exceeded the maximum allowable position at current leverage.",
    code: "POSITION_LIMIT",
    text: "the position would be larger than its leverage allows",
    unit: "money",
  },
  market_full: {
    msg: "Exceeded the maximum allowable position: this market is full.",
    code: "MARKET_FULL",
    text: "the market cannot take so much more",
    unit: "money",
  },
  in_liquidation: {
    msg: "User in liquidation mode now.",
    code: "IN_LIQUIDATION",
    text: "the account is being liquidated",
    unit: "money",
  },
  margin_insufficient: {
    msg: "Margin is insufficient.",
    code: "MARGIN_INSUFFICIENT",
    text: "the margin is insufficient",
    unit: "money",
  },
  too_many_orders: {
    msg: "Reach max open order limit.",
    code: "TOO_MANY_ORDERS",
    text: "there are too many open orders",
    unit: "count",
  },
  too_many_conditionals: {
    msg: "Reach max stop order limit.",
    code: "TOO_MANY_CONDITIONAL_ORDERS",
    text: "there are too many conditional orders",
    unit: "count",
  },
  duplicate_client_id: {
    msg: "ClientOrderId is duplicated.",
    code: "DUPLICATE_CLIENT_ORDER_ID",
    text: "an open order has this client_order_id already",
  },
  would_trigger: {
    msg: "Order would immediately trigger.",
    code: "WOULD_TRIGGER",
    text: "the order would trigger immediately",
    unit: "price",
  },
  slippage_exceeded: {
    msg: "Unable to fill.",
    code: "SLIPPAGE_EXCEEDED",
    text: "the book cannot fill the order within max_slippage",
    unit: "rate",
  },
  post_only_would_take: {
    msg: "Order would immediately match and take.",
    code: "POST_ONLY_WOULD_TAKE",
    text: "Order would immediately match and take.",
  },
  good_till_passed: {
    msg: "Invalid goodTillDate: it has passed.",
    code: "INVALID_GOOD_TILL_DATE",
    text: "the order's end has passed",
    unit: "count",
  },
  no_price_level: {
    msg: "No depth for this price match.",
    code: "NO_PRICE_LEVEL",
    text: "the book has no such level to take the price from",
  },
  fok_not_filled: {
    msg: "Due to the order could not be filled immediately, the FOK order has been rejected.",
    code: "FOK_NOT_FILLED",
    text: "the order cannot be filled as a whole at once",
  },
  unknown_order: {
    msg: "Unknown order sent.",
    code: "ORDER_NOT_FOUND",
    status: 404,
    text: "there is no such open order",
  },
  wrong_side: { msg: "Invalid side.", code: "WRONG_SIDE", text: "the order is of the other side" },
  nothing_to_modify: {
    msg: "No need to modify the order.",
    code: "NOTHING_TO_MODIFY",
    text: "the order is so already",
  },
  leverage_invalid: {
    msg: (limit) => `Leverage is not valid: 1 to ${limit}.`,
    code: "LEVERAGE_INVALID",
    text: "the leverage is not allowed",
    unit: "count",
  },
  leverage_margin: {
    msg: "Leverage is smaller than permitted: insufficient margin balance.",
    code: "LEVERAGE_MARGIN",
    text: "the margin is insufficient for a lower leverage",
    unit: "money",
  },
  mode_open_orders: {
    msg: "Margin type cannot be changed if there exists open orders.",
    code: "MARGIN_MODE_OPEN_ORDERS",
    text: "the margin mode cannot change while there are open orders",
  },
  mode_open_position: {
    msg: "Margin type cannot be changed if there exists position.",
    code: "MARGIN_MODE_OPEN_POSITION",
    text: "the margin mode cannot change while there is a position",
  },
  mode_bonus: {
    msg: "Isolated margin is not available while there is a bonus.",
    code: "MARGIN_MODE_BONUS",
    text: "isolated margin is not available while there is a bonus",
  },
  not_isolated: {
    msg: "Margin can be moved only into and out of an isolated position.",
    code: "NOT_ISOLATED",
    text: "there is no isolated position",
  },
  balance_limit: { code: "BALANCE_LIMIT", text: "the balance would be above its limit", unit: "money" },
  not_withdrawable: {
    code: "WITHDRAWABLE_INSUFFICIENT",
    text: "the amount is above what may be withdrawn",
    unit: "money",
  },
  rules_version: { code: "RULES_VERSION", status: 409, text: "later rules than these hold already", unit: "count" },
  wallet_known: { code: "WALLET_KNOWN", status: 409, text: "the account's wallet is known already" },
  not_in_flight: { code: "NOT_IN_FLIGHT", text: "so much is not in flight", unit: "money" },
  fee_account_short: { code: "FEE_ACCOUNT_SHORT", text: "the fee account holds less", unit: "money" },
  already_has_bonus: { code: "ALREADY_HAS_BONUS", status: 409, text: "the wallet has a bonus already" },
  account_in_debt: { code: "ACCOUNT_IN_DEBT", status: 409, text: "the account's principal is below zero" },
  no_bonus: { code: "NO_BONUS", text: "the wallet has no bonus" },
  already_frozen: { code: "ALREADY_FROZEN", status: 409, text: "the bonus is frozen already" },
  not_frozen: { code: "NOT_FROZEN", status: 409, text: "the bonus is not frozen" },
  bonus_locked: { code: "BONUS_LOCKED", status: 409, text: "the bonus is locked in margin", unit: "money" },
  already_expired: { code: "ALREADY_EXPIRED", status: 409, text: "the bonus has expired already" },
  not_expired: { code: "NOT_EXPIRED", status: 409, text: "the bonus has not expired" },
  not_due: { code: "NOT_DUE", text: "it is not due yet" },
};

function figure(unit: Unit, value: number, market: Market | undefined): string | number {
  // The most lots of all is a limit of the engine, whatever an order is worth.
  if (unit === "money") return value === MAX_LOTS ? String(value) : moneyText(value);
  if (unit === "rate") return rateText(value);
  if (market === undefined || unit === "count") return value;
  return unit === "price" ? priceText(market, value) : quantityText(market, value);
}

/** A refusal of the engine with its words, and with its rule, limit and what was asked in units that people read. */
export function describeRefusal({ reason, limit, actual }: Refusal, market: Market | undefined) {
  const row = REFUSALS[reason] ?? UNFORESEEN;
  const { unit, rule = reason } = row;
  const figures =
    unit === undefined ? {} : { limit: figure(unit, limit, market), actual: figure(unit, actual, market) };
  const details: RefusalDetails = { rule, ...figures };
  return { row, details };
}

/** The refusal of a command, if it was refused: then it is its last event. What its time ended comes before it. */
export function refusedIn({ events }: Pick<Applied, "events">): Refusal | undefined {
  return events.find((event) => event.kind === "refused");
}

/** What went wrong on the way to the engine or the database, under its name on `/fapi` and in the account area. */
export function failureOf(error: unknown): { readonly fapi: FapiErrorName; readonly code: string } | undefined {
  if (error instanceof ExchangeOverloaded) return { fapi: "THROTTLED", code: "SYSTEM_BUSY" };
  if (error instanceof OnlyReducing) return { fapi: "SERVICE_UNAVAILABLE", code: "ONLY_REDUCING" };
  if (error instanceof ExchangeUnavailable) return { fapi: "SERVICE_UNAVAILABLE", code: "SERVICE_UNAVAILABLE" };
  if (error instanceof OutcomeUnknown || error instanceof AnswerLate) {
    return { fapi: "UNKNOWN_OUTCOME", code: "OUTCOME_UNKNOWN" };
  }
  return error instanceof ProjectionTimeout ? { fapi: "TIMEOUT", code: "TIMEOUT" } : undefined;
}
