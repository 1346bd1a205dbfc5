export type MoneyErrorReason =
  /** The text or value is not a decimal number in the accepted form. */
  | "malformed"
  /** The number is well formed but has more decimals than the caller, or the type, allows. */
  | "too_many_decimals"
  /** The result needs more digits than a decimal may hold. */
  | "overflow"
  | "division_by_zero"
  /** Digits would be lost although the caller requires an exact result. */
  | "inexact"
  /** The number is outside the bounds that the caller gave. */
  | "out_of_range";

/**
 * A refusal because of the number itself; the caller turns it into a 4xx by its reason. An argument that only code
 * supplies (a negative number of decimals) is a `RangeError` instead and must not appear as the client's error.
 */
export class MoneyError extends Error {
  readonly reason: MoneyErrorReason;

  constructor(reason: MoneyErrorReason, message: string) {
    super(message);
    this.name = "MoneyError";
    this.reason = reason;
  }
}
