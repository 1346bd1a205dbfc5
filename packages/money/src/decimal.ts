import { MoneyError } from "./errors.ts";
import { divide, type Rounding } from "./rounding.ts";
import { assertDecimals, MAX_DECIMALS, powerOfTen, readDecimalText } from "./text.ts";
import { formatUnits, formatUnitsTrimmed } from "./units.ts";

/**
 * The largest number of digits of a coefficient: enough for a full 256-bit amount, few enough that hostile input costs
 * little.
 */
export const MAX_DIGITS = 78;

const COEFFICIENT_LIMIT = powerOfTen(MAX_DIGITS);

// The text of a JavaScript number below one millionth: "1e-7", "-1.25e-9".
const SMALL_NUMBER_TEXT = /^(-?)([0-9])(?:\.([0-9]+))?e-([0-9]+)$/;

/**
 * An immutable exact decimal, `coefficient / 10^scale`, always in lowest form, so equal values have equal fields.
 * `add`, `sub` and `mul` are exact; every operation that can lose digits takes a rounding. A value of more than
 * `MAX_DIGITS` digits or `MAX_DECIMALS` decimals is refused with an error.
 */
export class Decimal {
  static readonly ZERO = new Decimal(0n, 0);
  static readonly ONE = new Decimal(1n, 0);

  readonly coefficient: bigint;
  readonly scale: number;

  private constructor(coefficient: bigint, scale: number) {
    this.coefficient = coefficient;
    this.scale = scale;
  }

  /**
   * Every result passes through here: trailing zeros are removed first, so that only significant digits count against
   * the limits.
   */
  static #lowestForm(coefficient: bigint, scale: number): Decimal {
    let shortest = coefficient;
    let decimals = scale;
    while (decimals > 0 && shortest % 10n === 0n) {
      shortest /= 10n;
      decimals -= 1;
    }
    if (decimals > MAX_DECIMALS) {
      throw new MoneyError("too_many_decimals", `the number has more than ${MAX_DECIMALS} decimals`);
    }
    return new Decimal(withinDigits(shortest), decimals);
  }

  /** Reads plain decimal text such as "-12.50"; exponents, "+", spaces, "1." and ".5" are refused. */
  static parse(text: string): Decimal {
    const written = readDecimalText(text);
    return Decimal.#lowestForm(written.coefficient, written.decimals);
  }

  /**
   * Reads an amount, rate or ratio from a JSON body: a decimal string, or a number, which means the shortest decimal
   * text that represents it (0.1 is one tenth). Numbers beyond the safe integers are refused, because the text that the
   * sender wrote is lost.
   */
  static fromJson(value: unknown): Decimal {
    if (typeof value === "string") return Decimal.parse(value);
    if (typeof value !== "number" || Number.isNaN(value)) {
      throw new MoneyError("malformed", "expected a number or a decimal string");
    }
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
      throw new MoneyError("out_of_range", "the number is too large to be exact; send a decimal string");
    }
    const text = String(value);
    const match = SMALL_NUMBER_TEXT.exec(text);
    if (match === null) return Decimal.parse(text);
    const [, sign = "", whole = "", fraction = "", exponent = ""] = match;
    return Decimal.#lowestForm(BigInt(sign + whole + fraction), fraction.length + Number(exponent));
  }

  static fromUnits(units: bigint, decimals: number): Decimal {
    assertDecimals(decimals);
    return Decimal.#lowestForm(units, decimals);
  }

  static min(a: Decimal, b: Decimal): Decimal {
    return b.lt(a) ? b : a;
  }

  static max(a: Decimal, b: Decimal): Decimal {
    return b.gt(a) ? b : a;
  }

  add(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return Decimal.#lowestForm(coefficientAt(this, scale) + coefficientAt(other, scale), scale);
  }

  sub(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return Decimal.#lowestForm(coefficientAt(this, scale) - coefficientAt(other, scale), scale);
  }

  mul(other: Decimal): Decimal {
    return Decimal.#lowestForm(this.coefficient * other.coefficient, this.scale + other.scale);
  }

  /** The quotient with at most `scale` decimals. */
  div(other: Decimal, scale: number, rounding: Rounding): Decimal {
    assertDecimals(scale);
    const numerator = this.coefficient * powerOfTen(other.scale + scale);
    const divisor = other.coefficient * powerOfTen(this.scale);
    return Decimal.#lowestForm(divide(numerator, divisor, rounding), scale);
  }

  /** The same value with at most `scale` decimals. */
  round(scale: number, rounding: Rounding): Decimal {
    assertDecimals(scale);
    if (scale >= this.scale) return this;
    return Decimal.#lowestForm(divide(this.coefficient, powerOfTen(this.scale - scale), rounding), scale);
  }

  compare(other: Decimal): -1 | 0 | 1 {
    const scale = Math.max(this.scale, other.scale);
    const mine = coefficientAt(this, scale);
    const theirs = coefficientAt(other, scale);
    if (mine === theirs) return 0;
    return mine < theirs ? -1 : 1;
  }

  equals(other: Decimal): boolean {
    return this.coefficient === other.coefficient && this.scale === other.scale;
  }

  lt(other: Decimal): boolean {
    return this.compare(other) < 0;
  }

  lte(other: Decimal): boolean {
    return this.compare(other) <= 0;
  }

  gt(other: Decimal): boolean {
    return this.compare(other) > 0;
  }

  gte(other: Decimal): boolean {
    return this.compare(other) >= 0;
  }

  isZero(): boolean {
    return this.coefficient === 0n;
  }

  isNegative(): boolean {
    return this.coefficient < 0n;
  }

  /** A whole number of units of 10^-decimals. */
  toUnits(decimals: number, rounding: Rounding): bigint {
    assertDecimals(decimals);
    const units =
      decimals >= this.scale
        ? coefficientAt(this, decimals)
        : divide(this.coefficient, powerOfTen(this.scale - decimals), rounding);
    return withinDigits(units);
  }

  /** Exactly `scale` decimals, trailing zeros included: "12.00". */
  toFixed(scale: number, rounding: Rounding): string {
    return formatUnits(this.toUnits(scale, rounding), scale);
  }

  /** The one canonical text of the value: no exponent, no trailing zeros, no "-0". */
  toString(): string {
    return formatUnitsTrimmed(this.coefficient, this.scale);
  }

  /** Decimals are strings in JSON, so that no reader converts them to a binary number. */
  toJSON(): string {
    return this.toString();
  }

  /** Without this, `a < b` on two decimals would compile and compare their texts. */
  valueOf(): never {
    throw new TypeError("a Decimal has no operators; call lt, add or toString");
  }
}

/** The coefficient of `value` at a scale that is not below its own. */
function coefficientAt(value: Decimal, scale: number): bigint {
  return value.coefficient * powerOfTen(scale - value.scale);
}

function withinDigits(coefficient: bigint): bigint {
  if (coefficient >= COEFFICIENT_LIMIT || coefficient <= -COEFFICIENT_LIMIT) {
    throw new MoneyError("overflow", `the number has more than ${MAX_DIGITS} digits`);
  }
  return coefficient;
}
