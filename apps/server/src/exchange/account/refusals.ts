import { fapiErrors } from "@bourse/api";
import { type Market, type Refusal, WIRE_CODES } from "@bourse/engine";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError, type RefusalDetails, type RefusalExtra } from "../../kernel/errors.ts";
import { jsonErrorReply } from "../../kernel/http/error-replies.ts";
import { BadCursor } from "../../kernel/page-cursor.ts";
import { WindowTooLong, WindowTooOld } from "../../kernel/windows.ts";
import { type Applied, OnlyReducing } from "../host/exchange.ts";
import { describeRefusal, failureOf, refusedIn } from "../orders/refusals.ts";
import { type Refuse, requestRow } from "../orders/request-refusals.ts";
import { ProjectionTimeout } from "../projector/waiting.ts";

/**
 * A refusal with more fields than `{error, code, details}`. Routes that throw it use `sendAccountError` as error
 * handler.
 */
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

/** The error as a refusal of the account area; undefined for an error that this area does not translate. */
export const asAccountRefusal = (error: unknown): AccountRefusal | undefined =>
  error instanceof AccountRefusal ? error : (fromExchange(error) ?? fromRequest(error));

/**
 * The error handler of every route of the account area. Passes errors that it does not translate to the server's
 * handler.
 */
export function sendAccountError(error: unknown, _request: FastifyRequest, reply: FastifyReply) {
  const known = asAccountRefusal(error);
  if (known === undefined) throw error;
  const { status, body, retryAfter_s } = jsonErrorReply(known);
  if (retryAfter_s !== undefined) reply.header("retry-after", retryAfter_s);
  reply.code(status).type("application/json; charset=utf-8").serializer(JSON.stringify);
  return reply.send({ ...body, ...known.fields });
}

const hasValidation = (error: unknown): error is Error & { readonly validation: readonly { instancePath: string }[] } =>
  error instanceof Error && "validation" in error && Array.isArray(error.validation);

/** WIRE-7: an invalid request also gets an error code of the exchange-style interface. */
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

/** A refusal with its own code of the exchange-style interface. */
export function refusal(code: string, exchange_code: number, text: string, details?: RefusalDetails): AccountRefusal {
  return new AccountRefusal(400, code, text, { exchange_code }, { details });
}

export const invalidSymbol = (symbol: string) =>
  refusal("INVALID_SYMBOL", WIRE_CODES.unknown_market, "there is no such market", { rule: "symbol", actual: symbol });

/** An engine refusal as an error of the account area. */
export function engineRefusal(refusal: Refusal, market?: Market): AccountRefusal {
  const { row, details } = describeRefusal(refusal, market);
  const { code, text, status = 400 } = row;
  return new AccountRefusal(status, code, text, { exchange_code: WIRE_CODES[refusal.reason] }, { details });
}

/** The refusal of an order request that is not valid by itself. */
export const refuse: Refuse = (name, details = {}) => {
  const { fapi, code, text } = requestRow(name);
  return refusal(code, fapiErrors[fapi].code, text(details), details);
};

/** Throws if the engine refused the command. */
export function assertDone(applied: Applied, market?: Market): void {
  const refused = refusedIn(applied);
  if (refused !== undefined) throw engineRefusal(refused, market);
}

/** Failures of the exchange or of its history. */
function fromExchange(error: unknown): AccountRefusal | undefined {
  const failure = failureOf(error);
  if (failure !== undefined) {
    const { status, code: exchange_code, msg } = fapiErrors[failure.fapi];
    const text = error instanceof ProjectionTimeout || error instanceof OnlyReducing ? error.message : msg;
    return new AccountRefusal(status, failure.code, text, { exchange_code });
  }
  if (error instanceof BadCursor) {
    const text = "the cursor is none of ours, or belongs to another query";
    return refusal("BAD_CURSOR", fapiErrors.BAD_DATA.code, text, { rule: "cursor", parameter: "cursor" });
  }
  if (error instanceof WindowTooLong) return refusal("WINDOW_TOO_LONG", -1127, error.message, { rule: "window" });
  if (error instanceof WindowTooOld) return refusal("HISTORY_REMOVED", -4166, error.message, { rule: "history_days" });
  return undefined;
}
