/**
 * Codes of the exchange-style interface that the kernel itself answers, with status and text. Existing clients match
 * some of these texts literally, so they are kept to the letter.
 */
export const fapiErrors = {
  UNKNOWN: { code: -1000, status: 500, msg: "Request occur unknown error." },
  UNAUTHORIZED: { code: -1002, status: 401, msg: "You are not authorized to execute this request." },
  TOO_MANY_REQUESTS: { code: -1003, status: 429, msg: "Too many requests; please slow down." },
  BANNED: { code: -1003, status: 418, msg: "Way too many requests; this address is banned." },
  UNKNOWN_OUTCOME: { code: -1006, status: 503, msg: "Unknown error, please check your request or try again later." },
  TIMEOUT: { code: -1007, status: 408, msg: "Timeout waiting for response; the outcome is unknown." },
  THROTTLED: {
    code: -1008,
    status: 503,
    msg: "Request throttled by system-level protection. Reduce-only/close-position orders are exempt. Please try again.(-1008)",
  },
  TOO_MANY_ORDERS: { code: -1015, status: 429, msg: "Too many new orders." },
  SERVICE_UNAVAILABLE: { code: -1016, status: 503, msg: "Service Unavailable." },
  UNSUPPORTED: { code: -1020, status: 404, msg: "This operation is not supported." },
  TIMESTAMP: { code: -1021, status: 400, msg: "Timestamp for this request is outside of the recvWindow." },
  SIGNATURE: { code: -1022, status: 400, msg: "Signature for this request is not valid." },
  ILLEGAL_CHARACTERS: { code: -1100, status: 400, msg: "Illegal characters found in a parameter." },
  TOO_MANY_PARAMETERS: { code: -1101, status: 400, msg: "Too many parameters sent for this endpoint." },
  MANDATORY: { code: -1102, status: 400, msg: "Mandatory parameter was not sent, was empty/null, or malformed." },
  BAD_DATA: { code: -1130, status: 400, msg: "Data sent for a parameter is not valid." },
  KEY_FORMAT: { code: -2014, status: 401, msg: "API-key format invalid." },
  KEY_REFUSED: { code: -2015, status: 401, msg: "Invalid API-key, IP, or permissions for action." },
  HEDGE_MODE: {
    code: -4059,
    status: 400,
    msg: "Hedge mode is not available: positions are one-way (dualSidePosition=false).",
  },
} as const satisfies Record<string, { code: number; status: number; msg: string }>;

export type FapiErrorName = keyof typeof fapiErrors;
