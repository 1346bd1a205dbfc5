export type MoneyErrorReason =
  /** The text or value is not a decimal number in the accepted form. */
  | "malformed"
  /** The number is well formed but has more decimals than the caller, or the type, allows. */
  | "too_many_decimals"
  /** The result needs more digits than a decimal may hold. */
  | "overflow"
  | "division_by_zero"
  /** Digits would be lost where the caller asked for none to be. */
  | "inexact"
  /** The number lies outside the bounds the caller named. */
  | "out_of_range";

/**
 * A refusal caused by the numbers themselves, so a caller can turn it into a 4xx by its reason. A wrong argument that
 * only code can supply (a negative count of decimals) is a `RangeError` instead and must not reach the user as theirs.
 */
export class MoneyError extends Error {
  readonly reason: MoneyErrorReason;

  constructor(reason: MoneyErrorReason, message: string) {
    super(message);
    this.name = "MoneyError";
    this.reason = reason;
  }
}
