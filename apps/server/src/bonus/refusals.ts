import { ApiError, type RefusalDetails } from "../kernel/errors.ts";

const bad = (code: string, text: string, details?: RefusalDetails) => new ApiError(400, code, text, { details });
const conflict = (code: string, text: string, details?: RefusalDetails) => new ApiError(409, code, text, { details });

/** BON-1, BON-5: the refusals of the bonus program. Their codes are the documented reasons, letter for letter. */
export const refusals = {
  fieldRequired: (name: string) => bad("field_required", `${name} is required`, { rule: name }),
  invalidField: (name: string, text: string) => bad("invalid_field", `${name} ${text}`, { rule: name }),
  invalidAmount: (text: string) => bad("invalid_amount", text, { rule: "amount" }),
  invalidAddress: (name: string) => bad("invalid_address", `${name} is no valid address`, { rule: name }),
  invalidCursor: () => bad("invalid_cursor", "the cursor is not one of this list", { rule: "cursor" }),
  recipientsEmpty: () =>
    bad("recipients_empty", "there must be at least one recipient", { rule: "recipients", limit: 1 }),
  tooManyRecipients: (limit: number, actual: number) =>
    bad("too_many_recipients", `there may be ${limit} recipients in one call`, { rule: "recipients", limit, actual }),
  countTooLarge: (limit: number, actual: number) =>
    bad("count_too_large", `there may be ${limit} codes in one call`, { rule: "count", limit, actual }),
  invalidCount: () => bad("invalid_count", "count must be a whole number from 1 on", { rule: "count", limit: 1 }),
  batchNotFound: () => new ApiError(404, "batch_not_found", "there is no such grant batch"),
  poolCapExceeded: (limit: string, actual: string) =>
    conflict("pool_cap_exceeded", "the bonus pool does not reach for this", { rule: "pool_cap", limit, actual }),
  requestIdConflict: () =>
    conflict("request_id_conflict", "the request_id was used for another request", { rule: "request_id" }),
  grantsStopped: (reason: string) => conflict("grants_stopped", `no new grants are made: ${reason}`),

  // Redemption (BON-1): every kind of invalid code gets the same answer, so that codes cannot be probed.
  alreadyHasBonus: () => conflict("already_has_bonus", "the wallet has had a bonus of this campaign already"),
  accountInDebt: () =>
    conflict("account_in_debt", "the account's principal is below zero: a bonus pays only what comes after it"),
  codeNotRedeemable: () => bad("code_not_redeemable", "the code cannot be redeemed"),
  tooManyWrongCodes: (retryAfter_s: number) =>
    new ApiError(429, "too_many_wrong_codes", "too many wrong codes; try again later", { retryAfter_s }),
  redeemedAndOnItsWay: () =>
    new ApiError(503, "not_ready", "the code is redeemed and the bonus on its way; look at it in a moment", {
      retryAfter_s: 1,
    }),

  // Accounts (BON-10).
  noBonus: () => new ApiError(404, "no_bonus", "the wallet has no bonus"),
  notDone: (code: string, text: string, details?: RefusalDetails) => conflict(code, text, details),
  behind: () =>
    new ApiError(503, "not_ready", "not everything is written yet; try again in a moment", { retryAfter_s: 1 }),
  notReady: () =>
    new ApiError(503, "not_ready", "the outcome is not known yet; ask again with the same request_id", {
      retryAfter_s: 1,
    }),
};
