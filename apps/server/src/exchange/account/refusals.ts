import { fapiErrors } from "@bourse/api";
import { type EventOf, type Market, type Reason, WIRE_CODES } from "@bourse/engine";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, type RefusalDetails, type RefusalExtra } from "../../kernel/errors.ts";
import { jsonErrorReply } from "../../kernel/http/error-replies.ts";
import { BadCursor } from "../history/page-cursor.ts";
import { WindowTooLong } from "../history/windows.ts";
import { type Applied, ExchangeOverloaded, ExchangeUnavailable, OutcomeUnknown } from "../host/exchange.ts";
import { ProjectionTimeout } from "../projector/waiting.ts";
import { moneyText, priceText, quantityText, rateText } from "../units.ts";

/** What `limit` and `actual` of a refusal count. */
type Measure = "money" | "price" | "lots" | "rate" | "count";

interface Row {
  readonly code: string;
  readonly text: string;
  readonly status?: number;
  readonly measure?: Measure;
}

/** WIRE-7: every reason for which the engine refuses a command, as the account area says it. */
export const REFUSALS = {
  bad_field: { code: "BAD_REQUEST", text: "a field of the request is out of its range" },
  unknown_account: { code: "ACCOUNT_NOT_FOUND", status: 404, text: "the wallet has no futures account" },
  account_out_of_sequence: { code: "BAD_REQUEST", text: "the account is out of sequence" },
  unknown_market: { code: "INVALID_SYMBOL", text: "there is no such market" },
  bad_market: { code: "INVALID_MARKET", text: "the market's definition is not valid" },
  duplicate_market: { code: "DUPLICATE_MARKET", status: 409, text: "there is a market of this symbol already" },
  window_passed: { code: "WINDOW_PASSED", text: "the hour has been settled already" },
  out_of_range: { code: "OUT_OF_RANGE", text: "the value is out of its range", measure: "count" },
  market_halted: { code: "MARKET_HALTED", text: "the market is halted" },
  no_price: { code: "NO_PRICE", text: "the market has no price yet" },
  lot_size: { code: "LOT_SIZE", text: "Filter failure: LOT_SIZE. The quantity is below one lot" },
  price_above_band: { code: "PRICE_TOO_HIGH", text: "the price is too far above the mark", measure: "price" },
  price_below_band: { code: "PRICE_TOO_LOW", text: "the price is too far below the mark", measure: "price" },
  min_notional: {
    code: "MIN_NOTIONAL",
    text: "Filter failure: MIN_NOTIONAL. The order is too small",
    measure: "money",
  },
  max_notional: {
    code: "MAX_NOTIONAL",
    text: "Filter failure: MAX_NOTIONAL. The order is too large",
    measure: "money",
  },
  reduce_only_rejected: {
    code: "REDUCE_ONLY_REJECTED",
    text: "there is nothing left that the order could reduce",
    measure: "lots",
  },
  market_reduce_only: { code: "MARKET_REDUCE_ONLY", text: "the market takes only orders that reduce a position" },
  bonus_only_reducing: {
    code: "BONUS_ONLY_REDUCING",
    text: "the bonus is frozen or expired: only reducing is allowed",
  },
  bonus_ratio: {
    code: "BONUS_RATIO",
    text: "with this share of bonus, orders must match the direction of the position",
    measure: "lots",
  },
  position_limit: {
    code: "POSITION_LIMIT",
    text: "the position would be larger than its leverage allows",
    measure: "money",
  },
  market_full: { code: "MARKET_FULL", text: "the market cannot take so much more", measure: "money" },
  in_liquidation: { code: "IN_LIQUIDATION", text: "the account is being liquidated", measure: "money" },
  margin_insufficient: { code: "MARGIN_INSUFFICIENT", text: "the margin is insufficient", measure: "money" },
  too_many_orders: { code: "TOO_MANY_ORDERS", text: "there are too many open orders", measure: "count" },
  too_many_conditionals: {
    code: "TOO_MANY_CONDITIONAL_ORDERS",
    text: "there are too many conditional orders",
    measure: "count",
  },
  duplicate_client_id: { code: "DUPLICATE_CLIENT_ORDER_ID", text: "an open order has this client_order_id already" },
  would_trigger: { code: "WOULD_TRIGGER", text: "the order would trigger immediately", measure: "price" },
  slippage_exceeded: {
    code: "SLIPPAGE_EXCEEDED",
    text: "the book cannot fill the order within max_slippage",
    measure: "rate",
  },
  post_only_would_take: { code: "POST_ONLY_WOULD_TAKE", text: "Order would immediately match and take." },
  fok_not_filled: { code: "FOK_NOT_FILLED", text: "the order cannot be filled as a whole at once" },
  unknown_order: { code: "ORDER_NOT_FOUND", status: 404, text: "there is no such open order" },
  wrong_side: { code: "WRONG_SIDE", text: "the order is of the other side" },
  nothing_to_modify: { code: "NOTHING_TO_MODIFY", text: "the order is so already" },
  leverage_invalid: { code: "LEVERAGE_INVALID", text: "the leverage is not allowed", measure: "count" },
  leverage_margin: {
    code: "LEVERAGE_MARGIN",
    text: "the margin is insufficient for a lower leverage",
    measure: "money",
  },
  mode_open_orders: {
    code: "MARGIN_MODE_OPEN_ORDERS",
    text: "the margin mode cannot change while there are open orders",
  },
  mode_open_position: {
    code: "MARGIN_MODE_OPEN_POSITION",
    text: "the margin mode cannot change while there is a position",
  },
  mode_bonus: { code: "MARGIN_MODE_BONUS", text: "isolated margin is not available while there is a bonus" },
  not_isolated: { code: "NOT_ISOLATED", text: "there is no isolated position" },
  balance_limit: { code: "BALANCE_LIMIT", text: "the balance would be above its limit", measure: "money" },
  not_withdrawable: {
    code: "WITHDRAWABLE_INSUFFICIENT",
    text: "the amount is above what may be withdrawn",
    measure: "money",
  },
  not_in_flight: { code: "NOT_IN_FLIGHT", text: "so much is not in flight", measure: "money" },
  fee_account_short: { code: "FEE_ACCOUNT_SHORT", text: "the fee account holds less", measure: "money" },
  already_has_bonus: { code: "ALREADY_HAS_BONUS", status: 409, text: "the wallet has a bonus already" },
  no_bonus: { code: "NO_BONUS", text: "the wallet has no bonus" },
  already_frozen: { code: "ALREADY_FROZEN", status: 409, text: "the bonus is frozen already" },
  not_frozen: { code: "NOT_FROZEN", status: 409, text: "the bonus is not frozen" },
  bonus_locked: { code: "BONUS_LOCKED", status: 409, text: "the bonus is locked in margin", measure: "money" },
  already_expired: { code: "ALREADY_EXPIRED", status: 409, text: "the bonus has expired already" },
  not_expired: { code: "NOT_EXPIRED", status: 409, text: "the bonus has not expired" },
  not_due: { code: "NOT_DUE", text: "it is not due yet" },
} as const satisfies Partial<Record<Reason, Row>>;

