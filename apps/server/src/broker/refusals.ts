import { ApiError, type RefusalDetails } from "../kernel/errors.ts";

const bad = (code: string, text: string, details?: RefusalDetails) => new ApiError(400, code, text, { details });
const conflict = (code: string, text: string, details?: RefusalDetails) => new ApiError(409, code, text, { details });

/** BRK-16: the refusals of the broker program. Documented texts are repeated letter for letter. */
export const refusals = {
  // Callers and resources.
  notABroker: () => new ApiError(404, "NOT_A_BROKER", "not a broker"),
  notFound: (what: string) => new ApiError(404, "NOT_FOUND", `${what} not found`),
  invalidId: (name: string) => bad("INVALID_ID", `${name} must be a UUID`, { rule: name }),
  invalidCodeId: () => bad("INVALID_ID", "id must be a whole number from 1 on", { rule: "id" }),
  fieldRequired: (name: string) => bad("FIELD_REQUIRED", `${name} is required`, { rule: name }),
  invalidField: (name: string, text: string) => bad("INVALID_FIELD", `${name} ${text}`, { rule: name }),
  invalidPeriod: (text = "period must be a date as YYYY-MM-DD") => bad("INVALID_PERIOD", text, { rule: "period" }),

  // Ratios and tiers.
  ratioOutOfRange: (name: string) =>
    bad("RATIO_OUT_OF_RANGE", `${name} must be a decimal from 0 to 1 with at most 6 decimals`, { rule: name }),
  ratioExceedsRate: (name: string, limit: string, actual: string) =>
    bad("RATIO_EXCEEDS_RATE", `${name} must not exceed the rebate rate ${limit}`, { rule: name, limit, actual }),
  subKolCannotCreateSubKol: () => bad("SUB_KOL_CANNOT_CREATE_SUB_KOL", "a sub-KOL cannot create sub_kol codes"),
  subKolImmutable: (text = "level and rebate_rate of a sub-KOL are fixed by its parent's invite code") =>
    bad("SUB_KOL_IMMUTABLE", text),
  tierNotFound: (level: number) => bad("TIER_NOT_FOUND", `tier ${level} is not configured`, { rule: "tier_level" }),
  tierNotConfigured: () => new ApiError(500, "TIER_NOT_CONFIGURED", "tier_thresholds not configured"),
  usernameTaken: () => bad("USERNAME_TAKEN", "username already exists", { rule: "username" }),

  // Binding (BRK-1).
  codeNotFound: () => new ApiError(404, "CODE_NOT_FOUND", "code not found"),
  codeExpired: (status: string) => new ApiError(410, "CODE_EXPIRED", "code expired", { details: { status } }),
  alreadyBound: () => conflict("ALREADY_BOUND", "already bound"),
  selfReferral: () => bad("SELF_REFERRAL", "self referral"),
  bindWindowClosed: () =>
    conflict("BIND_WINDOW_CLOSED", "a wallet can be bound until 14 days after its first sign-in or its first trade"),
  alreadyABroker: () => conflict("ALREADY_A_BROKER", "the wallet is a broker already"),

  // Settlement and payouts.
  projectorBehind: () =>
    new ApiError(503, "NOT_READY", "the day's trades are not all written yet; try again in a moment", {
      retryAfter_s: 1,
    }),
  invalidState: (status: string, text: string) => conflict("INVALID_STATE", text, { status }),
  nothingToPay: () => conflict("NOTHING_TO_PAY", "there is nothing to pay"),
  feeAccountTooSmall: (limit: string, actual: string) =>
    conflict("FEE_ACCOUNT_TOO_SMALL", "the fee account holds less than the batch comes to", {
      rule: "fee_account",
      limit,
      actual,
    }),
  payoutRefused: (reason: string) =>
    conflict("PAYOUT_REFUSED", `the exchange refuses the payout: ${reason}`, { rule: reason }),
  paymentNotFound: () => conflict("PAYMENT_NOT_FOUND", "there is no such transaction in a block of the chain"),
  paymentReverted: () => conflict("PAYMENT_REVERTED", "the transaction was mined without effect"),
  paymentNotConfirmed: (limit: number, actual: number) =>
    conflict("PAYMENT_NOT_CONFIRMED", `${limit} blocks must follow the transaction, ${actual} do`, {
      rule: "confirmations",
      limit,
      actual,
    }),
  paymentNotCovered: (details: RefusalDetails) =>
    conflict("PAYMENT_NOT_COVERED", "the transaction does not pay every payee what is due", details),
  paymentAlreadyUsed: () => conflict("PAYMENT_ALREADY_USED", "the transaction has confirmed another batch"),
  chainUnavailable: (reason: string) =>
    new ApiError(503, "CHAIN_UNAVAILABLE", `the chain cannot be asked: ${reason}`, { retryAfter_s: 5 }),
};
