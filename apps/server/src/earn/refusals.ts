import { ApiError, type RefusalDetails } from "../kernel/errors.ts";

const bad = (code: string, text: string, details?: RefusalDetails) => new ApiError(400, code, text, { details });

/** The refusals of interface 7.1, in the order in which they are checked (ERN-3). */
export const refusals = {
  paused: () => new ApiError(503, "EARN_PREPARE_PAUSED", "new subscriptions are paused"),
  invalidAmount: () =>
    bad("INVALID_AMOUNT", "the amount must be a positive decimal number with at most 6 decimals", { rule: "amount" }),
  productNotFound: () => new ApiError(404, "PRODUCT_NOT_FOUND", "there is no such product"),
  subscriptionClosed: () => bad("SUBSCRIPTION_CLOSED", "the product cannot be subscribed to now"),
  amountTooLow: (limit: bigint, actual: bigint) =>
    bad("AMOUNT_TOO_LOW", "the amount is below the product's minimum", amounts("min_amount", limit, actual)),
  amountTooHigh: (limit: bigint, actual: bigint) =>
    bad(
      "AMOUNT_TOO_HIGH",
      "the position would exceed the maximum for one user",
      amounts("max_amount_per_user", limit, actual),
    ),
  quotaExceeded: (limit: bigint, actual: bigint) =>
    bad("QUOTA_EXCEEDED", "the remaining quota is too small", amounts("available", limit, actual)),
  subscriptionNotFound: () => new ApiError(404, "SUBSCRIPTION_NOT_FOUND", "there is no such subscription"),
  tooManyVouchers: (retryAfter_s: number) =>
    new ApiError(429, "RATE_LIMITED", "too many vouchers at once; wait a little", { retryAfter_s }),
  chainError: () => new ApiError(500, "CHAIN_ERROR", "the chain could not be asked"),
};

/** In the token's smallest unit. */
const amounts = (rule: string, limit: bigint, actual: bigint): RefusalDetails => ({
  rule,
  limit: (limit > 0n ? limit : 0n).toString(),
  actual: actual.toString(),
});

/** The refusals of the administration. */
export const adminRefusals = {
  invalidTerms: (field: string, text: string) => bad("INVALID_TERMS", `${field} ${text}`, { rule: "terms", field }),
  invalidState: (status: string, text: string) => new ApiError(409, "INVALID_STATE", text, { details: { status } }),
  requestIdConflict: () =>
    new ApiError(409, "REQUEST_ID_CONFLICT", "the request_id was used for something else before"),
  refusedByChain: (reason: string) => new ApiError(409, "CHAIN_REFUSED", `the contract refuses it: ${reason}`),
  chainUnavailable: (reason: string) =>
    new ApiError(503, "CHAIN_UNAVAILABLE", `nothing was changed, the chain cannot be reached: ${reason}`),
  outcomeUnknown: (product_id: string, reason: string) =>
    new ApiError(
      503,
      "OUTCOME_UNKNOWN",
      `it is decided and sent, but its outcome is not known yet: ${reason}. It is looked after; do not ask for it anew`,
      { details: { product_id } },
    ),
};