/** A refusal whose body holds more than `{error, code, details}`. Routes that throw it send it by `sendAccountError`. */
export class AccountRefusal extends ApiError {
  readonly fields: Readonly<Record<string, string | number>>;

  constructor(
    status: number,
    code: string,
    message: string,
    fields: Readonly<Record<string, string | number>>,
    extra: RefusalExtra = {},
  ) {
    super(status, code, message, extra);
    this.name = "AccountRefusal";
    this.fields = fields;
  }
}

/** The error handler of every route of the account area; what it does not know goes on to the server's own. */
export function sendAccountError(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  const known = error instanceof AccountRefusal ? error : (fromExchange(error) ?? fromRequest(error));
  if (known === undefined) throw error;
  const { status, body, retryAfter_s } = jsonErrorReply(known);
  if (retryAfter_s !== undefined) reply.header("retry-after", retryAfter_s);
  reply.code(status).type("application/json; charset=utf-8").serializer(JSON.stringify);
  return reply.send({ ...body, ...known.fields });
}

const hasValidation = (error: unknown): error is Error & { readonly validation: readonly { instancePath: string }[] } =>
  error instanceof Error && "validation" in error && Array.isArray(error.validation);

/** WIRE-7: what is wrong with a request has a code of the exchange-style interface as well. */
function fromRequest(error: unknown): AccountRefusal | undefined {
  if (hasValidation(error)) {
    const { body } = jsonErrorReply(error);
    const text = "error" in body ? body.error : error.message;
    const parameter = error.validation[0]?.instancePath.replace(/^\//, "").replaceAll("/", ".");
    const details = { rule: "format", ...(parameter === "" ? {} : { parameter }) };
    return refusal("BAD_REQUEST", fapiErrors.MANDATORY.code, text, details);
  }
  if (!(error instanceof ApiError) || error.status !== 400) return undefined;
  const { code, message, details = { rule: "value" } } = error;
  return refusal(code, fapiErrors.BAD_DATA.code, message, details);
}

/** A refusal with a code of the exchange-style interface of its own. */
export function refusal(code: string, exchange_code: number, text: string, details?: RefusalDetails): AccountRefusal {
  return new AccountRefusal(400, code, text, { exchange_code }, { details });
}

export const invalidSymbol = (symbol: string) =>
  refusal("INVALID_SYMBOL", WIRE_CODES.unknown_market, "there is no such market", { rule: "symbol", actual: symbol });

function measured(market: Market | undefined, measure: Measure | undefined, value: number): string | number {
  if (measure === "money") return moneyText(value);
  if (measure === "rate") return rateText(value);
  if (market !== undefined && measure === "price") return priceText(market, value);
  if (market !== undefined && measure === "lots") return quantityText(market, value);
  return value;
}

/** What the engine refused, as an error of the account area. */
export function engineRefusal(
  { reason, limit, actual }: Pick<EventOf<"refused">, "reason" | "limit" | "actual">,
  market?: Market,
): AccountRefusal {
  const row: Row | undefined = Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason as keyof typeof REFUSALS] : undefined;
  const { code, text, status = 400, measure } = row ?? { code: "REFUSED", text: "the exchange refused the request" };
  const bounds =
    measure === undefined ? {} : { limit: measured(market, measure, limit), actual: measured(market, measure, actual) };
  const details = { rule: reason, ...bounds };
  return new AccountRefusal(status, code, text, { exchange_code: WIRE_CODES[reason] }, { details });
}

