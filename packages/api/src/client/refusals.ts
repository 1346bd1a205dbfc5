/** The content of a refusal, in all areas. */
interface Told {
  readonly code: string;
  readonly exchangeCode: number | undefined;
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const numberOf = (value: unknown) => (typeof value === "number" ? value : undefined);

/** `{error, code, exchange_code?, details?}`, on /fapi `{code, msg, details?}`. */
function readBody(status: number, body: unknown): Told {
  const { error, code, msg, exchange_code, details } = isRecord(body) ? body : {};
  const more = isRecord(details) ? details : undefined;
  const reason = error ?? msg;
  return {
    code: code === undefined ? `HTTP_${status}` : String(code),
    exchangeCode: numberOf(exchange_code) ?? numberOf(code) ?? numberOf(more?.["exchange_code"]),
    reason: typeof reason === "string" ? reason : "no reason given",
    details: more,
  };
}

/** `Retry-After` in seconds; proxies may send a date instead. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const wait_ms = Date.parse(header) - Date.now();
  return Number.isNaN(wait_ms) ? undefined : Math.max(0, Math.ceil(wait_ms / 1000));
}

/** The server understood the request and refused it. */
export class RequestRefused extends Error {
  readonly status: number;
  /** For programs: upper snake case, in the bonus area lower; on /fapi the number as text (`"-2019"`). */
  readonly code: string;
  /** The code of the same refusal on /fapi, if there is one. */
  readonly exchangeCode: number | undefined;
  /** For people. */
  readonly reason: string;
  /** Such as `{rule, limit, actual, parameter}`. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** How long to wait before the next attempt, if the server states it. */
  readonly retryAfter_s: number | undefined;
  /** The request's id in the server's process log. */
  readonly requestId: string | undefined;
  readonly body: unknown;

  constructor(status: number, body: unknown, headers: Headers = new Headers()) {
    const { code, exchangeCode, reason, details } = readBody(status, body);
    super(`${status}: ${reason}`);
    this.name = "RequestRefused";
    this.status = status;
    this.code = code;
    this.exchangeCode = exchangeCode;
    this.reason = reason;
    this.details = details;
    this.retryAfter_s = readRetryAfter(headers.get("retry-after"));
    this.requestId = headers.get("x-request-id") ?? undefined;
    this.body = body;
  }
}

/**
 * There is no response from the server itself: no connection, a broken connection, or a page of a proxy. It is unknown
 * whether a request that changes something was carried out.
 */
export class ServerUnreachable extends Error {
  /** The status of a response that did not come from the server; undefined if there was none. */
  readonly status: number | undefined;

  constructor(status: number | undefined, cause: unknown) {
    super(status === undefined ? "the server cannot be reached" : `the server cannot be reached (${status})`, {
      cause,
    });
    this.name = "ServerUnreachable";
    this.status = status;
  }
}
