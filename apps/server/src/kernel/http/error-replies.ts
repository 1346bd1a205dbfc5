import { type ErrorBody, type FapiErrorBody, type FapiErrorName, fapiErrors } from "@bourse/api";
import { DatabaseUnavailable } from "../database/unavailable.ts";
import { ApiError, FapiError, type RefusalDetails, type RefusalExtra } from "../errors.ts";

/** The reply to an error: status, the area's body, and headers. `isUnforeseen` ones are logged. */
export interface ErrorReply {
  readonly status: number;
  readonly body: ErrorBody | FapiErrorBody;
  readonly retryAfter_s: number | undefined;
  readonly isUnforeseen: boolean;
}

/** Makes a refusal of /fapi from the table of codes; `msg` replaces the table's text. */
export function fapiRefusal(name: FapiErrorName, extra: RefusalExtra & { msg?: string } = {}): FapiError {
  const { status, code, msg } = fapiErrors[name];
  return new FapiError(status, code, extra.msg ?? msg, extra);
}

/** -1102: the parameter is missing or malformed. */
export const mandatoryParameter = (parameter: string): FapiError =>
  fapiRefusal("MANDATORY", {
    msg: `Mandatory parameter '${parameter}' was not sent, was empty/null, or malformed.`,
    details: { rule: "mandatory", parameter },
  });

/** -1130: the parameter's value cannot be used. */
export const invalidParameter = (parameter: string, details: RefusalDetails = { rule: "format" }): FapiError =>
  fapiRefusal("BAD_DATA", {
    msg: `Data sent for parameter '${parameter}' is not valid.`,
    details: { ...details, parameter },
  });

interface FrameworkError {
  readonly code?: unknown;
  readonly statusCode?: unknown;
  readonly validation?: readonly { readonly instancePath: string; readonly message?: string }[];
  readonly validationContext?: string;
  readonly message: string;
}

/** Refusals of the HTTP framework in our own texts and codes. */
function fromFramework(error: FrameworkError): ApiError | undefined {
  if (error.validation) {
    const first = error.validation[0];
    const place = `${error.validationContext ?? "request"}${(first?.instancePath ?? "").replaceAll("/", ".")}`;
    return new ApiError(400, "BAD_REQUEST", `${place} ${first?.message ?? "is not valid"}`);
  }
  if (error.code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new ApiError(413, "BODY_TOO_LARGE", "the body is larger than 256 KB");
  }
  const status = error.statusCode;
  if (typeof status === "number" && status >= 400 && status < 500) {
    return new ApiError(status, "BAD_REQUEST", "the request could not be read");
  }
  return undefined;
}

const asFrameworkError = (error: unknown): ApiError | undefined =>
  error instanceof Error ? fromFramework(error as FrameworkError) : undefined;

const databaseAway = () =>
  new ApiError(503, "SERVICE_UNAVAILABLE", "the service cannot reach its database; please try again", {
    retryAfter_s: 1,
  });

function asApiError(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  return thrown instanceof DatabaseUnavailable ? databaseAway() : asFrameworkError(thrown);
}

/** The error mapper of the JSON areas: `{error, code, details?}`. */
export function jsonErrorReply(thrown: unknown): ErrorReply {
  const error = asApiError(thrown);
  if (!error) {
    const body = { error: "something went wrong on our side", code: "INTERNAL" };
    return { status: 500, body, retryAfter_s: undefined, isUnforeseen: true };
  }
  return {
    status: error.status,
    body: { error: error.message, code: error.code, ...(error.details ? { details: error.details } : {}) },
    retryAfter_s: error.retryAfter_s,
    isUnforeseen: false,
  };
}

const FAPI_CODE_BY_STATUS: Readonly<Record<number, number>> = { 401: -1002, 403: -1002, 404: -1020, 429: -1003 };

/** The error mapper of /fapi: `{code, msg, details?}` with a negative code. */
export function fapiErrorReply(thrown: unknown): ErrorReply {
  if (!(thrown instanceof FapiError)) {
    const general = thrown instanceof ApiError ? thrown : asFrameworkError(thrown);
    if (!general) {
      const { status, code, msg } = fapiErrors.UNKNOWN;
      return { status, body: { code, msg }, retryAfter_s: undefined, isUnforeseen: true };
    }
    const code = FAPI_CODE_BY_STATUS[general.status] ?? fapiErrors.BAD_DATA.code;
    return fapiErrorReply(new FapiError(general.status, code, general.message, general));
  }
  return {
    status: thrown.status,
    body: { code: thrown.code, msg: thrown.message, ...(thrown.details ? { details: thrown.details } : {}) },
    retryAfter_s: thrown.retryAfter_s,
    isUnforeseen: false,
  };
}
