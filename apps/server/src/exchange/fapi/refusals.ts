import { type Market, type Refusal, WIRE_CODES } from "@bourse/engine";
import { FapiError } from "../../kernel/errors.ts";
import { fapiRefusal } from "../../kernel/http/error-replies.ts";
import { WindowTooLong, WindowTooOld } from "../../kernel/windows.ts";
import { OnlyReducing } from "../host/exchange.ts";
import { describeRefusal, failureOf } from "../orders/refusals.ts";
import { type Refuse, requestRow } from "../orders/request-refusals.ts";

/** The engine's refusal in the bots' interface, with the rule, its limit and the requested value. */
export function refusalOf(refusal: Refusal, market?: Market): FapiError {
  const { row, details } = describeRefusal(refusal, market);
  const { msg } = row;
  const code = WIRE_CODES[refusal.reason] || -1130;
  if (msg === undefined) return new FapiError(400, code, "This cannot be done.", { details: { rule: refusal.reason } });
  const text = typeof msg === "string" ? msg : msg(String(details.limit));
  return new FapiError(code === -2015 ? 401 : 400, code, text, { details });
}

/** The refusal of an order request that is not valid by itself. */
export const refuse: Refuse = (refusal, details) => {
  const { fapi, msg } = requestRow(refusal);
  return fapiRefusal(fapi, { ...(msg === undefined ? {} : { msg: msg(details ?? {}) }), details });
};

/** Translates failures of the exchange and the database for the bots' interface; returns other errors unchanged. */
export function asFapiError(error: unknown): unknown {
  if (error instanceof WindowTooLong) {
    return fapiRefusal("WINDOW", { details: { rule: "window_ms", limit: error.max_ms } });
  }
  if (error instanceof WindowTooOld) {
    const msg = `Search window is restricted to recent ${error.days} days only.`;
    return fapiRefusal("WINDOW_REMOVED", { msg, details: { rule: "history_days", limit: error.days } });
  }
  const failure = failureOf(error)?.fapi;
  if (failure === undefined) return error;
  if (error instanceof OnlyReducing) return fapiRefusal(failure, { msg: error.message });
  const isLate = failure === "TIMEOUT";
  return fapiRefusal(failure, isLate ? { msg: "Timeout waiting for response from backend server." } : {});
}
