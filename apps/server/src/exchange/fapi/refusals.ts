import { MAX_LOTS, type Market, type Reason, type Refusal, WIRE_CODES } from "@bourse/engine";
import { FapiError, type RefusalDetails } from "../../kernel/errors.ts";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import { WindowTooLong } from "../history/windows.ts";
import type { Applied } from "../host/exchange.ts";
import { ExchangeOverloaded, ExchangeUnavailable, OutcomeUnknown } from "../host/exchange.ts";
import { ProjectionTimeout } from "../projector/waiting.ts";
import { moneyText, priceText, quantityText, rateText } from "../units.ts";

/** What the numbers of a refusal are, so that people can read them. */
type Unit = "none" | "ticks" | "lots" | "micros" | "rate" | "count";

interface Row {
  readonly msg: string | ((limit: string) => string);
  readonly unit: Unit;
}

const row = (msg: Row["msg"], unit: Unit = "none"): Row => ({ msg, unit });

/** The engine's refusals in the words that bots know. The codes are the engine's own (`WIRE_CODES`). */
const ROWS: Readonly<Partial<Record<Reason, Row>>> = {
  unknown_account: row("Invalid API-key, IP, or permissions for action."),
  unknown_market: row("Invalid symbol."),
  market_halted: row("This market is halted: no orders are taken."),
  no_price: row("This market has no price yet."),
  lot_size: row("Filter failure: LOT_SIZE."),
  price_above_band: row((limit) => `Limit price can't be higher than ${limit}.`, "ticks"),
  price_below_band: row((limit) => `Limit price can't be lower than ${limit}.`, "ticks"),
  min_notional: row("Filter failure: MIN_NOTIONAL.", "micros"),
  max_notional: row("Filter failure: MAX_NOTIONAL.", "micros"),
  reduce_only_rejected: row("ReduceOnly Order is rejected.", "lots"),
  market_reduce_only: row("User can only place reduce only order: this market is reduce-only."),
  bonus_only_reducing: row("User can only place reduce only order: the bonus is frozen or expired."),
  bonus_ratio: row("The bonus ratio rule allows only orders in the direction of the position.", "lots"),
  position_limit: row("Exceeded the maximum allowable position at current leverage.", "micros"),
  market_full: row("Exceeded the maximum allowable position: this market is full.", "micros"),
  in_liquidation: row("User in liquidation mode now.", "micros"),
  margin_insufficient: row("Margin is insufficient.", "micros"),
  too_many_orders: row("Reach max open order limit.", "count"),
  too_many_conditionals: row("Reach max stop order limit.", "count"),
  duplicate_client_id: row("ClientOrderId is duplicated."),
  would_trigger: row("Order would immediately trigger.", "ticks"),
  slippage_exceeded: row("Unable to fill.", "rate"),
  post_only_would_take: row("Order would immediately match and take."),
  fok_not_filled: row("Due to the order could not be filled immediately, the FOK order has been rejected."),
  unknown_order: row("Unknown order sent."),
  wrong_side: row("Invalid side."),
  nothing_to_modify: row("No need to modify the order."),
  leverage_invalid: row((limit) => `Leverage is not valid: 1 to ${limit}.`, "count"),
  leverage_margin: row("Leverage is smaller than permitted: insufficient margin balance.", "micros"),
  mode_open_orders: row("Margin type cannot be changed if there exists open orders."),
  mode_open_position: row("Margin type cannot be changed if there exists position."),
  mode_bonus: row("Isolated margin is not available while there is a bonus."),
  not_isolated: row("Margin can be moved only into and out of an isolated position."),
  bad_field: row("Data sent for a parameter is not valid."),
};

function figure(unit: Unit, value: number, market: Market | undefined): string | number {
  if (unit === "micros") return value === MAX_LOTS ? String(value) : moneyText(value);
  if (unit === "rate") return rateText(value);
  if (market === undefined || unit === "none" || unit === "count") return value;
  return unit === "ticks" ? priceText(market, value) : quantityText(market, value);
}

/** The refusal of the engine as bots see it, with the rule, its limit and what was asked. */
export function refusalOf({ reason, limit, actual }: Refusal, market?: Market): FapiError {
  const { msg, unit } = ROWS[reason] ?? row("This cannot be done.");
  const shownLimit = figure(unit, limit, market);
  const details: RefusalDetails =
    unit === "none" ? { rule: reason } : { rule: reason, limit: shownLimit, actual: figure(unit, actual, market) };
  const text = typeof msg === "string" ? msg : msg(String(shownLimit));
  return new FapiError(WIRE_CODES[reason] === -2015 ? 401 : 400, WIRE_CODES[reason] || -1130, text, { details });
}

/** The refusal among the events of a command, if it was refused. */
export function refusedIn({ events }: Applied): Refusal | undefined {
  for (const event of events) if (event.kind === "refused") return event;
  return undefined;
}

/** What went wrong on the way to the engine or the database, as bots see it; anything else stays what it is. */
export function asFapiError(error: unknown): unknown {
  if (error instanceof ExchangeOverloaded) return fapiRefusal("THROTTLED");
  if (error instanceof ExchangeUnavailable) return fapiRefusal("SERVICE_UNAVAILABLE");
  if (error instanceof OutcomeUnknown) return fapiRefusal("UNKNOWN_OUTCOME");
  if (error instanceof ProjectionTimeout) {
    return fapiRefusal("TIMEOUT", { msg: "Timeout waiting for response from backend server." });
  }
  if (error instanceof WindowTooLong) {
    return fapiRefusal("WINDOW", { details: { rule: "window_ms", limit: error.longest_ms } });
  }
  return error;
}