export function refusedEvent({ events }: Pick<Applied, "events">): EventOf<"refused"> | undefined {
  const [first] = events;
  return first?.kind === "refused" ? first : undefined;
}

/** Throws where the engine refused the command. */
export function assertDone(applied: Applied, market?: Market): void {
  const refused = refusedEvent(applied);
  if (refused !== undefined) throw engineRefusal(refused, market);
}

/** What the exchange itself, or its history, could not do. */
function fromExchange(error: unknown): AccountRefusal | undefined {
  const as = (code: string, { status, code: exchange_code, msg }: { status: number; code: number; msg: string }) =>
    new AccountRefusal(status, code, msg, { exchange_code });
  if (error instanceof ExchangeOverloaded) return as("SYSTEM_BUSY", fapiErrors.THROTTLED);
  if (error instanceof ExchangeUnavailable) return as("SERVICE_UNAVAILABLE", fapiErrors.SERVICE_UNAVAILABLE);
  if (error instanceof OutcomeUnknown) return as("OUTCOME_UNKNOWN", fapiErrors.UNKNOWN_OUTCOME);
  if (error instanceof ProjectionTimeout) return as("TIMEOUT", { ...fapiErrors.TIMEOUT, msg: error.message });
  if (error instanceof BadCursor) {
    const text = "the cursor is none of ours, or belongs to another query";
    return refusal("BAD_CURSOR", fapiErrors.BAD_DATA.code, text, { rule: "cursor", parameter: "cursor" });
  }
  if (error instanceof WindowTooLong) return refusal("WINDOW_TOO_LONG", -1127, error.message, { rule: "window" });
  return undefined;
}
