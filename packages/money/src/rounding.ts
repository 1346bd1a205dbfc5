import { MoneyError } from "./errors.ts";

/**
 * How a result between two representable values is rounded. `halfUp` rounds ties away from zero, `halfEven` to the even
 * neighbour, `exact` throws instead of rounding.
 */
export type Rounding = "floor" | "ceil" | "trunc" | "away" | "halfUp" | "halfEven" | "exact";

/** `numerator / divisor` as an integer. */
export function divide(numerator: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (divisor === 0n) throw new MoneyError("division_by_zero", "division by zero");
  const quotient = numerator / divisor;
  const remainder = numerator % divisor;
  if (remainder === 0n) return quotient;
  const isNegative = numerator < 0n !== divisor < 0n;
  const twiceRemainder = 2n * magnitude(remainder);
  const wholeStep = magnitude(divisor);
  const step = isNegative ? -1n : 1n;
  switch (rounding) {
    case "trunc":
      return quotient;
    case "away":
      return quotient + step;
    case "floor":
      return isNegative ? quotient + step : quotient;
    case "ceil":
      return isNegative ? quotient : quotient + step;
    case "halfUp":
      return twiceRemainder >= wholeStep ? quotient + step : quotient;
    case "halfEven": {
      const isTie = twiceRemainder === wholeStep;
      const goesAway = isTie ? quotient % 2n !== 0n : twiceRemainder > wholeStep;
      return goesAway ? quotient + step : quotient;
    }
    case "exact":
      throw new MoneyError("inexact", "the result cannot be represented exactly");
  }
}

/** `a × b / divisor` as an integer; the product is never rounded, only the quotient is. */
export function mulDiv(a: bigint, b: bigint, divisor: bigint, rounding: Rounding): bigint {
  return divide(a * b, divisor, rounding);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
