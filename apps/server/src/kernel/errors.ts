/** Details of a refusal besides its code and text: the rule, its limit and the value sent. */
export interface RefusalDetails {
  readonly rule?: string;
  readonly limit?: string | number;
  readonly actual?: string | number;
  readonly [name: string]: unknown;
}

export interface RefusalExtra {
  readonly details?: RefusalDetails | undefined;
  /** Seconds for a `Retry-After` header. */
  readonly retryAfter_s?: number | undefined;
}

/** A refusal in the JSON areas; the reply is `{error, code, details?}` with its status. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: RefusalDetails | undefined;
  readonly retryAfter_s: number | undefined;

  constructor(status: number, code: string, message: string, extra: RefusalExtra = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.details = extra.details;
    this.retryAfter_s = extra.retryAfter_s;
  }
}

/** A refusal on `/fapi`; the reply is `{code, msg, details?}` with a negative code. */
export class FapiError extends Error {
  readonly status: number;
  readonly code: number;
  readonly details: RefusalDetails | undefined;
  readonly retryAfter_s: number | undefined;

  constructor(status: number, code: number, message: string, extra: RefusalExtra = {}) {
    super(message);
    this.name = "FapiError";
    this.status = status;
    this.code = code;
    this.details = extra.details;
    this.retryAfter_s = extra.retryAfter_s;
  }
}

export const unauthorized = (message = "authentication required") => new ApiError(401, "UNAUTHORIZED", message);
export const forbidden = (message: string) => new ApiError(403, "FORBIDDEN", message);
export const badRequest = (message: string, details?: RefusalDetails) =>
  new ApiError(400, "BAD_REQUEST", message, { details });
export const notFound = (message: string) => new ApiError(404, "NOT_FOUND", message);
